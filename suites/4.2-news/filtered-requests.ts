// Requests for filtered news (§4.2): category, currency, project and range. Values are chosen from known news so that
// each filter excludes some.
import {
  ifUntested,
  Untested,
  type Answer,
  type Ask,
  type CheckContext,
  type Query,
} from '../../src/ask/index.ts';
import { lateLast, overHalf, steadyPages } from '../families/pages/page-requests.ts';
import { DAY } from '../../src/spec/time.ts';
import { categoryAround, narrowingOf, oneFilterOf, type Narrowing } from './filter-choice.ts';
import { anyListed, comparedWith, CHINESE_100, itemsOf, news } from './requests.ts';

type Api = CheckContext['api'];
type Filter = 'category' | 'currency_id';

/** Target time of an answer, epoch ms. */
const timeOf = ({ exchange }: Answer): number => Math.round(exchange.receivedAt) + exchange.skewMs;

/** A range that ended before the recent seven days and the day of tolerance, in any language; a category may have no news. */
async function oldRange(api: Api): Promise<Query> {
  const now = timeOf(await news(api));
  return {
    ...anyListed(api, { language: 'ja' }),
    start_time: now - 30 * DAY,
    end_time: now - 9 * DAY,
  };
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
export const beyondAndInside: Ask = async ({ api }) => {
  const answer = await api.get('/news', await oldRange(api), { anyAnswer: true });
  return [answer, await narrowed(api)];
};

/** Plain news, and a range before the window. */
export const plainAndBeyond: Ask = async ({ api }) => {
  const answer = await api.get('/news', await oldRange(api), { anyAnswer: true });
  return [await news(api), answer];
};
