import type { Hooks } from '../conduct/hooks.ts';

import { isObject, type Json } from '../core/json.ts';

import type { Defect } from './defect.ts';
import {
  failure,
  FEATURED,
  good,
  ignoring,
  NEWS,
  one,
  plain,
  rewriting,
  subtle,
  said,
  refusing,
} from './tools.ts';

const BOTH = [NEWS, FEATURED];

/** Defects of the filters of news. */
export const NEWS_FILTERS: readonly Defect[] = [
  plain('news-category-ignored', 'GET /news ignores category.', ignoring(NEWS, 'category')),
  plain(
    'featured-category-ignored',
    'GET /news/featured ignores category.',
    ignoring(FEATURED, 'category'),
  ),
  plain(
    'featured-category-first',
    'GET /news/featured takes the first of several categories only.',
    rewriting(FEATURED, 'category', (value) => value.split(',')[0] ?? ''),
  ),
  plain('featured-category-list-refused', 'GET /news/featured refuses several categories.', {
    reply: (call, reply) =>
      call.template === FEATURED &&
      reply.status === 200 &&
      call.query.get('category')?.includes(',') === true
        ? failure(400, 400001, 'Invalid parameter: category', { field: 'category' })
        : undefined,
  }),
  ...['1', '2', '3', '4', '7', '13'].flatMap((value) => [
    subtle(
      `news-category-${value}-ignored`,
      `GET /news ignores category=${value}.`,
      ignoring(NEWS, 'category', (sent) => sent === value),
    ),
    subtle(
      `news-category-${value}-refused`,
      `GET /news refuses category=${value}.`,
      refusing('category', value, [NEWS]),
    ),
    subtle(
      `featured-category-${value}-refused`,
      `GET /news/featured refuses category=${value}.`,
      refusing('category', value, [FEATURED]),
    ),
  ]),
  subtle('news-category-one-wrong', 'One record of a filtered page has another category.', {
    ...one(NEWS, -1, (record, call) => {
      if (call.query.has('category')) record['category'] = record['category'] === 1 ? 2 : 1;
    }),
  }),
  subtle(
    'news-category-empty',
    'A category other than 1 gives an empty page, though there are news of it.',
    good(NEWS, (body, call) =>
      (call.query.get('category') ?? '1') !== '1' && isObject(body)
        ? { ...body, list: [], total: 0 }
        : undefined,
    ),
  ),
  plain('news-currency-ignored', 'GET /news ignores currency_id.', ignoring(NEWS, 'currency_id')),
  subtle(
    'news-currency-by-symbol',
    'GET /news looks for currency_id among symbols, and finds nothing.',
    good(NEWS, (body, call) =>
      call.query.has('currency_id') && isObject(body) ? { ...body, list: [], total: 0 } : undefined,
    ),
  ),
  plain('news-start-ignored', 'GET /news ignores start_time.', ignoring(NEWS, 'start_time')),
  plain('news-end-ignored', 'GET /news ignores end_time.', ignoring(NEWS, 'end_time')),
  subtle(
    'news-start-seconds',
    'GET /news reads start_time as seconds and finds everything.',
    rewriting(NEWS, 'start_time', (value) =>
      /^\d{13}$/.test(value) ? said(Math.floor(Number(value) / 1000) + 1_790_000_000_000) : value,
    ),
  ),
  subtle(
    'news-end-open',
    'GET /news lets items of the hour after end_time through.',
    rewriting(NEWS, 'end_time', (value) =>
      /^\d{13}$/.test(value) ? said(Number(value) + 3 * 3_600_000) : value,
    ),
  ),
  subtle(
    'news-time-total',
    'The total of news does not follow the filter by time.',
    good(NEWS, (body, call) =>
      call.query.has('start_time') && isObject(body) ? { ...body, total: 240 } : undefined,
    ),
  ),
  subtle(
    'news-category-total',
    'The total of news does not follow the category.',
    good(NEWS, (body, call) =>
      call.query.has('category') && isObject(body) ? { ...body, total: 240 } : undefined,
    ),
  ),
  plain('news-too-old', 'News of ten days ago are given when a range asks for them.', {
    reply: (call, reply) => {
      const start = Number(call.query.get('start_time'));
      if (
        call.template !== NEWS ||
        reply.status !== 400 ||
        !(start > 1e12) ||
        start > call.now - 8 * 86_400_000
      )
        return undefined;
      return old(start);
    },
  }),
  plain(
    'news-unknown-language-crash',
    'An unknown language is answered with 500.',
    crash('language'),
  ),
  plain(
    'news-unknown-category-crash',
    'An unknown category is answered with 500.',
    crash('category'),
  ),
];

function old(start: number): { status: number; headers: Record<string, string>; body: Json } {
  const item = {
    id: '1',
    release_time: start + 3_600_000,
    title: 'Old',
    content: '<p>Old</p>',
    category: 1,
  };
  return { status: 200, headers: {}, body: { list: [item], page: 1, page_size: 20, total: 1 } };
}

function crash(name: string): Hooks {
  return {
    reply: (call, reply) =>
      BOTH.includes(call.template) &&
      reply.status === 400 &&
      call.query.has(name) &&
      isObject(reply.body) &&
      said(reply.body['message']).includes(name)
        ? failure(500, 500001, 'Internal server error')
        : undefined,
  };
}
