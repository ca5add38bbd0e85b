import { isObject } from '../text/json-value.ts';
import type { FixtureKind } from '../spec/endpoints.ts';

/** A sample this large is varied enough, and small enough to be kept. */
const MAX_IDS = 50;
const MAX_DEPTH = 8;
const MAX_LENGTH = 200;

/** Names under which list answers are usually wrapped. */
const WRAPPERS = ['list', 'data', 'items', 'records', 'rows', 'results', 'result', 'events'];

/** Names of the identifying field, the most telling first. The record shapes of lists are not stated (§4.7). */
const ID_NAMES: Readonly<Record<FixtureKind, readonly string[]>> = {
  currencyIds: ['currency_id', 'currencyId', 'id', 'coin_id', 'coinId'],
  etfTickers: ['ticker', 'etf_ticker', 'etfTicker', 'symbol', 'code', 'id'],
  stockTickers: ['stock_ticker', 'stockTicker', 'ticker', 'symbol', 'code', 'id'],
  indexTickers: ['index_ticker', 'indexTicker', 'ticker', 'symbol', 'code', 'name', 'id'],
  sectorNames: ['sector_name', 'sectorName', 'name', 'sector', 'id'],
  macroEvents: ['event', 'event_name', 'eventName', 'name', 'title'],
  chartNames: ['chart_name', 'chartName', 'name', 'id'],
  projectIds: ['project_id', 'projectId', 'id'],
};

/** Further names that may hold what a path takes, tried only when the most telling one is not it. */
const OTHER_NAMES = ['slug', 'key', 'code', 'symbol', 'ticker', 'name', 'id'];

/**
 * Kinds whose records have one identifier each: a name of which the values repeat belongs to something else, such as the
 * asset of an ETF. Events come back, release after release.
 */
const REPEATS: ReadonlySet<FixtureKind> = new Set(['macroEvents']);

/**
 * The identifiers in the answer of a list endpoint, the most likely ones first, and beside them what the records call
 * themselves otherwise: a path may take a slug where the list shows a name first. Empty when there are none.
 */
export function findIdLists(kind: FixtureKind, body: unknown): readonly (readonly string[])[] {
  const lists = [findIds(kind, body)];
  for (const name of [...ID_NAMES[kind], ...OTHER_NAMES]) {
    lists.push([...new Set(collect(body, [name], true, 0))].slice(0, MAX_IDS));
  }
  const seen = new Set<string>();
  return lists.filter((ids) => {
    const key = JSON.stringify(ids);
    const fresh = ids.length > 0 && ids.length >= (lists[0]?.length ?? 0) / 2 && !seen.has(key);
    seen.add(key);
    return fresh;
  });
}

/**
 * The identifiers in the answer of a list endpoint, whatever its shape: a bare array, a wrapped one (`list`, `data`,
 * …, also nested), records grouped by date, or plain strings. Keeps the order, drops repeats, and gives up to 50.
 */
export function findIds(kind: FixtureKind, body: unknown): string[] {
  return [...new Set(collect(body, ID_NAMES[kind], REPEATS.has(kind), 0))].slice(0, MAX_IDS);
}

function collect(
  value: unknown,
  names: readonly string[],
  repeats: boolean,
  depth: number,
): string[] {
  if (depth > MAX_DEPTH) return [];
  if (Array.isArray(value)) return fromArray(value, names, repeats, depth);
  if (!isObject(value)) return [];
  // What stands beside a wrapper (tags, totals) is not the list; it counts only when the wrappers hold nothing.
  const wrapped = WRAPPERS.flatMap((name) =>
    Object.hasOwn(value, name) ? collect(value[name], names, repeats, depth + 1) : [],
  );
  if (wrapped.length > 0) return wrapped;
  for (const inner of Object.values(value)) {
    const found = collect(inner, names, repeats, depth + 1);
    if (found.length > 0) return found;
  }
  return [];
}

/** One field name serves a whole array: records that name their parent by `id` must not mix with their own ids. */
function fromArray(
  items: readonly unknown[],
  names: readonly string[],
  repeats: boolean,
  depth: number,
): string[] {
  let first: string[] = [];
  for (const name of names) {
    const found = items.flatMap((item) =>
      isObject(item) && Object.hasOwn(item, name) ? identifier(item[name]) : [],
    );
    if (first.length === 0) first = found;
    if (found.length > 0 && (repeats || new Set(found).size === found.length)) return found;
  }
  if (first.length > 0) return first;
  const plain = items.flatMap((item) =>
    isObject(item) || Array.isArray(item) ? [] : identifier(item),
  );
  if (plain.length > 0) return plain;
  return items.flatMap((item) => collect(item, names, repeats, depth + 1));
}

function identifier(value: unknown): string[] {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return [String(value)];
  if (typeof value !== 'string' || value.trim() === '' || value.length > MAX_LENGTH) return [];
  return [value];
}
