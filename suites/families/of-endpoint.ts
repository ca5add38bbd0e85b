// Parts of requirements that follow from their endpoint.
import { endpoint, type EndpointPath } from '../../src/spec/endpoints.ts';
import { PLAIN_REQUEST } from '../../src/requirements/advice.ts';
import { must, ofEndpoints, type Definition } from '../../src/requirements/definition.ts';
import { answered } from '../../src/judge/shapes.ts';

/** Key of the clause for a query parameter, such as `4.1 GET /currencies/{currency_id}/klines ?limit`. */
export function parameterClause(path: EndpointPath, parameter: string): string {
  const { section } = endpoint(path);
  // Sections 4.3 and 4.4 have one endpoint with a parameter table.
  if (section === '4.3' || section === '4.4') return `${section} ${parameter}`;
  return `${section} GET ${path} ?${parameter}`;
}

/** The fields that date the records of lists. */
const DATED: Readonly<Partial<Record<EndpointPath, string>>> = {
  '/news': '2.7/release-time',
  '/currencies/{currency_id}/klines': '2.4/timestamp',
  '/crypto-stocks/{stock_ticker}/klines': '2.4/timestamp',
  '/etfs/summary-history': '2.8/summary-date',
  '/etfs/{ticker}/history': '2.8/history-date',
  '/macro/events/{event}/history': '2.10/date',
};

/** Without the field that dates the records of a list, nothing shows which of them a range selects. */
export const datedBy = (path: EndpointPath): Pick<Definition, 'hinderedBy'> => ({
  hinderedBy: [DATED[path] ?? []].flat(),
});

/** The requirement that an endpoint answers its plain request, with further clauses that say so. */
export const answersOf = (
  path: EndpointPath,
  {
    clauses = [],
    ...stated
  }: Pick<Definition, 'title' | 'checks'> & Partial<Pick<Definition, 'clauses'>>,
): Definition =>
  must({
    ...stated,
    ...ofEndpoints(path),
    clauses: [`${endpoint(path).section} GET ${path}`, ...clauses],
    ...PLAIN_REQUEST,
    basic: true,
    judge: answered,
  });
