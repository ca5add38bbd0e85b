import * as fc from 'fast-check';
import {
  endpoint,
  ENDPOINT_PATHS,
  type EndpointPath,
  type FixtureKind,
  type QueryParameter,
} from '../../spec/endpoints.ts';
import { DAY, isoDay } from '../../spec/time.ts';
import { COUNTRIES, ETF_LISTINGS, ETF_SYMBOLS, LANGUAGES } from '../../spec/values.ts';
import { SERIES } from '../../judge/series.ts';
import { PLAIN_QUERY } from '../../ask/plain.ts';
import type { DrawnName } from '../../ask/properties.ts';
import { allowed, anyCase, hostileText, outside } from './values.ts';

/** Query parameters of a request. */
type Pairs = readonly (readonly [name: string, value: string])[];

/** A generated request. */
export interface DrawnRequest {
  readonly path: EndpointPath;
  /** Path parameters; missing ones are filled from the first fixture. */
  readonly ids: Readonly<Record<string, string>>;
  readonly query: Pairs;
}

/** Requests that are judged together, in the order sent. */
export type Case = readonly DrawnRequest[];

/** What is known about the target of a search. A seed draws positions and distances, so that it means the same on any day. */
export interface Known {
  /** Target time, epoch ms. */
  readonly now: number;
  readonly values: Readonly<Partial<Record<FixtureKind | 'exchanges', readonly string[]>>>;
  /** Number of items of the plain list, if it is paged. */
  readonly total?: number | undefined;
}

const CURRENCY_KLINES = '/currencies/{currency_id}/klines';
const PAIRS = '/currencies/{currency_id}/pairs';
const STOCK_KLINES = '/crypto-stocks/{stock_ticker}/klines';
const SUMMARY = '/etfs/summary-history';
const HISTORY = '/etfs/{ticker}/history';
const MACRO = '/macro/events/{event}/history';

const request = (
  path: EndpointPath,
  query: Pairs,
  ids: DrawnRequest['ids'] = {},
): DrawnRequest => ({ path, ids, query });

const parametersOf = (path: EndpointPath): [string, QueryParameter][] =>
  Object.entries(endpoint(path).query);

/** The pair of symbol and country (§4.3) in any case. */
const listing = (symbol: string, country: string): fc.Arbitrary<Pairs> =>
  fc.tuple(anyCase(symbol), anyCase(country)).map((pair) => summaryOf(...pair));

const summaryOf = (symbol: string, country: string): Pairs => [
  ['symbol', symbol],
  ['country_code', country],
];

/** Listed pairs. Others are always refused. */
const listed = fc
  .constantFrom(
    ...COUNTRIES.flatMap((country) =>
      ETF_LISTINGS[country].map((symbol) => [symbol, country] as const),
    ),
  )
  .chain((pair) => listing(...pair));

/** The required parameters with allowed values. */
function required(path: EndpointPath): fc.Arbitrary<Pairs> {
  if (path === SUMMARY) return listed;
  const drawn = parametersOf(path).flatMap(([name, facts]) => {
    if (facts.required !== true) return [];
    // A page beyond the last one may be refused; the first one always exists.
    const value = name === 'page' ? fc.constant('1') : allowed(facts);
    return value === undefined ? [] : [value.map((one) => [name, one] as const)];
  });
  return fc.tuple(...drawn);
}

/** The required parameters, and others. */
const requiredWith = (path: EndpointPath, others: fc.Arbitrary<Pairs>): fc.Arbitrary<Pairs> =>
  fc.tuple(required(path), others).map((all) => all.flat());

/** How far back ranges may start, in days: well within every window. */
const REACH: Readonly<Partial<Record<EndpointPath, number>>> = {
  [CURRENCY_KLINES]: 85,
  [STOCK_KLINES]: 85,
  '/news': 6,
  [SUMMARY]: 26,
  [HISTORY]: 26,
  [MACRO]: 300,
};

/** An end of a range: a date, or a midnight, since a candle that contains an end may be included or not. */
function edge(path: EndpointPath, end: 'start' | 'end', daysAgo: number, now: number): Pairs[0] {
  const name = SERIES.find((one) => one.endpoint === path)?.[end] ?? end;
  const midnight = (Math.floor(now / DAY) - Math.round(daysAgo)) * DAY;
  return [name, name.endsWith('_date') ? isoDay(midnight) : String(midnight)];
}

/** Two distances from now, the larger one first. */
const span = (reach: number): fc.Arbitrary<readonly [from: number, to: number]> =>
  fc
    .tuple(fc.integer({ min: 0, max: reach * 10 }), fc.integer({ min: 0, max: reach * 10 }))
    .map(([a, b]) => [Math.max(a, b) / 10, Math.min(a, b) / 10]);

/** A time range within the window, with one or both ends. */
const range = (path: EndpointPath, reach: number, now: number): fc.Arbitrary<Pairs> =>
  fc
    .tuple(span(reach), fc.constantFrom('both', 'start', 'end'))
    .map(([[from, to], ends]) => [
      ...(ends === 'end' ? [] : [edge(path, 'start', from, now)]),
      ...(ends === 'start' ? [] : [edge(path, 'end', to, now)]),
    ]);

/** Combinations of optional parameters with allowed values; single parameters are checked elsewhere. */
function combination(path: EndpointPath, known: Known): fc.Arbitrary<Pairs> {
  const single = parametersOf(path).flatMap(([name, facts]): fc.Arbitrary<Pairs>[] => {
    if (facts.required === true || name === 'page') return [];
    const value = allowed(facts);
    if (isFilter(name)) return [knownValue(name, known)];
    return value === undefined ? [] : [value.map((one): Pairs => [[name, one]])];
  });
  const reach = REACH[path];
  const times = reach === undefined ? [] : [range(path, reach, known.now)];
  // Shrinking drops irrelevant parameters.
  const optional = [...single, ...times].map((some) =>
    fc.oneof({ withCrossShrink: true }, fc.constant<Pairs>([]), some),
  );
  return fc.tuple(required(path), ...optional).map((all) => all.flat());
}

/** Query parameters that select by a value of the records, with the known values. */
const FILTERS = {
  exchange: 'exchanges',
  currency_id: 'currencyIds',
  project_id: 'projectIds',
} as const;
const isFilter = (name: string): name is keyof typeof FILTERS => Object.hasOwn(FILTERS, name);

/** A known value of a filter, if there is one. */
const knownValue = (name: keyof typeof FILTERS, { values }: Known): fc.Arbitrary<Pairs> =>
  fc.integer({ min: 0, max: 4 }).map((index) => {
    const all = values[FILTERS[name]] ?? [];
    return all
      .slice(index % all.length)
      .slice(0, 1)
      .map((value) => [name, value]);
  });

/**
 * Kinds of requests that may be refused: out-of-bounds and malformed values, hostile values, repeated parameters, made-up
 * parameters, and ranges that are too old.
 */
function strange(path: EndpointPath, { now }: Known): readonly fc.Arbitrary<Pairs>[] {
  const names = parametersOf(path);
  const replaced = (name: string, value: fc.Arbitrary<string>): fc.Arbitrary<Pairs> =>
    fc
      .tuple(required(path), value)
      .map(([pairs, one]) => [...pairs.filter(([other]) => other !== name), [name, one]]);
  const wrong = names.flatMap(([name, facts]) => {
    const value = outside(facts, now);
    return value === undefined ? [] : [replaced(name, value)];
  });
  const hostile = fc.oneof(...names.map(([name, facts]) => replaced(name, hostileTo(name, facts))));
  // Repeats the same value, because it is not stated which one counts.
  const repeated = fc
    .oneof(...wrong, hostile)
    .map((pairs): Pairs => [...pairs, ...pairs.slice(-1)]);
  const kinds = [...wrong, hostile, repeated, requiredWith(path, madeUp())];
  return REACH[path] === undefined ? kinds : [...kinds, requiredWith(path, oldRange(path, now))];
}

/** Hostile values of a parameter. */
function hostileTo(name: string, facts: QueryParameter): fc.Arbitrary<string> {
  // An empty number may count as missing, which is a different error.
  const empty = facts.required !== true || facts.enum !== undefined;
  return (
    hostileText()
      .filter((value) => empty || value !== '')
      // The prefix keeps a filter from becoming empty on its way.
      .map((value) => (isFilter(name) ? `zz${value}` : value))
  );
}

/** A range that starts before every window. */
const oldRange = (path: EndpointPath, now: number): fc.Arbitrary<Pairs> =>
  fc
    .tuple(fc.integer({ min: 110, max: 500 }), fc.integer({ min: 0, max: 500 }))
    .map(([from, to]) => [
      edge(path, 'start', from, now),
      edge(path, 'end', Math.min(from, to), now),
    ]);

/** Names that no clause states, some of which frameworks parse as objects. */
const MADE_UP = 'zz limit[] limit[$gt] __proto__[x] a.b callback debug q $where é'.split(' ');

/** One to three unstated parameters. */
const madeUp = (): fc.Arbitrary<Pairs> =>
  fc.array(fc.tuple(fc.constantFrom(...MADE_UP), hostileText()), { minLength: 1, maxLength: 3 });

/** Fixtures used besides the first one. */
const OTHER_FIXTURES = 5;

/** Mostly the first fixture, whose plain request the run has already sent. */
function idsOf(path: EndpointPath, { values }: Known): fc.Arbitrary<DrawnRequest['ids']> {
  const [[name, kind] = []] = Object.entries(endpoint(path).path);
  if (name === undefined || kind === undefined) return fc.constant({});
  const all = values[kind] ?? [];
  const other = fc
    .integer({ min: 1, max: OTHER_FIXTURES })
    .map((index) => ({ [name]: all[index % all.length] ?? '' }));
  return fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: other });
}

/** Single requests: combinations of allowed parameters, and unusual values. */
function singles(path: EndpointPath, known: Known): readonly fc.Arbitrary<Case>[] {
  const combined = fc
    .tuple(combination(path, known), idsOf(path, known))
    .map(([query, of]): Case => [request(path, query, of)]);
  // Kinds are drawn uniformly: one combination for every two unusual ones.
  return strange(path, known).flatMap((kind, index) => {
    const alone = kind.map((query): Case => [request(path, query)]);
    return index % 2 === 0 ? [alone, combined] : [alone];
  });
}

/** Two requests for one series: two limits, or a range within a range. The plain request has the default limit. */
function parts(path: EndpointPath, { now }: Known): readonly fc.Arbitrary<Case>[] {
  const limit = fc.integer({ min: 1, max: endpoint(path).query['limit']?.maximum ?? 1 });
  const reach = REACH[path] ?? 0;
  return [
    fc
      .tuple(required(path), limit, limit)
      .map(([pairs, ...limits]): Case =>
        limits
          .toSorted((a, b) => b - a)
          .map((one) => request(path, [...pairs, ['limit', String(one)]])),
      ),
    fc.tuple(required(path), span(reach), span(reach)).map(([pairs, a, b]): Case => {
      const [from = 0, inner = 0, to = 0, end = 0] = [...a, ...b].toSorted((x, y) => y - x);
      const between = (start: number, last: number): DrawnRequest =>
        request(path, [...pairs, edge(path, 'start', start, now), edge(path, 'end', last, now)]);
      return [between(from, end), between(inner, to)];
    }),
  ];
}

/** Two adjacent pages, then the page of double size that covers both. */
const joinedPages = (
  path: EndpointPath,
  sizes: { readonly min: number; readonly max: number },
  others: fc.Arbitrary<Pairs> = fc.constant([]),
): fc.Arbitrary<Case> =>
  fc.tuple(fc.integer(sizes), fc.boolean(), others).map(([size, further, rest]) => {
    // Later pages only with small sizes: a page beyond the last one may be refused.
    const half = further && size <= 10 ? 2 : 1;
    const page = (number: number, of: number): DrawnRequest =>
      request(path, [...rest, ['page', String(number)], ['page_size', String(of)]]);
    return [page(2 * half - 1, size), page(2 * half, size), page(half, 2 * size)];
  });

const language = fc.constantFrom(...LANGUAGES);
const newsFilters = fc.oneof(
  fc.constant<Pairs>([]),
  language.map((one): Pairs => [['language', one]]),
);

/** The same page in two languages, with implicit and explicit defaults. */
const languages = fc.tuple(language, language).map(([one, other]): Case => [
  request('/news', [
    ['language', one],
    ['page', '1'],
    ['page_size', '20'],
  ]),
  request('/news', [['language', other]]),
]);

/** A pair of symbol and country in upper case and in any case; the same symbol in both countries. */
const listings = fc
  .tuple(fc.constantFrom(...ETF_SYMBOLS), fc.constantFrom(...COUNTRIES))
  .chain(([symbol, country]) => {
    const asked = (one: string): DrawnRequest => request(SUMMARY, summaryOf(symbol, one));
    return fc.oneof(
      listing(symbol, country).map((pairs): Case => [asked(country), request(SUMMARY, pairs)]),
      fc.constant<Case>(COUNTRIES.map(asked)),
    );
  });

/** Endpoints with an identifier in the path and a stated response. */
const WITH_IDENTIFIER = ENDPOINT_PATHS.filter((path) => {
  const { path: parameters, response } = endpoint(path);
  return Object.keys(parameters).length > 0 && response.kind !== 'unstated';
});
/** Endpoints without stated query parameters. */
const WITHOUT_QUERY = ENDPOINT_PATHS.filter(
  (path) => Object.keys(endpoint(path).query).length === 0,
);

const plainPairs = (path: EndpointPath): Pairs =>
  Object.entries(PLAIN_QUERY[path]).map(([name, value]) => [name, String(value)]);

/** Excludes empty segments and dots, which would change the path. */
const identifier = hostileText().filter((id) => !/^\s*\.{0,2}\s*$/.test(id));

const identifiers = fc
  .tuple(fc.constantFrom(...WITH_IDENTIFIER), identifier)
  .map(([path, id]): Case => {
    const [name = ''] = Object.keys(endpoint(path).path);
    return [request(path, plainPairs(path), { [name]: id })];
  });

const unstated = fc
  .tuple(fc.constantFrom(...WITHOUT_QUERY), madeUp())
  .map(([path, pairs]): Case => [request(path, [...plainPairs(path), ...pairs])]);

type Kinds = readonly fc.Arbitrary<Case>[];

/** The cases of an endpoint, and others. */
const of =
  (path: EndpointPath, ...more: Kinds) =>
  (known: Known): Kinds => {
    const isLimited = 'limit' in endpoint(path).query;
    return [...singles(path, known), ...(isLimited ? parts(path, known) : []), ...more];
  };

const KINDS: Readonly<Record<DrawnName, (known: Known) => Kinds>> = {
  'currency-klines': of(CURRENCY_KLINES),
  'stock-klines': of(STOCK_KLINES),
  pairs: of(PAIRS, joinedPages(PAIRS, { min: 1, max: 30 })),
  news: of('/news', languages, joinedPages('/news', { min: 1, max: 50 }, newsFilters)),
  'featured-news': of(
    '/news/featured',
    joinedPages('/news/featured', { min: 20, max: 30 }, newsFilters),
  ),
  'etf-summary': of(SUMMARY, listings),
  'etf-history': of(HISTORY),
  'macro-history': of(MACRO),
  identifiers: () => [identifiers],
  'unstated-parameters': () => [unstated],
};

/** The cases of a property. Pages beyond the last one are unspecified, so they are left out. */
export const casesOf = (name: DrawnName, known: Known): fc.Arbitrary<Case> =>
  fc
    .oneof(...KINDS[name](known))
    .map((requests) => requests.filter(({ query }) => isInList(new Map(query), known)));

function isInList(query: ReadonlyMap<string, string>, { total = Infinity }: Known): boolean {
  const [page, size] = [Number(query.get('page') ?? 1), Number(query.get('page_size') ?? 20)];
  return !(page > 1) || !(size > 0) || (page - 1) * size < total;
}
