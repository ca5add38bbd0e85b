import type { Endpoint, FixtureKind, QueryParameter } from '../spec/endpoints.ts';
import { WINDOWS } from '../spec/limits.ts';
import { DEFAULT_EXAMPLES, type ExampleKind } from './examples.ts';
import type { Node } from './node.ts';

/** Query parameters that take an identifier or a name, and the kind of it. */
const QUERY_KINDS: Readonly<Record<string, ExampleKind>> = {
  currency_id: 'currencyIds',
  project_id: 'projectIds',
  exchange: 'exchanges',
};

/** Fifteen digits: more than any time needs, and exact in every JSON reader. */
const LARGEST_TIME = 999_999_999_999_999;

/** All parameters of an endpoint as OpenAPI Parameter Objects, path parameters first. */
export function parameters(endpoint: Endpoint): Node[] {
  const path = Object.entries(endpoint.path).map(([name, kind]) => ({
    name,
    in: 'path',
    required: true,
    description: `One of the ${KIND_WORDS[kind]} (§${endpoint.section}).`,
    schema: IDENTIFIER,
    ...exampleMap(DEFAULT_EXAMPLES[kind]),
  }));
  const query = Object.entries(endpoint.query).map(([name, facts]) => ({
    name,
    in: 'query',
    required: facts.required === true,
    description: describe(name, facts, endpoint),
    ...(facts.type === 'integer-list' && { style: 'form', explode: false }),
    schema: schemaOf(facts),
    ...exampleMap(queryExamples(name, facts)),
  }));
  return [...path, ...query];
}

const KIND_WORDS: Readonly<Record<FixtureKind, string>> = {
  currencyIds: 'identifiers of currencies',
  etfTickers: 'tickers of ETFs',
  stockTickers: 'tickers of crypto stocks',
  indexTickers: 'tickers of indices',
  sectorNames: 'names of crypto stock sectors',
  macroEvents: 'names of macro events',
  chartNames: 'names of analysis charts',
  projectIds: 'identifiers of fundraising projects',
};

const IDENTIFIER: Node = { type: 'string', minLength: 1 };

function schemaOf(facts: QueryParameter): Node {
  const fallback = facts.default === undefined ? {} : { default: facts.default };
  switch (facts.type) {
    case 'integer':
      return {
        type: 'integer',
        // Where no minimum is stated, a request for fewer than one record or page means nothing (ruling 4 lets an
        // implementation refuse it), so tools are kept from sending it as a valid request.
        minimum: facts.minimum ?? 1,
        ...(facts.maximum !== undefined && { maximum: facts.maximum }),
        ...fallback,
      };
    case 'timestamp':
      return { type: 'integer', format: 'int64', minimum: 0, maximum: LARGEST_TIME };
    case 'date':
      return { type: 'string', format: 'date', pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' };
    case 'integer-list':
      return { type: 'array', minItems: 1, items: { type: 'integer', enum: facts.enum } };
    default:
      return { ...stringSchema(facts), ...fallback };
  }
}

function stringSchema(facts: QueryParameter): Node {
  if (facts.enum === undefined) return IDENTIFIER;
  if (facts.caseInsensitive !== true) return { type: 'string', enum: facts.enum.map(String) };
  // `enum` cannot say that case does not matter; a tool would take `btc` for an invalid value.
  return { type: 'string', pattern: `^(?:${facts.enum.map(anyCase).join('|')})$` };
}

/** `BTC` as `[Bb][Tt][Cc]`. */
const anyCase = (value: string | number): string =>
  String(value).replaceAll(/./g, (letter) => `[${letter.toUpperCase()}${letter.toLowerCase()}]`);

function queryExamples(name: string, facts: QueryParameter): readonly unknown[] {
  const kind = QUERY_KINDS[name];
  if (kind !== undefined) return DEFAULT_EXAMPLES[kind];
  // The one field by which pairs are stated to be sorted; other allowed names are not stated.
  if (name === 'order_by') return ['turnover_24h'];
  switch (facts.type) {
    case 'integer':
      return [facts.default ?? facts.minimum ?? 1];
    case 'integer-list':
      return [facts.enum?.slice(0, 2)];
    case 'string': {
      const [first, second] = facts.enum ?? [];
      if (first === undefined) return [];
      if (facts.caseInsensitive !== true) return [String(first)];
      // The first two symbols are listed in both countries, so every combination is a valid one.
      return [first, ...(second === undefined ? [] : [String(second).toLowerCase()])];
    }
    default:
      // No example of a time stays inside the recent window for long.
      return [];
  }
}

function exampleMap(values: readonly unknown[]): Node {
  if (values.length === 0) return {};
  return {
    examples: Object.fromEntries(values.map((value, index) => [`example${index + 1}`, { value }])),
  };
}

const NAME_WORDS: Readonly<Record<string, string>> = {
  interval: 'Length of a candle.',
  start_time: 'Earliest time, epoch milliseconds.',
  end_time: 'Latest time, epoch milliseconds.',
  start_date: 'Earliest date, YYYY-MM-DD.',
  end_date: 'Latest date, YYYY-MM-DD.',
  limit: 'Maximum number of rows.',
  page: 'Page number.',
  page_size: 'Records per page.',
  order_by:
    'Field to sort by; the allowed names are not stated. Default: 24-hour volume, descending.',
  exchange: 'Only pairs of this exchange.',
  category: 'Only items of this category.',
  language: 'Language of the texts.',
  currency_id: 'Only items about this currency.',
  project_id: 'Only items about this project.',
  symbol: 'Crypto asset; case-insensitive.',
  country_code: 'Country of listing; case-insensitive.',
};

function describe(name: string, facts: QueryParameter, endpoint: Endpoint): string {
  const reach =
    endpoint.window !== undefined && (facts.type === 'timestamp' || facts.type === 'date')
      ? ` Only the ${WINDOWS[endpoint.window].text} can be reached.`
      : '';
  return `${NAME_WORDS[name] ?? name}${reach} (§${endpoint.section})`;
}
