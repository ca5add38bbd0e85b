import * as fc from 'fast-check';
import {
  endpoint,
  ENDPOINT_PATHS,
  type EndpointPath,
  type FixtureKind,
  type QueryParameter,
} from '../../spec/endpoints.ts';
import { DAY, isoDay } from '../../spec/time.ts';
import { COUNTRIES, ETF_LISTINGS } from '../../spec/values.ts';
import { SERIES } from '../../judge/series.ts';
import { PLAIN_QUERY } from '../../ask/plain.ts';
import { pathOf, type DrawnName } from '../../ask/properties.ts';
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

/** What is known about the target of a search. A seed draws positions and distances, so that it means the same on any day. */
export interface Known {
  /** Target time, epoch ms. */
  readonly now: number;
  readonly values: Readonly<Partial<Record<FixtureKind | 'exchanges', readonly string[]>>>;
}

const SUMMARY = '/etfs/summary-history';

const parametersOf = (path: EndpointPath): [string, QueryParameter][] =>
  Object.entries(endpoint(path).query);

/** A listed pair of symbol and country (§4.3) in any case. Others are always refused. */
const listed = fc
  .constantFrom(
    ...COUNTRIES.flatMap((country) =>
      ETF_LISTINGS[country].map((symbol) => [symbol, country] as const),
    ),
  )
  .chain(([symbol, country]) => fc.tuple(anyCase(symbol), anyCase(country)))
  .map(([symbol, country]): Pairs => [
    ['symbol', symbol],
    ['country_code', country],
  ]);

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
  '/currencies/{currency_id}/klines': 85,
  '/crypto-stocks/{stock_ticker}/klines': 85,
  '/news': 6,
  [SUMMARY]: 26,
  '/etfs/{ticker}/history': 26,
  '/macro/events/{event}/history': 300,
};

/** An end of a range: a date, or a midnight, since a candle that contains an end may be included or not. */
function edge(path: EndpointPath, end: 'start' | 'end', daysAgo: number, now: number): Pairs[0] {
  const name = SERIES.find((one) => one.endpoint === path)?.[end] ?? end;
  const midnight = (Math.floor(now / DAY) - Math.round(daysAgo)) * DAY;
  return [name, name.endsWith('_date') ? isoDay(midnight) : String(midnight)];
}

/** A time range within the window, with one or both ends. */
const range = (path: EndpointPath, reach: number, now: number): fc.Arbitrary<Pairs> => {
  const daysAgo = fc.integer({ min: 0, max: reach });
  return fc
    .tuple(daysAgo, daysAgo, fc.constantFrom('both', 'start', 'end'))
    .map(([one, other, ends]) => [
      ...(ends === 'end' ? [] : [edge(path, 'start', Math.max(one, other), now)]),
      ...(ends === 'start' ? [] : [edge(path, 'end', Math.min(one, other), now)]),
    ]);
};

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

/** Requests to an endpoint: combinations of allowed parameters, and unusual values. */
function of(path: EndpointPath, known: Known): fc.Arbitrary<DrawnRequest> {
  const combined = fc
    .tuple(combination(path, known), idsOf(path, known))
    .map(([query, ids]): DrawnRequest => ({ path, ids, query }));
  // Kinds are drawn uniformly: one combination for every two unusual ones.
  const kinds = strange(path, known).flatMap((kind, index) => {
    const alone = kind.map((query): DrawnRequest => ({ path, ids: {}, query }));
    return index % 2 === 0 ? [alone, combined] : [alone];
  });
  return fc.oneof(...kinds);
}

/** Endpoints with an identifier in the path and a stated response. */
const WITH_IDENTIFIER = ENDPOINT_PATHS.filter((path) => {
  const { path: parameters, response } = endpoint(path);
  return Object.keys(parameters).length > 0 && response.kind !== 'unstated';
});
/** Endpoints without stated query parameters. */
const WITHOUT_QUERY = ENDPOINT_PATHS.filter(
  (path) => Object.keys(endpoint(path).query).length === 0,
);

export const plainPairs = (path: EndpointPath): Pairs =>
  Object.entries(PLAIN_QUERY[path]).map(([name, value]) => [name, String(value)]);

/** Excludes empty segments and dots, which would change the path. */
const identifier = hostileText().filter((id) => !/^\s*\.{0,2}\s*$/.test(id));

const identifiers = fc
  .tuple(fc.constantFrom(...WITH_IDENTIFIER), identifier)
  .map(([path, id]): DrawnRequest => {
    const [name = ''] = Object.keys(endpoint(path).path);
    return { path, ids: { [name]: id }, query: plainPairs(path) };
  });

const unstated = fc
  .tuple(fc.constantFrom(...WITHOUT_QUERY), madeUp())
  .map(([path, pairs]): DrawnRequest => ({
    path,
    ids: {},
    query: [...plainPairs(path), ...pairs],
  }));

/** The requests of a property. */
export function requestsOf(name: DrawnName, known: Known): fc.Arbitrary<DrawnRequest> {
  const path = pathOf(name);
  if (path !== undefined) return of(path, known);
  return name === 'identifiers' ? identifiers : unstated;
}
