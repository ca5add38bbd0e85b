// Which stated value of a parameter a request puts to the test.
import type { EndpointPath } from '../contract/endpoints.ts';
import type { RequirementId } from '../contract/requirement-id.ts';
import { isAbout } from './errors.ts';
import { PAGES } from './pages.ts';
import { SERIES } from './series.ts';
import type { View } from './view.ts';

/** Its symbol and its country are of stated lists, and each request shows as much of the one as of the other. */
export const SUMMARY: EndpointPath = '/etfs/summary-history';

/** A query parameter of which a stated value is accepted, and the requirement that a refusal violates. */
export interface Acceptance {
  readonly endpoint: EndpointPath;
  readonly parameter: string;
  readonly applies: (query: ReadonlyMap<string, string>) => boolean;
  readonly requirement: RequirementId;
  /** True when being answered is not enough to keep the requirement: other rules look at what the answer holds. */
  readonly byContent?: true;
  /** True when every request sends the value: only a refusal that names the parameter is about it. */
  readonly whenNamed?: true;
}

/** Requirements that the largest limit, or the stated bounds of page_size, are accepted. */
const OF_BOUND: Readonly<Partial<Record<EndpointPath, RequirementId>>> = {
  '/currencies/{currency_id}/klines': '4.1/klines-limit-max-accepted',
  '/crypto-stocks/{stock_ticker}/klines': '4.5/klines-limit-max-accepted',
  '/etfs/summary-history': '4.3/limit-max-accepted',
  '/etfs/{ticker}/history': '4.4/limit-max-accepted',
  '/macro/events/{event}/history': '4.6/macro-limit-max-accepted',
  '/currencies/{currency_id}/pairs': '4.1/pairs-page-size-max-accepted',
  '/news': '4.2/page-size-max-accepted',
  '/news/featured': '4.2/featured-page-size-bounds',
};

/** Values that the specification states, endpoint by endpoint (§4, §8, rulings 4 and 22); of several the first is the most telling. */
export const ACCEPTANCE: readonly Acceptance[] = [
  ...SERIES.flatMap(({ endpoint, limit }) =>
    limit === null ? [] : [bound(endpoint, 'limit', limit.maximum)],
  ),
  ...Object.values(PAGES).flatMap(({ endpoint, minimum, maximum }) => [
    bound(endpoint, 'page_size', maximum),
    // Most requests send the smallest size that there is.
    ...(minimum > 1
      ? [{ ...bound(endpoint, 'page_size', minimum), whenNamed: true as const }]
      : []),
  ]),
  {
    endpoint: SUMMARY,
    parameter: 'symbol',
    applies: (query) => /[a-z]/.test(query.get('symbol') ?? ''),
    requirement: '4.3/symbol-case',
  },
  {
    endpoint: SUMMARY,
    parameter: 'country_code',
    applies: (query) => /[a-z]/.test(query.get('country_code') ?? ''),
    requirement: '4.3/country-case',
  },
  {
    endpoint: SUMMARY,
    parameter: 'symbol',
    applies: (query) => query.get('symbol') !== 'BTC' || query.get('country_code') !== 'US',
    requirement: '4.3/listed',
  },
  filter('/news', 'language', '4.2/language'),
  filter('/news', 'category', '4.2/category-filter'),
  filter('/news/featured', 'language', '4.2/featured-language'),
  {
    ...filter('/news/featured', 'category', '4.2/featured-category-list'),
    applies: (query) => query.get('category')?.includes(',') === true,
  },
  filter('/news/featured', 'category', '4.2/featured-category-filter'),
];

function bound(endpoint: EndpointPath, parameter: string, value: number): Acceptance {
  const requirement = OF_BOUND[endpoint];
  if (requirement === undefined)
    throw new RangeError(`OF_BOUND names no requirement of ${endpoint}`);
  const text = String(value);
  return { endpoint, parameter, applies: (query) => query.get(parameter) === text, requirement };
}

function filter(endpoint: EndpointPath, parameter: string, requirement: RequirementId): Acceptance {
  return {
    endpoint,
    parameter,
    applies: (query) => query.has(parameter),
    requirement,
    byContent: true,
  };
}

/** What a well-formed request puts to the test: the parameter that a refusal of it names, else its most telling one. */
export function testedBy(view: View): Acceptance | undefined {
  const { endpoint } = view.exchange;
  const tested = ACCEPTANCE.filter(
    (entry) => entry.endpoint === endpoint && entry.applies(view.query),
  );
  const usual = tested.find(({ whenNamed }) => whenNamed !== true);
  if (view.ok) return usual;
  const named = tested.find(({ parameter }) => isAbout(view, parameter));
  return named ?? usual;
}
