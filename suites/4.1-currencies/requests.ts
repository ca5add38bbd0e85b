// What a run asks of the pairs of a currency (§4.1). The same request costs nothing twice.
import {
  Untested,
  type Answer,
  type Api,
  type Ask,
  type CheckContext,
  type Query,
} from '../../src/ask/index.ts';
import { missingSetting } from '../../src/spec/cause.ts';
import { boundsOf } from '../../src/spec/endpoints.ts';
import { isObject } from '../../src/judge/view.ts';
import { overHalf, pagedList, steadyPages, totalOf } from '../families/pages/page-requests.ts';
import { matchesExchange, onlyMarketOf, slugOf } from './pair-exchanges.ts';
import { hasSuspects } from './pair-order.ts';

export const PAIRS = '/currencies/{currency_id}/pairs';
const { maximum: MAXIMUM } = boundsOf(PAIRS, 'page_size');
export const PAIR_LIST = pagedList(PAIRS, 'currency');
export const { largest: of100, get: pairs } = PAIR_LIST;

/**
 * Pages 1 and 2 in an order of their own.
 * @throws Untested when the target refuses that order
 */
export const sortedPages: Ask = async (context) => {
  const sorted = { order_by: 'turnover_24h', page_size: 7 };
  const pages = [await pairs(sorted, context), await pairs({ ...sorted, page: 2 }, context)];
  if (pages.some(({ status }) => status !== 200)) {
    throw new Untested('the target refuses order_by=turnover_24h');
  }
  return pages;
};

/** What a run knows of pairs without asking for more: a page of 100 and, where there are more than 20, page 2 of 20. */
export async function pairsSeen(api: Api): Promise<readonly Answer[]> {
  const answer = await of100({ api });
  const total = totalOf(answer) ?? 0;
  return total > PAIR_LIST.defaultSize ? [answer, await pairs({ page: 2 }, { api })] : [answer];
}

/** So many pairs show whose they are, and what the currency costs. */
const TELLING = 3;

/**
 * A currency and what a run knows of its pairs: that with many of them. Where the seed drew one that fills no page, which
 * the run asks about anyway, it is that one, with the pairs it has: to ask about another one as well would cost requests.
 */
export async function besideItsPairs(
  api: Api,
): Promise<{ path: Readonly<Record<string, string>>; seen: readonly Answer[] }> {
  const path = await PAIR_LIST.entity(api);
  if (api.draws) {
    const currency_id = await api.fixture('currencyIds');
    const drawn = { path: { currency_id } };
    const whole = await api.get(PAIRS, { page_size: 100 }, drawn);
    const isAnother = path['currency_id'] !== currency_id;
    if (isAnother && whole.records.length >= TELLING) return { ...drawn, seen: [whole] };
  }
  return { path, seen: await pairsSeen(api) };
}

/** An answer in the default order, that is asked for once more when two of its pairs may just have changed places. */
async function inSteadyOrder(query: Query, context: CheckContext): Promise<readonly Answer[]> {
  const answer = await pairs(query, context);
  if (!hasSuspects(answer.records)) return [answer];
  return [answer, await pairs(query, context, { fresh: true })];
}

/** The largest page in the default order. */
export const inOrder: Ask = (context) => inSteadyOrder({ page_size: MAXIMUM }, context);

// The pairs of one exchange.

/** Pairs of one exchange, and how they were asked for. */
interface Filtered {
  readonly exchange: string;
  readonly query: Query;
  /** All answers to the exchanges tried, the last one to `query`. */
  readonly answers: readonly Answer[];
}

/**
 * Pairs filtered by an exchange that has some. The specification does not say whether the filter takes the name that
 * pairs show or a name of its own: what is not answered with pairs of that exchange is tried in two other forms.
 * @throws Untested when no form brings any pairs
 */
async function filtered(context: CheckContext): Promise<Filtered> {
  const answers: Answer[] = [];
  for (const { exchange, isShown, paging } of await exchangesToTry(context)) {
    const query = { exchange, ...paging };
    const answer = await pairs(query, context, { anyAnswer: true });
    answers.push(answer);
    // What is no name that pairs show may be one that the target has for an exchange.
    const name = isShown ? exchange : (onlyMarketOf(answer.records) ?? exchange);
    const fits = answer.records.every(({ value }) => matchesExchange(value, name));
    if (answer.records.length > 0 && fits) return { exchange, query, answers };
    if (answer.status >= 500) return { exchange, query, answers };
  }
  const [first] = answers;
  const last = answers.at(-1);
  if (first === undefined || last === undefined) {
    throw new Untested(
      'no pair names an exchange; set fixtures.exchanges',
      missingSetting('fixtures.exchanges'),
    );
  }
  if (answers.every(({ records }) => records.length === 0)) {
    throw new Untested(
      'no exchange that was tried as a filter returns pairs: set fixtures.exchanges to valid values of the filter',
      missingSetting('fixtures.exchanges'),
    );
  }
  const query = Object.fromEntries(last.exchange.request.query);
  return { exchange: query['exchange'] ?? '', query, answers };
}

interface Candidate {
  readonly exchange: string;
  /** True for a name that pairs show. */
  readonly isShown: boolean;
  /** A part of the pairs that are known to be there: a page, a size or a filter that is ignored shows. */
  readonly paging: Query;
}

/** Exchanges of the target file, and those that the first hundred pairs show. */
async function exchangesToTry(context: CheckContext): Promise<readonly Candidate[]> {
  const seen = new Map<string, number>();
  for (const { value } of (await of100(context)).records) {
    const market = isObject(value) ? value['market'] : undefined;
    if (typeof market === 'string' && market !== '') seen.set(market, (seen.get(market) ?? 0) + 1);
  }
  const given = context.session.http.fixtures.exchanges();
  const shown = [...seen].toSorted((a, b) => rank(a[1]) - rank(b[1])).map(([name]) => name);
  // About as small as the smallest that will do: a larger one may not fit into a page.
  const [smallest = ''] = shown;
  const alike = shown.filter((name) => isLike(seen.get(name) ?? 0, seen.get(smallest) ?? 0));
  const [first, second] = alike.length < 2 ? shown : context.session.turned(alike);
  const slug = first === undefined ? [] : [slugOf(first)];
  const names = [
    ...given.filter((name) => seen.has(name)),
    ...given.filter((name) => !seen.has(name)),
    ...(first === undefined ? [] : [first, ...slug, ...(second === undefined ? [] : [second])]),
  ];
  return [...new Set(names)].slice(0, MOST_EXCHANGES).map((exchange) => {
    const count = seen.get(exchange) ?? 0;
    return { exchange, isShown: seen.has(exchange), paging: pagingOf(count, context) };
  });
}

/**
 * The second half of the pairs that are known to be there. Where the seed may ask for something else, it is a later part
 * that is as large as it has to be to say what is missing in it, and all of them where they are too few for that.
 */
function pagingOf(count: number, { api }: CheckContext): Query {
  if (api.draws && count < ENOUGH) return { page_size: MAXIMUM };
  if (count < 2) return {};
  const [page = 2] = api.turned([2, 3, 4].filter((part) => count / part >= ENOUGH / 2));
  return { page, page_size: page === 2 ? overHalf(count) : Math.ceil(count / page) };
}

const MOST_EXCHANGES = 3;
/** So many pairs that half of them are no coincidence. */
const ENOUGH = 10;
/** Enough pairs, but no more than that; without an exchange that has them, the one with the most. */
const rank = (count: number): number => (count >= ENOUGH ? count : 1000 - count);

const isLike = (count: number, smallest: number): boolean =>
  smallest >= ENOUGH && count >= smallest && count <= 1.5 * smallest;

/** Pairs of an exchange beside the largest page of all, which shows that there are others. */
export const ofExchangeAndAll = async (context: CheckContext): Promise<readonly Answer[]> => {
  const { answers } = await filtered(context);
  return [await of100(context), ...answers];
};

/** Pairs of an exchange, sorted in another way, beside those in the default order. */
export const ofExchangeByPrice: Ask = async (context) => {
  const { exchange } = await filtered(context);
  return [
    ...(await ofExchangeAndAll(context)),
    await pairs({ exchange, order_by: 'price' }, context),
  ];
};

/**
 * The pairs of an exchange, and its second page of two.
 * @throws Untested when the exchange has too few
 */
export async function filteredPages(context: CheckContext): Promise<readonly Answer[]> {
  const { exchange } = await filtered(context);
  const first = await pairs({ exchange }, context);
  if (first.records.length < 3) throw new Untested('the exchange has fewer than three pairs');
  const path = await PAIR_LIST.entity(context.api);
  return steadyPages(context, PAIRS, [{ exchange }, { exchange, page: 2, page_size: 2 }], { path });
}

/** The same beside the largest page of all. */
export const ofExchangeOnPage2: Ask = async (context) => [
  await of100(context),
  ...(await filteredPages(context)),
];

/**
 * Pairs of an exchange in the default order.
 * @throws Untested when there are too few to have one
 */
export const ofExchangeInOrder: Ask = async (context) => {
  const { query } = await filtered(context);
  const answers = await inSteadyOrder(query, context);
  if ((answers[0]?.records.length ?? 0) < 2) {
    throw new Untested('the exchange has fewer than two pairs');
  }
  return answers;
};

/**
 * All pairs of an exchange in one answer.
 * @throws Untested when it has more than the largest page holds
 */
export const wholeExchange: Ask = async (context) => {
  const { exchange } = await filtered(context);
  const answer = await pairs({ exchange, page_size: 100 }, context);
  const total = totalOf(answer);
  if (total !== undefined && total > 100) {
    throw new Untested(`the exchange has ${total} pairs; set fixtures.exchanges to a smaller one`);
  }
  return answer;
};
