// Requests with nothing to return: a page beyond the last, a range that ends before it starts, an odd identifier. Any
// answer is fine except a server failure.
import { identifierOf, requiredQuery, type EndpointPath } from '../../src/spec/endpoints.ts';
import type { SeriesFacts } from '../../src/judge/series.ts';
import { PLAIN_QUERY, type Answer, type CheckContext, type Query } from '../../src/ask/index.ts';
import { currencyOfPages, PAIRS } from '../4.1-currencies/requests.ts';
import { byAnyKey, byRestrictedKey } from '../families/restricted-key-requests.ts';
import { invertedRange } from '../families/series-requests.ts';

/** How to send such a request: {@link byRestrictedKey} or {@link byAnyKey}. */
export type By = typeof byRestrictedKey;

const ODD_ID = '!not-an-id!';
/** No list has this many pages. */
const FAR_PAGE = 100_000;

/** A page far beyond the last. */
export const farBeyond =
  (path: EndpointPath, by: By = byAnyKey) =>
  async (context: CheckContext): Promise<Answer> => {
    const query = { ...requiredQuery(path), page: FAR_PAGE };
    const entity = path === PAIRS ? await currencyOfPages(context.api) : {};
    return by(context, path, query, { path: entity, anyAnswer: true });
  };

/** A range that ends before it starts. */
export const endingFirst =
  (series: SeriesFacts, by: By = byAnyKey) =>
  (context: CheckContext): Promise<Answer> => {
    const query = { ...requiredQuery(series.endpoint), ...invertedRange(series, context) };
    return by(context, series.endpoint, query, { anyAnswer: true });
  };

/** Bad values of parameters, with the restricted key. Its control is the plain request with a valid one. */
export const withBadValues =
  (path: EndpointPath) =>
  (bad: Query, context: CheckContext): Promise<Answer> => {
    const plain = PLAIN_QUERY[path];
    const good = Object.fromEntries(Object.keys(bad).map((name) => [name, plain[name]]));
    const options = { control: { query: good }, anyAnswer: true };
    return byRestrictedKey(context, path, { ...plain, ...bad }, options);
  };

/** An odd identifier, with the restricted key to save requests of valid keys. */
export function misspelt(path: EndpointPath, context: CheckContext): Promise<Answer> {
  const { name } = identifierOf(path);
  // The target may accept it, so neither answer is a finding.
  context.session.doubtful(name, ODD_ID);
  const options = { path: { [name]: ODD_ID }, anyAnswer: true };
  return byRestrictedKey(context, path, requiredQuery(path), options);
}
