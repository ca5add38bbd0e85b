import { describe, expect, it } from 'vitest';
import { besideOf } from '../../src/report/analysis/beside.ts';
import { makeExchange } from './fixture.ts';

const exchanges = new Map(
  [1, 2, 3, 4].map((number) => {
    const exchange = makeExchange(number, { endpoint: '/etfs', path: '/etfs' });
    return [exchange.id, exchange] as const;
  }),
);
const finding = {
  message: 'Page 2 of GET /news does not go on where page 1 ends',
  expected: '7318, going by x1',
  actual: '7319',
  pointer: '/list/0',
  exchange: 'x2',
};
const idsOf = (changed: Partial<typeof finding>): string[] =>
  besideOf({ ...finding, ...changed }, exchanges).map(({ id }) => id);

describe('besideOf', () => {
  it('is what the finding names, each once, and not its own exchange', () => {
    expect(idsOf({})).toEqual(['x1']);
    expect(idsOf({ actual: 'as in x2 and x1' })).toEqual(['x1']);
  });

  it('is nothing for ids that nothing has, or that are part of a word', () => {
    expect(idsOf({ expected: 'x99', actual: 'box3x4, x1y' })).toEqual([]);
  });

  it('names two at most', () => {
    expect(idsOf({ expected: 'x1, x3 and x4' })).toEqual(['x1', 'x3']);
  });
});
