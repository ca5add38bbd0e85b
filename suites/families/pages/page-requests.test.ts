import { describe, expect, it } from 'vitest';
import { answerOf } from '../../../src/ask/answer.ts';
import type { Api, CheckContext, Query } from '../../../src/ask/index.ts';
import { judgeFor } from '../../../src/requirements/judging.ts';
import { contextOf } from '../../../src/judge/context.ts';
import { DEFAULT_FACTS } from '../../../src/judge/facts.ts';
import { exchangeOf } from '../../../test/judge/exchanges.ts';
import { fullPages, lastPage, inOrderLater } from '../../4.1-currencies/requests.ts';
import { lateLast } from './page-requests.ts';

/** The first currency has `total` pairs, with these turnovers on each page. */
function withPairs(total: number, turnovers: readonly number[] = []): CheckContext {
  const api = {
    fixture: async () => '1',
    fixtures: async () => ['1'],
    get: async (path: '/currencies/{currency_id}/pairs', query: Query) => {
      const { page = 1, page_size = 20 } = query;
      const rows = Math.max(
        0,
        Math.min(Number(page_size), total - (Number(page) - 1) * Number(page_size)),
      );
      const list = Array.from({ length: rows }, (_, index) => ({
        base: `B${index}`,
        turnover_24h: turnovers[index],
      }));
      const sent = Object.entries(query).map(([name, value]) => [name, String(value)]);
      const exchange = exchangeOf(path, {
        query: Object.fromEntries(sent) as Record<string, string>,
        body: { list, page, page_size, total },
      });
      return answerOf(exchange, DEFAULT_FACTS, null);
    },
  };
  return { api: api as unknown as Api } as CheckContext;
}

describe('a page that must be full', () => {
  it.each([
    [21, '1'],
    [24, '1'],
    [39, '1'],
    [40, '2'],
    [48, '2'],
  ])('of %i pairs is page %s', async (total, page) => {
    const [, { exchange }] = await fullPages(withPairs(total));
    expect(exchange.request.query).toEqual([['page', page]]);
    const judged = judgeFor(
      '4.1/pairs-page-full',
      [exchange],
      contextOf(DEFAULT_FACTS, [exchange]),
    );
    expect(judged.requirements.get('4.1/pairs-page-full')?.findings).toEqual([]);
  });

  it('of 20 pairs is not requested', async () => {
    await expect(fullPages(withPairs(20))).rejects.toThrow('more than 20 pairs');
  });
});

it.each([
  [25, 3, 9],
  [150, 3, 51],
  [250, 3, 84],
  [300, 4, 97],
])('of %i pairs requests page %i as the last one, of %i', async (total, page, size) => {
  const answer = await lastPage()(withPairs(total));
  expect([answer].flat()).toMatchObject([
    {
      exchange: {
        request: {
          query: [
            ['page', `${page}`],
            ['page_size', `${size}`],
          ],
        },
      },
    },
  ]);
});

it('requests page 2 of pairs again if a few seem out of order', async () => {
  const asked = async (turnovers: readonly number[]): Promise<number> => {
    const context = withPairs(40, turnovers);
    return [await inOrderLater(context)].flat().length;
  };
  expect(await asked([3, 2, 1])).toBe(1);
  expect(await asked([3, 1, 2])).toBe(2);
  await expect(inOrderLater(withPairs(20))).rejects.toThrow('more than 20 pairs');
});

it('requests a last page that is not full, page 3 if possible', () => {
  for (const items of [2, 3, 4, 6]) expect(lateLast(items).page).toBe(2);
  for (const items of [5, 7, 9, 56, 82, 100]) {
    const { page, page_size: size } = lateLast(items);
    const rows = items - (page - 1) * size;
    expect([page, rows > 0 && rows < size]).toEqual([3, true]);
  }
});
