import { openApiDocument } from '#src/openapi/document.ts';
import type { Node } from '#src/openapi/node.ts';

/** Fifteen digits: what the reference server takes for an integer. */
const LARGEST = 999_999_999_999_999;

/**
 * The OpenAPI document as an engineer who knows the target would tune it, so that a peer raises no alarm where the
 * specification is silent and the document had to take a side:
 * - identifiers of currencies have the pattern that the target uses;
 * - `order_by` lists the fields that the target sorts by;
 * - `exchange` and `project_id` may be empty; page numbers end at fifteen digits;
 * - `/news/search` needs a `keyword`.
 */
export function tunedDocument(): Node {
  const document = structuredClone(
    openApiDocument({ patterns: { currencyIds: '^[0-9]{1,20}$' } }),
  ) as TunedDocument;
  for (const { get } of Object.values(document.paths)) {
    for (const { name, in: place, schema } of get.parameters ?? []) {
      if (place !== 'query') continue;
      if (name === 'order_by') {
        schema['enum'] = ['price', 'turnover_24h', 'market', 'base', 'target'];
      }
      if (name === 'exchange' || name === 'project_id') delete schema['minLength'];
      if (schema['type'] === 'integer') schema['maximum'] ??= LARGEST;
    }
  }
  const search = document.paths['/news/search'];
  if (search === undefined) throw new Error('The document has no /news/search to tune.');
  search.get.parameters = [
    {
      name: 'keyword',
      in: 'query',
      required: true,
      schema: { type: 'string' },
      examples: { example1: { value: 'bitcoin' } },
    },
  ];
  return document;
}

interface TunedDocument extends Node {
  readonly paths: Record<string, { readonly get: TunedOperation }>;
}

interface TunedOperation {
  parameters?: {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly schema: Record<string, unknown>;
    readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
  }[];
}

/**
 * Settings of Schemathesis beside the document. Methods other than GET are left alone, since the specification does not
 * say what they get; 400 is accepted for valid input of one operation, since the document cannot say which asset is
 * listed in which country.
 */
export const SCHEMATHESIS_CONFIG = `[phases.coverage]
unexpected-methods = []

[checks]
unsupported_method.enabled = false
allow_header_conformance.enabled = false

[[operations]]
include-operation-id = "listEtfSummaryHistory"
checks.positive_data_acceptance.expected-statuses = ["2xx", "3xx", "400", "401", "403", "404", "409", "429", "5xx"]
`;
