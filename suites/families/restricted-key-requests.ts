// The restricted key has a window of its own: where it may ask, its requests cost the valid keys nothing.
import { ENDPOINT_PATHS, endpoint, type EndpointPath } from '../../src/spec/endpoints.ts';
import {
  plain,
  Untested,
  type Answer,
  type CheckContext,
  type GetOptions,
  type Query,
} from '../../src/ask/index.ts';
import { mustBeLetIn } from '../7-errors/unknown-resource-requests.ts';

/** Endpoints that the restricted key may call, those without path parameters first. */
export function allowed({ session }: CheckContext): EndpointPath[] {
  const forbidden = new Set<string>(session.target.keys.restricted?.forbidden);
  return ENDPOINT_PATHS.filter((path) => !forbidden.has(path)).toSorted(
    (a, b) => Object.keys(endpoint(a).path).length - Object.keys(endpoint(b).path).length,
  );
}

/**
 * Sees to it that what follows is about the key: it may call the endpoint, and the plain request with a valid key, which
 * a run sends anyway, is answered.
 * @throws Untested when it may not, or is not
 */
export async function mustBeAllowed(context: CheckContext, path: EndpointPath): Promise<void> {
  if (!allowed(context).includes(path))
    throw new Untested(`the restricted key may not call ${path}`);
  const { status } = await plain(context.api, path, { anyAnswer: true });
  if (status < 200 || status > 299) {
    throw new Untested(`${path} answers a valid key with ${status}: nothing to compare with`);
  }
}

/**
 * The answer that the restricted key gets to a request. Valid keys have no requests left for it.
 * @throws Untested when the target has no such key, when it may not call the endpoint, or is not let in
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

/** True when the target has a restricted key, and it may call the endpoint. */
export const mayAsk = (context: CheckContext, path: EndpointPath): boolean =>
  context.session.target.keys.restricted !== undefined && allowed(context).includes(path);

/** The answer that the restricted key gets where it may call, which costs the valid keys nothing; else that of a valid one. */
export const byAnyKey: typeof byRestrictedKey = async (context, path, query, options) =>
  mayAsk(context, path)
    ? byRestrictedKey(context, path, query, options)
    : context.api.get(path, query, options);

/** Known identifiers of an endpoint that no request with a valid key has named yet, as many as are wanted of those known. */
export async function notAsked(
  { api, session }: CheckContext,
  path: EndpointPath,
  wanted: (known: number) => number,
): Promise<readonly string[]> {
  const [[name, kind] = []] = Object.entries(endpoint(path).path);
  if (name === undefined || kind === undefined) return [];
  const asked = new Set(
    session.exchanges
      .filter(({ endpoint: own, role }) => own === path && role === 'valid')
      .map(({ pathParameters }) => pathParameters[name]),
  );
  const known = await api.fixtures(kind);
  return known.filter((id) => !asked.has(id)).slice(0, wanted(known.length));
}
