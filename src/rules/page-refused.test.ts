import { describe, expect, it } from 'vitest';
import {
  exchange,
  FEATURED,
  found,
  NEWS,
  newsItems,
  page,
  refusal,
} from '../../test/rules/parameter-exchanges.ts';

const first = (total: number, query = {}) =>
  exchange(NEWS, page(newsItems(0, Math.min(20, total)), 1, 20, total), { query });
const second = (status: number, query = {}) =>
  exchange(NEWS, refusal(status === 404 ? 400_401 : 400_003), {
    query: { page: 2, ...query },
    status,
  });

describe('a page that is refused', () => {
  it.each([400, 404])('may be one beyond the last, with status %i', (status) => {
    expect(found([first(12), second(status)])).toEqual([]);
    expect(found([first(20), second(status)])).toEqual([]);
    expect(found([second(status)])).toEqual([]);
  });

  it.each([400, 404])('is found when there is one, with status %i', (status) => {
    expect(found([first(300), second(status)])).toContain('4.2/pages-join -');
  });

  it('may have lost its last items in between', () => {
    expect(found([first(21), second(404)])).toEqual([]);
  });

  it('is compared with the same list only', () => {
    expect(found([first(300), second(404, { category: '13' })])).toEqual([]);
    expect(found([first(300), second(404, { page_size: 500 })])).not.toContain('4.2/pages-join -');
  });

  it('is found for featured news', () => {
    const sized = { page: 1, page_size: 20 };
    const one = exchange(FEATURED, page(newsItems(0, 20), 1, 20, 60), { query: sized });
    const two = exchange(FEATURED, refusal(), { query: { ...sized, page: 2 }, status: 400 });
    expect(found([one, two])).toEqual(['4.2/featured-pages-differ -']);
  });
});
