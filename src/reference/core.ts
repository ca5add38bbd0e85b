import {
  KEY_REFUSALS,
  methodNotAllowed,
  quotaUsedUp,
  rateRefusal,
  unknownPath,
  written,
} from './canned.ts';
import type { WrittenContent } from './canned.ts';
import type { Clock } from './clock.ts';
import { createContents, DATA_STEP_MS } from './content.ts';
import type { Answer, Context, HookLists } from './hooks.ts';
import type { KeyRecord } from './keys.ts';
import type { Admission, Limiter, Quota } from './limiter.ts';
import { findRoute } from './router.ts';
import type { Route } from './router.ts';
import type { Settings } from './settings.ts';
import type { World } from './world.ts';

/** A response ready to be written. */
export interface Reply {
  readonly status: number;
  /** Names and values in turn, as `http.ServerResponse.writeHead` takes them. */
  readonly headers: string[];
  readonly text: string;
  readonly bytes: Buffer;
  readonly delayMs: number;
}

/** Answers one request. `rawHeaders`: names and values in turn, as sent. */
export type Respond = (
  method: string,
  url: string,
  apiKey: string | undefined,
  rawHeaders: readonly string[],
) => Reply;

export interface CoreOptions {
  readonly clock: Clock;
  readonly basePath: string;
  readonly keys: ReadonlyMap<string, KeyRecord>;
  readonly limiter: Limiter;
  readonly quota: Quota;
  readonly windowMs: number;
  readonly settings: Settings;
  readonly hooks: HookLists;
  readonly world: World;
  /** False when contents may depend on more than path, query and minute. */
  readonly cache: boolean;
}

/** One incoming request. */
interface Incoming {
  readonly method: string;
  readonly url: string;
  readonly apiKey: string | undefined;
  readonly rawHeaders: readonly string[];
  readonly now: number;
}

/** Content with its text, cached while the data stays constant. */
interface Prepared extends WrittenContent {
  readonly route: Route | undefined;
  readonly query: ReadonlyMap<string, string>;
}

/** Maximum bytes of cached content. */
const CACHE_BYTES = 32 * 1024 * 1024;

/**
 * The server without a socket: from method, URL and key to the answer, in one synchronous step. Order of the checks:
 * key, rate limit, quota, path, access to the endpoint, parameters, existence; settings may put others first.
 */
export function createCore(options: CoreOptions): Respond {
  const { clock, basePath, keys, limiter, quota, windowMs, settings, hooks, world } = options;
  const contents = createContents({ settings, hooks, world });
  const firstWindow = Math.floor(clock.now() / windowMs);
  const prepared = new Map<string, Prepared>();
  let preparedBytes = 0;
  let step = Number.NaN;

  const routeOf = (method: string, url: string): Route | undefined => {
    const asGet = method === 'GET' || (method === 'HEAD' && settings.methods === 'head-like-get');
    if (!asGet || !url.startsWith(basePath)) return undefined;
    return findRoute(url.slice(basePath.length));
  };

  const unrouted = (method: string, url: string): WrittenContent =>
    method !== 'GET' && settings.methods !== 'unknown-endpoint'
      ? methodNotAllowed(method)
      : unknownPath(pathOf(url));

  const prepare = (request: Incoming): Prepared => {
    const { method, url, now } = request;
    const currentStep = Math.floor(now / DATA_STEP_MS);
    if (currentStep !== step) {
      step = currentStep;
      prepared.clear();
      preparedBytes = 0;
    }
    // HEAD is handled like GET of the same URL, or refused.
    const cacheable = options.cache && method === 'GET';
    const known = cacheable ? prepared.get(url) : undefined;
    if (known !== undefined) return known;
    const route = routeOf(method, url);
    const query = queryOf(url);
    const content =
      route === undefined
        ? unrouted(method, url)
        : written(contents(route.endpoint, contextOf(request, undefined, route, query)));
    const made = { ...content, route, query };
    if (cacheable) {
      preparedBytes += made.bytes.length + url.length;
      if (preparedBytes > CACHE_BYTES) {
        prepared.clear();
        preparedBytes = made.bytes.length + url.length;
      }
      prepared.set(url, made);
    }
    return made;
  };

  const contextOf = (
    { method, url, now, apiKey, rawHeaders }: Incoming,
    admission?: Admission,
    route = routeOf(method, url),
    query = queryOf(url),
  ): Context => ({
    method,
    endpoint: route?.endpoint ?? null,
    path: route?.path ?? {},
    query,
    now,
    apiKey,
    rawHeaders,
    key: apiKey === undefined ? undefined : keys.get(apiKey),
    admission,
    window: Math.floor(now / windowMs) - firstWindow,
    world,
  });

  const write = (
    request: Incoming,
    content: WrittenContent,
    admission: Admission | undefined,
  ): Reply => {
    const { now } = request;
    const { status, text, bytes } = content;
    const head: (readonly [name: string, value: string])[] = [
      ['Date', new Date(now).toUTCString()],
      ['Content-Type', 'application/json; charset=utf-8'],
    ];
    if (admission !== undefined) {
      head.push(['X-RateLimit-Limit', String(admission.limit)]);
      head.push(['X-RateLimit-Remaining', String(admission.remaining)]);
      head.push(['X-RateLimit-Reset', String(admission.resetAt)]);
    }
    if (status === 405) head.push(['Allow', 'GET']);
    if (hooks.answer === undefined) {
      head.push(['Content-Length', String(bytes.length)]);
      return { status, headers: head.flat(), text, bytes, delayMs: 0 };
    }
    const context = contextOf(request, admission);
    let answer: Answer = {
      status,
      headers: Object.fromEntries(head.map(([name, value]) => [name.toLowerCase(), value])),
      value: content.value,
    };
    for (const hook of hooks.answer) answer = hook(answer, context);
    const body = answer.text ?? JSON.stringify(answer.value);
    const buffer = Buffer.from(body);
    const headers = { ...answer.headers, 'content-length': String(buffer.length) };
    return {
      status: answer.status,
      headers: Object.entries(headers).flat(),
      text: body,
      bytes: buffer,
      delayMs: answer.delayMs ?? 0,
    };
  };

  return (method, url, apiKey, rawHeaders) => {
    const now = clock.now();
    const request: Incoming = { method, url, apiKey, rawHeaders, now };
    if (settings.firstCheck !== 'key' && routeOf(method, url) === undefined) {
      return write(request, unrouted(method, url), undefined);
    }
    if (settings.firstCheck === 'request') {
      const validated = prepare(request);
      if (validated.status === 400) return write(request, validated, undefined);
    }

    // Requests without a valid key are not counted.
    let key = apiKey === undefined ? undefined : keys.get(apiKey);
    let context: Context | undefined;
    if (hooks.key !== undefined || hooks.bucket !== undefined || hooks.admission !== undefined) {
      context = contextOf(request);
      for (const hook of hooks.key ?? []) key = hook(key, context);
    }
    if (key === undefined)
      return write(request, KEY_REFUSALS[apiKey === undefined ? 'none' : 'bad'], undefined);
    if (key.state !== 'active') {
      return write(request, KEY_REFUSALS[key.state === 'expired' ? 'expired' : 'bad'], undefined);
    }

    // Limits. Nothing asynchronous may come between these lines: the check is the count.
    let bucket = key.key;
    for (const hook of hooks.bucket ?? []) if (context) bucket = hook(bucket, context);
    let admission = limiter.take(bucket, now);
    const taken = admission;
    for (const hook of hooks.admission ?? []) if (context) admission = hook(admission, context);
    if (!admission.admitted) return write(request, rateRefusal(admission, now), admission);
    if (!quota.take(key.key, now)) return write(request, quotaUsedUp(quota, now), admission);

    const content = prepare(request);
    const endpoint = content.route?.endpoint;
    const forbidden = endpoint !== undefined && key.forbidden.has(endpoint);
    const final = forbidden ? KEY_REFUSALS.forbidden : content;
    if (final.status >= 400 && settings.counted === 'successes') {
      quota.refund(key.key, now);
      admission = { ...limiter.refund(bucket, now, taken), admitted: true };
    }
    return write(request, final, admission);
  };
}

/** First value of each name; malformed percent-encoding is kept as it is. */
function queryOf(url: string): ReadonlyMap<string, string> {
  const query = new Map<string, string>();
  const start = url.indexOf('?');
  if (start === -1) return query;
  const end = url.indexOf('#', start);
  for (const [name, value] of new URLSearchParams(url.slice(start, end === -1 ? undefined : end))) {
    if (!query.has(name)) query.set(name, value);
  }
  return query;
}

function pathOf(url: string): string {
  return url.split(/[?#]/, 1)[0] ?? url;
}
