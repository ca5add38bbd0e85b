import { endpoint, type Endpoint } from '../spec/endpoints.ts';
import type { Exchange, ExchangeResponse } from '../spec/exchange.ts';
import type { ResourceName } from '../spec/resources.ts';
import { isEnveloped } from '../spec/envelope.ts';
import type { Facts } from './facts.ts';
import { isFromCache, madeAt } from './origin/from-cache.ts';
import { isObject, jsonValue } from '../text/json-value.ts';

export { isObject } from '../text/json-value.ts';

/** One record of an answer and where it stands. */
export interface RecordAt {
  /** JSON pointer from the root of the response body as sent. */
  readonly pointer: string;
  readonly value: unknown;
}

/** An exchange made ready for judging: body parsed once, envelope taken off, records at hand. */
export interface View {
  readonly exchange: Exchange;
  readonly response: ExchangeResponse;
  readonly status: number;
  /** Null for paths outside of §4. */
  readonly endpoint: Endpoint | null;
  readonly resource: ResourceName | null;
  /** Query parameters; of a repeated one the first value. */
  readonly query: ReadonlyMap<string, string>;
  /** False when the body is not JSON. */
  readonly isJson: boolean;
  /** The parsed body, with the envelope taken off when the facts ask for that. `undefined` when not JSON. */
  readonly body: unknown;
  /** Pointer of `body` inside the body as sent: empty, or the envelope's key. */
  readonly root: string;
  /** True when the body as sent is an envelope around the real one (ruling 21). */
  readonly wrapped: boolean;
  /** 2xx. */
  readonly ok: boolean;
  /** The records of a successful answer; empty when it has none or the shape is not the stated one. */
  readonly records: readonly RecordAt[];
  /** Target's time when it answered, epoch ms, as well as it is known; of an answer from a cache, when it was made. */
  readonly now: number;
  /** True for an answer that a cache on the way gave. It is judged by itself, and neither counted nor compared with others. */
  readonly fromCache: boolean;
}

function recordsOf(body: unknown, root: string, shape: Endpoint | null): readonly RecordAt[] {
  if (shape === null) return [];
  const { kind } = shape.response;
  if (kind === 'object') return isObject(body) ? [{ pointer: root, value: body }] : [];
  const place = kind === 'page' ? `${root}/list` : root;
  const list: unknown = kind === 'page' && isObject(body) ? body['list'] : body;
  if (kind === 'unstated' || !Array.isArray(list)) return [];
  return list.map((value: unknown, index) => ({ pointer: `${place}/${index}`, value }));
}

/**
 * Whether a successful answer has the stated outer form: an object, an array, a page with its list, any JSON where the
 * form is not stated (§4.7). An empty list is well-formed.
 */
export function isWellFormed({ ok, isJson, body, endpoint: shape }: View): boolean {
  if (!ok || !isJson) return false;
  switch (shape?.response.kind) {
    case 'object':
      return isObject(body) && Object.keys(body).length > 0;
    case 'array':
      return Array.isArray(body);
    case 'page':
      return isObject(body) && Array.isArray(body['list']);
    default:
      return true;
  }
}

const views = new WeakMap<Exchange, Map<string | null, View>>();

/**
 * The view of an exchange, or `undefined` when there is nothing whole to judge: no response arrived, or it was cut when
 * it was recorded. Kept as long as the exchange lives.
 */
export function viewOf(exchange: Exchange, facts: Facts): View | undefined {
  const { response } = exchange;
  if (response === null || response.truncated === true || response.limitsOnly === true) {
    return undefined;
  }
  let perEnvelope = views.get(exchange);
  if (perEnvelope === undefined) views.set(exchange, (perEnvelope = new Map()));
  let view = perEnvelope.get(facts.envelope);
  if (view === undefined) {
    perEnvelope.set(facts.envelope, (view = makeView(exchange, response, facts)));
  }
  return view;
}

/** Forgets the views of exchanges that were judged: the parsed bodies take several times the memory of their texts. */
export function forgetViews(exchanges: Iterable<Exchange>): void {
  for (const exchange of exchanges) views.delete(exchange);
}

/** The view of an exchange for rules that read only what the limiter says, which may be all that was recorded. */
export function limitsViewOf(exchange: Exchange, facts: Facts): View | undefined {
  const { response } = exchange;
  return response?.limitsOnly === true
    ? makeView(exchange, response, facts)
    : viewOf(exchange, facts);
}

/** True when nothing can be said about the body, for it was not recorded. */
export const lacksBody = ({ response }: View): boolean =>
  response.limitsOnly === true && response.text === '';

/** Whether a cache gave the answer. Where the clock of the target was told or measured, `Date` may go by another one. */
export function isOfCache(
  { response, sentAt, skewMs }: Exchange,
  { clockTold, load }: Facts,
): boolean {
  if (response === null) return false;
  return isFromCache(
    response.headers,
    clockTold === true || load !== undefined ? undefined : sentAt + skewMs,
  );
}

function makeView(exchange: Exchange, response: ExchangeResponse, facts: Facts): View {
  const shape = exchange.endpoint === null ? null : endpoint(exchange.endpoint);
  const ok = response.status >= 200 && response.status < 300;
  let sent: unknown;
  let isJson = response.text !== '';
  try {
    if (isJson) sent = jsonValue(response.text);
  } catch {
    isJson = false;
  }
  const { envelope } = facts;
  const unwrap = envelope !== null && isObject(sent) && envelope in sent && ok;
  const body = unwrap && isObject(sent) ? sent[envelope] : sent;
  const root = unwrap ? `/${envelope}` : '';
  const fromCache = isOfCache(exchange, facts);
  const arrivedAt = exchange.receivedAt + exchange.skewMs;
  return {
    exchange,
    response,
    status: response.status,
    endpoint: shape,
    resource: shape?.response.resource ?? null,
    query: new Map(exchange.request.query.toReversed()),
    isJson,
    body,
    root,
    wrapped: envelope === null && ok && shape !== null && isEnveloped(sent, shape),
    ok,
    records: ok ? recordsOf(body, root, shape) : [],
    now: fromCache ? madeAt(response.headers, arrivedAt) : arrivedAt,
    fromCache,
  };
}

/** The request of an answer in a few words: `GET /path`. */
export const requestName = ({ exchange: { endpoint: path, request } }: View): string =>
  `${request.method} ${path ?? request.path}`;
