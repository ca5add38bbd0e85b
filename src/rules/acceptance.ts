// Which stated value of a parameter a request puts to the test.
import type { EndpointPath } from '../contract/endpoints.ts';
import type { RequirementId } from '../contract/requirement-id.ts';
import { isAbout } from './errors.ts';
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

/** Values that the specification states, endpoint by endpoint (§4, §8, rulings 4 and 22); of several the first is the most telling. */
export const ACCEPTANCE: readonly Acceptance[] = [
  bound('/currencies/{currency_id}/klines', 'limit', '500', '4.1/klines-limit-max-accepted'),
  bound('/crypto-stocks/{stock_ticker}/klines', 'limit', '500', '4.5/klines-limit-max-accepted'),
  bound('/etfs/summary-history', 'limit', '300', '4.3/limit-max-accepted'),
  bound('/etfs/{ticker}/history', 'limit', '300', '4.4/limit-max-accepted'),
  bound('/macro/events/{event}/history', 'limit', '100', '4.6/macro-limit-max-accepted'),
  bound('/currencies/{currency_id}/pairs', 'page_size', '100', '4.1/pairs-page-size-max-accepted'),
  bound('/news', 'page_size', '100', '4.2/page-size-max-accepted'),
  bound('/news/featured', 'page_size', '100', '4.2/featured-page-size-bounds'),
  {
    ...bound('/news/featured', 'page_size', '20', '4.2/featured-page-size-bounds'),
    whenNamed: true,
  },
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

function bound(
  endpoint: EndpointPath,
  parameter: string,
  value: string,
  requirement: RequirementId,
): Acceptance {
  return { endpoint, parameter, applies: (query) => query.get(parameter) === value, requirement };
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
