// Which stated value of a parameter a request puts to the test.
import type { EndpointPath } from '../spec/endpoints.ts';
import { isAbout } from './errors.ts';
import { PAGES } from './pages.ts';
import { SERIES } from './series.ts';
import type { View } from './view.ts';

/** Its symbol and its country are of stated lists, and each request shows as much of the one as of the other. */
export const SUMMARY: EndpointPath = '/etfs/summary-history';

/** Values that have to be accepted, as the requirements on them name them. */
export const STATED_VALUES = [
  'largest limit',
  'bounds of page_size',
  'symbol in another case',
  'country in another case',
  'listed pair',
  'language',
  'category',
  'list of categories',
] as const;
export type StatedValue = (typeof STATED_VALUES)[number];

/** A query parameter of which a stated value is accepted, and what it is called. */
export interface Acceptance {
  readonly endpoint: EndpointPath;
  readonly parameter: string;
  readonly applies: (query: ReadonlyMap<string, string>) => boolean;
  readonly value: StatedValue;
  /** True when being answered is not enough to keep the requirement: other rules look at what the answer holds. */
  readonly byContent?: true;
  /** True when every request sends the value: only a refusal that names the parameter is about it. */
  readonly whenNamed?: true;
}

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
    value: 'symbol in another case',
  },
  {
    endpoint: SUMMARY,
    parameter: 'country_code',
    applies: (query) => /[a-z]/.test(query.get('country_code') ?? ''),
    value: 'country in another case',
  },
  {
    endpoint: SUMMARY,
    parameter: 'symbol',
    applies: (query) => query.get('symbol') !== 'BTC' || query.get('country_code') !== 'US',
    value: 'listed pair',
  },
  filter('/news', 'language', 'language'),
  filter('/news', 'category', 'category'),
  filter('/news/featured', 'language', 'language'),
  {
    ...filter('/news/featured', 'category', 'list of categories'),
    applies: (query) => query.get('category')?.includes(',') === true,
  },
  filter('/news/featured', 'category', 'category'),
];

function bound(
  endpoint: EndpointPath,
  parameter: 'limit' | 'page_size',
  number: number,
): Acceptance {
  const text = String(number);
  const value = parameter === 'limit' ? 'largest limit' : 'bounds of page_size';
  return { endpoint, parameter, applies: (query) => query.get(parameter) === text, value };
}

function filter(
  endpoint: EndpointPath,
  parameter: 'language' | 'category',
  value: StatedValue,
): Acceptance {
  return {
    endpoint,
    parameter,
    applies: (query) => query.has(parameter),
    value,
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
