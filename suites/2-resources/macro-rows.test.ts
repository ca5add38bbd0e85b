import { expect, it } from 'vitest';
import { macro, weeks } from '../../test/judge/parameter-exchanges.ts';
import { judgeFor } from '../../src/requirements/judging.ts';
import { contextOf } from '../../src/judge/context.ts';
import { DEFAULT_FACTS } from '../../src/judge/facts.ts';

const rows = (nulls: number) =>
  weeks(9).map((row, index) => ({ ...row, actual: index < nulls ? null : 2, previous: 1 }));

/** Pointers of the findings; undefined if nothing was judged. */
const found = (sent: readonly unknown[]) => {
  const exchanges = [macro(sent)];
  const judgement = judgeFor('2.10/released', exchanges, contextOf(DEFAULT_FACTS, exchanges));
  return judgement.requirements.get('2.10/released')?.findings.map(({ pointer }) => pointer);
};

it('tolerates a future release, and one that never got a figure', () => {
  expect(found(rows(2))).toEqual([]);
});

it('reports a history without figures', () => {
  expect(found(rows(9))).toEqual(['/1/actual']);
});

it('is inconclusive for two rows or unreadable dates', () => {
  expect(found(rows(9).slice(0, 2))).toBeUndefined();
  const unread = rows(9).map((row) => ({ ...row, date: 'Q3' }));
  expect(found(unread)).toBeUndefined();
});
