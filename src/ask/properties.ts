import type { EndpointPath } from '../contract/endpoints.ts';

/** What is known of a property without drawing anything. */
export interface PropertyFacts {
  readonly name: string;
  /** What is drawn, as the title of its checks. */
  readonly title: string;
  /** Endpoints that it asks; empty for those that draw the endpoint as well. */
  readonly endpoints: readonly EndpointPath[];
  /** Requests that it may ask for in a run without a bound. */
  readonly requests: number;
}

/** Properties whose requests are made up: one for each endpoint with parameters, one for identifiers, one for parameters that are not stated. */
export const DRAWN = [
  {
    name: 'currency-klines',
    title: 'any klines of a currency',
    endpoints: ['/currencies/{currency_id}/klines'],
    requests: 12,
  },
  {
    name: 'pairs',
    title: 'any pages of pairs',
    endpoints: ['/currencies/{currency_id}/pairs'],
    requests: 16,
  },
  {
    name: 'news',
    title: 'any pages of news',
    endpoints: ['/news'],
    requests: 22,
  },
  {
    name: 'featured-news',
    title: 'any pages of featured news',
    endpoints: ['/news/featured'],
    requests: 12,
  },
  {
    name: 'etf-summary',
    title: 'any ETF summary',
    endpoints: ['/etfs/summary-history'],
    requests: 16,
  },
  {
    name: 'etf-history',
    title: 'any history of an ETF',
    endpoints: ['/etfs/{ticker}/history'],
    requests: 10,
  },
  {
    name: 'stock-klines',
    title: 'any klines of a stock',
    endpoints: ['/crypto-stocks/{stock_ticker}/klines'],
    requests: 8,
  },
  {
    name: 'macro-history',
    title: 'any history of a macro event',
    endpoints: ['/macro/events/{event}/history'],
    requests: 8,
  },
  {
    name: 'identifiers',
    title: 'any identifier in a path',
    endpoints: [],
    requests: 8,
  },
  {
    name: 'unstated-parameters',
    title: 'any parameter that is not stated',
    endpoints: [],
    requests: 8,
  },
] as const satisfies readonly PropertyFacts[];

export const PROPERTIES = DRAWN;

/** Properties whose requests are made up. */
export type DrawnName = (typeof DRAWN)[number]['name'];
export type PropertyName = (typeof PROPERTIES)[number]['name'];

/** Their names: what holds for every answer holds for theirs. */
export const ALL_DRAWN: readonly DrawnName[] = DRAWN.map(({ name }) => name);

/** Requests with valid keys that all properties together may ask for in a run without a bound. */
export const ALL_REQUESTS = PROPERTIES.reduce((sum, { requests }) => sum + requests, 0);

export interface Allotment {
  /** Requests with valid keys that remain in the run. */
  readonly left: number;
  readonly seed: number;
  /** Fewest requests with which a search of that name says anything. */
  readonly least: (name: PropertyName) => number;
}

/**
 * Requests that each property may ask for; none for those that are left out. What remains of a run seldom does for all of
 * them: then a few search with enough, and which ones follows the seed, so that runs with other seeds search elsewhere.
 */
export function allot({ left, seed, least }: Allotment): ReadonlyMap<PropertyName, number> {
  const given = Math.min(ALL_REQUESTS, Math.max(0, left - LEFT_TO_OTHERS));
  const first = (((seed - 1) % PROPERTIES.length) + PROPERTIES.length) % PROPERTIES.length;
  const turns = [...PROPERTIES.slice(first), ...PROPERTIES.slice(0, first)];
  const allotted = new Map<PropertyName, number>();
  let rest = given;
  for (const { name } of turns) {
    if (least(name) > rest) continue;
    allotted.set(name, least(name));
    rest -= least(name);
  }
  const wanted = turns.map(({ name, requests }) => ({
    name,
    more: Math.max(0, requests - (allotted.get(name) ?? requests)),
  }));
  const all = wanted.reduce((sum, { more }) => sum + more, 0);
  const share = all === 0 ? 0 : Math.min(1, rest / all);
  for (const { name, more } of wanted) {
    const has = allotted.get(name);
    if (has !== undefined) allotted.set(name, has + Math.floor(more * share));
  }
  return allotted;
}

/** What moves the clock comes last, and asks for some days; a run that is taken up may have lost a few. */
const LEFT_TO_OTHERS = 24;
