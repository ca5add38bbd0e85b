// Requests for pairs that the suites share: the same request costs nothing twice.
import { missingSetting } from '../../contract/cause.ts';
import { hasSuspects, matchesExchange, slugOf } from '../../rules/pairs.ts';
import { isObject } from '../../rules/view.ts';
import { Untested, type Answer, type CheckContext, type GetOptions, type Query } from '../index.ts';
import { steadyPages } from './pages.ts';

type Api = CheckContext['api'];

export const PAIRS = '/currencies/{currency_id}/pairs';
/** The largest page: the plain request for pairs. */
export const OF_100 = { page_size: 100 } as const;
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

/** Pairs of the currency that the checks of pairs look at. */
export async function pairs(
  api: Api,
  query: Query = {},
  options: GetOptions = {},
): Promise<Answer> {
  return api.get(PAIRS, query, { ...options, path: { currency_id: await busyCurrency(api) } });
}
export const of100 = (api: Api): Promise<Answer> => pairs(api, OF_100);

/** How many items an envelope says there are. */
export function totalOf({ body }: Answer): number | undefined {
  const total = isObject(body) ? body['total'] : undefined;
  return typeof total === 'number' ? total : undefined;
}

/**
 * Page 2 in the default size.
 * @throws Untested when a single page holds all pairs
 */
export async function secondPage({ api }: CheckContext): Promise<Answer> {
  await moreThanOnePage(api);
  return pairs(api, { page: 2 });
}

/**
 * A page of 100, and page 2 of 20 that must be a part of it.
 * @throws Untested when a single page holds all pairs
 */
export async function bothPages(context: CheckContext): Promise<readonly Answer[]> {
  await moreThanOnePage(context.api);
  const currency_id = await busyCurrency(context.api);
  return steadyPages(context, PAIRS, [OF_100, { page: 2 }], { path: { currency_id } });
}

/** What a run knows of pairs without asking for more: a page of 100 and, where there are more than 20, page 2 of 20. */
export async function pairsSeen(api: Api): Promise<readonly Answer[]> {
  const answer = await of100(api);
  const total = totalOf(answer) ?? 0;
  return total > DEFAULT_SIZE ? [answer, await pairs(api, { page: 2 })] : [answer];
}

async function moreThanOnePage(api: Api): Promise<void> {
  const answer = await of100(api);
  const total = totalOf(answer);
  if (answer.status === 200 && total !== undefined && total <= DEFAULT_SIZE) {
    throw new Untested(
      `no currency among the first ${MOST_CURRENCIES} has more than ${DEFAULT_SIZE} pairs; put one that has first in fixtures.currencyIds`,
    );
  }
}

/** An answer in the default order, that is asked for once more when two of its pairs may just have changed places. */
export async function inSteadyOrder(api: Api, query: Query): Promise<readonly Answer[]> {
  const answer = await pairs(api, query);
  if (!hasSuspects(answer.records)) return [answer];
  return [answer, await pairs(api, query, { fresh: true })];
}

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
export async function filtered(context: CheckContext): Promise<Filtered> {
  const answers: Answer[] = [];
  for (const { exchange, paging } of await exchangesToTry(context)) {
    const query = { exchange, ...paging };
    const answer = await pairs(context.api, query, { anyAnswer: true });
    answers.push(answer);
    const fits = answer.records.every(({ value }) => matchesExchange(value, exchange));
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
      'no exchange that was tried as a filter brings pairs: set fixtures.exchanges to what the filter takes',
      missingSetting('fixtures.exchanges'),
    );
  }
  const query = Object.fromEntries(last.exchange.request.query);
  return { exchange: query['exchange'] ?? '', query, answers };
}

interface Candidate {
  readonly exchange: string;
  /** The second half of the pairs that are known to be there: a page, a size or a filter that is ignored shows. */
  readonly paging: Query;
}

/** Exchanges of the target file, and those that the first hundred pairs show. */
async function exchangesToTry({ api, session }: CheckContext): Promise<readonly Candidate[]> {
  const seen = new Map<string, number>();
  for (const { value } of (await of100(api)).records) {
    const market = isObject(value) ? value['market'] : undefined;
    if (typeof market === 'string' && market !== '') seen.set(market, (seen.get(market) ?? 0) + 1);
  }
  const given = session.http.fixtures.exchanges();
  const shown = [...seen].toSorted((a, b) => rank(a[1]) - rank(b[1])).map(([name]) => name);
  const [first, second] = shown;
  const slug = first === undefined ? [] : [slugOf(first)];
  const names = [
    ...given.filter((name) => seen.has(name)),
    ...given.filter((name) => !seen.has(name)),
    ...(first === undefined ? [] : [first, ...slug, ...(second === undefined ? [] : [second])]),
  ];
  return [...new Set(names)].slice(0, MOST_EXCHANGES).map((exchange) => {
    const count = seen.get(exchange) ?? 0;
    return { exchange, paging: count < 2 ? {} : { page: 2, page_size: Math.floor(count / 2) } };
  });
}

const MOST_EXCHANGES = 3;
/** So many pairs that half of them are no coincidence. */
const ENOUGH = 10;
/** Enough pairs, but no more than that; without an exchange that has them, the one with the most. */
const rank = (count: number): number => (count >= ENOUGH ? count : 1000 - count);
