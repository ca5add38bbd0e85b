import { expect, it } from 'vitest';
import { found, judged, macro, weeks } from '../../test/rules/parameter-exchanges.ts';

const rows = (nulls: number) =>
  weeks(9).map((row, index) => ({ ...row, actual: index < nulls ? null : 2, previous: 1 }));

it('bears a release to come, and one that never had a figure', () => {
  expect(found([macro(rows(2))])).toEqual([]);
  expect(judged([macro(rows(2))])).toContain('2.10/released');
});

it('finds a history without any figure', () => {
  expect(found([macro(rows(9))])).toEqual(['2.10/released /1/actual']);
});

it('says nothing about two rows, or about dates that cannot be read', () => {
  expect(judged([macro(rows(9).slice(0, 2))])).not.toContain('2.10/released');
  const unread = rows(9).map((row) => ({ ...row, date: 'Q3' }));
  expect(judged([macro(unread)])).not.toContain('2.10/released');
});
