import {
  PLAIN_QUERY,
  type Answer,
  type Ask,
  type CheckContext,
  type Query,
  Untested,
} from '../../src/ask/index.ts';
import { steadyPages } from '../families/pages/page-requests.ts';
import { byRestrictedKey, mayAsk } from '../families/restricted-key-requests.ts';
import { ANY_ANSWER } from '../families/series-requests.ts';
import { LANGUAGES, NEWS_CATEGORY_IDS, type Language } from '../../src/spec/values.ts';
import { idsOf, type NewsItem } from '../../src/judge/news-items.ts';
import { objectsIn } from '../../src/judge/values-at.ts';
import { totalOf } from '../../src/judge/view.ts';
import { BETWEEN_CATEGORIES, categoryOf } from './asked.ts';

// Requests for news (§4.2).

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
export const spoken = async (language: Language, { api }: CheckContext) =>
  comparedWith(await news(api, QUERIES[language] ?? { language }), await news(api));

/**
 * A whole page in Traditional Chinese. The standard profile requests it only with filters, which few news may match.
 */
export const wholePageInTraditional: Ask = async ({ api }) => {
  const whole = { language: 'tc', page: 1, page_size: 100 };
  return comparedWith(await news(api, whole), await news(api));
};

/** A page in two languages; if they differ, the first one again, since news may have arrived. */
export async function samePage(language: Language, { api }: CheckContext) {
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
export const ofCategory = async (category: number, { api }: CheckContext) =>
  comparedWith(await news(api, { category }), await news(api));

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

// Featured news, where page and page_size are required.

type Role = 'valid' | 'restricted';

const FEATURED_PATH = '/news/featured';
/** First page at the smallest size. */
const FEATURED = { page: 1, page_size: 20 } as const;
/** First page at the largest size, in French. */
const FEATURED_100 = { page: 1, page_size: 100, language: 'fr' } as const;
/** Languages, categories and a page that valid keys do not cover, except in refused requests. */
export const OTHER_FEATURED = [
  { language: 'en', category: 1 },
  { language: 'zh', category: 2 },
  { language: 'tc', category: 3 },
  { language: 'vi', category: 4 },
  { language: 'es', category: 7 },
  { language: 'pt', category: 13 },
  { language: 'tr', page: 2 },
] as const satisfies readonly Query[];

const featured = (api: Api, query: Query = FEATURED): Promise<Answer> =>
  api.get(FEATURED_PATH, query);

export const plainFeatured: Ask = ({ api }) => featured(api);

/** The first page at the smallest and at the largest size. */
export const smallestAndLargest: Ask = async ({ api }) => [
  await featured(api),
  await featured(api, FEATURED_100),
];

/** The control of refused requests: the plain first page. */
const PLAIN = { query: { ...FEATURED, language: undefined, category: undefined } };

/**
 * The first page without a required parameter. Each case uses another language: a refusal for the missing parameter
 * also shows that the other values are known.
 */
export const without =
  (name: keyof typeof FEATURED, others: Query): Ask =>
  ({ api }) =>
    api.get(
      FEATURED_PATH,
      { ...FEATURED, [name]: undefined, ...anyListed(api, others) },
      { control: PLAIN },
    );

/** The first page, and the same request with bad values. */
export const outOfRange =
  (bad: Query): Ask =>
  async ({ api }) => {
    const options = { control: PLAIN, anyAnswer: true };
    const query = { ...FEATURED, ...anyListed(api, bad) };
    return [await featured(api), await api.get(FEATURED_PATH, query, options)];
  };

/**
 * Two categories for a featured news request: the two rarest that together fill more than a page of `least`, so that
 * the whole list probably fits on the largest page. They leave out some items, which tells whether the filter works: where
 * only two have items, one of them and one without.
 */
export function twoCategoriesOf(items: readonly NewsItem[], least: number): readonly number[] {
  const counts = NEWS_CATEGORY_IDS.map(
    (id) => [id, items.filter((item) => categoryOf(item) === id).length] as const,
  );
  const seen = counts.filter(([, count]) => count > 1);
  const others = seen.length > 2 ? [] : counts.filter(([, count]) => count === 0).slice(0, 1);
  const pairs = seen
    .flatMap(([a, ofA], index) =>
      [...seen.slice(index + 1), ...others].map(([b, ofB]) => ({
        categories: [a, b],
        count: ofA + ofB,
      })),
    )
    .filter(({ count }) => count < items.length);
  const [smallest] = pairs
    .filter(({ count }) => count > least)
    .toSorted((a, b) => a.count - b.count);
  const [most] = pairs.toSorted((a, b) => b.count - a.count);
  const ranked = counts.toSorted((a, b) => b[1] - a[1]).map(([category]) => category);
  return (smallest ?? most)?.categories ?? ranked.slice(0, 2);
}

/** The largest page of two categories, in Japanese. */
async function queryOfTwo(api: Api): Promise<Query> {
  const known = await featured(api, FEATURED_100);
  const category = twoCategoriesOf(itemsOf(known), FEATURED.page_size).join(',');
  return { page: 1, page_size: 100, language: 'ja', category };
}

/** Featured news of two categories, with the unfiltered answers. */
export const ofTwoCategories: Ask = async ({ api }) => {
  const answer = await featured(api, await queryOfTwo(api));
  return comparedWith(answer, await featured(api), await featured(api, FEATURED_100));
};

/** Featured news of one category, with the unfiltered answers. */
export const featuredOf = async (category: number, { api }: CheckContext) => {
  const answer = await featured(api, { ...FEATURED, category });
  return comparedWith(answer, await featured(api), await featured(api, FEATURED_100));
};

/** An answer to a valid or the restricted key. Throws like `byRestrictedKey`. */
const askedBy = (role: Role, query: Query, context: CheckContext): Promise<Answer> =>
  role === 'valid' ? featured(context.api, query) : byRestrictedKey(context, FEATURED_PATH, query);

/**
 * The largest page of two categories, and their second page of at least 20.
 * @throws Untested if all fit on the first page
 */
export const withSecondPage =
  (role: Role = 'valid'): Ask =>
  async (context) => {
    const first = await queryOfTwo(context.api);
    const { status, records } = await askedBy(role, first, context);
    if (status === 200 && records.length <= FEATURED.page_size) {
      throw new Untested('there are too few featured news items for a second page');
    }
    const page_size = Math.max(FEATURED.page_size, Math.ceil(records.length / 2));
    const later = status === 200 ? [{ ...first, page: 2, page_size }] : [];
    return steadyPages(context, FEATURED_PATH, [first, ...later], { role });
  };

/**
 * The largest page, and page 3 at the smallest size. The restricted key asks in a language that valid keys do not cover by
 * default.
 * @throws Untested if there are too few items
 */
const withThirdPage =
  (role: Role): Ask =>
  async (context) => {
    const russian = { ...FEATURED_100, language: 'ru' };
    const whole = role === 'valid' ? FEATURED_100 : anyListed(context.api, russian);
    const { status, records } = await askedBy(role, whole, context);
    if (status === 200 && records.length <= 2 * FEATURED.page_size) {
      throw new Untested('there are too few featured news items for a third page');
    }
    const third = { ...whole, page: 3, page_size: FEATURED.page_size };
    return steadyPages(context, FEATURED_PATH, [whole, third], { role });
  };

export const withThirdByRestrictedKey = withThirdPage('restricted');

/** The same with a valid key if the restricted key has no access. */
export const withThird: Ask = (context) =>
  withThirdPage(mayAsk(context, FEATURED_PATH) ? 'restricted' : 'valid')(context);

/** Services may not reach deeper pages. */
const MAX_PAGES = 50;

/**
 * The first and the last page at the largest size: the length of the last one verifies the total. A capped total shows
 * only on a page beyond it.
 */
export const largestFeatured: Ask = async ({ api }) => {
  const pages = Math.ceil((totalOf(await featured(api)) ?? 0) / FEATURED_100.page_size);
  const page = pages > MAX_PAGES ? 3 : Math.max(2, pages);
  const later = await featured(api, { ...FEATURED_100, page });
  return [await featured(api, FEATURED_100), later];
};

/** French, with English for comparison. */
export const inFrench: Ask = async ({ api }) =>
  comparedWith(await featured(api, FEATURED_100), await featured(api));

/** Japanese, with English for comparison. */
export const inJapanese: Ask = async ({ api }) =>
  comparedWith(await featured(api, await queryOfTwo(api)), await featured(api));

/** A language, with English for comparison. */
export const featuredIn = async (language: Language, { api }: CheckContext) =>
  comparedWith(await featured(api, { ...FEATURED, language }), await featured(api));

/** The same with the restricted key, for values that valid keys have no requests left for. */
export const otherByRestrictedKey = async (query: Query, context: CheckContext) => {
  const plain = await featured(context.api);
  // A short list has no later page.
  const page = totalOf(plain) === plain.records.length ? { page: FEATURED.page } : {};
  const answer = await byRestrictedKey(context, FEATURED_PATH, { ...FEATURED, ...query, ...page });
  return comparedWith(answer, plain);
};

/** Plain news of both lists. */
export const bothLists: Ask = async ({ api }) => [await news(api), await featured(api)];
