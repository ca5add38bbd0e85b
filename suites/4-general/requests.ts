// Requests to which there is nothing to show: a page that no list has, a range that ends before it begins, an identifier in
// no usual form. What comes is left to the target, as long as it is not a failure of the server.
import { endpoint, requiredQuery, type EndpointPath } from '../../src/spec/endpoints.ts';
import type { SeriesFacts } from '../../src/judge/series.ts';
import type { Answer, CheckContext } from '../../src/ask/index.ts';
import { PAIR_LIST } from '../4.1-currencies/requests.ts';
import { byAnyKey, byRestrictedKey } from '../families/restricted-key-requests.ts';
import { turnedRound } from '../families/series-requests.ts';

/** Asks an endpoint for what it has nothing to show for: {@link byRestrictedKey} or {@link byAnyKey}. */
export type By = typeof byRestrictedKey;

/** An identifier in no usual form. */
const ODD_ID = '!not-an-id!';
/** No list has so many pages. */
const FAR = 100_000;

/** A page far beyond the last one of a list. */
export const farBeyond =
  (path: EndpointPath, by: By = byAnyKey) =>
  async (context: CheckContext): Promise<Answer> => {
    const query = { ...requiredQuery(path), page: FAR };
    const entity = path === PAIR_LIST.path ? await PAIR_LIST.entity(context.api) : {};
    return by(context, path, query, { path: entity, anyAnswer: true });
  };

/** A range of a series that ends before it begins. */
export const endingFirst =
  (series: SeriesFacts, by: By = byAnyKey) =>
  (context: CheckContext): Promise<Answer> => {
    const query = { ...requiredQuery(series.endpoint), ...turnedRound(series, context) };
    return by(context, series.endpoint, query, { anyAnswer: true });
  };

/** An identifier in no usual form, asked with the restricted key: valid ones have no requests left for it. */
export function misspelt(path: EndpointPath, context: CheckContext): Promise<Answer> {
  const [name = ''] = Object.keys(endpoint(path).path);
  // Whether the target takes it for an identifier is not known, so a refusal of it accuses nobody.
  context.session.doubtful(name, ODD_ID);
  const options = { path: { [name]: ODD_ID }, anyAnswer: true };
  return byRestrictedKey(context, path, requiredQuery(path), options);
}
