import { endpoint as factsOf } from '../../spec/endpoints.ts';
import { DAY } from '../../spec/time.ts';
import type { Context } from '../hooks.ts';
import { isObject } from '../json.ts';
import { Refusal } from '../refusal.ts';
import { all, asked, edit, endpointIs, onBody, onQuery, onRecord, onRows } from '../vocabulary.ts';
import type { Variant } from './variant.ts';

const klines = endpointIs(
  '/currencies/{currency_id}/klines',
  '/crypto-stocks/{stock_ticker}/klines',
);

/** Resets a too large number to its default. */
function overToDefault(query: Map<string, string>, { endpoint }: Context): void {
  if (endpoint === null) return;
  for (const [name, rule] of Object.entries(factsOf(endpoint).query)) {
    const sent = Number(query.get(name) ?? 0);
    if (rule.maximum === undefined || rule.default === undefined || sent <= rule.maximum) continue;
    query.set(name, String(rule.default));
  }
}

const slugOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

/** Moves the ends of a range inwards: by a millisecond, or by a day where they are dates. */
function withoutEnds(query: Map<string, string>): void {
  for (const [name, sign] of ENDS) {
    const sent = query.get(name) ?? '';
    const date = name.endsWith('_date');
    const time = date ? Date.parse(sent) : Number(sent);
    if (sent === '' || !Number.isSafeInteger(time)) continue;
    const inside = time + sign * (date ? DAY : 1);
    query.set(name, date ? new Date(inside).toISOString().slice(0, 10) : String(inside));
  }
}
const ENDS = [
  ['start_time', 1],
  ['end_time', -1],
  ['start_date', 1],
  ['end_date', -1],
] as const;

/** Other allowed behaviour of limits, pages, ranges and filters (§4, §8). */
export const PARAMETER_VARIANTS: readonly Variant[] = [
  {
    id: 'over-limit-to-default',
    title: 'A limit or page_size above its maximum falls back to the default',
    section: '8',
    question: 'values out of range',
    hooks: onQuery(() => true, overToDefault),
  },
  {
    id: 'limit-zero-empty',
    title: 'A limit of zero returns an empty list',
    section: '8',
    question: 'limit of zero',
    hooks: [
      onRows(asked('limit', '0'), () => []),
      onQuery(asked('limit', '0'), (query) => query.set('limit', '1')),
    ],
  },
  {
    id: 'range-exclusive',
    title: 'Ranges exclude their ends',
    section: '4.1',
    question: 'ends of a range',
    // Not for news, where the refusal of a range repeats what was sent.
    hooks: onQuery(({ endpoint }) => endpoint !== '/news', withoutEnds),
  },
  {
    id: 'candles-stamped-at-close',
    title: 'The timestamp of a candle is its last millisecond',
    section: '2.4',
    question: 'timestamp of candles',
    hooks: onRecord(
      'kline',
      edit('/timestamp', (value) => Number(value) + DAY - 1),
    ),
  },
  {
    id: 'macro-oldest-first',
    title: 'Macro history is sorted oldest first',
    section: '4.6',
    question: 'order of macro rows',
    hooks: onRows(endpointIs('/macro/events/{event}/history'), (rows) => rows.toReversed()),
  },
  {
    id: 'beyond-last-refused',
    title: 'A page beyond the last one is refused with 404',
    section: '4.1',
    question: 'page beyond the last one',
    hooks: onBody(
      all(endpointIs('/currencies/{currency_id}/pairs', '/news', '/news/featured'), asked('page')),
      (value, { query }) => {
        const total = isObject(value) ? Number(value['total']) : 0;
        const size = isObject(value) ? Number(value['page_size']) : 0;
        // An invalid page is not beyond the last one.
        const isBeyond = (Number(query.get('page')) - 1) * size >= total;
        if (!isBeyond || total === 0) return value;
        throw new Refusal('notFound', 'Page not found', { page: Number(query.get('page')) });
      },
    ),
  },
  {
    id: 'beyond-last-brought-back',
    title: 'A page beyond the last one returns the last page, and the envelope shows it',
    section: '4.1',
    question: 'page beyond the last one',
    settings: { beyondLast: 'last' },
  },
  {
    id: 'exchange-any-case',
    title: 'exchange is case-insensitive',
    section: '4.1',
    question: 'letter case of exchange',
    hooks: {
      query(query, { endpoint, world }) {
        const sent = query.get('exchange')?.toLowerCase();
        if (endpoint !== '/currencies/{currency_id}/pairs' || sent === undefined) return query;
        const meant = world.exchanges.find((name) => name.toLowerCase() === sent);
        if (meant !== undefined) query.set('exchange', meant);
        return query;
      },
    },
  },
  {
    id: 'candles-of-whole-days',
    title: 'A range of candles includes the day on which it starts',
    section: '4.1',
    question: 'day in which a range starts',
    hooks: onQuery(all(klines, asked('start_time')), (query) => {
      const start = Number(query.get('start_time'));
      if (Number.isSafeInteger(start)) query.set('start_time', String(start - (start % DAY)));
    }),
  },
  {
    id: 'exchange-by-slug',
    title: 'The exchange filter uses lower-case names with hyphens, and returns nothing for others',
    section: '4.1',
    question: 'names of exchanges',
    hooks: onQuery(
      all(endpointIs('/currencies/{currency_id}/pairs'), asked('exchange')),
      (query, { world }) => {
        const sent = query.get('exchange') ?? '';
        if (sent === '') return;
        const meant = world.exchanges.find((name) => slugOf(name) === sent);
        query.set('exchange', meant ?? `no exchange ${sent}`);
      },
    ),
  },
];
