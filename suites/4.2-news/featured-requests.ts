// Requests for featured news (§4.2), where page and page_size are required.
import {
  Untested,
  type Answer,
  type Ask,
  type CheckContext,
  type Query,
} from '../../src/ask/index.ts';
import { totalOf } from '../../src/judge/view.ts';
import { steadyPages } from '../families/pages/page-requests.ts';
import { byRestrictedKey, mayAsk } from '../families/restricted-key-requests.ts';
import type { Language } from '../../src/spec/values.ts';
import { twoCategoriesOf } from './filtered-requests.ts';
import { anyListed, comparedWith, itemsOf, news } from './requests.ts';

type Api = CheckContext['api'];

const PATH = '/news/featured';
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

const featured = (api: Api, query: Query = FEATURED): Promise<Answer> => api.get(PATH, query);

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
      PATH,
      { ...FEATURED, [name]: undefined, ...anyListed(api, others) },
      { control: PLAIN },
    );

/** The first page, and the same request with bad values. */
export const outOfRange =
  (bad: Query): Ask =>
  async ({ api }) => {
    const options = { control: PLAIN, anyAnswer: true };
    const query = { ...FEATURED, ...anyListed(api, bad) };
    return [await featured(api), await api.get(PATH, query, options)];
  };

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
export const ofCategory = async (
  category: number,
  { api }: CheckContext,
): Promise<readonly Answer[]> => {
  const answer = await featured(api, { ...FEATURED, category });
  return comparedWith(answer, await featured(api), await featured(api, FEATURED_100));
};

/**
 * The largest page of two categories, and their second page of at least 20.
 * @throws Untested if all fit on the first page
 */
async function pagesOfTwo(
  { api }: CheckContext,
  ask: (first: Query) => Promise<Answer>,
): Promise<readonly Query[]> {
  const first = await queryOfTwo(api);
  const answer = await ask(first);
  if (answer.status !== 200) return [first];
  if (answer.records.length <= FEATURED.page_size) {
    throw new Untested('there are too few featured news items for a second page');
  }
  const half = Math.ceil(answer.records.length / 2);
  return [first, { ...first, page: 2, page_size: Math.max(FEATURED.page_size, half) }];
}

/** @throws Untested if there is no second page */
export const withSecondPage: Ask = async (context) => {
  const pages = await pagesOfTwo(context, (first) => featured(context.api, first));
  return steadyPages(context, PATH, pages);
};

/** The same with the restricted key. Throws like `byRestrictedKey`, too. */
export const withSecondByRestrictedKey: Ask = async (context) => {
  const pages = await pagesOfTwo(context, (first) => byRestrictedKey(context, PATH, first));
  return steadyPages(context, PATH, pages, { role: 'restricted' });
};

/** @throws Untested if there are too few items for page 3 at the smallest size */
function withThirdPage(whole: Query, { status, records }: Answer): readonly Query[] {
  if (status === 200 && records.length <= 2 * FEATURED.page_size) {
    throw new Untested('there are too few featured news items for a third page');
  }
  return [whole, { ...whole, page: 3, page_size: FEATURED.page_size }];
}

/** The largest page and page 3 at the smallest size, with the restricted key. Throws like `withThirdPage`. */
export const withThirdByRestrictedKey: Ask = async (context) => {
  // A language that valid keys do not cover by default.
  const whole = anyListed(context.api, { ...FEATURED_100, language: 'ru' });
  const queries = withThirdPage(whole, await byRestrictedKey(context, PATH, whole));
  return steadyPages(context, PATH, queries, { role: 'restricted' });
};

/** The same with a valid key if the restricted key has no access. */
export const withThird: Ask = async (context) => {
  if (mayAsk(context, PATH)) return withThirdByRestrictedKey(context);
  const queries = withThirdPage(FEATURED_100, await featured(context.api, FEATURED_100));
  return steadyPages(context, PATH, queries);
};

/** Services may not reach deeper pages. */
const MAX_PAGES = 50;

/**
 * The first and the last page at the largest size: the length of the last one verifies the total. A capped total shows
 * only on a page beyond it.
 */
export const largestPages: Ask = async ({ api }) => {
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
export const spoken = async (
  language: Language,
  { api }: CheckContext,
): Promise<readonly Answer[]> =>
  comparedWith(await featured(api, { ...FEATURED, language }), await featured(api));

/** The same with the restricted key, for values that valid keys have no requests left for. */
export const otherByRestrictedKey = async (
  query: Query,
  context: CheckContext,
): Promise<readonly Answer[]> => {
  const plain = await featured(context.api);
  // A short list has no later page.
  const page = totalOf(plain) === plain.records.length ? { page: FEATURED.page } : {};
  const answer = await byRestrictedKey(context, PATH, { ...FEATURED, ...query, ...page });
  return comparedWith(answer, plain);
};

/** Plain news of both lists. */
export const bothLists: Ask = async ({ api }) => [await news(api), await featured(api)];
