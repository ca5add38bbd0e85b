import { endpoint, type Endpoint } from '../spec/endpoints.ts';
import type { Exchange, ExchangeResponse } from '../spec/exchange.ts';
import type { ResourceName } from '../spec/resources.ts';
import { isEnveloped } from '../spec/envelope.ts';
import type { Facts } from './facts.ts';
import { isFromCache } from './origin/from-cache.ts';
import { isObject, jsonValue } from '../text/json-value.ts';

export { isObject } from '../text/json-value.ts';

export interface RecordAt {
  /** JSON pointer from the root of the body as sent. */
  readonly pointer: string;
  readonly value: unknown;
}

/** An exchange prepared for judging: body parsed, envelope removed, records extracted. */
export interface View {
  readonly exchange: Exchange;
  readonly response: ExchangeResponse;
  readonly status: number;
  /** Null for paths outside §4. */
  readonly endpoint: Endpoint | null;
  readonly resource: ResourceName | null;
  /** First value of each query parameter. */
  readonly query: ReadonlyMap<string, string>;
  readonly isJson: boolean;
  /** The parsed body without its envelope; `undefined` if not JSON. */
  readonly body: unknown;
  /** Pointer of `body` in the body as sent: empty, or the envelope's key. */
  readonly root: string;
  /** True if the body as sent is an envelope around the specified one (ruling 21). */
  readonly wrapped: boolean;
  /** 2xx. */
  readonly ok: boolean;
  /** Records of a successful answer of the specified shape. */
  readonly records: readonly RecordAt[];
  /** Estimated target time of the answer, epoch ms. */
  readonly now: number;
  /** True if a cache answered. Such an answer is judged alone, never counted or compared with others. */
  readonly fromCache: boolean;
}

function recordsOf(body: unknown, root: string, shape: Endpoint | null): readonly RecordAt[] {
  if (shape === null) return [];
  const { kind } = shape.response;
  if (kind === 'object') return isObject(body) ? [{ pointer: root, value: body }] : [];
  const parent = kind === 'page' ? `${root}/list` : root;
  const list: unknown = kind === 'page' && isObject(body) ? body['list'] : body;
  if (kind === 'unstated' || !Array.isArray(list)) return [];
  return list.map((value: unknown, index) => ({ pointer: `${parent}/${index}`, value }));
}

const views = new WeakMap<Exchange, Map<string | null, View>>();

/**
 * The view of an exchange; `undefined` if no response arrived or it was truncated when recorded. Cached for the
 * lifetime of the exchange.
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

/** Frees the views of judged exchanges: parsed bodies take several times the memory of their text. */
export function forgetViews(exchanges: Iterable<Exchange>): void {
  for (const exchange of exchanges) views.delete(exchange);
}

/** For rules that read only the rate-limit headers, which may be all that was recorded. */
export function limitsViewOf(exchange: Exchange, facts: Facts): View | undefined {
  const { response } = exchange;
  return response?.limitsOnly === true
    ? makeView(exchange, response, facts)
    : viewOf(exchange, facts);
}

/** Whether the body was not recorded. */
export const lacksBody = ({ response }: View): boolean =>
  response.limitsOnly === true && response.text === '';

/**
 * Whether a cache answered. If the target's clock was reported or measured, `Date` may follow a different clock and is
 * ignored.
 */
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
    now: Math.round(exchange.receivedAt) + exchange.skewMs,
    fromCache: isOfCache(exchange, facts),
  };
}

export const requestName = ({
  exchange: { endpoint: path, request },
}: Pick<View, 'exchange'>): string => `${request.method} ${path ?? request.path}`;

/** `total` of the paging envelope, if it is a number. */
export function totalOf({ body }: Pick<View, 'body'>): number | undefined {
  const total = isObject(body) ? body['total'] : undefined;
  return typeof total === 'number' ? total : undefined;
}
