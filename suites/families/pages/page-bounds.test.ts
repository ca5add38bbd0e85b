import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../../src/spec/exchange.ts';
import {
  exchange,
  FEATURED,
  found,
  judge,
  judged,
  NEWS,
  newsItems,
  page,
  PAIRS,
  pairs,
  refusal,
  type Sent,
} from '../../../test/judge/parameter-exchanges.ts';

const ofPairs = (body: unknown, query: Sent['query'] = {}, status = 200): Exchange =>
  exchange(PAIRS, body, { query, status });
const ofNews = (body: unknown, query: Sent['query'] = {}, status = 200): Exchange =>
  exchange(NEWS, body, { query, status });
const ofFeatured = (body: unknown, query: Sent['query'] = {}, status = 200): Exchange =>
  exchange(FEATURED, body, { query: { page: 1, page_size: 20, ...query }, status });

const plain = ofPairs(page(pairs(0, 20), 1, 20, 300));
const of100 = ofPairs(page(pairs(0, 100), 1, 100, 300), { page_size: 100 });

describe('page size', () => {
  it('conforms', () => {
    expect(found([plain, of100])).toEqual([]);
    expect(judged([plain, of100])).toEqual(
      expect.arrayContaining([
        '4.1/pairs-page-size-default',
        '4.1/pairs-page-size-max-accepted',
        '4.1/pairs-page-full',
        '4.1/pairs-page-echo',
      ]),
    );
  });

  it('is reported if the default is another', () => {
    expect(found([ofPairs(page(pairs(0, 10), 1, 10, 300))])).toEqual([
      '4.1/pairs-page-size-default /list',
    ]);
  });

  it('is inconclusive with fewer than 20 items', () => {
    const few = ofPairs(page(pairs(0, 12), 1, 20, 12));
    expect(found([few])).toEqual([]);
    expect(judged([few])).not.toContain('4.1/pairs-page-size-default');
    expect(judged([few])).not.toContain('4.1/pairs-page-full');
  });

  it('is reported if a page is not full', () => {
    expect(found([ofPairs(page(pairs(0, 19), 1, 20, 300))])).toEqual(['4.1/pairs-page-full /list']);
    const second = ofNews(page(newsItems(20, 39), 2, 20, 90), { page: 2 });
    expect(found([second])).toEqual(['4.2/page-full /list']);
  });

  it('is reported in true words for the last page, from which an item is missing', () => {
    const short = judge([ofPairs(page(pairs(0, 19), 1, 20, 20))]).requirements;
    const { findings = [] } = short.get('4.1/pairs-page-full') ?? {};
    expect(findings.map(({ message }) => message)).toEqual([
      'Page 1 of GET /currencies/{currency_id}/pairs is not full, although `total` counts enough items to fill it',
    ]);
  });

  it('is reported if the largest page is cut', () => {
    const cut = ofPairs(page(pairs(0, 50), 1, 50, 300), { page_size: 100 });
    expect(found([cut])).toEqual(['4.1/pairs-page-size-max-accepted /page_size']);
  });

  it('is reported if the envelope states another page or size', () => {
    const second = ofPairs(page(pairs(20, 40), 1, 20, 300), { page: 2 });
    expect(found([second])).toEqual(['4.1/pairs-page-echo /page']);
    const size = ofNews(page(newsItems(0, 100), 1, 20, 300), { page_size: 100 });
    expect(found([size])).toEqual(['4.2/page-echo /page_size']);
  });
});

describe('an empty page for a size beyond the maximum', () => {
  const empty = (after: number): Exchange =>
    exchange(NEWS, page([], 1, 100, 0), { query: { page_size: 1000 }, after });
  const some = (after: number): Exchange =>
    exchange(NEWS, page(newsItems(0, 20), 1, 20, 30), { after });

  it('is reported if the list had items before', () => {
    expect(found([some(0), empty(1000)])).toContain('4.2/page-size-max /list');
  });

  it('is inconclusive if the items may have left the recent window, as at midnight', () => {
    const old = newsItems(0, 20).map((item, index) => ({
      ...item,
      release_time: Number(item['release_time']) - (6 * 24 + index) * 3_600_000,
    }));
    const before = exchange(NEWS, page(old, 1, 20, 30), { after: 0 });
    expect(found([before, empty(1000)])).not.toContain('4.2/page-size-max /list');
  });

  it('is inconclusive if the items came later', () => {
    expect(found([empty(0), some(1000)])).not.toContain('4.2/page-size-max /list');
  });
});

describe('a page out of bounds', () => {
  it.each([
    ['refused', ofPairs(refusal(), { page_size: 101 }, 400)],
    ['cut to the maximum', ofPairs(page(pairs(0, 100), 1, 100, 300), { page_size: 101 })],
    ['set to the default', ofPairs(page(pairs(0, 20), 1, 20, 300), { page_size: 101 })],
  ])('may be %s', (_how, answer) => {
    expect(found([plain, answer])).toEqual([]);
    expect(judged([plain, answer])).toContain('4.1/pairs-page-size-max');
  });

  it.each([
    ['used', ofPairs(page(pairs(0, 101), 1, 101, 300), { page_size: 101 }), '/list/100'],
    ['said', ofPairs(page(pairs(0, 100), 1, 101, 300), { page_size: 101 }), '/page_size'],
    ['not found', ofPairs(refusal(400_401), { page_size: 101 }, 404), '-'],
    ['answered with nothing', ofPairs(page([], 1, 100, 300), { page_size: 101 }), '/list'],
  ])('is reported if it is %s', (_how, answer, pointer) => {
    expect(found([plain, answer])).toEqual([`4.1/pairs-page-size-max ${pointer}`]);
  });

  it.each([{ page: 0 }, { page: -1 }, { page: 'x' }, { page_size: 0 }, { page_size: 'x' }])(
    'may be anything but a 5xx for %j',
    (query) => {
      expect(found([plain, ofPairs(refusal(), query, 400)])).toEqual([]);
      expect(found([plain, ofPairs(page(pairs(0, 20), 1, 20, 300), query)])).toEqual([]);
      expect(found([plain, ofPairs('', query, 500)])).toEqual(['4.1/pairs-page-invalid -']);
    },
  );

  it('may be hidden by an unknown exchange', () => {
    const query = { page: 0, exchange: 'nowhere' };
    expect(found([plain, ofPairs(refusal(400_401), query, 404)])).toEqual([]);
    expect(found([plain, ofPairs(refusal(400_401), { page: 0 }, 404)])).toEqual([
      '4.1/pairs-page-invalid -',
    ]);
  });

  it('is reported for featured news below its minimum', () => {
    const first = ofFeatured(page(newsItems(0, 20), 1, 20, 60));
    const zero = ofFeatured(page(newsItems(0, 20), 0, 20, 60), { page: 0 });
    expect(found([first, zero])).toEqual(['4.2/featured-page-minimum /page']);
    const small = ofFeatured(page(newsItems(0, 19), 1, 19, 60), { page_size: 19 });
    expect(found([first, small])).toEqual(['4.2/featured-page-size-minimum /page_size']);
    const raised = ofFeatured(page(newsItems(0, 20), 1, 20, 60), { page: 0, page_size: 20 });
    expect(found([first, raised])).toEqual([]);
  });
});
