import { errorNamed, ERRORS } from '../spec/error-codes.ts';
import type { Exchange } from '../spec/exchange.ts';
import type { Facts } from './facts.ts';
import { mayBeFirewall } from './origin/hostile.ts';
import { isObject, isOfCache, type View } from './view.ts';

const LIMITED = new Set<unknown>([ERRORS.tooManyRequests.code, ERRORS.tooManyRequests.twin]);

/** Facts plus what the exchanges seen so far say about the keys. */
export interface Context extends Facts {
  /** `<key fingerprint> <endpoint>` of every 2xx answer. */
  readonly accepted: ReadonlySet<string>;
  /** Fingerprints of keys that got at least one 2xx answer. */
  readonly acceptedKeys: ReadonlySet<string>;
  /** Queries of every 2xx answer, by the path as sent. */
  readonly acceptedQueries: AcceptedQueries;
}

export type AcceptedQueries = ReadonlyMap<string, readonly Exchange['request']['query'][]>;

/** Takes note of the query of a 2xx answer. */
export function acceptQuery(
  into: Map<string, Exchange['request']['query'][]>,
  { request: { path, query } }: Exchange,
): void {
  if (query.length === 0) return;
  const known = into.get(path);
  if (known === undefined) into.set(path, [query]);
  else known.push(query);
}

/** The context that these exchanges give. */
export function contextOf(facts: Facts, exchanges: Iterable<Exchange>): Context {
  const accepted = new Set<string>();
  const acceptedKeys = new Set<string>();
  const acceptedIds = new Set<string>();
  const acceptedQueries = new Map<string, Exchange['request']['query'][]>();
  for (const exchange of exchanges) {
    const { key, endpoint, response } = exchange;
    if (key === null || response === null || response.status < 200 || response.status > 299)
      continue;
    // A cache lets in whom it likes.
    if (isOfCache(exchange, facts)) continue;
    accepted.add(`${key} ${endpoint ?? ''}`);
    acceptedKeys.add(key);
    for (const id of idsIn(exchange)) acceptedIds.add(id);
    acceptQuery(acceptedQueries, exchange);
  }
  return { ...withDoubts(facts, acceptedIds), accepted, acceptedKeys, acceptedQueries };
}

/** `<parameter> <id>` of each identifier in the path of a request. */
export const idsIn = ({ pathParameters }: Exchange): readonly string[] =>
  Object.entries(pathParameters).map(([name, id]) => `${name} ${id}`);

/** The last answer for some facts: between two answers of the target every check asks for the same. */
const doubted = new WeakMap<Facts, { ids: ReadonlySet<string>; size: number; facts: Facts }>();

/** Facts in which discovered identifiers that no success confirms are doubtful. Of `acceptedIds`, entries only come. */
export function withDoubts(facts: Facts, acceptedIds: ReadonlySet<string>): Facts {
  const known = doubted.get(facts);
  if (known?.ids === acceptedIds && known.size === acceptedIds.size) return known.facts;
  const made = doubtsOf(facts, acceptedIds);
  doubted.set(facts, { ids: acceptedIds, size: acceptedIds.size, facts: made });
  return made;
}

function doubtsOf(facts: Facts, acceptedIds: ReadonlySet<string>): Facts {
  const { discoveredIds } = facts;
  if (discoveredIds === undefined) return facts;
  const doubtfulIds: Record<string, readonly string[]> = { ...facts.doubtfulIds };
  for (const [name, ids] of Object.entries(discoveredIds)) {
    const unconfirmed = ids.filter((id) => !acceptedIds.has(`${name} ${id}`));
    doubtfulIds[name] = [...(doubtfulIds[name] ?? []), ...unconfirmed];
  }
  return { ...facts, doubtfulIds };
}

/**
 * Whether the content of an answer can be judged. Not when the limiter or a failure of the server got in the way: 429
 * and 5xx have rules of their own. Not when a key of role `valid` was refused as a key: that says something about the
 * key, unless the same key was accepted on the same endpoint (for 401 anywhere, for 403 on many others). A 403 of the restricted key is
 * judged as it is.
 */
export function isJudgeable(view: View, context: Context): boolean {
  const { status, exchange } = view;
  if (status === 429 || status >= 500) return false;
  // Nor of a refusal that a cache repeats: it may have been for another key.
  if (view.fromCache && (status === 401 || status === 403)) return false;
  if (status >= 300 && status < 400) return false;
  if (mayBeFirewall(view)) return false;
  // The limiter with another status: judged as such (8/limit-enforced), and no answer to the request.
  if (isObject(view.body) && LIMITED.has(view.body['code'])) return false;
  if (
    exchange.role !== 'valid' &&
    exchange.role !== 'nearQuota' &&
    exchange.role !== 'restricted'
  ) {
    return true;
  }
  // The key near its quota is there to be refused; §8 judges the answer to that.
  if (exchange.role === 'nearQuota' && status >= 400) return false;
  // In the traffic of others a key may have been withdrawn in between.
  if (
    context.partial === true &&
    (status === 401 || (status === 403 && exchange.role !== 'restricted'))
  )
    return false;
  if (status === 401) return exchange.key !== null && context.acceptedKeys.has(exchange.key);
  // Where the restricted key may and may not go is what its requirements are about.
  if (exchange.role === 'restricted') return true;
  return status !== 403 || isForbiddenWrongly(view, context);
}

/** Endpoints on which a key works that is no key for a few of them only. */
const MANY_ENDPOINTS = 5;

/**
 * Whether a valid key is told that it has no access although it has: it was let in on the same endpoint, or it works on
 * many others, so that it is a good key (§5 rule 3). A key that may not call everything belongs under keys.restricted.
 */
export function isForbiddenWrongly({ status, body, exchange }: View, context: Context): boolean {
  const key = exchange.key ?? '';
  if (status !== 403 || exchange.role !== 'valid') return false;
  if (context.accepted.has(`${key} ${exchange.endpoint ?? ''}`)) return true;
  const code = isObject(body) ? Number(body['code']) : 0;
  if (errorNamed(code) !== 'forbidden') return false;
  const others = [...context.accepted].filter((one) => one.startsWith(`${key} `));
  return others.length >= MANY_ENDPOINTS;
}
