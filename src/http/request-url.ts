import { ENDPOINTS, type EndpointPath } from '../spec/endpoints.ts';
import { matchEndpoint } from '../spec/match-endpoint.ts';

export type QueryValue = string | number | boolean;
/** Query parameters: ordered pairs, or a record. An array repeats its name; undefined is omitted. */
export type Query =
  | readonly (readonly [string, QueryValue])[]
  | Readonly<Record<string, QueryValue | readonly QueryValue[] | undefined>>;

export interface RequestTarget {
  readonly endpoint: EndpointPath | null;
  readonly pathParameters: Readonly<Record<string, string>>;
  /** Path relative to the base URL, encoded as sent, without the query. */
  readonly path: string;
  /** Query as sent, without the question mark; empty without a query. */
  readonly search: string;
  readonly query: readonly (readonly [string, string])[];
  /** Scheme, host and port. */
  readonly origin: string;
  /** Path of the base URL, path and query, as in the request line. */
  readonly requestPath: string;
  readonly url: string;
}

/**
 * The target of a request. `path` is a template of §4 (`/currencies/{currency_id}`), whose parameters are
 * percent-encoded, or any other path, which is sent unchanged.
 *
 * @throws TypeError when a parameter of the template is missing or the path contains a query.
 */
export function requestTarget(
  baseUrl: string,
  path: string,
  pathParameters: Readonly<Record<string, string>> = {},
  query: Query = [],
): RequestTarget {
  if (!path.startsWith('/')) throw new TypeError(`The path must start with a slash: ${path}`);
  if (path.includes('?'))
    throw new TypeError(`The path must not contain query parameters: ${path}`);
  const filled = path.replaceAll(/\{([^{}]*)\}/g, (_, name: string) => {
    const value = pathParameters[name];
    if (value === undefined) throw new TypeError(`The parameter ${name} of ${path} is missing.`);
    return encodeURIComponent(value);
  });
  // Escape bytes that are not allowed in a request line; everything else is sent unchanged.
  const sent = filled.replaceAll(/[^\x21-\x7e]|#/gu, (character) =>
    character === '#' ? '%23' : encodeURIComponent(wellFormed(character)),
  );
  const base = new URL(baseUrl);
  const pairs = queryPairs(query);
  const search = pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
  const requestPath = `${base.pathname.replace(/\/$/, '')}${sent}${search === '' ? '' : `?${search}`}`;
  const isNamed = Object.hasOwn(ENDPOINTS, path) && !Object.values(pathParameters).includes('');
  const match = isNamed
    ? { endpoint: path as EndpointPath, parameters: pathParameters }
    : matchEndpoint(sent);
  return {
    endpoint: match?.endpoint ?? null,
    pathParameters: match?.parameters ?? {},
    path: sent,
    search,
    query: pairs,
    origin: base.origin,
    requestPath,
    url: `${base.origin}${requestPath}`,
  };
}

function queryPairs(query: Query): (readonly [string, string])[] {
  const entries = Array.isArray(query) ? (query as [string, QueryValue][]) : Object.entries(query);
  return entries.flatMap(([name, value]) =>
    [value ?? []].flat().map((single) => [name, String(single)] as const),
  );
}

/** Does not escape commas and colons, which are legal in a query, as in comma-separated lists (§4.2). */
function encode(text: string): string {
  return encodeURIComponent(wellFormed(text)).replaceAll('%2C', ',').replaceAll('%3A', ':');
}

/** Lone surrogates cannot be encoded; they become the replacement character. */
function wellFormed(text: string): string {
  return Buffer.from(text, 'utf8').toString('utf8');
}
