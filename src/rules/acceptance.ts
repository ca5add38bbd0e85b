// Which stated value of a parameter a request puts to the test.
import type { EndpointPath } from '../contract/endpoints.ts';
import { isAbout } from './errors.ts';
import { PAGED } from './pages.ts';
import { SERIES } from './series.ts';
import type { View } from './view.ts';
import { criteria, Criterion } from './criterion.ts';

/** What this file decides. */
export const ACCEPTED = criteria(
  'symbolCase',
  'countryCase',
  'listed',
  'language',
  'categoryFilter',
  'featuredLanguage',
  'featuredCategoryList',
  'featuredCategoryFilter',
);

/** Its symbol and its country are of stated lists, and each request shows as much of the one as of the other. */
export const SUMMARY: EndpointPath = '/etfs/summary-history';

/** A query parameter of which a stated value is accepted, and what judges a refusal. */
export interface Acceptance {
  readonly endpoint: EndpointPath;
  readonly parameter: string;
  readonly applies: (query: ReadonlyMap<string, string>) => boolean;
  readonly criterion: Criterion;
  /** True when being answered is not enough to keep the requirement: other rules look at what the answer holds. */
  readonly byContent?: true;
  /** True when every request sends the value: only a refusal that names the parameter is about it. */
  readonly whenNamed?: true;
}

const LIMITS = new Map(
  SERIES.flatMap(({ endpoint, limit }) =>
    limit === null ? [] : [[endpoint, new Criterion(`largest limit of ${endpoint}`)] as const],
  ),
);

/** Whether the largest limit of an endpoint is accepted. */
export function acceptedLimit(endpoint: EndpointPath): Criterion {
  const found = LIMITS.get(endpoint);
  if (found === undefined) throw new RangeError(`${endpoint} takes no limit`);
  return found;
}

/** Values that the specification states, endpoint by endpoint (§4, §8, rulings 4 and 22); of several the first is the most telling. */
export const ACCEPTANCE: readonly Acceptance[] = [
  ...SERIES.flatMap(({ endpoint, limit }) =>
    limit === null ? [] : [bound(endpoint, 'limit', limit.maximum, acceptedLimit(endpoint))],
  ),
  ...PAGED.flatMap(({ endpoint, minimum, maximum, accepted }) => [
    bound(endpoint, 'page_size', maximum, accepted),
    // Most requests send the smallest size that there is.
    ...(minimum > 1
      ? [{ ...bound(endpoint, 'page_size', minimum, accepted), whenNamed: true as const }]
      : []),
  ]),
  {
    endpoint: SUMMARY,
    parameter: 'symbol',
    applies: (query) => /[a-z]/.test(query.get('symbol') ?? ''),
    criterion: ACCEPTED.symbolCase,
  },
  {
    endpoint: SUMMARY,
    parameter: 'country_code',
    applies: (query) => /[a-z]/.test(query.get('country_code') ?? ''),
    criterion: ACCEPTED.countryCase,
  },
  {
    endpoint: SUMMARY,
    parameter: 'symbol',
    applies: (query) => query.get('symbol') !== 'BTC' || query.get('country_code') !== 'US',
    criterion: ACCEPTED.listed,
  },
  filter('/news', 'language', ACCEPTED.language),
  filter('/news', 'category', ACCEPTED.categoryFilter),
  filter('/news/featured', 'language', ACCEPTED.featuredLanguage),
  {
    ...filter('/news/featured', 'category', ACCEPTED.featuredCategoryList),
    applies: (query) => query.get('category')?.includes(',') === true,
  },
  filter('/news/featured', 'category', ACCEPTED.featuredCategoryFilter),
];

function bound(
  endpoint: EndpointPath,
  parameter: string,
  value: number,
  criterion: Criterion,
): Acceptance {
  const text = String(value);
  return { endpoint, parameter, applies: (query) => query.get(parameter) === text, criterion };
}
function filter(endpoint: EndpointPath, parameter: string, criterion: Criterion): Acceptance {
  return {
    endpoint,
    parameter,
    applies: (query) => query.has(parameter),
    criterion,
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
