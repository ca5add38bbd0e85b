import { describe, expect, it } from 'vitest';
import { contradictionsOf, seenWords } from '../../src/report/analysis/contradictions.ts';
import type { SeenContradiction } from '../../src/report/analysis/contradictions.ts';
import type { ReadingResult, RequirementResult, Results } from '../../src/report/model/results.ts';
import { REQUIREMENTS } from '../../src/requirements/catalogue.ts';
import { CONTRADICTIONS } from '../../src/requirements/contradictions.ts';
import { makeExchange, makeRequirement, makeResults } from './fixture.ts';

const QUESTION = 'How many digits error codes have';

/** What is made of one requirement and the reading that belongs to it. */
function shown(
  requirement: RequirementResult,
  reading: Partial<ReadingResult> | null = null,
  date: unknown = null,
): SeenContradiction {
  const results: Results = {
    ...makeResults(),
    exchanges: [
      makeExchange(2, {
        endpoint: '/etfs/{ticker}/history',
        path: '/etfs/FBTC/history',
        body: JSON.stringify([{ date }]),
      }),
    ],
    requirements: [requirement],
    readings:
      reading === null
        ? []
        : [{ question: QUESTION, answer: '', mixed: false, exchanges: [], ...reading }],
  };
  const one = contradictionsOf(results).find(({ counted }) => counted === requirement.id);
  if (one === undefined) throw new Error(`no contradiction counts ${requirement.id}`);
  return one;
}

const CODES = makeRequirement('7/code-form', 'observed', {
  exchanges: ['x1', 'x2', 'x3', 'x4', 'x5', 'x6'],
});
const DATE = (outcome: 'passed' | 'failed'): RequirementResult =>
  makeRequirement('2.8/history-date', outcome, {
    exchanges: ['x1', 'x2', 'x3'],
    findings:
      outcome === 'passed'
        ? []
        : [
            {
              message: 'm',
              expected: 'a date',
              actual: 'else',
              pointer: '/0/date',
              exchange: 'x2',
            },
          ],
  });

describe('contradictions', () => {
  it('cover every requirement that says that it is about one', () => {
    const listed = CONTRADICTIONS.flatMap(({ counted, also }) => [counted, ...also]);
    const all = REQUIREMENTS.flatMap(({ id, basis }) => (basis === 'contradictory' ? [id] : []));
    expect(listed.toSorted()).toEqual(all.toSorted());
  });

  it('count one form on every exchange that was judged', () => {
    const one = shown(CODES, { answer: 'five-digit', exchanges: ['x1', 'x2', 'x3'] });
    expect(one.seen.map(({ count }) => count)).toEqual([0, 6]);
    expect(one.seen[1].exchanges).toEqual(CODES.exchanges);
    expect(seenWords(one)).toBe('only the second form');
  });

  it('count each form of a target that mixes them, with exchanges of its own, and lead then', () => {
    const mixed = {
      mixed: true,
      answer: 'six-digit / five-digit',
      exchanges: ['x1', 'x2', 'x3', 'x6'],
      forms: [
        { answer: 'six-digit', count: 5 },
        { answer: 'five-digit', count: 1 },
      ],
    };
    const one = shown(CODES, mixed);
    expect(one.seen.map(({ count, exchanges }) => [count, exchanges])).toEqual([
      [5, ['x1', 'x2', 'x3']],
      [1, ['x6']],
    ]);
    expect(seenWords(one)).toBe('both forms');
    const results = { ...makeResults(), requirements: [CODES] };
    const readings = [{ question: QUESTION, ...mixed }];
    expect(contradictionsOf({ ...results, readings })[0]?.counted).toBe('7/code-form');
    expect(contradictionsOf({ ...results, readings: [] })[0]?.counted).not.toBe('7/code-form');
  });

  it('give no number where the results hold none', () => {
    const forms = ['six-digit', 'unknown'].map((answer) => ({ answer, count: null }));
    const one = shown(CODES, {
      mixed: true,
      answer: 'six-digit / unknown',
      exchanges: ['x1'],
      forms,
    });
    expect(one.seen.map(({ count }) => count)).toEqual([null, 0]);
    expect(one.other).toBeNull();
  });

  it('are told by the judgement where no reading is: what passed has the first form', () => {
    expect(shown(DATE('passed')).seen.map(({ count }) => count)).toEqual([3, 0]);
    const number = shown(DATE('failed'), null, 1_767_139_200_000);
    expect(number.seen.map(({ count, exchanges }) => [count, exchanges])).toEqual([
      [2, ['x1', 'x3']],
      [1, ['x2']],
    ]);
    const other = shown(DATE('failed'), null, '31/12/2025');
    expect([...other.seen.map(({ count }) => count), other.other]).toEqual([2, 0, 1]);
  });

  it('say when nothing was asked, and when what came has neither form', () => {
    expect(seenWords(shown(makeRequirement('7/code-form', 'untested')))).toBe('not tested');
    expect(seenWords(shown(CODES, { answer: 'unknown' }))).toBe('neither form');
    expect(seenWords(shown(CODES))).toBe('no evidence');
  });
});
