import * as fc from 'fast-check';
import { endpoint, ENDPOINT_PATHS, type EndpointPath } from '../../spec/endpoints.ts';
import { COUNTRIES, ETF_SYMBOLS, LANGUAGES } from '../../spec/values.ts';
import { PLAIN_QUERY } from '../../ask/plain.ts';
import type { DrawnName } from '../../ask/properties.ts';
import {
  combination,
  joinedPages,
  madeUp,
  nestedRanges,
  request,
  required,
  strange,
  type Case,
} from './requests.ts';
import { anyCase, hostileText, text, type Drawn, type DrawnPair } from './values.ts';

/** Fixtures used besides the first one. */
const OTHER_FIXTURES = 5;

type Ids = Readonly<Record<string, Drawn>>;

/** Mostly the first fixture, whose plain request the run has already sent. */
function ids(path: EndpointPath): fc.Arbitrary<Ids> {
  const [[name, fixture] = []] = Object.entries(endpoint(path).path);
  if (name === undefined || fixture === undefined) return fc.constant({});
  const first: Ids = {};
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant(first) },
    {
      weight: 1,
      arbitrary: fc
        .integer({ min: 1, max: OTHER_FIXTURES })
        .map((index): Ids => ({ [name]: { fixture, index } })),
    },
  );
}

/** Single requests: combinations of allowed parameters, and unusual values. */
function singles(path: EndpointPath): readonly fc.Arbitrary<Case>[] {
  const alone = strange(path).map((kind) => kind.map((query): Case => [request(path, query)]));
  const combined = fc
    .tuple(combination(path), ids(path))
    .map(([query, of]): Case => [request(path, query, of)]);
  // Kinds are drawn uniformly: one combination for every two unusual ones.
  return alone.flatMap((kind, index) => (index % 2 === 0 ? [kind, combined] : [kind]));
}

/** Two requests for one series: two limits, or a range within a range. The plain request has the default limit. */
function parts(path: EndpointPath): readonly fc.Arbitrary<Case>[] {
  const maximum = endpoint(path).query['limit']?.maximum ?? 1;
  const limited = (limit: number): DrawnPair => ['limit', text(limit)];
  const limit = fc.integer({ min: 1, max: maximum });
  const ranges = nestedRanges(path);
  return [
    fc
      .tuple(required(path), limit, limit)
      .map(([pairs, ...limits]): Case =>
        limits.toSorted((a, b) => b - a).map((one) => request(path, [...pairs, limited(one)])),
      ),
    ...(ranges === undefined
      ? []
      : [
          fc
            .tuple(required(path), ranges)
            .map(([pairs, both]): Case => both.map((ends) => request(path, [...pairs, ...ends]))),
        ]),
  ];
}

const CURRENCY_KLINES = '/currencies/{currency_id}/klines';
const PAIRS = '/currencies/{currency_id}/pairs';
const STOCK_KLINES = '/crypto-stocks/{stock_ticker}/klines';
const SUMMARY = '/etfs/summary-history';
const HISTORY = '/etfs/{ticker}/history';
const MACRO = '/macro/events/{event}/history';

/** The same page in two languages, with implicit and explicit defaults. */
const languages = fc
  .tuple(fc.constantFrom(...LANGUAGES), fc.constantFrom(...LANGUAGES))
  .map(([one, other]): Case => {
    const defaults: readonly DrawnPair[] = [
      ['language', text(one)],
      ['page', text(1)],
      ['page_size', text(20)],
    ];
    return [request('/news', defaults), request('/news', [['language', text(other)]])];
  });

/** A pair of symbol and country in upper case and in any case; the same symbol in both countries. */
const listings = fc
  .tuple(fc.constantFrom(...ETF_SYMBOLS), fc.constantFrom(...COUNTRIES))
  .chain(([symbol, country]) => {
    const asked = (one: string, other: string): Case[number] =>
      request(SUMMARY, [
        ['symbol', text(one)],
        ['country_code', text(other)],
      ]);
    return fc.oneof(
      fc
        .tuple(anyCase(symbol), anyCase(country))
        .map(([one, other]): Case => [asked(symbol, country), asked(one, other)]),
      fc.constant<Case>(COUNTRIES.map((other) => asked(symbol, other))),
    );
  });

const newsFilters = fc.oneof(
  fc.constant<readonly DrawnPair[]>([]),
  fc
    .constantFrom(...LANGUAGES)
    .map((language): readonly DrawnPair[] => [['language', text(language)]]),
);

/** Endpoints with an identifier in the path and a stated response. */
const WITH_IDENTIFIER = ENDPOINT_PATHS.filter((path) => {
  const { path: parameters, response } = endpoint(path);
  return Object.keys(parameters).length > 0 && response.kind !== 'unstated';
});
/** Endpoints without stated query parameters. */
const WITHOUT_QUERY = ENDPOINT_PATHS.filter(
  (path) => Object.keys(endpoint(path).query).length === 0,
);

const plainPairs = (path: EndpointPath): readonly DrawnPair[] =>
  Object.entries(PLAIN_QUERY[path]).flatMap(([name, value]) =>
    typeof value === 'string' || typeof value === 'number' ? [[name, text(value)] as const] : [],
  );

/** Excludes empty segments and dots, which would change the path. */
const identifier = hostileText().filter((id) => !/^\s*\.{0,2}\s*$/.test(id));

const identifiers = fc
  .tuple(fc.constantFrom(...WITH_IDENTIFIER), identifier)
  .map(([path, id]): Case => {
    const [name = ''] = Object.keys(endpoint(path).path);
    return [request(path, plainPairs(path), { [name]: text(id) })];
  });

const unstated = fc
  .tuple(fc.constantFrom(...WITHOUT_QUERY), madeUp())
  .map(([path, pairs]): Case => [request(path, [...plainPairs(path), ...pairs])]);

/** The kinds of cases of each property. */
export const CASES: Readonly<Record<DrawnName, readonly fc.Arbitrary<Case>[]>> = {
  'currency-klines': [...singles(CURRENCY_KLINES), ...parts(CURRENCY_KLINES)],
  'stock-klines': [...singles(STOCK_KLINES), ...parts(STOCK_KLINES)],
  pairs: [...singles(PAIRS), joinedPages(PAIRS, { min: 1, max: 30 }, fc.constant([]))],
  news: [...singles('/news'), languages, joinedPages('/news', { min: 1, max: 50 }, newsFilters)],
  'featured-news': [
    ...singles('/news/featured'),
    joinedPages('/news/featured', { min: 20, max: 30 }, newsFilters),
  ],
  'etf-summary': [...singles(SUMMARY), ...parts(SUMMARY), listings],
  'etf-history': [...singles(HISTORY), ...parts(HISTORY)],
  'macro-history': [...singles(MACRO), ...parts(MACRO)],
  identifiers: [identifiers],
  'unstated-parameters': [unstated],
};
