import { isObject } from '../text/json-value.ts';
import type { FixtureKind } from '../spec/endpoints.ts';

const MAX_IDS = 50;
const MAX_DEPTH = 8;
const MAX_LENGTH = 200;

/** Common wrapper fields of lists. */
const WRAPPERS = ['list', 'data', 'items', 'records', 'rows', 'results', 'result', 'events'];

/** Names of the identifying field, most likely first. Record shapes of lists are not specified (§4.7). */
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

/** Further names, tried only when the likely ones do not work. */
const OTHER_NAMES = ['slug', 'key', 'code', 'symbol', 'ticker', 'name', 'id'];

/**
 * Kinds whose identifiers may repeat: events recur with each release. For other kinds, a field with repeated values is
 * something else, such as the asset of an ETF.
 */
const REPEATS: ReadonlySet<FixtureKind> = new Set(['macroEvents']);

/**
 * Candidate identifiers in the response of a list endpoint, one list per field, most likely first: a path may take a
 * slug although the list shows names first.
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
 * Identifiers in the response of a list endpoint of any shape: a bare array, a wrapped one (`list`, `data`, …, also
 * nested), records grouped by date, or plain strings. Up to 50, in order, without duplicates.
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
  // Siblings of a wrapper (tags, totals) are not the list; use them only if the wrappers are empty.
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

/** Uses one field for the whole array, so that parent ids are not mixed with the ids of records. */
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
