import { describe, expect, it } from 'vitest';
import { comparedWith } from '../../src/report/analysis/evidence-text.ts';
import { makeExchange } from './fixture.ts';

const exchanges = new Map(
  [1, 2, 3, 4].map((number) => {
    const exchange = makeExchange(number, { endpoint: '/etfs', path: '/etfs' });
    return [exchange.id, exchange] as const;
  }),
);
const finding = {
  message: 'Page 2 of GET /news does not go on where page 1 ends',
  expected: '7318',
  actual: '7319',
  pointer: '/list/0',
  exchange: 'x2',
};
const idsOf = (against: readonly string[]): string[] =>
  comparedWith({ ...finding, against }, exchanges).map(({ id }) => id);

describe('comparedWith', () => {
  it('is what the finding was compared with, as far as it is in the report, and two at most', () => {
    expect(idsOf(['x1'])).toEqual(['x1']);
    expect(idsOf(['x99'])).toEqual([]);
    expect(idsOf(['x1', 'x3', 'x4'])).toEqual(['x1', 'x3']);
  });
});
