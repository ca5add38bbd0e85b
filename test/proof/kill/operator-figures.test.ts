import { describe, expect, it } from 'vitest';
import type { OperatorFault } from '#src/reference/operators/operators.ts';
import { isSeen, operatorProof } from './operator-figures.ts';
import type { ProofResult } from './task.ts';

const fault = (id: string, level: 'must' | 'should'): OperatorFault => ({
  id: `op/${id}`,
  title: id,
  operator: 'order',
  section: '4.3',
  endpoint: null,
  level,
  subtle: false,
  shows: [],
});

const result = (
  { id }: OperatorFault,
  profile: 'standard' | 'full',
  exitCode: number,
  outcomes: ProofResult['outcomes'],
): ProofResult => ({
  task: { name: id, faults: [id], variants: [], profile, validKeys: 1, seed: 1 },
  verdict: exitCode === 1 ? 'violates' : 'conforms',
  exitCode,
  sentence: '',
  outcomes,
  reasons: {},
  evidence: {},
  validRequests: 0,
  ms: 0,
});

const must = fault('a', 'must');
const should = fault('b', 'should');

describe('a fault made by an operator', () => {
  it('of level must is seen when a must fails and the exit code says so', () => {
    expect(isSeen(must, result(must, 'standard', 1, { x: 'failed' }))).toBe(true);
    expect(isSeen(must, result(must, 'standard', 0, { x: 'warned' }))).toBe(false);
    expect(isSeen(must, result(must, 'standard', 3, { x: 'inconclusive' }))).toBe(false);
  });

  it('of level should is seen when anything is red', () => {
    expect(isSeen(should, result(should, 'standard', 0, { x: 'warned' }))).toBe(true);
    expect(isSeen(should, result(should, 'standard', 0, { x: 'untested' }))).toBe(false);
  });
});

describe('the figures of operator faults', () => {
  it('count what a profile saw for the closer ones, too, and say what became of the rest', () => {
    const other = fault('c', 'must');
    const proof = operatorProof(
      [must, other],
      [
        result(must, 'standard', 1, { x: 'failed' }),
        result(other, 'standard', 0, {}),
        result(other, 'full', 0, { y: 'warned' }),
      ],
      { generated: 2, seed: null, profiles: ['standard', 'full'] },
    );
    expect(proof.rows).toEqual([
      { operator: 'order', level: 'must', faults: 2, seen: { smoke: 0, standard: 1, full: 1 } },
    ]);
    expect(proof.survivors).toMatchObject([
      { id: 'op/c', profile: 'full', came: 'warned', red: ['y'] },
    ]);
  });
});
