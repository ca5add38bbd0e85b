// Pages of the pairs of a currency (§4.1): one with a second page, if there is one. Equal requests are sent once.
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
import { totalOf } from '../../src/judge/view.ts';
import { lateLast, steadyPages } from '../families/pages/page-requests.ts';
import type { byRestrictedKey } from '../families/restricted-key-requests.ts';
import { withControl } from '../families/series-requests.ts';

export const PAIRS = '/currencies/{currency_id}/pairs';
export const { maximum: MAXIMUM } = boundsOf(PAIRS, 'page_size');
/** Default page_size (§8). */
export const DEFAULT_SIZE = 20;

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
