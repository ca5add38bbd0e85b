// The restricted key has its own rate-limit window, so its requests cost the valid keys nothing.
import {
  ENDPOINT_PATHS,
  endpoint,
  identifierOf,
  type EndpointPath,
} from '../../src/spec/endpoints.ts';
import type { KeyRole } from '../../src/spec/exchange.ts';
import {
  ifUntested,
  plain,
  Untested,
  type Answer,
  Inconclusive,
  type CheckContext,
  type GetOptions,
  type Query,
} from '../../src/ask/index.ts';
import { SERIES } from '../../src/judge/series.ts';
import { mustBeLetIn } from '../7-errors/unknown-id-requests.ts';

/** Endpoints open to the restricted key, those without path parameters first. */
export function allowed({ session }: CheckContext): EndpointPath[] {
  const forbidden = new Set<string>(session.target.keys.restricted?.forbidden);
  return ENDPOINT_PATHS.filter((path) => !forbidden.has(path)).toSorted(
    (a, b) => Object.keys(endpoint(a).path).length - Object.keys(endpoint(b).path).length,
  );
}

/**
 * Ensures that the answer depends on the key: the restricted key has access, and the plain request succeeds with a
 * valid key. A run sends that request anyway.
 * @throws Untested otherwise, Inconclusive after a server error
 */
export async function mustBeAllowed(context: CheckContext, path: EndpointPath): Promise<void> {
  if (!allowed(context).includes(path))
    throw new Untested(`the restricted key may not call ${path}`);
  const { status } = await plain(context.api, path, { anyAnswer: true });
  if (status >= 500)
    throw new Inconclusive(`GET ${path} failed with ${status}: nothing to compare with`);
  if (status < 200 || status > 299) {
    throw new Untested(`${path} answers a valid key with ${status}: nothing to compare with`);
  }
}

/**
 * Sends a request with the restricted key.
 * @throws Untested if the target has no such key or the key has no access
 */
export async function byRestrictedKey(
  context: CheckContext,
  path: EndpointPath,
  query: Query,
  options: Pick<GetOptions, 'path' | 'control' | 'anyAnswer'> = {},
): Promise<Answer> {
  await context.session.requireKeys(['restricted-key']);
  await mustBeAllowed(context, path);
  const { control } = options;
  const answer = await context.api.get(path, query, {
    ...options,
    role: 'restricted',
    ...(control !== undefined && { control: { role: 'valid', ...control } }),
  });
  mustBeLetIn(answer);
  return answer;
}

/** Whether a restricted key with access to the endpoint is configured. */
export const mayAsk = (context: CheckContext, path: EndpointPath): boolean =>
  context.session.target.keys.restricted !== undefined && allowed(context).includes(path);

/** Uses the restricted key where it has access, otherwise a valid one. */
export const byAnyKey: typeof byRestrictedKey = async (context, path, query, options) =>
  mayAsk(context, path)
    ? byRestrictedKey(context, path, query, options)
    : context.api.get(path, query, options);

/** Asks with the restricted key where it is let in, to save a request of a valid key, otherwise with a valid one. */
export const byWhichKey =
  (ask: (context: CheckContext, path: EndpointPath, role: KeyRole) => Promise<Answer>) =>
  async (path: EndpointPath, context: CheckContext): Promise<Answer> => {
    if (!mayAsk(context, path)) return ask(context, path, 'valid');
    const byValidKey = ifUntested(() => ask(context, path, 'valid'));
    return ask(context, path, 'restricted').catch(byValidKey);
  };

/** The longest list to request as a whole in full. */
const SHORT_LIST = 20;
/** Identifiers of a longer list to request: those of other forms, which come first, and as many others. */
const OF_LONG_LIST = 6;

/** All identifiers of a short list, or some of a longer one. */
export const allOrSome = (known: number): number => (known <= SHORT_LIST ? known : OF_LONG_LIST);

const RANGE_STARTS = new Set<string>(SERIES.map(({ start }) => start));

/**
 * Known identifiers not yet requested with a valid key; `wanted` limits their number. A request for a range does not
 * count: its answer may not have the latest records. Half of several of a long list differ by endpoint, so that a run
 * sees more of the list.
 */
export async function notAsked(
  { api, session }: CheckContext,
  path: EndpointPath,
  wanted: (known: number) => number,
): Promise<readonly string[]> {
  const { name, kind } = identifierOf(path);
  const asked = new Set(
    session.exchanges
      .filter(({ endpoint: own, role }) => own === path && role === 'valid')
      .filter(({ request }) => !request.query.some(([parameter]) => RANGE_STARTS.has(parameter)))
      .map(({ pathParameters }) => pathParameters[name]),
  );
  const known = await api.fixtures(kind);
  const left = known.filter((id) => !asked.has(id));
  const most = wanted(known.length);
  if (known.length <= SHORT_LIST || most < OF_LONG_LIST) return left.slice(0, most);
  const rest = left.splice(most / 2);
  const from = ((ENDPOINT_PATHS.indexOf(path) * most) / 2) % Math.max(1, rest.length);
  return [...left, ...rest.slice(from), ...rest.slice(0, from)].slice(0, most);
}
