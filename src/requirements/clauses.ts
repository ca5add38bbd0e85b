import { FIELDS } from '../spec/resources.ts';
import { REQUIREMENTS } from './catalogue.ts';

/** SHA-256 of the specification that the catalogue is based on. */
export const SPEC_SHA256 = '77c822a13756f91528e62a98527f4eb57445e5cbc928ac3b4e17f4a38b123079';

/**
 * Clauses of the specification outside of tables and numbered rules. Table rows and rules are in the outline of the
 * specification; parameters are in `endpoints.ts`.
 */
export const PROSE_CLAUSES = [
  '1 JSON over HTTP',
  '1 rate limited per key',
  '2 type names',
  '2.5 paging envelope',
  '2.6 fundraising_rounds item',
  '2.6 investor item inside a round',
  '2.6 elements of investors and team',
  '2.6 investor type values',
  '2.7 media_info item',
  '2.7 quote_info',
  '2.7 html tags',
  '2.7 page envelope',
  ...[...FIELDS['macro-history-row'], ...FIELDS.chart].flatMap(({ clauses }) => clauses),
  '2.11 chart data',
  '2.12 records of purpose-only endpoints',
  '3 mkt_status',
  '3 no lifecycle',
  '4 JSON and key',
  '4 response shapes',
  '4.1 order_by field names',
  '4.1 klines order',
  '4.2 category values',
  '4.2 language values',
  '4.3 GET /etfs/summary-history',
  '4.3 listing matrix',
  '4.3 response',
  '4.4 GET /etfs/{ticker}/history',
  '4.4 response',
  '4.4 default counted from start_date',
  '4.7 parameters and shapes',
  '6 events',
  '7 error body',
  '8 refusal',
  '8 unit of retry_after',
  '8 quota exhausted',
  '8 beyond the window',
  '9 versioning',
] as const;

/** Clauses that no request can test, with the reason. */
export const UNTESTABLE: Readonly<Record<string, string>> = {
  '3 no lifecycle': 'The clause states that no lifecycle exists, so nothing can be observed.',
  '4.1 GET /currencies/{currency_id}/fundraising ?currency_id':
    'A path parameter cannot be omitted: without it, the path belongs to a different endpoint.',
  '4.4 default counted from start_date':
    'The month of available data has fewer trading days than the default of 50, so the default never takes effect.',
  '4.7 parameters and shapes': 'Not specified; responses are recorded.',
  '6 events': 'Not specified.',
  '9 versioning': 'Not specified.',
  '2.7 verified_type': 'Any string is allowed; only the meaning of one value is stated.',
};

/** Requirements that cover each clause. */
export function clauseCoverage(): ReadonlyMap<string, readonly string[]> {
  const coverage = new Map<string, string[]>();
  for (const requirement of REQUIREMENTS) {
    for (const clause of requirement.clauses) {
      coverage.set(clause, [...(coverage.get(clause) ?? []), requirement.id]);
    }
  }
  return coverage;
}
