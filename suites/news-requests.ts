// Requests for news that several suites share: the same request costs nothing twice.
import { NEWS_CATEGORY_IDS, type Language } from '../src/contract/values.ts';
import { idsOf, type NewsItem } from '../src/rules/news-items.ts';
import { pageStanding, TEXT_FIELDS, type TextField } from '../src/rules/news-texts.ts';
import { isObject } from '../src/rules/view.ts';
import {
  Inconclusive,
  Untested,
  type Answer,
  type CheckContext,
  type Query,
} from '../src/suite/index.ts';

type Api = CheckContext['api'];

/** The largest page of news, in Simplified Chinese. */
export const CHINESE_100 = { language: 'zh', page_size: 100 } as const;
/** All defaults of §4.2, spelled out. */
export const DEFAULTS = { language: 'en', page: 1, page_size: 20 } as const;
/** First page of featured news in the smallest size. */
export const FEATURED = { page: 1, page_size: 20 } as const;
/** First page of featured news in the largest size. */
export const FEATURED_100 = { page: 1, page_size: 100 } as const;

/**
 * `GET /news` that has to bring news before anything can be judged.
 * @throws Inconclusive when it brings none
 */
export const news = (api: Api, query: Query = {}): Promise<Answer> =>
  api.get('/news', query).then((answer) => withNews(answer, 'news'));

/**
 * `GET /news/featured` that has to bring news before anything can be judged.
 * @throws Inconclusive when it brings none
 */
export const featured = (api: Api, query: Query = FEATURED): Promise<Answer> =>
  api.get('/news/featured', query).then((answer) => withNews(answer, 'featured news'));

function withNews(answer: Answer, what: string): Answer {
  if (answer.status === 200 && answer.records.length === 0) {
    throw new Inconclusive(`The answer holds no ${what}, so nothing can be judged`);
  }
  return answer;
}

/**
 * The answer, when its texts are long enough to tell their language.
 * @throws Inconclusive when they are not
 */
export function legible(
  answer: Answer,
  language: Language,
  fields: readonly TextField[] = TEXT_FIELDS,
): Answer {
  const items = itemsOf(answer);
  const told = fields.some((field) => pageStanding(items, field, language).verdict !== 'unclear');
  if (answer.status === 200 && !told) {
    throw new Inconclusive(`Too little text to tell whether it is ${language}`);
  }
  return answer;
}

/** An answer and what it is compared with; alone when it was refused, so that the others cannot speak for it. */
export const beside = (answer: Answer, ...others: readonly Answer[]): readonly Answer[] =>
  answer.status === 200 ? [answer, ...others] : [answer];

/** The currency that the news on a page are most about, so that filtering by it leaves some. */
export async function busiestCurrency(api: Api): Promise<string> {
  const { records } = await news(api, CHINESE_100);
  const matched = records.flatMap(({ value }) =>
    isObject(value) && Array.isArray(value['matched_currencies'])
      ? (value['matched_currencies'] as readonly unknown[])
      : [],
  );
  const counts = new Map<string, number>();
  for (const one of matched) {
    const id = isObject(one) ? one['id'] : undefined;
    if (typeof id === 'string' && id !== '') counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  const [most] = [...counts].toSorted((a, b) => b[1] - a[1]);
  return most?.[0] ?? (await api.fixture('currencyIds'));
}

/** The two categories that most featured news are in, as `category` takes them. */
export async function twoCategories(api: Api): Promise<string> {
  const { records } = await featured(api, FEATURED_100);
  const counts = new Map<number, number>(NEWS_CATEGORY_IDS.map((id) => [id, 0]));
  for (const { value } of records) {
    const category = isObject(value) ? Number(value['category']) : Number.NaN;
    const count = counts.get(category);
    if (count !== undefined) counts.set(category, count + 1);
  }
  return [...counts]
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, 2)
    .map(([category]) => category)
    .join(',');
}

/**
 * Two filters at once, in Russian: the category that most news are in, and the currency they are most about.
 * @throws Untested when the currency filter is refused: that is a matter of its own requirement
 */
export async function filteredTwice(api: Api): Promise<Answer> {
  const currency_id = await busiestCurrency(api);
  const answer = await news(api, { currency_id, category: 1, language: 'ru' });
  if (answer.status !== 200) {
    throw new Untested(`currency_id=${currency_id} is refused with ${answer.status}`);
  }
  return answer;
}

/** Ids of the news of an answer, in order. */
export const newsIds = (answer: Answer): readonly string[] => idsOf(itemsOf(answer));

const itemsOf = ({ records }: Answer): NewsItem[] =>
  records.flatMap(({ pointer, value }) => (isObject(value) ? [{ pointer, value }] : []));

/** The time of the target when it answered, epoch ms. */
export const timeOf = ({ exchange }: Answer): number => exchange.receivedAt + exchange.skewMs;

const DAY = 86_400_000;

/**
 * Category 2 in Traditional Chinese and in a range of time: one request on which every filter has something to keep
 * out. The range has known news inside, before and after it: it lies between the news of the largest page. Without
 * enough of them, it is the two days before yesterday.
 */
export async function knownRange(api: Api): Promise<Query> {
  const page = await news(api, CHINESE_100);
  const now = timeOf(page);
  const recent = [
    ...new Set(
      page.records.flatMap(({ value }) => {
        const time = isObject(value) ? value['release_time'] : undefined;
        return typeof time === 'number' && time > now - 6 * DAY && time < now ? [time] : [];
      }),
    ),
  ].toSorted((a, b) => a - b);
  const between = (index: number): number =>
    Math.round(((recent[index - 1] ?? 0) + (recent[index] ?? 0)) / 2);
  const [start_time, end_time] =
    recent.length >= 4
      ? [between(Math.ceil(recent.length / 6)), between(Math.floor((recent.length * 5) / 6))]
      : [now - 3 * DAY, now - DAY];
  return { category: 2, language: 'tc', page_size: 100, start_time, end_time };
}

/** A range that ended before the recent seven days (and the day of tolerance) began. */
export async function oldRange(api: Api): Promise<Query> {
  const now = timeOf(await news(api));
  return { start_time: now - 30 * DAY, end_time: now - 9 * DAY };
}
