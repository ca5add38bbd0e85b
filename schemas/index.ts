/** The schemas of the resources as one module. */
import chart from './chart.json' with { type: 'json' };
import currencyInfo from './currency-info.json' with { type: 'json' };
import currencySnapshot from './currency-snapshot.json' with { type: 'json' };
import etfHistoryRow from './etf-history-row.json' with { type: 'json' };
import etfSummaryRow from './etf-summary-row.json' with { type: 'json' };
import featuredNewsItem from './featured-news-item.json' with { type: 'json' };
import fundraising from './fundraising.json' with { type: 'json' };
import kline from './kline.json' with { type: 'json' };
import macroHistoryRow from './macro-history-row.json' with { type: 'json' };
import newsItem from './news-item.json' with { type: 'json' };
import page from './page.json' with { type: 'json' };
import stockSnapshot from './stock-snapshot.json' with { type: 'json' };
import tokenEconomics from './token-economics.json' with { type: 'json' };
import tradingPair from './trading-pair.json' with { type: 'json' };
import types from './types.json' with { type: 'json' };

/** A JSON Schema as an object. What is read here is typed; other keywords are read where they are needed. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  /** Of a scalar: a phrase that completes "expected …". Of a named object: its name. */
  readonly title?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly examples?: readonly unknown[];
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
  readonly 'x-assay'?: Annotations;
  readonly [keyword: string]: unknown;
}

/** What JSON Schema has no keyword for. */
export interface Annotations {
  /** Of a resource: its section of the specification. */
  readonly section?: `2.${number}`;
  /** Of a resource: begins the slugs of its fields where two tables of one section have fields of the same name. */
  readonly prefix?: string;
  /** Of a resource: the table that its rows stand in, when it is not the first one of the section. */
  readonly table?: string;
  /** Of a resource: what a record is called in titles of requirements. */
  readonly called?: string;
  /** Of a resource that comes in pages: what a record is called in findings, and the fields that identify it. */
  readonly item?: string;
  readonly identity?: readonly string[];
  /** Of a field: the first cell of its row in the table of §2, when that is not just its name. */
  readonly row?: string;
  /** Of a field: clauses that say more about it than its row. */
  readonly clauses?: readonly string[];
  /** Last part of the id of its requirement, when that is not its name. A nested object with a slug has one of its own. */
  readonly slug?: string;
  /** Of a nested object with a slug: what it is, completing "`field` is …". */
  readonly is?: string;
  /** Of a field on which two sentences of the specification disagree. */
  readonly basis?: 'contradictory';
  /**
   * Of a figure or date that may not exist or not be known, such as the price-earnings ratio of a company that loses
   * money. No clause allows null for it, but there may be nothing else to send: null violates a should (ruling 3).
   */
  readonly mayBeNull?: 'should';
}

/** Schemas of the resources with a stated shape, by the names of their files, in the order of §2. */
export const RESOURCE_SCHEMAS = {
  'currency-info': currencyInfo as JsonSchema,
  'currency-snapshot': currencySnapshot as JsonSchema,
  'token-economics': tokenEconomics as JsonSchema,
  kline: kline as JsonSchema,
  'trading-pair': tradingPair as JsonSchema,
  fundraising: fundraising as JsonSchema,
  'news-item': newsItem as JsonSchema,
  'featured-news-item': featuredNewsItem as JsonSchema,
  'etf-summary-row': etfSummaryRow as JsonSchema,
  'etf-history-row': etfHistoryRow as JsonSchema,
  'stock-snapshot': stockSnapshot as JsonSchema,
  'macro-history-row': macroHistoryRow as JsonSchema,
  chart: chart as JsonSchema,
} as const satisfies Readonly<Record<string, JsonSchema>>;

/** Resources with a stated shape, named as their schema files. */
export type ResourceName = keyof typeof RESOURCE_SCHEMAS;

/** The paging envelope (§2.5, §2.7). */
export const PAGE_SCHEMA = page as JsonSchema;

/** Types that several resources share. */
export const TYPES_SCHEMA = types as JsonSchema;
