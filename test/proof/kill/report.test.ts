import { describe, expect, it } from 'vitest';
import { listFaults } from '#src/reference/catalog.ts';
import type { OperatorFault } from '#src/reference/operators/operators.ts';
import { cleanTask, faultTask, variantTask, type ProofResult } from './catalogue.ts';
import { handProof, isSeen, operatorProof, problemsIn, type Look } from './report.ts';

const origin = { commit: 'abc1234', command: 'npm run prove' };

const result = (
  task: ProofResult['task'],
  outcomes: ProofResult['outcomes'] = {},
  more: Partial<ProofResult> = {},
): ProofResult => ({
  task,
  verdict: 'conforms',
  exitCode: Object.values(outcomes).includes('failed') ? 1 : 0,
  sentence: '',
  outcomes,
  reasons: {},
  validRequests: 0,
  ...more,
});

const operator = (id: string, level: 'must' | 'should'): OperatorFault => ({
  id: `op/${id}`,
  title: id,
  operator: 'order',
  endpoint: null,
  level,
});

describe('whether a fault is seen', () => {
  const task = faultTask('x', 'standard');

  it('of level must takes a must that fails and the exit code', () => {
    expect(isSeen('must', result(task, { x: 'failed' }))).toBe(true);
    expect(isSeen('must', result(task, { x: 'warned' }))).toBe(false);
    expect(isSeen('must', result(task, { x: 'inconclusive' }, { exitCode: 3 }))).toBe(false);
  });

  it('of level should takes anything that is red', () => {
    expect(isSeen('should', result(task, { x: 'warned' }))).toBe(true);
    expect(isSeen('should', result(task, { x: 'untested' }))).toBe(false);
  });
});

describe('the proof of faults made by hand', () => {
  const faults = listFaults().slice(0, 2);
  const [first, second] = faults;
  const looks = faults.map((of, index) => ({
    of,
    seen: index === 0,
    result: result(
      faultTask(of.id, 'standard'),
      index === 0 ? Object.fromEntries(of.kills.map((id) => [id, 'failed' as const])) : {},
    ),
  }));
  const defect = { of: 'quota-none', seen: false, result: result(cleanTask('full')) };
  const greens = [
    result(cleanTask('standard', 'once'), {}, { sentence: 'one' }),
    result(cleanTask('standard', 'twice'), {}, { sentence: 'another' }),
    result(variantTask('a'), { '4.1/x': 'warned' }),
    result(variantTask('b'), { '4.1/x': 'untested' }),
    result(variantTask('c'), {}, { verdict: 'incomplete' }),
  ];

  it('says what no fault turns red', () => {
    const proof = handProof({ faults: looks, defects: [], greens: [] }, origin);
    expect(proof.unproven).not.toContain(first?.kills[0]);
    expect(proof.unproven).toContain(second?.kills[0]);
    expect(proof.killedBy).toEqual({ [first?.kills[0] ?? '']: [first?.id] });
  });

  it('names survivors, what is not green, and verdicts that differ', () => {
    const examined = { faults: looks, defects: [defect], greens };
    expect(problemsIn(examined).map((line) => line.trim().split(':')[0])).toEqual([
      `SURVIVED   ${second?.id ?? ''}`,
      'SURVIVED   defect quota-none; red',
      'NOT GREEN  variant a',
      'warned 4.1/x',
      'NOT GREEN  variant c',
      'verdict incomplete',
      'VERDICTS   conforms',
    ]);
    expect(handProof(examined, origin)).toMatchObject({
      variants: { green: 1, all: 3 },
      defects: { green: 0, all: 1 },
    });
  });
});

describe('the figures of operator faults', () => {
  it('count what a profile saw for the closer ones, too, and name the rest', () => {
    const look = (
      of: OperatorFault,
      profile: 'standard' | 'full',
      seen: boolean,
      outcomes: ProofResult['outcomes'] = {},
    ): Look<OperatorFault> => ({ of, seen, result: result(faultTask(of.id, profile), outcomes) });
    const looks = [
      look(operator('a', 'must'), 'standard', true),
      look(operator('b', 'must'), 'full', true),
      look(operator('c', 'must'), 'full', false, { y: 'warned' }),
    ];
    const proof = operatorProof(looks, { origin, generated: 3, profiles: ['standard', 'full'] });
    expect(proof.rows).toEqual([
      { operator: 'order', level: 'must', faults: 3, seen: { smoke: 0, standard: 1, full: 2 } },
    ]);
    expect(proof.survivors).toMatchObject([{ id: 'op/c', red: ['y'] }]);
  });
});
