import * as fc from 'fast-check';
import { endpoint, type EndpointPath, type QueryParameter } from '../../spec/endpoints.ts';
import { DAY } from '../../spec/time.ts';
import { COUNTRIES, ETF_LISTINGS } from '../../spec/values.ts';
import { SERIES } from '../../judge/series.ts';
import {
  allowed,
  anyCase,
  hostileText,
  hostile,
  outside,
  text,
  type Drawn,
  type DrawnPair,
} from './values.ts';

/** A generated request. */
export interface DrawnRequest {
  readonly path: EndpointPath;
  /** Path parameters; missing ones are filled from the first fixture. */
  readonly ids: Readonly<Record<string, Drawn>>;
  readonly query: readonly DrawnPair[];
}

/** Requests that are judged together, in the order sent. */
export type Case = readonly DrawnRequest[];

export const request = (
  path: EndpointPath,
  query: readonly DrawnPair[],
  ids: Readonly<Record<string, Drawn>> = {},
): DrawnRequest => ({ path, ids, query });

/** Query parameters that select by a value of the records. */
const FILTERS: readonly string[] = ['exchange', 'currency_id', 'project_id'];
const PAGES: readonly string[] = ['page', 'page_size'];

const parametersOf = (path: EndpointPath): [string, QueryParameter][] =>
  Object.entries(endpoint(path).query);

/** Listed pairs of symbol and country (§4.3), in any case. Other pairs are always refused. */
const listed: fc.Arbitrary<readonly DrawnPair[]> = fc
  .constantFrom(
    ...COUNTRIES.flatMap((country) =>
      ETF_LISTINGS[country].map((symbol) => [symbol, country] as const),
    ),
  )
  .chain(([symbol, country]) => fc.tuple(anyCase(symbol), anyCase(country)))
  .map(([symbol, country]) => [
    ['symbol', text(symbol)],
    ['country_code', text(country)],
  ]);

/** The required parameters with allowed values. */
export function required(path: EndpointPath): fc.Arbitrary<readonly DrawnPair[]> {
  if (path === '/etfs/summary-history') return listed;
  const drawn = parametersOf(path).flatMap(([name, facts]) => {
    if (facts.required !== true) return [];
    // A page beyond the last one may be refused; the first one always exists.
    const value = name === 'page' ? fc.constant(text(1)) : allowed(facts);
    return value === undefined ? [] : [value.map((one): DrawnPair => [name, one])];
  });
  return fc.tuple(...drawn);
}

/** How far back ranges may start, in days: well within every window. */
const REACH: Readonly<Partial<Record<EndpointPath, number>>> = {
  '/currencies/{currency_id}/klines': 85,
  '/crypto-stocks/{stock_ticker}/klines': 85,
  '/news': 6,
  '/etfs/summary-history': 26,
  '/etfs/{ticker}/history': 26,
  '/macro/events/{event}/history': 300,
};

interface Span {
  /** Days before now. */
  readonly from: number;
  readonly to: number;
}

const edge = (path: EndpointPath, end: 'start' | 'end', days: number): DrawnPair => {
  const series = SERIES.find((one) => one.endpoint === path);
  const name = series?.[end] ?? end;
  if (name.endsWith('_date')) return [name, { daysAgo: Math.round(days) }];
  // A candle that contains an end of the range may be included or not.
  if ((series?.durationMsOf({}) ?? 0) > 0 && series?.start === 'start_time')
    return [name, { midnightsAgo: Math.round(days) }];
  return [name, { msAgo: Math.round(days * DAY) }];
};

const span = (reach: number): fc.Arbitrary<Span> =>
  fc
    .tuple(fc.integer({ min: 0, max: reach * 10 }), fc.integer({ min: 0, max: reach * 10 }))
    .map(([a, b]) => ({ from: Math.max(a, b) / 10, to: Math.min(a, b) / 10 }));

/** A time range within the window, with one or both ends. Undefined for endpoints without a range. */
export function range(path: EndpointPath): fc.Arbitrary<readonly DrawnPair[]> | undefined {
  const reach = REACH[path];
  if (reach === undefined) return undefined;
  return fc
    .tuple(span(reach), fc.constantFrom('both', 'start', 'end'))
    .map(([{ from, to }, ends]) => [
      ...(ends === 'end' ? [] : [edge(path, 'start', from)]),
      ...(ends === 'start' ? [] : [edge(path, 'end', to)]),
    ]);
}

/** A range and one within it. */
export function nestedRanges(
  path: EndpointPath,
): fc.Arbitrary<readonly [readonly DrawnPair[], readonly DrawnPair[]]> | undefined {
  const reach = REACH[path];
  if (reach === undefined) return undefined;
  return fc.tuple(span(reach), span(reach)).map(([a, b]) => {
    const [from, inner, to, end] = [a.from, a.to, b.from, b.to].toSorted((x, y) => y - x);
    return [
      [edge(path, 'start', from ?? 0), edge(path, 'end', end ?? 0)],
      [edge(path, 'start', inner ?? 0), edge(path, 'end', to ?? 0)],
    ];
  });
}

/** A range that starts before every window. */
function oldRange(path: EndpointPath): fc.Arbitrary<readonly DrawnPair[]> {
  return fc
    .tuple(fc.integer({ min: 110, max: 500 }), fc.integer({ min: 0, max: 500 }))
    .map(([from, to]) => [edge(path, 'start', from), edge(path, 'end', Math.min(from, to))]);
}

/** A known value of a filter. */
function known(name: string): fc.Arbitrary<Drawn> | undefined {
  const lists = {
    exchange: 'exchanges',
    currency_id: 'currencyIds',
    project_id: 'projectIds',
  } as const;
  const fixture = lists[name as keyof typeof lists] as
    (typeof lists)[keyof typeof lists] | undefined;
  if (fixture === undefined) return undefined;
  return fc.integer({ min: 0, max: 4 }).map((index): Drawn => ({ fixture, index }));
}

/** Combinations of optional parameters with allowed values; single parameters are checked elsewhere. */
export function combination(path: EndpointPath): fc.Arbitrary<readonly DrawnPair[]> {
  const single = parametersOf(path).flatMap(([name, facts]) => {
    if (facts.required === true || name === 'page') return [];
    const value = known(name) ?? allowed(facts);
    return value === undefined ? [] : [value.map((one): DrawnPair => [name, one])];
  });
  const times = range(path);
  const none: readonly DrawnPair[] = [];
  // Shrinking drops irrelevant parameters.
  const sometimes = (
    some: fc.Arbitrary<readonly DrawnPair[]>,
  ): fc.Arbitrary<readonly DrawnPair[]> =>
    fc.oneof({ withCrossShrink: true }, fc.constant(none), some);
  return fc
    .tuple(
      required(path),
      ...single.map((pair) => sometimes(pair.map((one) => [one]))),
      ...(times === undefined ? [] : [sometimes(times)]),
    )
    .map((parts) => parts.flat());
}

/**
 * Kinds of requests that may be refused: out-of-bounds and malformed values, hostile values, repeated parameters, made-up
 * parameters, and ranges that are too old.
 */
export function strange(path: EndpointPath): readonly fc.Arbitrary<readonly DrawnPair[]>[] {
  const names = parametersOf(path);
  const replaced = (name: string, value: fc.Arbitrary<Drawn>): fc.Arbitrary<readonly DrawnPair[]> =>
    fc
      .tuple(required(path), value)
      .map(([pairs, one]) => [...without(pairs, name), [name, one] as DrawnPair]);
  const wrong = names.flatMap(([name, facts]) => {
    const value = outside(facts);
    return value === undefined ? [] : [replaced(name, value)];
  });
  const anyHostile = fc.oneof(
    ...names.map(([name, facts]) => replaced(name, hostile(facts, FILTERS.includes(name)))),
  );
  // Repeats the same value, because it is not stated which one counts.
  const repeated = fc
    .oneof(...wrong, anyHostile)
    .map((pairs): readonly DrawnPair[] => [...pairs, ...pairs.slice(-1)]);
  const flat = fc.tuple(required(path), madeUp()).map((parts) => parts.flat());
  if (REACH[path] === undefined) return [...wrong, anyHostile, repeated, flat];
  const old = fc.tuple(required(path), oldRange(path)).map((parts) => parts.flat());
  return [...wrong, anyHostile, repeated, flat, old];
}

const without = (pairs: readonly DrawnPair[], name: string): readonly DrawnPair[] =>
  pairs.filter(([other]) => other !== name);

/** Names that no clause states, some of which frameworks parse as objects. */
const MADE_UP = [
  'zz',
  'limit[]',
  'limit[$gt]',
  '__proto__[x]',
  'a.b',
  'callback',
  'debug',
  'q',
  '$where',
  'é',
] as const;

/** One to three unstated parameters. */
export function madeUp(): fc.Arbitrary<readonly DrawnPair[]> {
  const pair = fc
    .tuple(fc.constantFrom(...MADE_UP), hostileText())
    .map(([name, value]): DrawnPair => [name, text(value)]);
  return fc.array(pair, { minLength: 1, maxLength: 3 });
}

/** Two adjacent pages, then the page of double size that covers both. */
export function joinedPages(
  path: EndpointPath,
  sizes: { readonly min: number; readonly max: number },
  others: fc.Arbitrary<readonly DrawnPair[]>,
): fc.Arbitrary<Case> {
  return fc.tuple(fc.integer(sizes), fc.boolean(), others).map(([size, further, pairs]) => {
    const rest = pairs.filter(([name]) => !PAGES.includes(name));
    // Later pages only with small sizes: a page beyond the last one may be refused.
    const half = further && size <= 10 ? 2 : 1;
    const page = (number: number, of: number): DrawnRequest =>
      request(path, [...rest, ['page', text(number)], ['page_size', text(of)]]);
    return [page(2 * half - 1, size), page(2 * half, size), page(half, 2 * size)];
  });
}
