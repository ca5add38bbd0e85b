// What a run asks of news that pass filters (§4.2): category, currency, project and range. Their values are chosen from
// news that are known, so that each filter has some to keep out.
import {
  Untested,
  type Answer,
  type Ask,
  type CheckContext,
  type Query,
} from '../../src/ask/index.ts';
import { lateLast, overHalf, steadyPages } from '../families/pages/page-requests.ts';
import { DAY } from '../../src/spec/time.ts';
import { narrowingOf, oneFilterOf, type Narrowing } from './filter-choice.ts';
import { anyListed, beside, CHINESE_100, itemsOf, news } from './requests.ts';

type Api = CheckContext['api'];
type Filter = 'category' | 'currency_id';

/** The time of the target when it answered, epoch ms. */
const timeOf = ({ exchange }: Answer): number => exchange.receivedAt + exchange.skewMs;

/** A range that ended before the recent seven days (and the day of tolerance) began, in any language and category. */
async function oldRange(api: Api): Promise<Query> {
  const now = timeOf(await news(api));
  return {
    ...anyListed(api, { language: 'ja', category: 3 }),
    start_time: now - 30 * DAY,
    end_time: now - 9 * DAY,
  };
}

/** Category, currency and range, each of which has known news to keep out that the others let through. */
async function narrowing(api: Api, known: Answer): Promise<Narrowing> {
  const currencies = await knownCurrencies(api);
  return narrowingOf(itemsOf(known), timeOf(known), currencies, (values) => api.turned(values));
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
async function filteredBy(api: Api, name: Filter): Promise<Answer> {
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
const oneFilter = async (api: Api, name: Filter, known: Answer): Promise<Query | undefined> =>
  oneFilterOf(name, itemsOf(known), await knownCurrencies(api));

/** Category, currency and range in one request, in Traditional Chinese. The range is over, so that its news stand still. */
async function narrow(api: Api): Promise<Query> {
  const choice = await narrowing(api, await news(api, CHINESE_100));
  return { ...choice, language: 'tc', page: 1, page_size: 100 };
}

/**
 * The news that pass several filters at once. A currency that is refused is left out, which costs a request; so is seen
 * whether there is any news in the language when none comes.
 */
async function narrowed(api: Api): Promise<Answer> {
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

/** The query that was answered. */
const queryOf = ({ exchange }: Answer): Query => Object.fromEntries(exchange.request.query);

/**
 * The first page of the news that pass several filters, and the second one of two.
 * @throws Untested when there are too few of them for a second page
 */
async function narrowedPages(api: Api): Promise<readonly Query[]> {
  const first = await narrowed(api);
  if (first.status === 200 && first.records.length < 2) {
    throw new Untested('fewer than two news items match the filters, so there is no second page');
  }
  const query = queryOf(first);
  if (first.status !== 200) return [query];
  return [query, { ...query, page: 2, page_size: overHalf(first.records.length) }];
}

/** News in Traditional Chinese that pass several filters, and in English to compare with. */
export const inTraditional: Ask = async ({ api }) => beside(await narrowed(api), await news(api));

/** The news that pass a filter, most often beside others, and all that is known without it. */
export const filtered =
  (name: Filter): Ask =>
  async ({ api }) =>
    beside(await filteredBy(api, name), await news(api, CHINESE_100), await news(api));

const ofProject = async (api: Api, query: Query = {}): Promise<Answer> =>
  news(api, { project_id: await api.fixture('projectIds'), ...query });

/** Plain news, and those of a project. */
export const plainAndOfProject: Ask = async ({ api }) => [await news(api), await ofProject(api)];

/**
 * News of a project that pass several filters, beside all of the project. Which news have to do with a project is not
 * shown, but what else is asked for holds for them, too.
 */
export const narrowedOfProject: Ask = async ({ api }) => {
  const known = await ofProject(api);
  const choice = await narrowing(api, known);
  return beside(await ofProject(api, { ...choice }), known);
};

/**
 * News of a project and a currency, beside all of the project. No other filter is used, since it may leave nothing that
 * the currency would keep out.
 * @throws Untested when no currency would keep any of them out
 */
export const ofProjectAndCurrency: Ask = async ({ api }) => {
  const known = await ofProject(api, { page_size: 100 });
  const filter = await oneFilter(api, 'currency_id', known);
  if (filter === undefined)
    throw new Untested('all known news items of the project are matched with the same currencies');
  return beside(await ofProject(api, { ...filter, page_size: 100 }), known);
};

/**
 * The largest page of the news of a project, and the last one of two or three.
 * @throws Untested when there are too few of them for a second page
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

/** Two pages of the news that pass several filters. */
export const pagesOfFiltered: Ask = async (context) =>
  steadyPages(context, '/news', await narrowedPages(context.api));

/** The news of a range, beside all that is known without it. */
export const ofRange: Ask = async ({ api }) => {
  const known = [await news(api, CHINESE_100), await news(api)];
  return beside(await narrowed(api), ...known);
};

/** The known news of the largest page, and those in a range, or at one side of an end of it, with no other filter. */
export const within =
  (...ends: readonly ('start_time' | 'end_time')[]): Ask =>
  async ({ api }) => {
    const range = queryOf(await narrowed(api));
    const cut = Object.fromEntries(ends.map((end) => [end, range[end]]));
    const inside = await news(api, { ...CHINESE_100, ...cut });
    return [await news(api, CHINESE_100), inside];
  };

/**
 * A range before the window, and one inside of it: an empty answer and a refusal keep the window, and the range inside
 * shows that the filter works at all.
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
