import { ERRORS } from '../../spec/error-codes.ts';
import { endpoint as factsOf } from '../../spec/endpoints.ts';
import { KEY_HEADER } from '../../spec/limits.ts';
import { DAY } from '../../spec/time.ts';
import { LANGUAGES } from '../../spec/values.ts';
import type { Context } from '../hooks.ts';
import { isObject, textOf } from '../json.ts';
import { Refusal } from '../refusal.ts';
import {
  all,
  always,
  asked,
  endpointIs,
  not,
  onBody,
  onField,
  onQuery,
  onRows,
} from '../vocabulary.ts';
import { dimension, variant, type Dimension } from './choice.ts';

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

/** Bounds of the integers of a request; 1 where no minimum is stated. */
function brought(query: Map<string, string>, { endpoint }: Context): void {
  if (endpoint === null) return;
  for (const [name, rule] of Object.entries(factsOf(endpoint).query)) {
    const sent = query.get(name);
    if (rule.type !== 'integer' || sent === undefined) continue;
    const value = Number(sent);
    if (!Number.isInteger(value)) {
      // Text is treated as missing, which a required parameter does not allow.
      if (rule.required !== true) query.delete(name);
      continue;
    }
    const least = Math.max(value, rule.minimum ?? 1);
    query.set(name, String(Math.min(least, rule.maximum ?? least)));
  }
}

/** Sorts the ends of a range. */
function swapped(query: Map<string, string>): void {
  for (const unit of ['time', 'date']) {
    const [from, to] = [query.get(`start_${unit}`), query.get(`end_${unit}`)];
    if (from === undefined || to === undefined || from.length !== to.length || from < to) continue;
    query.set(`start_${unit}`, to).set(`end_${unit}`, from);
  }
}

const listedLanguage = ({ query }: Context): boolean =>
  LANGUAGES.some((language) => language === (query.get('language') ?? 'en'));

/** What becomes of filters, orders, limits, pages and ranges where the text leaves it open (§4, §8). */
export const REQUESTS: readonly Dimension[] = [
  // The unit of these two is not stated, unlike that of the timestamps in the answer.
  dimension('unit-of-ranges-of-currency-candles', 'ms', {
    seconds: onQuery(endpointIs('/currencies/{currency_id}/klines'), (query) => {
      for (const name of ['start_time', 'end_time']) {
        const text = query.get(name) ?? '';
        if (/^\d+$/.test(text)) query.set(name, String(Number(text) * 1000));
      }
    }),
  }),
  dimension('unknown-order', 'refused', {
    'any-is-ignored': onQuery(endpointIs('/currencies/{currency_id}/pairs'), (query) =>
      query.delete('order_by'),
    ),
  }),
  dimension('ids-of-news', 'numbers', {
    texts: onField(['news-item', 'featured-news-item'], '/id', (value) =>
      typeof value === 'string' ? `n-${value}` : value,
    ),
  }),
  dimension('spaces-and-letter-case-of-values', 'exact', {
    'values-folded': variant(
      'Values are trimmed, and interval is case-insensitive',
      onQuery(always, (query) => {
        for (const [name, sent] of query) {
          const value = sent.trim();
          query.set(name, name === 'interval' ? value.toLowerCase() : value);
        }
      }),
    ),
  }),
  dimension('values-out-of-range', 'refused', {
    'over-limit-clamped': variant(
      'Numbers out of range are clamped, and the envelope shows it',
      onQuery(always, brought),
    ),
    'over-limit-to-default': variant(
      'A limit or page_size above its maximum falls back to the default',
      onQuery(always, overToDefault),
    ),
  }),
  dimension('limit-of-zero', 'refused', {
    'limit-zero-empty': variant('A limit of zero returns an empty list', {
      ...onRows(asked('limit', '0'), () => []),
      ...onQuery(asked('limit', '0'), (query) => query.set('limit', '1')),
    }),
  }),
  dimension('beyond-the-window', 'cut', {
    'range-refused': variant('A range beyond the recent window is refused', {
      settings: { beyondWindow: 'refuse' },
    }),
    'range-refused-403': variant('A range beyond the recent window is refused with 403', {
      settings: { beyondWindow: 'refuse' },
      answer(answer) {
        const details = isObject(answer.value) ? answer.value['details'] : undefined;
        const reason = isObject(details) ? textOf(details['constraint']) : '';
        if (answer.status !== 400 || !reason.startsWith('most recent')) return answer;
        const value = {
          code: ERRORS.forbidden.code,
          message: 'Insufficient permissions',
          details: { header: KEY_HEADER, solution: `Stay within the ${reason}.` },
        };
        return { ...answer, status: 403, value };
      },
    }),
    'range-empty': variant('A range beyond the recent window is empty', {
      settings: { beyondWindow: 'empty' },
    }),
  }),
  dimension('inverted-range', 'empty', {
    'inverted-range-refused': variant('A range that ends before it starts is refused', {
      settings: { invertedRange: 'refuse' },
    }),
    'inverted-range-swapped': variant(
      'A range that ends before it starts is reversed',
      onQuery(always, swapped),
    ),
  }),
  dimension('ends-of-a-range', 'included', {
    'range-exclusive': variant(
      'Ranges exclude their ends', // Not for news, where the refusal of a range repeats what was sent.
      onQuery(({ endpoint }) => endpoint !== '/news', withoutEnds),
    ),
  }),
  dimension('day-in-which-a-range-starts', 'left-out', {
    'candles-of-whole-days': variant(
      'A range of candles includes the day on which it starts',
      onQuery(all(klines, asked('start_time')), (query) => {
        const start = Number(query.get('start_time'));
        if (Number.isSafeInteger(start)) query.set('start_time', String(start - (start % DAY)));
      }),
    ),
  }),
  dimension('end-that-limit-keeps', 'newest', {
    'limit-keeps-oldest': variant('limit keeps the oldest rows of the range', {
      settings: { limitKeeps: 'oldest' },
    }),
  }),
  dimension('page-beyond-the-last-one', 'empty', {
    'beyond-last-refused': variant(
      'A page beyond the last one is refused with 404',
      onBody(
        all(
          endpointIs('/currencies/{currency_id}/pairs', '/news', '/news/featured'),
          asked('page'),
        ),
        (value, { query }) => {
          const total = isObject(value) ? Number(value['total']) : 0;
          const size = isObject(value) ? Number(value['page_size']) : 0;
          // An invalid page is not beyond the last one.
          const isBeyond = (Number(query.get('page')) - 1) * size >= total;
          if (!isBeyond || total === 0) return value;
          throw new Refusal('notFound', 'Page not found', { page: Number(query.get('page')) });
        },
      ),
    ),
    'beyond-last-brought-back': variant(
      'A page beyond the last one returns the last page, and the envelope shows it',
      { settings: { beyondLast: 'last' } },
    ),
  }),
  dimension('largest-news-page', 'hundred', {
    'news-200': variant('A news page holds up to 200 items', {
      rules: (rules, path) =>
        path === '/news'
          ? { ...rules, page_size: { ...rules['page_size'], type: 'integer', maximum: 200 } }
          : rules,
    }),
  }),
  dimension('unknown-language', 'refused', {
    'language-fallback': variant(
      'An unknown language falls back to English',
      onQuery(not(listedLanguage), (query) => query.delete('language')),
    ),
  }),
  dimension('search-without-a-keyword', 'refused', {
    'search-without-keyword': variant('News search without a keyword returns all news', {
      rules: (rules, path) =>
        path === '/news/search' ? { ...rules, keyword: { type: 'string', default: '' } } : rules,
    }),
  }),
];
