import { endpoint as factsOf, type FixtureKind } from '../../spec/endpoints.ts';
import type { Exchange } from '../../spec/exchange.ts';
import { LANGUAGES, NEWS_CATEGORY_IDS } from '../../spec/values.ts';
import { isObject } from '../../text/json-value.ts';
import type { DataCoverage } from '../model/results.ts';

/** Kinds of data that requests name in paths and queries. */
export const COVERED_DATA = {
  currencyIds: 'currencies',
  etfTickers: 'ETFs',
  stockTickers: 'crypto stocks',
  indexTickers: 'indices',
  sectorNames: 'sectors',
  macroEvents: 'macro events',
  chartNames: 'charts',
  projectIds: 'projects',
  languages: 'languages',
  categories: 'categories',
  exchanges: 'exchanges',
  pages: 'pages',
} as const satisfies Readonly<Record<FixtureKind, string>> & Readonly<Record<string, string>>;

export type CoverageKind = keyof typeof COVERED_DATA;
export const COVERAGE_KINDS = Object.keys(COVERED_DATA) as CoverageKind[];

const QUERY_KINDS: Readonly<Record<string, CoverageKind>> = {
  language: 'languages',
  category: 'categories',
  exchange: 'exchanges',
  page: 'pages',
};

/** Values that the specification lists. */
const STATED: Readonly<Partial<Record<CoverageKind, readonly string[]>>> = {
  languages: LANGUAGES,
  categories: NEWS_CATEGORY_IDS.map(String),
};

/** The data that a run requested successfully, by kind; news without a language are English. `shown`: all data of the target. */
export function coverageOf(
  exchanges: readonly Exchange[],
  shown: Readonly<Partial<Record<FixtureKind, readonly string[]>>>,
): Readonly<Record<string, DataCoverage>> {
  const seen = new Map<CoverageKind, Set<string>>();
  const note = (kind: CoverageKind, value: string): void => {
    seen.set(kind, (seen.get(kind) ?? new Set()).add(value));
  };
  for (const { endpoint, pathParameters, request, response } of exchanges) {
    if (endpoint === null || response === null || response.status >= 300) continue;
    const facts = factsOf(endpoint);
    for (const [name, kind] of Object.entries(facts.path)) {
      const value = pathParameters[name];
      if (value !== undefined) note(kind, value);
    }
    const query = new Map(request.query);
    if (facts.query['language'] !== undefined && !query.has('language')) note('languages', 'en');
    for (const [name, value] of query) {
      const kind = QUERY_KINDS[name];
      if (kind === undefined || facts.query[name] === undefined) continue;
      for (const one of value.split(',')) if (one !== '') note(kind, one);
    }
  }
  const all: Readonly<Partial<Record<CoverageKind, readonly string[]>>> = { ...STATED, ...shown };
  return Object.fromEntries(
    COVERAGE_KINDS.flatMap((kind) => {
      const at = seen.get(kind);
      return at === undefined ? [] : [[kind, { at: [...at], of: all[kind] ?? [] }] as const];
    }),
  );
}

/** The data that an earlier run requested, from its results.json, which anyone may have written. */
export function readCoverage(content: unknown): Readonly<Record<string, DataCoverage>> {
  const coverage = isObject(content) ? content['looked'] : undefined;
  if (!isObject(coverage)) return {};
  return Object.fromEntries(
    COVERAGE_KINDS.flatMap((kind) => {
      const one = coverage[kind];
      return isObject(one) ? [[kind, { at: textsOf(one['at']), of: textsOf(one['of']) }]] : [];
    }),
  );
}

const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];

/** `4 of 50 currencies, 2 of 27 ETFs, …`, for kinds whose total is known. */
export function coverageWords(coverage: Readonly<Record<string, DataCoverage>>): string {
  return COVERAGE_KINDS.flatMap((kind) => {
    const { at = [], of = [] } = coverage[kind] ?? {};
    if (at.length === 0 || of.length === 0) return [];
    return [`${at.filter((one) => of.includes(one)).length} of ${of.length} ${COVERED_DATA[kind]}`];
  }).join(', ');
}
