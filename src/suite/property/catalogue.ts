import type { EndpointPath } from '../../contract/endpoints.ts';
import type { RequirementId } from '../../contract/requirement-id.ts';

/** What is known of a property without drawing anything. */
export interface PropertyFacts {
  readonly name: string;
  /** What is drawn, as the title of its checks. */
  readonly title: string;
  /** Endpoints that it asks; empty for those that draw the endpoint as well. */
  readonly endpoints: readonly EndpointPath[];
  /** Requests that it may ask for in a run without a bound. */
  readonly requests: number;
  /**
   * Requirements that it has a check for. Its answers go through all rules of the run; these are the ones that what it
   * draws puts to the test.
   */
  readonly requirements: readonly RequirementId[];
}

/** A made-up request may do anything but harm: these hold for every answer. */
const ALWAYS = ['4/no-5xx', '4/json-body', '7/error-shape', '7/status-agrees'] as const;

const klines = (section: '4.1' | '4.5'): readonly RequirementId[] => [
  ...ALWAYS,
  `${section}/klines-interval-enum`,
  `${section}/klines-limit-exact`,
  `${section}/klines-limit-max`,
  `${section}/klines-limit-invalid`,
  `${section}/klines-range`,
  `${section}/klines-window`,
  `${section}/klines-window-answer`,
];

/** Every property: one for each endpoint with parameters, one for identifiers, one for parameters that are not stated. */
export const PROPERTIES = [
  {
    name: 'currency-klines',
    title: 'any klines of a currency',
    endpoints: ['/currencies/{currency_id}/klines'],
    requests: 12,
    requirements: [...klines('4.1'), '4.1/klines-limit-part'],
  },
  {
    name: 'pairs',
    title: 'any pages of pairs',
    endpoints: ['/currencies/{currency_id}/pairs'],
    requests: 16,
    requirements: [
      ...ALWAYS,
      '4.1/pairs-page-size-max',
      '4.1/pairs-page-invalid',
      '4.1/pairs-page-full',
      '4.1/pairs-page-echo',
      '4.1/pairs-pages-join',
      '4.1/pairs-total',
      '4.1/pairs-exchange-filter',
    ],
  },
  {
    name: 'news',
    title: 'any pages of news',
    endpoints: ['/news'],
    requests: 22,
    requirements: [
      ...ALWAYS,
      '4.2/language',
      '4.2/languages-share-ids',
      '4.2/language-unknown',
      '4.2/category-filter',
      '4.2/category-unknown',
      '4.2/currency-filter',
      '4.2/page-size-max',
      '4.2/page-invalid',
      '4.2/page-full',
      '4.2/page-echo',
      '4.2/pages-join',
      '4.2/total',
      '4.2/time-filter',
      '4.2/window',
      '4.2/window-answer',
    ],
  },
  {
    name: 'featured-news',
    title: 'any pages of featured news',
    endpoints: ['/news/featured'],
    requests: 12,
    requirements: [
      ...ALWAYS,
      '4.2/featured-page-minimum',
      '4.2/featured-page-size-minimum',
      '4.2/featured-page-size-max',
      '4.2/featured-page-full',
      '4.2/featured-page-echo',
      '4.2/featured-pages-differ',
      '4.2/featured-language',
      '4.2/featured-category-filter',
      '4.2/featured-category-list',
    ],
  },
  {
    name: 'etf-summary',
    title: 'any ETF summary',
    endpoints: ['/etfs/summary-history'],
    requests: 16,
    requirements: [
      ...ALWAYS,
      '4.3/listed',
      '4.3/unlisted',
      '4.3/symbol-enum',
      '4.3/symbol-case',
      '4.3/country-enum',
      '4.3/country-case',
      '4.3/limit-exact',
      '4.3/limit-part',
      '4.3/limit-max',
      '4.3/limit-invalid',
      '4.3/range',
      '4.3/window',
      '4.3/window-answer',
    ],
  },
  {
    name: 'etf-history',
    title: 'any history of an ETF',
    endpoints: ['/etfs/{ticker}/history'],
    requests: 10,
    requirements: [
      ...ALWAYS,
      '4.4/limit-exact',
      '4.4/limit-max',
      '4.4/limit-invalid',
      '4.4/range',
      '4.4/window',
      '4.4/window-answer',
    ],
  },
  {
    name: 'stock-klines',
    title: 'any klines of a stock',
    endpoints: ['/crypto-stocks/{stock_ticker}/klines'],
    requests: 8,
    requirements: klines('4.5'),
  },
  {
    name: 'macro-history',
    title: 'any history of a macro event',
    endpoints: ['/macro/events/{event}/history'],
    requests: 8,
    requirements: [
      ...ALWAYS,
      '4.6/macro-limit-exact',
      '4.6/macro-limit-max',
      '4.6/macro-limit-invalid',
      '4.6/macro-range',
    ],
  },
  {
    name: 'identifiers',
    title: 'any identifier in a path',
    endpoints: [],
    requests: 8,
    requirements: ALWAYS,
  },
  {
    name: 'unstated-parameters',
    title: 'any parameter that is not stated',
    endpoints: [],
    requests: 8,
    requirements: ALWAYS,
  },
] as const satisfies readonly PropertyFacts[];

export type PropertyName = (typeof PROPERTIES)[number]['name'];

/** Requirements that the model of the limiter puts to the test. */
export const LIMITER_REQUIREMENTS = [
  '8/limit-enforced',
  '8/limit-not-early',
  '8/reset',
  '8/per-key',
] as const satisfies readonly RequirementId[];

/** Requests that the model of the limiter may ask for in a run without a bound. */
export const LIMITER_REQUESTS = 64;

/** Requests with valid keys that all properties together may ask for in a run without a bound. */
export const ALL_REQUESTS =
  LIMITER_REQUESTS + PROPERTIES.reduce((sum, { requests }) => sum + requests, 0);

/**
 * Requests that a property may ask for when `left` remain in the run: its share of what the properties are given. A few
 * are left to the checks that come after them.
 */
export function shareOf(requests: number, left: number): number {
  const given = Math.min(ALL_REQUESTS, Math.max(0, left - LEFT_TO_OTHERS));
  return Math.floor((requests * given) / ALL_REQUESTS);
}

const LEFT_TO_OTHERS = 4;
