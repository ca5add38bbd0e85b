import { describe, expect, it } from 'vitest';
import {
  exchange,
  found,
  judged,
  page,
  PAIRS,
  pairs,
  readings,
  refusal,
} from '../../test/rules/parameter-exchanges.ts';

const mixed = [...pairs(0, 10, 'Alpha'), ...pairs(10, 20, 'Beta X')];
const plain = exchange(PAIRS, page(mixed, 1, 20, 300));
const filtered = (list: unknown[], total = list.length, name = 'Alpha') =>
  exchange(PAIRS, page(list, 1, 20, total), { query: { exchange: name } });

describe('pairs', () => {
  it('come by volume', () => {
    expect(found([plain])).toEqual([]);
    expect(judged([plain])).toContain('4.1/pairs-order-default');
    const swapped = mixed.toSpliced(4, 2, ...mixed.slice(4, 6).toReversed());
    expect(found([exchange(PAIRS, page(swapped, 1, 20, 300))])).toEqual([
      '4.1/pairs-order-default /list/5/turnover_24h',
    ]);
  });

  it('may come otherwise when asked', () => {
    const sent = { query: { order_by: 'target' } };
    const body = page(mixed.toReversed(), 1, 20, 300);
    expect(found([exchange(PAIRS, body, sent)])).toEqual([]);
    expect(readings([exchange(PAIRS, body, sent)])).toEqual([
      'Pairs with order_by=target: accepted',
    ]);
    expect(readings([exchange(PAIRS, refusal(), { ...sent, status: 400 })])).toEqual([
      'Pairs with order_by=target: refused: status 400 and code 400003',
    ]);
    const byTurnover = { query: { order_by: 'turnover_24h' } };
    expect(readings([exchange(PAIRS, page(mixed, 1, 20, 300), byTurnover)])).toEqual([
      'Pairs with order_by=turnover_24h: accepted, largest first',
    ]);
  });

  it('of one exchange are those of that exchange, all of them', () => {
    const conforming = [plain, filtered(pairs(0, 10, 'Alpha'))];
    expect(found(conforming)).toEqual([]);
    expect(judged(conforming)).toEqual(
      expect.arrayContaining(['4.1/pairs-exchange-filter', '4.1/pairs-exchange-complete']),
    );
    expect(found([plain, filtered(pairs(0, 10, 'Alpha'), 10, 'alpha')])).toEqual([]);
    expect(found([plain, filtered(pairs(10, 20, 'Beta X'), 10, 'beta-x')])).toEqual([]);
  });

  it('are found when the filter is ignored or leaves one out', () => {
    expect(found([plain, filtered(mixed, 300)])).toEqual([
      '4.1/pairs-exchange-filter /list/10/market',
    ]);
    expect(found([plain, filtered(pairs(1, 10, 'Alpha'))])).toEqual([
      '4.1/pairs-exchange-complete /list',
    ]);
  });

  it('that may come on later pages are not missing', () => {
    expect(found([plain, filtered(pairs(1, 10, 'Alpha'), 12)])).toEqual(['4.1/pairs-total /total']);
  });
});
