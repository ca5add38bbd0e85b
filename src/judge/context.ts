import { errorNamed } from '../spec/error-codes.ts';
import type { Exchange, KeyRole } from '../spec/exchange.ts';
import { errorNameOf } from './errors.ts';
import type { Facts } from './facts.ts';
import { mayBeFirewall } from './origin/hostile.ts';
import { isObject, isOfCache, type View } from './view.ts';

/** Facts, plus what earlier exchanges showed about the keys. */
export interface Context extends Facts {
  /** `<key fingerprint> <endpoint>` of every 2xx answer. */
  readonly accepted: ReadonlySet<string>;
  /** Fingerprints of keys with at least one 2xx answer. */
  readonly acceptedKeys: ReadonlySet<string>;
  /** Queries of 2xx answers by request path. */
  readonly acceptedQueries: AcceptedQueries;
}

export type AcceptedQueries = ReadonlyMap<string, readonly Exchange['request']['query'][]>;

/** What the successful answers so far show. It only grows. */
export class Accepted {
  readonly #endpoints = new Set<string>();
  readonly #keys = new Set<string>();
  readonly #ids = new Set<string>();
  readonly #queries = new Map<string, Exchange['request']['query'][]>();

  note(exchange: Exchange, facts: Facts): void {
    const { key, endpoint, pathParameters, request, response } = exchange;
    if (key === null || response === null || response.status < 200 || response.status > 299) return;
    // A cache hit does not prove that the key is valid.
    if (isOfCache(exchange, facts)) return;
    this.#endpoints.add(`${key} ${endpoint ?? ''}`);
    this.#keys.add(key);
    for (const [name, id] of Object.entries(pathParameters)) this.#ids.add(`${name} ${id}`);
    if (request.query.length === 0) return;
    const known = this.#queries.get(request.path);
    if (known === undefined) this.#queries.set(request.path, [request.query]);
    else known.push(request.query);
  }

  /** Whether an answer confirmed an identifier in a path. */
  hasId(parameter: string, id: string): boolean {
    return this.#ids.has(`${parameter} ${id}`);
  }

  context(facts: Facts): Context {
    return {
      ...withDoubts(facts, this.#ids),
      accepted: this.#endpoints,
      acceptedKeys: this.#keys,
      acceptedQueries: this.#queries,
    };
  }
}

export function contextOf(facts: Facts, exchanges: Iterable<Exchange>): Context {
  const accepted = new Accepted();
  for (const exchange of exchanges) accepted.note(exchange, facts);
  return accepted.context(facts);
}

/** Marks discovered identifiers as doubtful until a success confirms them. */
function withDoubts(given: Facts, ids: ReadonlySet<string>): Facts {
  const { discoveredIds } = given;
  if (discoveredIds === undefined) return given;
  const doubtfulIds: Record<string, readonly string[]> = { ...given.doubtfulIds };
  for (const [name, all] of Object.entries(discoveredIds)) {
    const unconfirmed = all.filter((id) => !ids.has(`${name} ${id}`));
    doubtfulIds[name] = [...(doubtfulIds[name] ?? []), ...unconfirmed];
  }
  return { ...given, doubtfulIds };
}

/** Roles whose keys have access at least somewhere. */
const GOOD_KEYS: readonly KeyRole[] = ['valid', 'nearQuota', 'restricted'];

/**
 * Whether the content of an answer can be judged. It cannot if the rate limiter, a firewall or a server failure
 * answered (429 and 5xx have their own rules), or if a `valid` key was rejected. A rejection counts only if the same
 * key works elsewhere: anywhere for a 401; on the same endpoint, or on many others, for a 403. A 403 for the restricted
 * key can be judged.
 */
export function isJudgeable(view: View, context: Context): boolean {
  const { status, exchange } = view;
  if (status === 429 || status >= 500) return false;
  // A cached refusal may have been meant for another key.
  if (view.fromCache && (status === 401 || status === 403)) return false;
  if (status >= 300 && status < 400) return false;
  if (mayBeFirewall(view)) return false;
  // The limiter with a wrong status; `8/limit-enforced` reports it.
  if (errorNameOf(view) === 'tooManyRequests') return false;
  if (!GOOD_KEYS.includes(exchange.role)) return true;
  // This key is there to be refused; §8 judges those refusals.
  if (exchange.role === 'nearQuota' && status >= 400) return false;
  // In recorded traffic the key may have been revoked meanwhile.
  if (
    context.partial === true &&
    (status === 401 || (status === 403 && exchange.role !== 'restricted'))
  )
    return false;
  if (status === 401) return exchange.key !== null && context.acceptedKeys.has(exchange.key);
  // The requirements on restricted keys judge this.
  if (exchange.role === 'restricted') return true;
  return status !== 403 || isForbiddenWrongly(view, context);
}

/** A key that works on this many endpoints is a fully valid key. */
const MANY_ENDPOINTS = 5;

/**
 * Whether a valid key gets a 403 although it has access: it worked on this endpoint or on many others (§5 rule 3). A
 * key with partial access belongs under keys.restricted.
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
