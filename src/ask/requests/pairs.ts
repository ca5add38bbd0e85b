// What a run asks of the pairs of a currency (§4.1). The same request costs nothing twice.
import { boundsOf } from '../../contract/endpoints.ts';
import { hasSuspects } from '../../rules/pairs.ts';
import {
  Untested,
  type Answer,
  type Api,
  type Ask,
  type CheckContext,
  type Query,
} from '../index.ts';
import { pagedList } from './paged-list.ts';
import { totalOf } from './pages.ts';

export const PAIRS = '/currencies/{currency_id}/pairs';
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
export async function inSteadyOrder(
  query: Query,
  context: CheckContext,
): Promise<readonly Answer[]> {
  const answer = await pairs(query, context);
  if (!hasSuspects(answer.records)) return [answer];
  return [answer, await pairs(query, context, { fresh: true })];
}

/** The largest page in the default order. */
export const inOrder: Ask = (context) =>
  inSteadyOrder({ page_size: boundsOf(PAIRS, 'page_size').maximum }, context);
