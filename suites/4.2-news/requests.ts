// Requests for news (§4.2).
import {
  PLAIN_QUERY,
  type Answer,
  type Ask,
  type CheckContext,
  type Query,
} from '../../src/ask/index.ts';
import { steadyPages } from '../families/pages/page-requests.ts';
import { byRestrictedKey } from '../families/restricted-key-requests.ts';
import { ANY_ANSWER } from '../families/series-requests.ts';
import { LANGUAGES, NEWS_CATEGORY_IDS, type Language } from '../../src/spec/values.ts';
import { idsOf, type NewsItem } from '../../src/judge/news-items.ts';
import { objectsIn } from '../../src/judge/values-at.ts';
import { totalOf } from '../../src/judge/view.ts';
import { BETWEEN_CATEGORIES } from './asked.ts';

type Api = CheckContext['api'];

/** The largest page of news, in Simplified Chinese. Values of other filters are chosen from it. */
export const CHINESE_100 = { language: 'zh', page: 1, page_size: 100 } as const;
/** All defaults of §4.2, spelled out. */
const DEFAULTS = { language: 'en', page: 1, page_size: 20 } as const;

/**
 * Replaces language and category by listed values chosen by the seed, for requests that work with any. All shift
 * together, so that different requests stay different. Not used where a check is named after its value, where others
 * are compared with the answer, or where scripts distinguish languages best: the checks of that language would need
 * another request.
 */
export function anyListed(api: Api, query: Query): Query {
  // Unlisted values stay.
  const next = (values: readonly (string | number)[], name: string): Query => {
    const at = values.findIndex((one) => one === query[name]);
    return at === -1 ? {} : { [name]: api.shifted(values, at) };
  };
  return { ...query, ...next(LANGUAGES, 'language'), ...next(NEWS_CATEGORY_IDS, 'category') };
}

export const news = (api: Api, query: Query = {}): Promise<Answer> => api.get('/news', query);

/** An answer with others to compare it with, or alone if it was refused, so that they are not judged in its place. */
export const comparedWith = (answer: Answer, ...others: readonly Answer[]): readonly Answer[] =>
  answer.status === 200 ? [answer, ...others] : [answer];

const newsIds = (answer: Answer): readonly string[] => idsOf(itemsOf(answer));

export const itemsOf = ({ records }: Answer): NewsItem[] => objectsIn(records);

export const plainNews: Ask = ({ api }) => news(api);

export const largest: Ask = ({ api }) => news(api, CHINESE_100);

/** The largest page of news, and info on a currency that may be matched. */
export const withCurrencyInfo: Ask = async ({ api }) => [
  await news(api, CHINESE_100),
  await api.get('/currencies/{currency_id}'),
];

/** Plain news, and the largest page in another language. */
export const plainAndLargest: Ask = async ({ api }) => [
  await news(api),
  await news(api, CHINESE_100),
];

/** Plain news, and the same with all defaults spelled out. */
export const plainAndSpelledOut: Ask = async ({ api }) => [
  await news(api),
  await news(api, DEFAULTS),
];

/** Requests for a language that serve another purpose as well. */
const QUERIES: Readonly<Partial<Record<Language, Query>>> = { zh: CHINESE_100, en: DEFAULTS };

/** News in a language, with English for comparison. */
export async function spoken(
  language: Language,
  { api }: CheckContext,
): Promise<readonly Answer[]> {
  return comparedWith(await news(api, QUERIES[language] ?? { language }), await news(api));
}

/**
 * A whole page in Traditional Chinese. The standard profile requests it only with filters, which few news may match.
 */
export const wholePageInTraditional: Ask = async ({ api }) => {
  const whole = { language: 'tc', page: 1, page_size: 100 };
  return comparedWith(await news(api, whole), await news(api));
};

/** A page in two languages; if they differ, the first one again, since news may have arrived. */
export async function samePage(
  language: Language,
  { api }: CheckContext,
): Promise<readonly Answer[]> {
  // News changes, so use fresh pages requested in direct succession.
  const first = await api.get('/news', {}, { fresh: true });
  const other = await api.get('/news', { language }, { fresh: true });
  const same = newsIds(first).join() === newsIds(other).join();
  if (same || other.status !== 200) return comparedWith(other, first);
  return [first, other, await api.get('/news', {}, { fresh: true })];
}

/** An unlisted language or category. Plain news must succeed first. */
export const unlisted =
  (name: 'language' | 'category', value: string | number): Ask =>
  async ({ api }) => {
    const options = { control: { query: { [name]: undefined } }, ...ANY_ANSWER };
    await news(api);
    return api.get('/news', { [name]: value }, options);
  };

/** All unlisted categories between listed ones, with the restricted key. Throws like `byRestrictedKey`. */
export const betweenCategories =
  (path: '/news' | '/news/featured'): Ask =>
  async (context) => {
    const control = { query: { category: undefined } };
    const answers: Answer[] = [];
    for (const category of BETWEEN_CATEGORIES) {
      const query = { ...PLAIN_QUERY[path], category };
      answers.push(await byRestrictedKey(context, path, query, { control, ...ANY_ANSWER }));
    }
    return answers;
  };

/** News of one category, with plain news. */
export const ofCategory = async (
  category: number,
  { api }: CheckContext,
): Promise<readonly Answer[]> => comparedWith(await news(api, { category }), await news(api));

/** Above the maximum, in a language that only this request covers. */
const OVER_MAXIMUM = { language: 'es', page_size: 201 } as const;

/** Plain news, and a page above the maximum. */
export const overMaximum: Ask = async ({ api }) => {
  const answer = await api.get('/news', anyListed(api, OVER_MAXIMUM), {
    control: { query: { page_size: undefined, language: undefined } },
    ...ANY_ANSWER,
  });
  return [await news(api), answer];
};

/** The largest page, and one above the maximum. */
export const mostItems: Ask = async ({ api }) => [
  await news(api, CHINESE_100),
  await news(api, anyListed(api, OVER_MAXIMUM)),
];

/** A page size between the two specified maximums. */
export const betweenMaximums: Ask = ({ api }) => news(api, { page_size: 150 });

/** Any of these may crash a server, whichever one it would refuse (ruling 8). */
const ALL_BAD = {
  currency_id: '',
  project_id: '',
  page: 0,
  page_size: 'abc',
  start_time: 'abc',
  end_time: '',
} as const;

/** Plain news, and any answer to bad values along with a listed language and category. */
export async function invalid(bad: Query, { api }: CheckContext): Promise<readonly Answer[]> {
  const query: Query = { ...anyListed(api, { language: 'ru', category: 7 }), ...bad };
  const plain = Object.fromEntries(Object.keys(query).map((name) => [name, undefined]));
  const options = { control: { query: plain }, ...ANY_ANSWER };
  return [await news(api), await api.get('/news', query, options)];
}

/** Bad values of all parameters that can have one. */
export const allInvalid: Ask = (context) => invalid(ALL_BAD, context);

/** Two of the largest pages: a capped total shows only on a page beyond it. */
export const largestPages: Ask = async ({ api }) => {
  const first = await news(api, CHINESE_100);
  const page = (totalOf(first) ?? 0) > 2 * CHINESE_100.page_size ? 3 : 2;
  return [first, await news(api, { ...CHINESE_100, page })];
};

/** Three pages of plain news, and all of them on one page. */
export const pagesOfPlain: Ask = (context) =>
  steadyPages(context, '/news', [{}, { page: 2 }, { page: 3 }, { page_size: 60 }]);
