import {
  Untested,
  type Answer,
  type Api,
  type Ask,
  type CheckContext,
  type GetOptions,
  type Query,
} from '../../src/ask/index.ts';
import { boundsOf, endpoint } from '../../src/spec/endpoints.ts';
import { MIN_PAIRS } from '../numbers.ts';
import { totalOf, isObject } from '../../src/judge/view.ts';
import { lateLast, steadyPages, overHalf } from '../families/pages/page-requests.ts';
import type { byRestrictedKey } from '../families/restricted-key-requests.ts';
import { withControl } from '../families/series-requests.ts';
import { missingSetting } from '../../src/spec/cause.ts';
import { matchesExchange, onlyMarketOf, slugOf, mayBeOutOfOrder } from './judge.ts';

// Pages of the pairs of a currency (§4.1): one with a second page, if there is one. Equal requests are sent once.

export const PAIRS = '/currencies/{currency_id}/pairs';
export const { maximum: MAXIMUM } = boundsOf(PAIRS, 'page_size');
/** Default page_size (§8). */
const DEFAULT_SIZE = 20;

/** How many currencies to try until one has more than one page. */
const MAX_CURRENCIES = 3;
const LARGEST = { page_size: MAXIMUM };

type ApiContext = Pick<CheckContext, 'api'>;

/** Path parameters of the currency for all pages: one with a second page, if there is one. */
export async function currencyOfPages(api: Api): Promise<Readonly<Record<string, string>>> {
  const ids = await api.fixtures('currencyIds');
  let best = { id: await api.fixture('currencyIds'), total: -1 };
  for (const id of [best.id, ...ids.filter((one) => one !== best.id)].slice(0, MAX_CURRENCIES)) {
    const answer = await api.get(PAIRS, LARGEST, { path: { currency_id: id } });
    // A refusal is judged as it is.
    if (answer.status !== 200) return { currency_id: best.total > 0 ? best.id : id };
    const total = totalOf(answer) ?? answer.records.length;
    if (total > best.total) best = { id, total };
    if (total > DEFAULT_SIZE) break;
  }
  return { currency_id: best.id };
}

/** A page of that currency. */
export const pairs = async (
  query: Query,
  { api }: ApiContext,
  options: GetOptions = {},
): Promise<Answer> => api.get(PAIRS, query, { ...options, path: await currencyOfPages(api) });

export const of100 = (context: ApiContext): Promise<Answer> => pairs(LARGEST, context);

/**
 * The number of pairs, if it is known.
 * @throws Untested if a single page holds them all
 */
async function moreThanOnePage(context: ApiContext): Promise<number | undefined> {
  const answer = await of100(context);
  const total = totalOf(answer);
  if (answer.status !== 200 || total === undefined || total > DEFAULT_SIZE) return total;
  throw new Untested(
    `none of the first ${MAX_CURRENCIES} currencies has more than ${DEFAULT_SIZE} pairs; list a currency with more pairs first in fixtures.currencyIds`,
  );
}

/** Page 2 at the default size. Throws like `moreThanOnePage`, as those below. */
export const secondPage: Ask = async (context) => {
  await moreThanOnePage(context);
  return pairs({ page: 2 }, context);
};

/** The largest page and a full one at the default size: page 2, which other checks request too, or page 1 if page 2 is short. */
export const fullPages = async (context: ApiContext): Promise<readonly [Answer, Answer]> => {
  const total = (await moreThanOnePage(context)) ?? Infinity;
  return [await of100(context), await pairs({ page: total < 2 * DEFAULT_SIZE ? 1 : 2 }, context)];
};

/** The largest page, and page 2 at the default size, which must be part of it. */
export const bothPages: Ask = async (context) => {
  await moreThanOnePage(context);
  const path = await currencyOfPages(context.api);
  return steadyPages(context, PAIRS, [LARGEST, { page: 2 }], { path });
};

/**
 * A last page neither full nor nearly empty, which shows a total that is off by one: page 3 if possible, since others
 * request page 2. The restricted key may ask for it.
 */
export const lastPage =
  (by?: typeof byRestrictedKey): Ask =>
  async (context) => {
    const total = totalOf(await of100(context)) ?? 0;
    const sizes = [lateLast(total).page_size, 97, 89, 83];
    const odd = sizes.find((one) => one < MAXIMUM && total > one && total % one > 3);
    if (odd === undefined)
      throw new Untested(
        `no tested page size leaves a partly filled last page of the currency's ${total} pairs`,
      );
    const query = { page: Math.ceil(total / odd), page_size: odd };
    if (by === undefined) return pairs(query, context);
    return by(context, PAIRS, query, { path: await currencyOfPages(context.api) });
  };

/** A page out of bounds and its control. A server failure counts as an answer. */
export async function outOfBounds(query: Query, context: CheckContext): Promise<Answer[]> {
  const none = Object.keys(endpoint(PAIRS).query).map((name) => [name, undefined]);
  const control = { query: { ...Object.fromEntries(none), ...LARGEST } };
  return withControl(await pairs(query, context, { control, anyAnswer: true }));
}

// Requests for the pairs of a currency (§4.1). Equal requests are sent once.

/**
 * Pages 1 and 2 in a requested order.
 * @throws Untested if the target refuses that order
 */
export const sortedPages: Ask = async (context) => {
  const sorted = { order_by: 'turnover_24h', page_size: 7 };
  const pages = [await pairs(sorted, context), await pairs({ ...sorted, page: 2 }, context)];
  if (pages.some(({ status }) => status !== 200)) {
    throw new Untested('the target refuses order_by=turnover_24h');
  }
  return pages;
};

/** Pairs that a run requests anyway: a page of 100, and page 2 if there are more than 20. */
export async function pairsSeen(api: Api): Promise<readonly Answer[]> {
  const answer = await of100({ api });
  const total = totalOf(answer) ?? 0;
  return total > DEFAULT_SIZE ? [answer, await pairs({ page: 2 }, { api })] : [answer];
}

/**
 * A currency with its known pairs: one with many pairs. If the seed drew one that fills no page, uses that one, which
 * the run requests anyway; trying another would cost requests.
 */
export async function currencyWithPairs(
  api: Api,
): Promise<{ path: Readonly<Record<string, string>>; seen: readonly Answer[] }> {
  const path = await currencyOfPages(api);
  if (api.draws) {
    const currency_id = await api.fixture('currencyIds');
    const drawn = { path: { currency_id } };
    const whole = await api.get(PAIRS, { page_size: 100 }, drawn);
    const isAnother = path['currency_id'] !== currency_id;
    if (isAnother && whole.records.length >= MIN_PAIRS) return { ...drawn, seen: [whole] };
  }
  return { path, seen: await pairsSeen(api) };
}

/** An answer in the default order, repeated if a few pairs seem out of order. */
async function inSteadyOrder(query: Query, context: CheckContext): Promise<readonly Answer[]> {
  const answer = await pairs(query, context);
  if (!mayBeOutOfOrder(answer.records)) return [answer];
  return [answer, await pairs(query, context, { fresh: true })];
}

export const inOrder: Ask = (context) => inSteadyOrder({ page_size: MAXIMUM }, context);

/** The same on page 2. Throws like `secondPage`. */
export const inOrderLater: Ask = async (context) => {
  await secondPage(context);
  return inSteadyOrder({ page: 2 }, context);
};

// Pairs of one exchange.

/** Pairs of an exchange and the query that found them. */
interface Filtered {
  readonly exchange: string;
  readonly query: Query;
  /** All answers to the exchanges tried; the last one is for `query`. */
  readonly answers: readonly Answer[];
}

/**
 * Pairs of an exchange that has some. The filter may take the name shown by pairs or another one (unspecified), so
 * other forms are tried if one returns no matching pairs.
 * @throws Untested if no form returns any pairs
 */
async function filtered(context: CheckContext): Promise<Filtered> {
  const answers: Answer[] = [];
  for (const { exchange, isShown, paging } of await exchangesToTry(context)) {
    const query = { exchange, ...paging };
    const answer = await pairs(query, context, { anyAnswer: true });
    answers.push(answer);
    // A name that no pair shows may be the service's id for an exchange.
    const name = isShown ? exchange : (onlyMarketOf(answer.records) ?? exchange);
    const fits = answer.records.every(({ value }) => matchesExchange(value, name));
    if (answer.records.length > 0 && fits) return { exchange, query, answers };
    if (answer.status >= 500) return { exchange, query, answers };
  }
  const last = answers.at(-1);
  if (last === undefined || answers.every(({ records }) => records.length === 0)) {
    throw new Untested(
      'no exchange that is known returns pairs as a filter: set fixtures.exchanges to valid values of the filter',
      missingSetting('fixtures.exchanges'),
    );
  }
  const query = Object.fromEntries(last.exchange.request.query);
  return { exchange: query['exchange'] ?? '', query, answers };
}

interface Candidate {
  readonly exchange: string;
  /** True for a name shown by pairs. */
  readonly isShown: boolean;
  /** Requests part of the known pairs, so that an ignored page, size or filter shows. */
  readonly paging: Query;
}

/** Exchanges in the target file, and those shown by the first hundred pairs. */
async function exchangesToTry(context: CheckContext): Promise<readonly Candidate[]> {
  const seen = new Map<string, number>();
  for (const { value } of (await of100(context)).records) {
    const market = isObject(value) ? value['market'] : undefined;
    if (typeof market === 'string' && market !== '') seen.set(market, (seen.get(market) ?? 0) + 1);
  }
  const given = context.session.http.fixtures.exchanges();
  const shown = [...seen].toSorted((a, b) => rank(a[1]) - rank(b[1])).map(([name]) => name);
  // Similar in size to the smallest sufficient one: a larger one may not fit on a page.
  const [smallest = ''] = shown;
  const least = seen.get(smallest) ?? 0;
  const alike = shown.filter((name) => {
    const count = seen.get(name) ?? 0;
    return least >= ENOUGH && count >= least && count <= 1.5 * least;
  });
  const [first, second] = alike.length < 2 ? shown : context.api.rotated(alike);
  const names = [
    ...given.filter((name) => seen.has(name)),
    ...given.filter((name) => !seen.has(name)),
    ...(first === undefined ? [] : [first, slugOf(first)]),
    ...(second === undefined ? [] : [second]),
  ];
  return [...new Set(names)].slice(0, MAX_EXCHANGES).map((exchange) => {
    const count = seen.get(exchange) ?? 0;
    return { exchange, isShown: seen.has(exchange), paging: pagingOf(count, context) };
  });
}

/**
 * The second half of the known pairs. If the seed may choose, a later part large enough to show gaps, or all pairs if
 * there are too few.
 */
function pagingOf(count: number, { api }: CheckContext): Query {
  if (api.draws && count < ENOUGH) return { page_size: MAXIMUM };
  if (count < 2) return {};
  const [page = 2] = api.rotated([2, 3, 4].filter((part) => count / part >= ENOUGH / 2));
  return { page, page_size: page === 2 ? overHalf(count) : Math.ceil(count / page) };
}

const MAX_EXCHANGES = 3;
/** Half of this many pairs is no coincidence. */
const ENOUGH = 10;
/** Enough pairs but no more; otherwise the exchange with the most. */
const rank = (count: number): number => (count >= ENOUGH ? count : 1000 - count);

/** Pairs of an exchange, with the largest unfiltered page to show that there are others. */
export const ofExchangeAndAll = async (context: CheckContext): Promise<readonly Answer[]> => {
  const { answers } = await filtered(context);
  return [await of100(context), ...answers];
};

/** Pairs of an exchange with and without `order_by`. */
export const ofExchangeWithOrder: Ask = async (context) => {
  const { exchange } = await filtered(context);
  return [
    ...(await ofExchangeAndAll(context)),
    // The default order is by 24-hour volume, so most services accept this field.
    await pairs({ exchange, order_by: 'turnover_24h' }, context),
  ];
};

/**
 * The pairs of an exchange, and its second page of two.
 * @throws Untested if there are too few
 */
export async function filteredPages(context: CheckContext): Promise<readonly Answer[]> {
  const { exchange } = await filtered(context);
  const first = await pairs({ exchange }, context);
  if (first.records.length < 3) throw new Untested('the exchange has fewer than three pairs');
  const path = await currencyOfPages(context.api);
  return steadyPages(context, PAIRS, [{ exchange }, { exchange, page: 2, page_size: 2 }], { path });
}

/** The same with the largest unfiltered page. */
export const ofExchangeOnPage2: Ask = async (context) => [
  await of100(context),
  ...(await filteredPages(context)),
];

/**
 * Pairs of an exchange in the default order.
 * @throws Untested if there are too few to have an order
 */
export const ofExchangeInOrder: Ask = async (context) => {
  const { query } = await filtered(context);
  const answers = await inSteadyOrder(query, context);
  if ((answers[0]?.records.length ?? 0) < 2) {
    throw new Untested('the exchange has fewer than two pairs');
  }
  return answers;
};

/** All pairs of an exchange in one answer, if it has no more than fit on a page. */
export const wholeExchange: Ask = async (context) => {
  const { exchange } = await filtered(context);
  return pairs({ exchange, page_size: MAXIMUM }, context);
};
