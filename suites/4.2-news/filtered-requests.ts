import { DAY } from '../../src/spec/time.ts';
import { NEWS_CATEGORY_IDS } from '../../src/spec/values.ts';
import { releaseTimeOf, type NewsItem } from '../../src/judge/news-items.ts';
import { groupBy } from '../../src/text/group-by.ts';
import { categoryOf, matchedWith } from './asked.ts';
import {
  ifUntested,
  Untested,
  type Answer,
  type Ask,
  type CheckContext,
  type Query,
} from '../../src/ask/index.ts';
import { lateLast, overHalf, steadyPages } from '../families/pages/page-requests.ts';
import { anyListed, comparedWith, CHINESE_100, itemsOf, news } from './requests.ts';

/** Filters for `GET /news` that each exclude something. A filter without enough news is omitted. */
interface Narrowing {
  readonly category?: number;
  readonly currency_id?: string;
  /** Epoch ms. */
  readonly start_time: number;
  readonly end_time: number;
}

/** How far back a range may start; older news may be beyond the recent window. */
const RECENT_MS = 6 * DAY;
/** How many currencies to try, starting with the one with the most news. */
const CURRENCIES = 6;
/** More news than this do not improve a choice. */
const PLENTY = 10;
/** Bonus for a category other than the first, which a service that ignores the parameter might return. */
const UNUSUAL = 6;
/** A filter that excludes something outweighs any number of remaining news. */
const KEEPS_OUT = 2 * PLENTY;
/** Bonus for two full pages. */
const EVEN = 1.5;
/** Fewer make no pages of two, and a size of one hides that a service takes one less. */
const TOO_FEW = 3;
/** Distance from the news of a range end that excludes nothing. */
const MARGIN_MS = 60_000;

interface Timed {
  readonly item: NewsItem;
  readonly time: number;
}

/**
 * Chooses category, currency and range for one request, so that each excludes known news that the others let through,
 * and some news remain. Fewer news mean fewer filters.
 * @param currencyIds known currency identifiers
 * @param rotated orders the values to try; among equals the first is taken
 */
export function narrowingOf(
  items: readonly NewsItem[],
  now: number,
  currencyIds: readonly string[],
  rotated: <Item>(values: readonly Item[]) => readonly Item[] = (values) => values,
): Narrowing {
  const recent = items.flatMap((item): Timed[] => {
    const time = releaseTimeOf(item);
    return time !== undefined && time > now - RECENT_MS && time < now ? [{ item, time }] : [];
  });
  const known = new Set<unknown>(currencyIds);
  const ids = recent.flatMap(({ item }) => matchedWith(item).map(({ id }) => id));
  const busiest = byCount(ids.filter((id) => typeof id === 'string' && known.has(id)));
  const currencies = rotated(busiest.slice(0, CURRENCIES).map(([id]) => String(id)));
  const [best] = [...rotated(NEWS_CATEGORY_IDS), undefined]
    .flatMap((category) =>
      [...currencies, undefined].flatMap((currency) => choices(recent, category, currency)),
    )
    .filter(({ score }) => score >= 0)
    .toSorted((a, b) => b.score - a.score);
  return best?.choice ?? { start_time: now - 3 * DAY, end_time: now - DAY };
}

/** Values with their number, the most frequent first. */
const byCount = <Value>(values: readonly Value[]): readonly (readonly [Value, number])[] =>
  [...groupBy(values, (value) => value)]
    .map(([value, all]) => [value, all.length] as const)
    .toSorted((a, b) => b[1] - a[1]);

/**
 * A single filter, if too few news match several: the category or currency with the most news that still excludes some.
 * Undefined if there is none.
 * @param currencyIds as for `narrowingOf`; if empty, every matched currency counts as known
 */
export function oneFilterOf(
  name: 'category' | 'currency_id',
  items: readonly NewsItem[],
  currencyIds: readonly string[],
): Readonly<Record<string, string | number>> | undefined {
  const known = new Set<unknown>(currencyIds);
  const values = items.flatMap((item) => {
    const ids = matchedWith(item).map(({ id }) => id);
    const own: readonly unknown[] =
      name === 'category'
        ? [categoryOf(item)]
        : ids.filter((id) => known.size === 0 || known.has(id));
    return [...new Set(own)].filter((one) => typeof one === 'string' || typeof one === 'number');
  });
  const most = byCount(values).find(([, count]) => count < items.length);
  return most === undefined ? undefined : { [name]: most[0] };
}

/** A category to combine with a currency: some of its known news match the currency, and others do not. */
export function categoryAround(items: readonly NewsItem[], currency: unknown): number | undefined {
  const matches = (item: NewsItem): boolean => matchedWith(item).some(({ id }) => id === currency);
  return NEWS_CATEGORY_IDS.find((category) => {
    const own = items.filter((item) => categoryOf(item) === category);
    return own.some(matches) && !own.every(matches);
  });
}

/** The ranges to combine with a category and a currency, with what the choice is worth. */
function choices(
  recent: readonly Timed[],
  category: number | undefined,
  currency_id: string | undefined,
): readonly { readonly choice: Narrowing; readonly score: number }[] {
  const ofCategory = ({ item }: Timed): boolean =>
    category === undefined || categoryOf(item) === category;
  const ofCurrency = ({ item }: Timed): boolean =>
    currency_id === undefined || matchedWith(item).some(({ id }) => id === currency_id);
  const wanted = recent.filter((one) => ofCategory(one) && ofCurrency(one));
  const times = [...new Set(wanted.map(({ time }) => time))].toSorted((a, b) => a - b);
  const [oldest] = times;
  const newest = times.at(-1);
  if (oldest === undefined || newest === undefined) return [];
  const between = (index: number): number =>
    Math.round(((times[index - 1] ?? 0) + (times[index] ?? 0)) / 2);
  const edge = Math.max(1, Math.floor(times.length / 8));
  const filters = {
    ...(category !== undefined && { category }),
    ...(currency_id !== undefined && { currency_id }),
  };
  // How many times to leave out before and after the range.
  const cuts = [
    [edge, edge],
    [edge + 1, edge],
    [edge, 0],
    [edge + 1, 0],
    [0, edge],
    [0, edge + 1],
    [0, 0],
  ] as const;
  return cuts
    .filter(([before, after]) => before + after < times.length)
    .map(([before, after]) => {
      const start_time = before === 0 ? oldest - MARGIN_MS : between(before);
      const end_time = after === 0 ? newest + MARGIN_MS : between(times.length - after);
      const inside = ({ time }: Timed): boolean => time > start_time && time < end_time;
      const kept = wanted.filter(inside).length;
      const others = recent.filter(inside);
      const keepsOut = [
        before > 0,
        after > 0,
        others.some((one) => !ofCategory(one) && ofCurrency(one)),
        others.some((one) => ofCategory(one) && !ofCurrency(one)),
      ].filter(Boolean).length;
      const score =
        keepsOut * KEEPS_OUT +
        Math.min(kept, PLENTY) +
        (kept % 2 === 0 ? EVEN : 0) +
        (category === NEWS_CATEGORY_IDS[0] ? 0 : UNUSUAL) -
        (kept < TOO_FEW ? KEEPS_OUT / 2 : 0);
      return { choice: { ...filters, start_time, end_time }, score };
    });
}

// Requests for filtered news (§4.2): category, currency, project and range. Values are chosen from known news so that
// each filter excludes some.

type Api = CheckContext['api'];
type Filter = 'category' | 'currency_id';

/** Target time of an answer, epoch ms. */
const timeOf = ({ exchange }: Answer): number => Math.round(exchange.receivedAt) + exchange.skewMs;

/** News of a range that ended before the recent seven days and the day of tolerance, in any language; a category may have none. */
async function beyond(api: Api): Promise<Answer> {
  const now = timeOf(await news(api));
  const range = { start_time: now - 30 * DAY, end_time: now - 9 * DAY };
  return api.get('/news', { ...anyListed(api, { language: 'ja' }), ...range }, { anyAnswer: true });
}

/** Category, currency and range that each exclude known news. */
async function narrowing(api: Api, known: Answer): Promise<Narrowing> {
  const currencies = await knownCurrencies(api);
  return narrowingOf(itemsOf(known), timeOf(known), currencies, (values) => api.rotated(values));
}

const knownCurrencies = (api: Api): Promise<readonly string[]> =>
  api.fixtures('currencyIds').catch(ifUntested(() => []));

/** News filtered by category or by currency. Sends a separate request if too few news match the filters and a range. */
async function filteredBy(api: Api, name: Filter): Promise<Answer> {
  const answer = await narrowed(api);
  const told = queryOf(answer)[name] !== undefined && answer.records.length > 0;
  if (told || answer.status !== 200) return answer;
  const known = await news(api, CHINESE_100);
  const filter = await oneFilter(api, name, known);
  if (filter === undefined) return answer;
  // In the language of the known news, which the filter must not lose.
  const category = filter['category'] ?? categoryAround(itemsOf(known), filter['currency_id']);
  const alone = await news(api, { ...CHINESE_100, ...filter, category });
  // The filter may not take the identifiers in matched_currencies.
  return alone.status === 200 || name === 'category' ? alone : answer;
}

/** A category or currency that excludes known news, if there is one. */
const oneFilter = async (api: Api, name: Filter, known: Answer): Promise<Query | undefined> =>
  oneFilterOf(name, itemsOf(known), await knownCurrencies(api));

/**
 * News that match category, currency and range, in Traditional Chinese. The range is in the past, so that its news do not
 * change. Drops a refused currency at the cost of a request. If nothing comes, also checks
 * that the language has any news.
 */
async function narrowed(api: Api): Promise<Answer> {
  const choice = await narrowing(api, await news(api, CHINESE_100));
  let query: Query = { ...choice, language: 'tc', page: 1, page_size: 100 };
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

const queryOf = ({ exchange }: Answer): Query => Object.fromEntries(exchange.request.query);

/** Filtered news in Traditional Chinese, with English for comparison. */
export const inTraditional: Ask = async ({ api }) =>
  comparedWith(await narrowed(api), await news(api));

/** Filtered news, usually combined with other filters, and everything known without the filter. */
export const filtered =
  (name: Filter): Ask =>
  async ({ api }) =>
    comparedWith(await filteredBy(api, name), await news(api, CHINESE_100), await news(api));

const ofProject = async (api: Api, query: Query = {}): Promise<Answer> =>
  news(api, { project_id: await api.fixture('projectIds'), ...query });

/** Plain news, and news of a project. */
export const plainAndOfProject: Ask = async ({ api }) => [await news(api), await ofProject(api)];

/**
 * Filtered news of a project, with all of its news. What relates news to a project is unspecified, but the other
 * filters must hold.
 */
export const narrowedOfProject: Ask = async ({ api }) => {
  const known = await ofProject(api);
  const choice = await narrowing(api, known);
  return comparedWith(await ofProject(api, { ...choice }), known);
};

/**
 * News of a project and a currency, with all news of the project. No other filter, which might leave nothing for the
 * currency to exclude.
 * @throws Untested if no currency excludes any
 */
export const ofProjectAndCurrency: Ask = async ({ api }) => {
  const known = await ofProject(api, { page_size: 100 });
  const filter = await oneFilter(api, 'currency_id', known);
  if (filter === undefined)
    throw new Untested('all known news items of the project are matched with the same currencies');
  return comparedWith(await ofProject(api, { ...filter, page_size: 100 }), known);
};

/**
 * The largest page of a project's news, and the last page of two or three.
 * @throws Untested if there are too few for a second page
 */
export const pagesOfProject: Ask = async (context) => {
  const project_id = await context.api.fixture('projectIds');
  const list = { project_id, ...anyListed(context.api, { language: 'ja' }) };
  const first = await news(context.api, { ...list, page_size: 100 });
  if (first.status === 200 && first.records.length < 2)
    throw new Untested('the project has fewer than two news items');
  return steadyPages(context, '/news', [
    { ...list, page_size: 100 },
    { ...list, ...lateLast(first.records.length) },
  ]);
};

/**
 * The first page of filtered news, and the second page of two.
 * @throws Untested if there are too few for a second page
 */
export const pagesOfFiltered: Ask = async (context) => {
  const { status, records, exchange } = await narrowed(context.api);
  const query: Query = Object.fromEntries(exchange.request.query);
  if (status === 200 && records.length < 2) {
    throw new Untested('fewer than two news items match the filters, so there is no second page');
  }
  const second = { ...query, page: 2, page_size: overHalf(records.length) };
  return steadyPages(context, '/news', status === 200 ? [query, second] : [query]);
};

/** News in a range, with everything known outside it. */
export const ofRange: Ask = async ({ api }) => {
  const known = [await news(api, CHINESE_100), await news(api)];
  return comparedWith(await narrowed(api), ...known);
};

/** The largest page, and the same limited by one or both ends of a range. */
export const within =
  (...ends: readonly ('start_time' | 'end_time')[]): Ask =>
  async ({ api }) => {
    const range = queryOf(await narrowed(api));
    const cut = Object.fromEntries(ends.map((end) => [end, range[end]]));
    const inside = await news(api, { ...CHINESE_100, ...cut });
    return [await news(api, CHINESE_100), inside];
  };

/**
 * A range before the window, and one inside it, which shows that the filter works: both an empty answer and a refusal
 * of the former conform.
 */
export const beyondAndInside: Ask = async ({ api }) => [await beyond(api), await narrowed(api)];

/** Plain news, and a range before the window. */
export const plainAndBeyond: Ask = async ({ api }) => [await news(api), await beyond(api)];
