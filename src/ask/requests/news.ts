// Requests for news that several suites share: the same request costs nothing twice.
import { DAY } from '../../contract/time.ts';
import {
  narrowingOf,
  oneFilterOf,
  twoCategoriesOf,
  type Narrowing,
} from '../../rules/news-choice.ts';
import { idsOf, type NewsItem } from '../../rules/news-items.ts';
import { isObject } from '../../rules/view.ts';
import { Untested, type Answer, type CheckContext, type Query } from '../index.ts';

type Api = CheckContext['api'];

/** The largest page of news, in Simplified Chinese. What is asked for by other filters is chosen from it. */
export const CHINESE_100 = { language: 'zh', page: 1, page_size: 100 } as const;
/** All defaults of §4.2, spelled out. */
export const DEFAULTS = { language: 'en', page: 1, page_size: 20 } as const;
/**
 * Languages and categories of news that no other request of a run gets an answer in, those that say most first; the
 * second page in the default size is among them.
 */
export const OTHER_NEWS = [
  { category: 1, language: 'fr', page: 2 },
  { category: 7, language: 'vi' },
  { category: 13, language: 'pt' },
  { category: 4, language: 'tr' },
  { category: 3, language: 'en' },
  { language: 'ja' },
  { language: 'ru' },
  { language: 'es' },
] as const satisfies readonly Query[];
/** First page of featured news in the smallest size. */
export const FEATURED = { page: 1, page_size: 20 } as const;
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
/** First page of featured news in the largest size, in French. */
export const FEATURED_100 = { page: 1, page_size: 100, language: 'fr' } as const;

/** `GET /news`. */
export const news = (api: Api, query: Query = {}): Promise<Answer> => api.get('/news', query);

/** `GET /news/featured`. */
export const featured = (api: Api, query: Query = FEATURED): Promise<Answer> =>
  api.get('/news/featured', query);

/** An answer and what it is compared with; alone when it was refused, so that the others cannot speak for it. */
export const beside = (answer: Answer, ...others: readonly Answer[]): readonly Answer[] =>
  answer.status === 200 ? [answer, ...others] : [answer];

/** Ids of the news of an answer, in order. */
export const newsIds = (answer: Answer): readonly string[] => idsOf(itemsOf(answer));

const itemsOf = ({ records }: Answer): NewsItem[] =>
  records.flatMap(({ pointer, value }) => (isObject(value) ? [{ pointer, value }] : []));

/** The time of the target when it answered, epoch ms. */
export const timeOf = ({ exchange }: Answer): number => exchange.receivedAt + exchange.skewMs;

/** A range that ended before the recent seven days (and the day of tolerance) began, of Japanese news of institutions. */
export async function oldRange(api: Api): Promise<Query> {
  const now = timeOf(await news(api));
  return {
    language: 'ja',
    category: 3,
    start_time: now - 30 * DAY,
    end_time: now - 9 * DAY,
  };
}

/** Category, currency and range, each of which has known news to keep out that the others let through. */
export async function narrowing(api: Api, known: Answer): Promise<Narrowing> {
  return narrowingOf(itemsOf(known), timeOf(known), await knownCurrencies(api));
}

async function knownCurrencies(api: Api): Promise<readonly string[]> {
  return api.fixtures('currencyIds').catch((error: unknown) => {
    if (error instanceof Untested) return [];
    throw error;
  });
}

/**
 * News that a category, or a currency, was asked for. Where there are too few to pass several filters at once, that
 * takes a request of its own.
 */
export async function filteredBy(api: Api, name: 'category' | 'currency_id'): Promise<Answer> {
  const answer = await narrowed(api);
  const told = queryOf(answer)[name] !== undefined && answer.records.length > 0;
  if (told || answer.status !== 200) return answer;
  const filter = await oneFilter(api, name, await news(api, CHINESE_100));
  if (filter === undefined) return answer;
  const alone = await news(api, { ...filter, page_size: 100 });
  // Whether what news are matched with is what the filter takes is not known.
  return alone.status === 200 || name === 'category' ? alone : answer;
}

/** A category, or a currency, that has known news to keep out; undefined where none has. */
export const oneFilter = async (
  api: Api,
  name: 'category' | 'currency_id',
  known: Answer,
): Promise<Query | undefined> => oneFilterOf(name, itemsOf(known), await knownCurrencies(api));

/**
 * Category, currency and range in one request, in Traditional Chinese. The range is over, so that its news stand still.
 */
async function narrow(api: Api): Promise<Query> {
  const choice = await narrowing(api, await news(api, CHINESE_100));
  return { ...choice, language: 'tc', page: 1, page_size: 100 };
}

/**
 * The news that pass several filters at once. A currency that is refused is left out, which costs a request; so is seen
 * whether there is any news in the language when none comes.
 */
export async function narrowed(api: Api): Promise<Answer> {
  let query = await narrow(api);
  let answer = await news(api, query);
  if (answer.status >= 400 && query['currency_id'] !== undefined) {
    query = { ...query, currency_id: undefined };
    answer = await news(api, query);
  }
  if (answer.status === 200 && answer.records.length === 0) {
    await news(api, { language: query['language'] });
  }
  return answer;
}

/** The query of the answer, with other values for some parameters. */
const queryOf = ({ exchange }: Answer): Query => Object.fromEntries(exchange.request.query);

/**
 * The first page of the news that pass several filters, and the second one in half of its size.
 * @throws Untested when there are too few of them for a second page
 */
export async function narrowedPages(api: Api): Promise<readonly Query[]> {
  const first = await narrowed(api);
  // The second page is the last one, so that it is told by its length whether the total is right.
  const size = Math.ceil(first.records.length / 2);
  if (first.status === 200 && first.records.length < 2) {
    throw new Untested('fewer than two news pass the filters, so that there is no second page');
  }
  const query = queryOf(first);
  return first.status === 200 ? [query, { ...query, page: 2, page_size: size }] : [query];
}

/** The two categories that are asked for at once, as `category` takes them. */
async function twoCategories(api: Api): Promise<string> {
  const known = await featured(api, FEATURED_100);
  return twoCategoriesOf(itemsOf(known), FEATURED.page_size).join(',');
}

/** The largest page of featured news of two categories, in Japanese. */
export async function featuredOfTwo(api: Api): Promise<Query> {
  return { page: 1, page_size: 100, language: 'ja', category: await twoCategories(api) };
}

/**
 * The same, and its second page of 20.
 * @throws Untested when all of them are on the first page
 */
export async function featuredPages(api: Api): Promise<readonly Query[]> {
  const first = await featuredOfTwo(api);
  const answer = await featured(api, first);
  if (answer.status !== 200) return [first];
  if (answer.records.length <= FEATURED.page_size) {
    throw new Untested('there are too few featured news for a second page');
  }
  const half = Math.ceil(answer.records.length / 2);
  return [first, { ...first, page: 2, page_size: Math.max(FEATURED.page_size, half) }];
}
