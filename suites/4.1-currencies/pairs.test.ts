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
} from '../../test/judge/parameter-exchanges.ts';

const mixed = [...pairs(0, 10, 'Alpha'), ...pairs(10, 20, 'Beta X')].map((pair, index) => ({
  ...pair,
  turnover_24h: 1e6 * 0.8 ** index,
}));
const plain = exchange(PAIRS, page(mixed, 1, 20, 300));
const filtered = (list: unknown[], total = list.length, name = 'Alpha') =>
  exchange(PAIRS, page(list, 1, 20, total), { query: { exchange: name } });

describe('pairs', () => {
  it('are ordered by volume', () => {
    expect(found([plain])).toEqual([]);
    expect(judged([plain])).toContain('4.1/pairs-order-default');
  });

  it('are reported if two answers have the same two out of order', () => {
    const swapped = mixed.toSpliced(4, 2, ...mixed.slice(4, 6).toReversed());
    const once = exchange(PAIRS, page(swapped, 1, 20, 300));
    // A single swap may be live figures that moved during sorting.
    expect(found([once])).toEqual([]);
    expect(judged([once])).not.toContain('4.1/pairs-order-default');
    expect(found([once, plain])).toEqual([]);
    expect(found([once, exchange(PAIRS, page(swapped, 1, 20, 300))])).toEqual([
      '4.1/pairs-order-default /list/5/turnover_24h',
      '4.1/pairs-order-default /list/5/turnover_24h',
    ]);
  });

  it('are reported at once if many are out of order', () => {
    expect(found([exchange(PAIRS, page(mixed.toReversed(), 1, 20, 300))])).toEqual([
      '4.1/pairs-order-default /list/1/turnover_24h',
    ]);
  });

  it('may be sorted by slightly older figures, and may have equal volumes', () => {
    const live = mixed.map((pair, index) => ({ ...pair, turnover_24h: 1000 + (index % 2) }));
    expect(found([exchange(PAIRS, page(live, 1, 20, 300))])).toEqual([]);
    expect(judged([exchange(PAIRS, page(live, 1, 20, 300))])).toContain('4.1/pairs-order-default');
    const none = mixed.map((pair) => ({ ...pair, turnover_24h: 0 }));
    expect(found([exchange(PAIRS, page(none, 1, 20, 300))])).toEqual([]);
  });

  it('may be in another order on request', () => {
    const sent = { query: { order_by: 'target' } };
    const body = page(mixed.toReversed(), 1, 20, 300);
    expect(found([exchange(PAIRS, body, sent)])).toEqual([]);
    expect(readings([exchange(PAIRS, body, sent)])).toContain(
      'Sorting pairs with order_by=target: accepted',
    );
    expect(readings([exchange(PAIRS, refusal(), { ...sent, status: 400 })])).toContain(
      'Sorting pairs with order_by=target: refused: status 400 and code 400003',
    );
    const byTurnover = { query: { order_by: 'turnover_24h' } };
    expect(readings([exchange(PAIRS, page(mixed, 1, 20, 300), byTurnover)])).toContain(
      'Sorting pairs with order_by=turnover_24h: accepted, largest first',
    );
  });

  it('belong to the requested exchange', () => {
    const conforming = [plain, filtered(pairs(0, 10, 'Alpha'))];
    expect(found(conforming)).toEqual([]);
    expect(judged(conforming)).toContain('4.1/pairs-exchange-filter');
    expect(found([plain, filtered(pairs(0, 10, 'Alpha'), 10, 'alpha')])).toEqual([]);
    expect(found([plain, filtered(pairs(10, 20, 'Beta X'), 10, 'beta-x')])).toEqual([]);
  });

  it('are reported if the filter is ignored', () => {
    const ignored = [filtered(mixed, 300), filtered(mixed, 300, 'beta-x')];
    expect(found([plain, ...ignored])).toEqual([
      '4.1/pairs-exchange-filter /list/10/market',
      '4.1/pairs-exchange-filter /list/0/market',
    ]);
  });

  it('are of the named exchange in any order, even if it has few of them', () => {
    const query = { exchange: 'Alpha', order_by: 'turnover_24h' };
    const ignoring = exchange(PAIRS, page(mixed, 1, 20, 300), { query });
    expect(found([plain, filtered(pairs(0, 2, 'Alpha'), 2), ignoring])).toEqual([
      '4.1/pairs-total /total',
      '4.1/pairs-exchange-filter /list/10/market',
    ]);
    expect(found([plain, ignoring])).toEqual([]);
  });

  it('may be filtered by an id instead of the exchange name', () => {
    const unknown = exchange(PAIRS, page([], 1, 20, 0), { query: { exchange: 'Alpha' } });
    const slug = filtered(pairs(0, 10, 'Alpha'), 10, 'a-1');
    expect(found([plain, unknown, slug])).toEqual([]);
    expect(judged([plain, unknown, slug])).toContain('4.1/pairs-exchange-filter');
    expect(readings([plain, slug])).toContain('What the `exchange` filter takes: an internal name');
    // The filter may ignore values that it does not know, even names that pairs show.
    expect(found([plain, filtered(mixed, 300), slug])).toEqual([]);
    expect(found([plain, filtered(mixed, 300, 'no-such'), slug])).toEqual([]);
  });

  it('may be filtered by ids unrelated to the names, with or without the whole list', () => {
    const slugs = [
      filtered(pairs(0, 10, 'Alpha'), 10, 'gdax'),
      filtered(pairs(10, 20, 'Beta X'), 10, 'okex'),
    ];
    for (const exchanges of [['gdax', 'okex'], ['gdax'], undefined]) {
      const facts = exchanges === undefined ? {} : { exchanges };
      expect(found(slugs, facts)).toEqual([]);
      expect(found([plain, ...slugs], facts)).toEqual([]);
    }
    expect(judged([plain, ...slugs])).toContain('4.1/pairs-exchange-filter');
    // Without a longer list, the currency may simply have pairs of only one exchange.
    expect(judged([filtered(pairs(0, 10, 'Alpha'), 300, 'gdax')])).not.toContain(
      '4.1/pairs-exchange-filter',
    );
  });

  it('are reported if an id returns pairs of other exchanges', () => {
    const facts = { exchanges: ['gdax'] };
    expect(found([plain, filtered(mixed, 300, 'gdax')], facts)).toEqual([
      '4.1/pairs-exchange-filter /list/10/market',
    ]);
    // The target may not know a value that the target file does not list.
    expect(found([plain, filtered(mixed, 300, 'gdax')])).toEqual([]);
    const slug = filtered(pairs(0, 10, 'Alpha'), 10, 'gdax');
    const second = exchange(PAIRS, page(mixed.slice(8, 12), 3, 4, 300), {
      query: { exchange: 'gdax', page: 3, page_size: 4 },
    });
    expect(found([plain, slug, second])).toContain('4.1/pairs-exchange-filter /list/2/market');
  });

  it('are reported if the filter returns another exchange', () => {
    const other = [
      filtered(pairs(10, 20, 'Beta X')),
      filtered(pairs(0, 10, 'Alpha'), 10, 'Beta X'),
    ];
    expect(found([plain, ...other])).toContain('4.1/pairs-exchange-filter /list/0/market');
  });

  it('have a total that counts the pairs of the exchange', () => {
    const query = { exchange: 'Alpha', page_size: 4 };
    const of = (total: number) =>
      exchange(PAIRS, page(pairs(0, 4, 'Alpha'), 1, 4, total), { query });
    expect(judged([plain, of(12)])).toContain('4.1/pairs-total');
    expect(found([plain, of(300)])).toEqual(['4.1/pairs-total /total']);
    expect(found([plain, of(6)])).toEqual(['4.1/pairs-total /total']);
    expect(found([plain, of(10)])).toEqual([]);
  });
});

describe('a page beyond the last', () => {
  const first = exchange(PAIRS, page(pairs(0, 20), 1, 20, 30));
  const query = { page: 99 };

  it.each([
    ['an empty list', exchange(PAIRS, page([], 99, 20, 30), { query })],
    ['refused with status 404', exchange(PAIRS, refusal(400_401), { query, status: 404 })],
  ])('is recorded: %s', (answer, beyond) => {
    expect(found([first, beyond])).toEqual([]);
    expect(readings([first, beyond])).toContain(
      `Answer to a page of pairs beyond the last one: ${answer}`,
    );
  });
});
