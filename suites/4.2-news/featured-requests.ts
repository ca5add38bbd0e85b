// What a run asks of featured news (§4.2), where page and page_size are required.
import {
  Untested,
  type Answer,
  type Ask,
  type CheckContext,
  type Query,
} from '../../src/ask/index.ts';
import { steadyPages, totalOf } from '../families/pages/page-requests.ts';
import { byRestrictedKey, mayAsk } from '../families/restricted-key-requests.ts';
import type { Language } from '../../src/spec/values.ts';
import { twoCategoriesOf } from './filter-choice.ts';
import { anyListed, beside, itemsOf, news } from './requests.ts';

type Api = CheckContext['api'];

const PATH = '/news/featured';
/** First page of featured news in the smallest size. */
const FEATURED = { page: 1, page_size: 20 } as const;
/** First page of featured news in the largest size, in French. */
const FEATURED_100 = { page: 1, page_size: 100, language: 'fr' } as const;
/** Languages and categories of featured news that a valid key gets no answer in, or only to a request that is refused. */
export const OTHER_FEATURED = [
  { language: 'en', category: 1 },
  { language: 'zh', category: 2 },
  { language: 'tc', category: 3 },
  { language: 'vi', category: 4 },
  { language: 'es', category: 7 },
  { language: 'pt', category: 13 },
  { language: 'tr' },
] as const satisfies readonly Query[];

/** `GET /news/featured`. */
const featured = (api: Api, query: Query = FEATURED): Promise<Answer> => api.get(PATH, query);

/** The plain first page. */
export const plainFeatured: Ask = ({ api }) => featured(api);

/** The first page in the smallest size, and in the largest. */
export const smallestAndLargest: Ask = async ({ api }) => [
  await featured(api),
  await featured(api, FEATURED_100),
];

/** The control of what is refused: the plain first page. */
const PLAIN = { query: { ...FEATURED, language: undefined, category: undefined } };

/**
 * The first page without a parameter that is required. A request that is refused for one parameter says of the others
 * that they are known: each has another language.
 */
export const without =
  (name: keyof typeof FEATURED, others: Query): Ask =>
  ({ api }) =>
    api.get(
      PATH,
      { ...FEATURED, [name]: undefined, ...anyListed(api, others) },
      { control: PLAIN },
    );

/** The first page, and the answer to a request that differs from it in bad values. */
export const outOfRange =
  (bad: Query) =>
  async ({ api }: CheckContext): Promise<readonly Answer[]> => {
    const options = { control: PLAIN, anyAnswer: true };
    return [
      await featured(api),
      await api.get(PATH, { ...FEATURED, ...anyListed(api, bad) }, options),
    ];
  };

/** The largest page of two categories, in Japanese. */
async function queryOfTwo(api: Api): Promise<Query> {
  const known = await featured(api, FEATURED_100);
  const category = twoCategoriesOf(itemsOf(known), FEATURED.page_size).join(',');
  return { page: 1, page_size: 100, language: 'ja', category };
}

/** Featured news of two categories, beside all that is known without a category. */
export const ofTwoCategories: Ask = async ({ api }) => {
  const answer = await featured(api, await queryOfTwo(api));
  return beside(answer, await featured(api), await featured(api, FEATURED_100));
};

/** Featured news of one category, beside all that is known without it. */
export const ofCategory = async (
  category: number,
  { api }: CheckContext,
): Promise<readonly Answer[]> => {
  const answer = await featured(api, { ...FEATURED, category });
  return beside(answer, await featured(api), await featured(api, FEATURED_100));
};

/**
 * The largest page of two categories, and their second page of 20 or more.
 * @throws Untested when all of them are on the first page
 */
async function pagesOfTwo(api: Api): Promise<readonly Query[]> {
  const first = await queryOfTwo(api);
  const answer = await featured(api, first);
  if (answer.status !== 200) return [first];
  if (answer.records.length <= FEATURED.page_size) {
    throw new Untested('there are too few featured news items for a second page');
  }
  const half = Math.ceil(answer.records.length / 2);
  return [first, { ...first, page: 2, page_size: Math.max(FEATURED.page_size, half) }];
}

/** @throws Untested when there is no second page */
export const withSecondPage: Ask = async (context) =>
  steadyPages(context, PATH, await pagesOfTwo(context.api));

/** The largest page in a language that no valid key gets an answer in by default. */
const OTHER_100 = { ...FEATURED_100, language: 'ru' } as const;

/** @throws Untested when the largest page does not reach to a third one in the smallest size */
function thirdBeside(whole: Query, { status, records }: Answer): readonly Query[] {
  if (status === 200 && records.length <= 2 * FEATURED.page_size) {
    throw new Untested('there are too few featured news items for a third page');
  }
  return [whole, { ...whole, page: 3, page_size: FEATURED.page_size }];
}

/** The largest page and a third one in the smallest size, with the restricted key. Throws as `thirdBeside` does. */
export const withThirdByRestrictedKey: Ask = async (context) => {
  const whole = anyListed(context.api, OTHER_100);
  const queries = thirdBeside(whole, await byRestrictedKey(context, PATH, whole));
  return steadyPages(context, PATH, queries, { role: 'restricted' });
};

/** The same with a valid key, where no restricted one may ask. */
export const withThird: Ask = async (context) => {
  if (mayAsk(context, PATH)) return withThirdByRestrictedKey(context);
  const queries = thirdBeside(FEATURED_100, await featured(context.api, FEATURED_100));
  return steadyPages(context, PATH, queries);
};

/** Pages that lie further back may be more than a service reaches. */
const MOST_PAGES = 50;

/**
 * The first and the last one of the largest pages: how long that is says whether the total is right. One that is cut says
 * nothing wrong until a page lies behind it.
 */
export const largestPages: Ask = async ({ api }) => {
  const pages = Math.ceil((totalOf(await featured(api)) ?? 0) / FEATURED_100.page_size);
  const page = pages > MOST_PAGES ? 3 : Math.max(2, pages);
  const later = await featured(api, { ...FEATURED_100, page });
  return [await featured(api, FEATURED_100), later];
};

/** Featured news in French, beside English. */
export const inFrench: Ask = async ({ api }) =>
  beside(await featured(api, FEATURED_100), await featured(api));

/** Featured news in Japanese, beside English. */
export const inJapanese: Ask = async ({ api }) =>
  beside(await featured(api, await queryOfTwo(api)), await featured(api));

/** Featured news in a language, beside English. */
export const spoken = async (
  language: Language,
  { api }: CheckContext,
): Promise<readonly Answer[]> =>
  beside(await featured(api, { ...FEATURED, language }), await featured(api));

/** The same with a key that is restricted elsewhere: it asks for what valid keys have no requests left for. */
export const otherByRestrictedKey = async (
  query: Query,
  context: CheckContext,
): Promise<readonly Answer[]> => {
  const answer = await byRestrictedKey(context, PATH, { ...FEATURED, ...query });
  return beside(answer, await featured(context.api));
};

/** Plain news of both lists. */
export const bothLists: Ask = async ({ api }) => [await news(api), await featured(api)];
