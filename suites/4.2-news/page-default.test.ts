import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../src/spec/exchange.ts';
import {
  exchange,
  found,
  judged,
  NEWS,
  newsItems,
  page,
} from '../../test/judge/parameter-exchanges.ts';

describe('the default page', () => {
  const firstPage = (): Exchange =>
    exchange(NEWS, page(newsItems(0, 20), 1, 20, 300), { query: { page: 1 } });

  it('is the first', () => {
    const first = firstPage();
    const plain = exchange(NEWS, page(newsItems(0, 20), 1, 20, 300));
    expect(found([first, plain])).toEqual([]);
    expect(judged([first, plain])).toContain('4.2/page-default');
  });

  it('is told by the envelope', () => {
    const plain = exchange(NEWS, page(newsItems(0, 20), 1, 20, 300));
    const chinese = { page: 1, page_size: 100, language: 'zh' };
    const largest = exchange(NEWS, page(newsItems(0, 100), 1, 100, 300), { query: chinese });
    expect(judged([plain, largest])).toContain('4.2/page-default');
    const silent = exchange(NEWS, { total: 300, list: newsItems(0, 20) });
    expect(judged([silent, largest])).not.toContain('4.2/page-default');
  });

  it('is reported if it is another one', () => {
    expect(found([exchange(NEWS, page(newsItems(20, 40), 2, 20, 300))])).toEqual([
      '4.2/page-default /page',
    ]);
    // Which page it is then, its envelope tells: neither the total nor the seams of the pages are wrong.
    const second = exchange(NEWS, page(newsItems(20, 30), 2, 20, 30));
    const explicit = [1, 2].map((number) =>
      exchange(NEWS, page(newsItems(20 * number - 20, Math.min(20 * number, 30)), number, 20, 30), {
        query: { page: number },
      }),
    );
    expect(found([...explicit, second])).toEqual(['4.2/page-default /page']);
  });
});
