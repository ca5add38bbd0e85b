// What a run asks of the pairs of a currency (§4.1). The same request costs nothing twice.
import { hasSuspects } from '../../rules/pairs.ts';
import { isObject } from '../../rules/view.ts';
import {
  Untested,
  type Answer,
  type Api,
  type Ask,
  type CheckContext,
  type GetOptions,
  type Query,
} from '../index.ts';
import { steadyPages } from './pages.ts';
import { withControl } from './series.ts';

export const PAIRS = '/currencies/{currency_id}/pairs';
/** The largest page: the plain request for pairs. */
const OF_100 = { page_size: 100 } as const;
/** Items of a page that is not told its size (§8). */
const DEFAULT_SIZE = 20;

/** How many currencies are asked until one has more pairs than a page of the default size holds. */
const MOST_CURRENCIES = 3;

/** The first currency with more than 20 pairs; without one among the first few, the one with the most. */
export async function busyCurrency(api: Api): Promise<string> {
  const ids = await api.fixtures('currencyIds');
  let best = { id: await api.fixture('currencyIds'), total: -1 };
  for (const id of [best.id, ...ids.filter((one) => one !== best.id)].slice(0, MOST_CURRENCIES)) {
    const answer = await api.get(PAIRS, OF_100, { path: { currency_id: id } });
    // A refusal is judged as it is.
    if (answer.status !== 200) return best.total > 0 ? best.id : id;
    const total = totalOf(answer) ?? answer.records.length;
    if (total > best.total) best = { id, total };
    if (total > DEFAULT_SIZE) break;
  }
  return best.id;
}

/** What pairs are asked with. */
type Asking = Pick<CheckContext, 'api'>;

/** Pairs of the currency that the checks of pairs look at. */
export async function pairs(
  query: Query,
  { api }: Asking,
  options: GetOptions = {},
): Promise<Answer> {
  return api.get(PAIRS, query, { ...options, path: { currency_id: await busyCurrency(api) } });
}

/** The largest page. */
export const of100 = (context: Asking): Promise<Answer> => pairs(OF_100, context);

/** A page that is out of bounds, and its control. A failure of the server is an answer, too. */
export async function outOfBounds(query: Query, context: CheckContext): Promise<Answer[]> {
  const good = { page: undefined, page_size: 100, order_by: undefined, exchange: undefined };
  return withControl(await pairs(query, context, { control: { query: good }, anyAnswer: true }));
}

/** How many items an envelope says there are. */
export function totalOf({ body }: Answer): number | undefined {
  const total = isObject(body) ? body['total'] : undefined;
  return typeof total === 'number' ? total : undefined;
}

/**
 * Page 2 in the default size.
 * @throws Untested when a single page holds all pairs
 */
export async function secondPage(context: CheckContext): Promise<Answer> {
  await moreThanOnePage(context);
  return pairs({ page: 2 }, context);
}

/**
 * Another page, after page 2 in the default size.
 * @throws Untested when a single page holds all pairs
 */
export async function afterSecond(query: Query, context: CheckContext): Promise<Answer> {
  await secondPage(context);
  return pairs(query, context);
}

/**
 * A page of 100, and page 2 of 20 that must be a part of it.
 * @throws Untested when a single page holds all pairs
 */
export async function bothPages(context: CheckContext): Promise<readonly Answer[]> {
  await moreThanOnePage(context);
  const currency_id = await busyCurrency(context.api);
  return steadyPages(context, PAIRS, [OF_100, { page: 2 }], { path: { currency_id } });
}

/**
 * Page 1, page 2 and a page that holds both.
 * @throws Untested when a single page holds all pairs
 */
export async function threePages(context: CheckContext): Promise<readonly Answer[]> {
  await secondPage(context);
  const currency_id = await busyCurrency(context.api);
  return steadyPages(context, PAIRS, [{}, { page: 2 }, OF_100], { path: { currency_id } });
}

/**
 * A last page that is neither full nor nearly empty: it tells a total that is one off.
 * @throws Untested when no size of page makes one
 */
export const lastPage: Ask = async (context) => {
  const total = totalOf(await of100(context)) ?? 0;
  const size = [97, 89, 83].find((one) => total > one && total % one > 3);
  if (size === undefined) throw new Untested(`the currency has ${total} pairs`);
  return pairs({ page: Math.ceil(total / size), page_size: size }, context);
};

/** A page far beyond the last, beside the largest page. */
export const farBeyond: Ask = async (context) => [
  await of100(context),
  await pairs({ page: 100_000 }, context),
];

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
  return total > DEFAULT_SIZE ? [answer, await pairs({ page: 2 }, { api })] : [answer];
}

async function moreThanOnePage(context: CheckContext): Promise<void> {
  const answer = await of100(context);
  const total = totalOf(answer);
  if (answer.status === 200 && total !== undefined && total <= DEFAULT_SIZE) {
    throw new Untested(
      `no currency among the first ${MOST_CURRENCIES} has more than ${DEFAULT_SIZE} pairs; put one that has first in fixtures.currencyIds`,
    );
  }
}

/** An answer in the default order, that is asked for once more when two of its pairs may just have changed places. */
export async function inSteadyOrder(
  query: Query,
  context: CheckContext,
): Promise<readonly Answer[]> {
  const answer = await pairs(query, context);
  if (!hasSuspects(answer.records)) return [answer];
  return [answer, await pairs(query, context, { fresh: true })];
}

/** The largest page in the default order. */
export const inOrder: Ask = (context) => inSteadyOrder(OF_100, context);
