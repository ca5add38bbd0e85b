// Which documented parameter value a request tests.
import type { EndpointPath } from '../spec/endpoints.ts';
import { isAbout } from './errors.ts';
import { PAGES } from './pages.ts';
import { SERIES } from './series.ts';
import type { View } from './view.ts';

/** Requests to this endpoint always send a listed symbol and a listed country, so each one tests both. */
export const SUMMARY: EndpointPath = '/etfs/summary-history';

/** Names of the documented values that a service must accept. */
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

/** A query parameter and one of its documented values. */
export interface Acceptance {
  readonly endpoint: EndpointPath;
  readonly parameter: string;
  readonly applies: (query: ReadonlyMap<string, string>) => boolean;
  readonly value: StatedValue;
  /** Set where a 200 is not enough: other rules check the content. */
  readonly byContent?: true;
  /** Set where nearly every request sends the value, so that only a refusal naming the parameter counts. */
  readonly whenNamed?: true;
}

/** Documented values per endpoint (§4, §8, rulings 4 and 22). If a request matches several, the first one counts. */
export const ACCEPTANCE: readonly Acceptance[] = [
  ...SERIES.flatMap(({ endpoint, limit }) =>
    limit === null ? [] : [bound(endpoint, 'limit', limit.maximum)],
  ),
  ...Object.values(PAGES).flatMap(({ endpoint, minimum, maximum }) => [
    bound(endpoint, 'page_size', maximum),
    // Most requests use the smallest page size.
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

/** The entry that an answer tests: the parameter named by a refusal, otherwise the first match. */
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
