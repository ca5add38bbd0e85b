import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../../src/spec/exchange.ts';
import { DAY } from '../../../src/spec/time.ts';
import {
  exchange,
  found,
  judged,
  NEWS,
  newsItems,
  page,
  PAIRS,
  pairs,
} from '../../../test/judge/parameter-exchanges.ts';

type Item = Record<string, unknown>;

/** Page 1, page 2 and a page of 100, at 0, 1 and 2 seconds. */
function three(
  path: typeof PAIRS | typeof NEWS,
  first: Item[],
  second: Item[],
  double: Item[],
  totals: readonly [number, number, number] = [300, 300, 300],
): Exchange[] {
  return [
    exchange(path, page(first, 1, 20, totals[0]), { after: 0 }),
    exchange(path, page(second, 2, 20, totals[1]), { query: { page: 2 }, after: 1000 }),
    exchange(path, page(double, 1, 100, totals[2]), { query: { page_size: 100 }, after: 2000 }),
  ];
}

describe('total', () => {
  it('is reported if it counts the page', () => {
    const exchanges = three(PAIRS, pairs(0, 20), pairs(20, 40), pairs(0, 100), [20, 20, 100]);
    expect(found(exchanges)).toContain('4.1/pairs-total /total');
  });

  it('is reported if the last page disagrees', () => {
    const last = exchange(PAIRS, page(pairs(300, 307), 16, 20, 310), { query: { page: 16 } });
    expect(found([last])).toEqual(['4.1/pairs-total /total']);
    const right = exchange(PAIRS, page(pairs(300, 307), 16, 20, 307), { query: { page: 16 } });
    expect(found([right])).toEqual([]);
    expect(judged([right])).toContain('4.1/pairs-total');
  });

  it('is reported if a page that should have items is empty', () => {
    const empty = (number: number, total: number): Exchange =>
      exchange(PAIRS, page([], number, 20, total), { query: { page: number } });
    expect(found([empty(2, 27)])).toEqual(['4.1/pairs-total ']);
    // Beyond the last item, and deeper than data stores count.
    expect(found([empty(3, 27), empty(400, 7990)])).toEqual([]);
    expect(judged([empty(3, 27), empty(400, 7990)])).not.toContain('4.1/pairs-total');
  });

  it('is right if one page lists as many, whatever another page lacks', () => {
    const whole = exchange(PAIRS, page(pairs(0, 27), 1, 100, 27), { query: { page_size: 100 } });
    const short = exchange(PAIRS, page(pairs(20, 26), 2, 20, 27), { query: { page: 2 } });
    expect(found([short])).toEqual(['4.1/pairs-total /total']);
    expect(found([whole, short])).not.toContain('4.1/pairs-total /total');
    // A full page does not show that nothing follows it.
    const full = exchange(PAIRS, page(pairs(0, 20), 1, 20, 20));
    const next = exchange(PAIRS, page(pairs(20, 26), 2, 20, 20), { query: { page: 2 } });
    expect(found([full, next])).toContain('4.1/pairs-total /total');
  });

  it('may grow from one to seven as news arrives', () => {
    const one = exchange(NEWS, page(newsItems(0, 1), 1, 20, 1));
    const seven = exchange(NEWS, page(newsItems(0, 7), 1, 100, 7), {
      query: { page_size: 100 },
    });
    expect(found([one, seven]).filter((finding) => finding.includes('total'))).toEqual([]);
  });

  it('may grow a little', () => {
    const grown = three(
      NEWS,
      newsItems(0, 20),
      newsItems(20, 40),
      newsItems(0, 100),
      [300, 301, 303],
    );
    expect(found(grown)).toEqual([]);
    expect(judged(grown)).toContain('4.2/total');
  });

  it('is reported if it drifts from page to page', () => {
    const drifting = three(
      NEWS,
      newsItems(0, 20),
      newsItems(20, 40),
      newsItems(0, 100),
      [300, 280, 300],
    );
    expect(found(drifting)).toContain('4.2/total /total');
  });
});

describe('a changing total', () => {
  const plain = (total: number, after: number): Exchange =>
    exchange(PAIRS, page(pairs(0, 20), 1, 20, total), { after });
  const second = (total: number): Exchange =>
    exchange(PAIRS, page(pairs(20, 40), 2, 20, total), { query: { page: 2 }, after: 1000 });

  it('may drop if an exchange is delisted between two requests', () => {
    expect(found([plain(300, 0), second(280)])).toEqual([]);
  });

  it('is reported if the next answer has the old one again', () => {
    expect(found([plain(300, 0), second(280), plain(300, 2000)])).toContain(
      '4.1/pairs-total /total',
    );
  });

  it('may change by a few per request in between', () => {
    const apart = (from: number, to: number): string[] => {
      const before = plain(from, 0);
      const others = Array.from({ length: 6 }, () => exchange(NEWS, page([], 1, 20, 0)));
      const rest = page(pairs(20, to), 2, 20, to);
      const after = exchange(PAIRS, rest, { query: { page: 2 }, after: 1000 });
      return found([before, ...others, after]);
    };
    expect(apart(23, 35)).toEqual([]);
    expect(apart(35, 23)).toEqual([]);
  });

  it('may grow by one per request in between', () => {
    const before = plain(100, 0);
    const others = Array.from({ length: 40 }, () => exchange(NEWS, page([], 1, 20, 0)));
    expect(found([before, ...others, second(135)])).toEqual([]);
  });

  it('may recur after a day', () => {
    const others = Array.from({ length: 40 }, () => exchange(NEWS, page([], 1, 20, 0)));
    const exchanges = [plain(100, 0), ...others, second(120), plain(140, DAY)];
    expect(found(exchanges)).toEqual([]);
  });

  it('may keep growing', () => {
    expect(found([plain(1738, 0), second(1777), plain(1779, 594_000)])).toEqual([]);
  });

  it('is reported at once if it is far off', () => {
    expect(found([plain(300, 0), second(40)])).toContain('4.1/pairs-total /total');
  });
});

describe('a page beyond the last', () => {
  const whole = exchange(PAIRS, page(pairs(0, 45), 1, 100, 45), { query: { page_size: 100 } });
  const beyond = (rows: Item[], said: number, asked = 1000): Exchange =>
    exchange(PAIRS, page(rows, said, 20, 45), { query: { page: asked }, after: 1000 });

  it('may be clamped to the last one if the envelope says so', () => {
    expect(found([whole, beyond(pairs(40, 45), 3)])).toEqual([]);
    expect(found([whole, beyond(pairs(40, 45), 3, 4)])).toEqual([]);
    const empty = exchange(PAIRS, page([], 1, 20, 0), { query: { page: 2 } });
    expect(found([empty])).toEqual([]);
  });

  it('is not identified by the envelope if it is another page', () => {
    expect(found([whole, beyond(pairs(40, 45), 2, 4)])).toContain('4.1/pairs-page-echo /page');
    expect(found([whole, beyond([], 3, 4)])).toEqual(['4.1/pairs-page-echo /page']);
  });

  it('tells nothing about the total if it is too deep', () => {
    expect(found([whole, beyond(pairs(0, 20), 1000)])).not.toContain('4.1/pairs-total /total');
    expect(found([whole, beyond([], 1000)])).toEqual([]);
  });
});
