import { endpoint as factsOf } from '../../spec/endpoints.ts';
import { ERRORS } from '../../spec/error-codes.ts';
import { KEY_HEADER } from '../../spec/limits.ts';
import { LANGUAGES, NEWS_CATEGORY_IDS } from '../../spec/values.ts';
import type { Context } from '../hooks.ts';
import { isObject, textOf } from '../json.ts';
import { endpointIs, not, onError, onQuery } from '../vocabulary.ts';
import type { Variant } from './variant.ts';

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
const listedCategory = ({ query }: Context): boolean =>
  (query.get('category') ?? '1')
    .split(',')
    .every((part) => NEWS_CATEGORY_IDS.some((id) => String(id) === part));

/** Other responses to values that are out of range, unknown, or unspecified (§4). */
export const REQUEST_VARIANTS: readonly Variant[] = [
  {
    id: 'over-limit-clamped',
    title: 'Numbers out of range are clamped, and the envelope shows it',
    section: '8',
    question: 'values out of range',
    hooks: onQuery(() => true, brought),
  },
  {
    id: 'range-refused',
    title: 'A range beyond the recent window is refused',
    section: '8',
    question: 'beyond the window',
    settings: { beyondWindow: 'refuse' },
  },
  {
    id: 'range-refused-403',
    title: 'A range beyond the recent window is refused with 403',
    section: '8',
    question: 'beyond the window',
    settings: { beyondWindow: 'refuse' },
    hooks: {
      answer(answer) {
        const { value } = answer;
        const details = isObject(value) ? value['details'] : undefined;
        const reason = isObject(details) ? details['constraint'] : undefined;
        if (answer.status !== 400 || !textOf(reason).startsWith('most recent')) return answer;
        return {
          ...answer,
          status: 403,
          value: {
            code: ERRORS.forbidden.code,
            message: 'Insufficient permissions',
            details: { header: KEY_HEADER, solution: `Stay within the ${textOf(reason)}.` },
          },
        };
      },
    },
  },
  {
    id: 'range-empty',
    title: 'A range beyond the recent window is empty',
    section: '8',
    question: 'beyond the window',
    settings: { beyondWindow: 'empty' },
  },
  {
    id: 'inverted-range-refused',
    title: 'A range that ends before it starts is refused',
    section: '4.1',
    question: 'inverted range',
    settings: { invertedRange: 'refuse' },
  },
  {
    id: 'inverted-range-swapped',
    title: 'A range that ends before it starts is reversed',
    section: '4.1',
    question: 'inverted range',
    hooks: onQuery(() => true, swapped),
  },
  {
    id: 'limit-keeps-oldest',
    title: 'limit keeps the oldest rows of the range',
    section: '4.1',
    question: 'end that limit keeps',
    settings: { limitKeeps: 'oldest' },
  },
  {
    id: 'news-200',
    title: 'A news page holds up to 200 items',
    section: '4.2',
    question: 'largest news page',
    hooks: {
      rules: (rules, path) =>
        path === '/news'
          ? { ...rules, page_size: { ...rules['page_size'], type: 'integer', maximum: 200 } }
          : rules,
    },
  },
  {
    id: 'language-fallback',
    title: 'An unknown language falls back to English',
    section: '4.2',
    question: 'unknown language',
    hooks: onQuery(not(listedLanguage), (query) => query.delete('language')),
  },
  {
    id: 'category-fallback',
    title: 'An unknown category is ignored',
    section: '4.2',
    question: 'unknown category',
    hooks: onQuery(not(listedCategory), (query) => query.delete('category')),
  },
  {
    id: 'unlisted-as-sent',
    title: 'The message for an unlisted pair repeats symbol and country_code as sent',
    section: '4.3',
    question: 'case in the message on an unlisted pair',
    hooks: onError(
      'invalidFormat',
      (body, { query }) =>
        textOf(body['message']).startsWith('Unsupported ETF category')
          ? {
              ...body,
              message: `Unsupported ETF category: symbol=${query.get('symbol')}, country_code=${query.get('country_code')}`,
            }
          : body,
      endpointIs('/etfs/summary-history'),
    ),
  },
  {
    id: 'search-without-keyword',
    title: 'News search without a keyword returns all news',
    section: '4.7',
    question: 'search without a keyword',
    hooks: {
      rules: (rules, path) =>
        path === '/news/search' ? { ...rules, keyword: { type: 'string', default: '' } } : rules,
    },
  },
];
