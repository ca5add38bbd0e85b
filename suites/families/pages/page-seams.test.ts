import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../../src/spec/exchange.ts';
import {
  exchange,
  FEATURED,
  found,
  judged,
  NEWS,
  newsItems,
  page,
  PAIRS,
  pairs,
  refusal,
} from '../../../test/judge/parameter-exchanges.ts';

type Item = Record<string, unknown>;

/** A page of 100, page 2, and the page of 100 again, at 0, 1 and 2 seconds. */
const around = (path: typeof PAIRS | typeof NEWS, second: Item[], double: Item[]): Exchange[] =>
  [0, 2000]
    .map((after) => exchange(path, page(double, 1, 100, 300), { query: { page_size: 100 }, after }))
    .toSpliced(1, 0, exchange(path, page(second, 2, 20, 300), { query: { page: 2 }, after: 1000 }));

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

describe('pages', () => {
  it('join', () => {
    const exchanges = three(PAIRS, pairs(0, 20), pairs(20, 40), pairs(0, 100));
    expect(found(exchanges)).toEqual([]);
    expect(judged(exchanges)).toContain('4.1/pairs-pages-join');
  });

  it('are reported if page 2 repeats the last item of page 1', () => {
    const exchanges = around(PAIRS, pairs(19, 39), pairs(0, 100));
    expect(found(exchanges)).toContain('4.1/pairs-pages-join /list/0');
  });

  it('are reported if page 2 skips an item', () => {
    const exchanges = around(PAIRS, pairs(21, 41), pairs(0, 100));
    expect(found(exchanges)).toEqual(['4.1/pairs-pages-join /list/0']);
    const news = around(NEWS, newsItems(21, 41), newsItems(0, 100));
    expect(found(news)).toEqual(['4.2/pages-join /list/0']);
    // A single larger page may have changed.
    expect(found(news.slice(0, 2))).toEqual([]);
  });

  it('are not reported if the only difference is an item that one of them repeats', () => {
    const repeating = pairs(20, 39).concat(pairs(20, 21));
    expect(found(around(PAIRS, repeating, pairs(0, 100)))).toEqual([]);
  });

  it('do not join by being wrong twice', () => {
    const wrong = (after: number): Exchange =>
      exchange(NEWS, page(newsItems(3, 7), 2, 4, 8), { query: { page: 2, page_size: 4 }, after });
    const whole = exchange(NEWS, page(newsItems(0, 8), 1, 100, 8), { query: { page_size: 100 } });
    expect(judged([whole, wrong(1000), wrong(2000)])).not.toContain('4.2/pages-join');
  });

  it('are not reported for being unchanged over several requests', () => {
    const at = (after: number): Exchange =>
      exchange(NEWS, page(newsItems(3, 7), 2, 4, 9), { query: { page: 2, page_size: 4 }, after });
    const look = (after: number): Exchange =>
      exchange(NEWS, page(newsItems(0, 4), 1, 4, 8), { query: { page_size: 4 }, after });
    // One item arrived after the first page.
    expect(found([look(0), at(1000), at(2000), at(3000)])).toEqual([]);
  });

  it("are reported between two looks, however the target's clock is estimated", () => {
    const [first, second, after] = [0, 1000, 2000].map((at, index) => ({
      ...exchange(
        NEWS,
        index === 1 ? page(newsItems(3, 7), 2, 4, 8) : page(newsItems(0, 8), 1, 100, 8),
        { query: index === 1 ? { page: 2, page_size: 4 } : { page_size: 100 }, after: at },
      ),
      skewMs: -30_000 - 2000 * index,
    }));
    const looks = [first, second, after].flatMap((one) => one ?? []);
    expect(found(looks)).toEqual(['4.2/pages-join /list/0']);
    const again = exchange(NEWS, page(newsItems(3, 7), 2, 4, 8), {
      query: { page: 2, page_size: 4 },
      after: 3000,
    });
    expect(found([...looks, again])).toContain('4.2/pages-join /list/0');
  });

  it('are reported if page 2 repeats page 1', () => {
    const [first, second] = three(NEWS, newsItems(0, 20), newsItems(0, 20), []);
    expect(found([first, second].flatMap((one) => one ?? []))).toEqual(['4.2/pages-join /list/0']);
  });

  it('may shift if news arrives in between', () => {
    const fresh = [{ id: 'new', release_time: 1 }];
    const shifted = three(
      NEWS,
      newsItems(0, 20),
      newsItems(19, 39),
      [...fresh, ...newsItems(0, 99)],
      [300, 301, 301],
    );
    expect(found(shifted)).toEqual([]);
    // A larger page from before the new item proves nothing against page 2.
    const before = three(NEWS, newsItems(0, 20), newsItems(19, 39), []).slice(0, 2);
    const larger = exchange(NEWS, page(newsItems(0, 100), 1, 100, 300), {
      query: { page_size: 100 },
      after: -1000,
    });
    expect(found([larger, ...before])).toEqual([]);
    expect(judged([larger, ...before])).not.toContain('4.2/pages-join');
  });

  it('may have swapped neighbours in a ranking', () => {
    const second = pairs(20, 40);
    const moved = [...second.slice(0, 19), ...pairs(40, 41)].toSpliced(
      3,
      2,
      ...second.slice(3, 5).toReversed(),
    );
    const exchanges = three(PAIRS, pairs(0, 20), moved, pairs(0, 100));
    expect(found(exchanges)).toEqual([]);
  });

  it('are not compared across time', () => {
    const [first, second, double] = three(PAIRS, pairs(0, 20), pairs(21, 41), pairs(0, 100));
    const later = (one: Exchange | undefined): Exchange[] =>
      one === undefined
        ? []
        : [{ ...one, sentAt: one.sentAt + 1e6, receivedAt: one.receivedAt + 1e6 }];
    expect(
      found([...(first ? [first] : []), ...later(second), ...(double ? [double] : [])]),
    ).toEqual([]);
  });

  it('of featured news share no item', () => {
    const featured = (from: number, number: number): Exchange =>
      exchange(FEATURED, page(newsItems(from, from + 20), number, 20, 60), {
        query: { page: number, page_size: 20 },
        after: number,
      });
    expect(found([featured(0, 1), featured(20, 2)])).toEqual([]);
    expect(judged([featured(0, 1), featured(20, 2)])).toContain('4.2/featured-pages-differ');
    expect(found([featured(0, 1), featured(0, 2)])).toEqual(['4.2/featured-pages-differ /list/0']);
    // One new item may have arrived in between.
    expect(found([featured(0, 1), featured(19, 2)])).toEqual([]);
  });
});

describe('page 2 next to a page of 100', () => {
  const of100 = (list: Item[], after: number): Exchange =>
    exchange(PAIRS, page(list, 1, 100, 300), { query: { page_size: 100 }, after });
  const second = (list: Item[]): Exchange =>
    exchange(PAIRS, page(list, 2, 20, 300), { query: { page: 2 }, after: 1000 });
  const all = pairs(0, 100);

  it('joins', () => {
    const exchanges = [of100(all, 0), second(pairs(20, 40))];
    expect(found(exchanges)).toEqual([]);
    expect(judged(exchanges)).toContain('4.1/pairs-pages-join');
  });

  it('is reported as page 1 from these two requests alone', () => {
    expect(found([of100(all, 0), second(pairs(0, 20))])).toEqual(['4.1/pairs-pages-join /list/0']);
  });

  it.each([
    ['repeats the last item of page 1', pairs(19, 39)],
    ['leaves one out between the pages', pairs(21, 41)],
    ['was sorted after it was cut', [...pairs(40, 50), ...pairs(60, 70)]],
    ['repeats one item of page 1 in its middle', pairs(20, 40).toSpliced(9, 1, ...pairs(2, 3))],
    ['has lost an item in its middle', [...pairs(20, 30), ...pairs(31, 41)]],
  ])('that %s is reported if the list did not change around it', (_what, list) => {
    expect(found([of100(all, 0), second(list)])).not.toContain('4.1/pairs-pages-join /list/0');
    const seenAgain = [of100(all, 0), second(list), of100(all, 2000)];
    expect(found(seenAgain).join()).toContain('4.1/pairs-pages-join /list');
  });

  it('may have neighbours swapped by a price change, and a new pair', () => {
    const list = pairs(20, 40);
    const moved = [...list.slice(1, 2), ...list.slice(0, 1), ...list.slice(2)].with(
      12,
      pairs(150, 151)[0] ?? {},
    );
    const exchanges = [of100(all, 0), second(moved), of100(all, 2000)];
    expect(found(exchanges).filter((one) => one.includes('join'))).toEqual([]);
    // The new one may also be wrong.
    expect(judged(exchanges)).not.toContain('4.1/pairs-pages-join');
  });

  it('may have all neighbours swapped, as when the larger page is cached', () => {
    const list = pairs(20, 40);
    const swapped = list.map((_, index) => list[index % 2 === 0 ? index + 1 : index - 1] ?? {});
    const exchanges = [of100(all, 0), second(swapped), of100(all, 2000)];
    expect(found(exchanges).filter((one) => one.includes('join'))).toEqual([]);
  });

  it('is inconclusive if the list changed in between', () => {
    const shifted = [...pairs(150, 151), ...pairs(0, 99)];
    const exchanges = [of100(all, 0), second(pairs(18, 38)), of100(shifted, 2000)];
    expect(found(exchanges).filter((one) => one.includes('join'))).toEqual([]);
  });

  it('may have a pair that moves as far as others do between two answers', () => {
    const list = pairs(20, 40);
    const far = [
      ...list.slice(0, 11),
      ...list.slice(15, 16),
      ...list.slice(11, 15),
      ...list.slice(16),
    ];
    const livelier = [
      ...all.slice(0, 50),
      ...all.slice(53, 54),
      ...all.slice(50, 53),
      ...all.slice(54),
    ];
    const joins = (...exchanges: Exchange[]): string[] =>
      found(exchanges).filter((one) => one.includes('join'));
    expect(joins(of100(all, 0), second(far), of100(livelier, 2000))).toEqual([]);
    expect(joins(of100(all, 0), second(far), of100(all, 2000))).not.toEqual([]);
  });

  it('may have two pairs of the same name, such as spot and futures', () => {
    const twice = [...all.slice(0, 30), ...all.slice(29, 99)];
    const exchanges = [of100(twice, 0), second(twice.slice(20, 40)), of100(twice, 2000)];
    expect(found(exchanges)).toEqual([]);
  });
});

const firstOf = (total: number, query = {}) =>
  exchange(NEWS, page(newsItems(0, Math.min(20, total)), 1, 20, total), { query });
const secondWith = (status: number, query = {}) =>
  exchange(NEWS, refusal(status === 404 ? 400_401 : 400_003), {
    query: { page: 2, ...query },
    status,
  });

describe('a refused page', () => {
  it.each([400, 404])('may be beyond the last, with status %i', (status) => {
    expect(found([firstOf(12), secondWith(status)])).toEqual([]);
    expect(found([firstOf(20), secondWith(status)])).toEqual([]);
    expect(found([secondWith(status)])).toEqual([]);
  });

  it.each([400, 404])('is reported if it exists, with status %i', (status) => {
    expect(found([firstOf(300), secondWith(status)])).toContain('4.2/pages-join -');
  });

  it('may have lost its last items in between', () => {
    expect(found([firstOf(21), secondWith(404)])).toEqual([]);
  });

  it('is compared with the same list only', () => {
    expect(found([firstOf(300), secondWith(404, { category: '13' })])).toEqual([]);
    expect(found([firstOf(300), secondWith(404, { page_size: 500 })])).not.toContain(
      '4.2/pages-join -',
    );
  });

  it('is reported for featured news', () => {
    const sized = { page: 1, page_size: 20 };
    const one = exchange(FEATURED, page(newsItems(0, 20), 1, 20, 60), { query: sized });
    const two = exchange(FEATURED, refusal(), { query: { ...sized, page: 2 }, status: 400 });
    expect(found([one, two])).toEqual(['4.2/featured-pages-differ -']);
  });
});
