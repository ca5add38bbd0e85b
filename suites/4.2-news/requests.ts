// What a run asks of news (§4.2).
import type { Answer, Ask, CheckContext, Query } from '../../src/ask/index.ts';
import { steadyPages, totalOf } from '../families/pages/page-requests.ts';
import { LANGUAGES, NEWS_CATEGORY_IDS, type Language } from '../../src/spec/values.ts';
import { idsOf, type NewsItem } from '../../src/judge/news-items.ts';
import { isObject } from '../../src/judge/view.ts';

type Api = CheckContext['api'];

/** A failure of the server is an answer to a request out of bounds. */
const whatever = { anyAnswer: true } as const;

/** The largest page of news, in Simplified Chinese. What is asked for by other filters is chosen from it. */
export const CHINESE_100 = { language: 'zh', page: 1, page_size: 100 } as const;
/** All defaults of §4.2, spelled out. */
const DEFAULTS = { language: 'en', page: 1, page_size: 20 } as const;

/**
 * A query of which language and category only have to be listed ones: the seed says which. They are turned alike, so that
 * requests that differ by default differ. Where a check is named after its language or category, where the answer is the
 * list that others are compared with, or where scripts tell languages apart best, they stay as they are: with another
 * one, the checks of that language would take a request more.
 */
export function anyListed(api: Api, query: Query): Query {
  return {
    ...query,
    ...('language' in query && { language: nextOf(LANGUAGES, query['language'], api) }),
    ...('category' in query && { category: nextOf(NEWS_CATEGORY_IDS, query['category'], api) }),
  };
}

/** The value that the seed has in place of one of a list; what is not listed stays. */
function nextOf(
  values: readonly (string | number)[],
  value: Query[string],
  api: Api,
): Query[string] {
  const at = values.findIndex((one) => one === value);
  return at === -1 ? value : api.shifted(values, at);
}

/** `GET /news`. */
export const news = (api: Api, query: Query = {}): Promise<Answer> => api.get('/news', query);

/** An answer and what it is compared with; alone when it was refused, so that the others cannot speak for it. */
export const beside = (answer: Answer, ...others: readonly Answer[]): readonly Answer[] =>
  answer.status === 200 ? [answer, ...others] : [answer];

/** Ids of the news of an answer, in order. */
const newsIds = (answer: Answer): readonly string[] => idsOf(itemsOf(answer));

/** The news of an answer. */
export const itemsOf = ({ records }: Answer): NewsItem[] =>
  records.flatMap(({ pointer, value }) => (isObject(value) ? [{ pointer, value }] : []));

/** Plain news, without any parameter. */
export const plainNews: Ask = ({ api }) => news(api);

/** The largest page of news. */
export const largest: Ask = ({ api }) => news(api, CHINESE_100);

/** The largest page of news, and what a currency is called that may be among those matched. */
export const besideInfo: Ask = async ({ api }) => [
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

/** Requests that show a language and are sent for another reason too. */
const QUERIES: Readonly<Partial<Record<Language, Query>>> = { zh: CHINESE_100, en: DEFAULTS };

/** News in a language, and in English to compare with. */
export async function spoken(
  language: Language,
  { api }: CheckContext,
): Promise<readonly Answer[]> {
  return beside(await news(api, QUERIES[language] ?? { language }), await news(api));
}

/** A whole page in Traditional Chinese. Standard asks for it together with filters, which few news may pass. */
export const wholePageInTraditional: Ask = async ({ api }) => {
  const whole = { language: 'tc', page: 1, page_size: 100 };
  return beside(await news(api, whole), await news(api));
};

/** A page in two languages; when they differ, the first one again, since news may have come in. */
export async function samePage(
  language: Language,
  { api }: CheckContext,
): Promise<readonly Answer[]> {
  // News move: pages that were asked for long ago, or by chance after each other, cannot be compared.
  const first = await api.get('/news', {}, { fresh: true });
  const other = await api.get('/news', { language }, { fresh: true });
  const same = newsIds(first).join() === newsIds(other).join();
  if (same || other.status !== 200) return beside(other, first);
  return [first, other, await api.get('/news', {}, { fresh: true })];
}

/** A language or a category that is not listed. Plain news has to be answered before. */
export const unlisted =
  (name: 'language' | 'category', value: string | number): Ask =>
  async ({ api }) => {
    const options = { control: { query: { [name]: undefined } }, ...whatever };
    await news(api);
    return api.get('/news', { [name]: value }, options);
  };

/** News of one category, beside plain news. */
export const ofCategory = async (
  category: number,
  { api }: CheckContext,
): Promise<readonly Answer[]> => beside(await news(api, { category }), await news(api));

/** Above the maximum; a language that only this request has is seen to be known. */
const OVER_MAXIMUM = { language: 'es', page_size: 201 } as const;

/** Plain news, and a page above the maximum. */
export const overMaximum: Ask = async ({ api }) => {
  const answer = await api.get('/news', anyListed(api, OVER_MAXIMUM), {
    control: { query: { page_size: undefined, language: undefined } },
    ...whatever,
  });
  return [await news(api), answer];
};

/** The most news that a request can ask for: the largest page, and one above the maximum. */
export const mostItems: Ask = async ({ api }) => [
  await news(api, CHINESE_100),
  await news(api, anyListed(api, OVER_MAXIMUM)),
];

/** A page size between the two maximums that the specification states. */
export const betweenMaximums: Ask = ({ api }) => news(api, { page_size: 150 });

/** Whichever of the bad values is refused: each of them may be what a server stumbles over (ruling 8). */
const ALL_BAD = {
  currency_id: '',
  project_id: '',
  page: 0,
  page_size: 'abc',
  start_time: 'abc',
  end_time: '',
} as const;

/** Plain news and the answer to bad values, whatever it is; a language and a category that are listed come with them. */
export async function invalid(bad: Query, { api }: CheckContext): Promise<readonly Answer[]> {
  const query: Query = { ...anyListed(api, { language: 'ru', category: 7 }), ...bad };
  const plain = Object.fromEntries(Object.keys(query).map((name) => [name, undefined]));
  const options = { control: { query: plain }, ...whatever };
  return [await news(api), await api.get('/news', query, options)];
}

/** Bad values of all parameters that may have some. */
export const allInvalid: Ask = (context) => invalid(ALL_BAD, context);

/** Two of the largest pages. A total that is cut says nothing wrong until a page lies behind it. */
export const largestPages: Ask = async ({ api }) => {
  const first = await news(api, CHINESE_100);
  const page = (totalOf(first) ?? 0) > 2 * CHINESE_100.page_size ? 3 : 2;
  return [first, await news(api, { ...CHINESE_100, page })];
};

/** Three pages of plain news, and all of them on one page. */
export const pagesOfPlain: Ask = (context) =>
  steadyPages(context, '/news', [{}, { page: 2 }, { page: 3 }, { page_size: 60 }]);
