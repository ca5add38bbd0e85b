import { unescape } from 'node:querystring';
import { readParams, type Call, type Endpoints } from './call.ts';
import { hashOf, MINUTE } from './core.ts';
import { CURRENCIES, currencyOf } from './currencies.ts';
import { ETFS } from './etfs.ts';
import { STOCKS } from './prices.ts';
import { OTHERS } from './lists.ts';
import { MACRO } from './macro.ts';
import { NEWS } from './news.ts';
import { PAIRS } from './pairs.ts';
import { Refusal, replyTo } from './refusals.ts';
import type { World } from './world.ts';

/** Where a defect may take hold of a request on its way. Every hook may be left out. */
export interface Hooks {
  /** After the parameters were checked; may change `call.values`. */
  values?(call: Call): void;
  /** The status of a key. */
  status?(call: Call, status: Status): Status;
  /** Whether a key is refused an endpoint. */
  forbidden?(call: Call, forbidden: boolean): boolean;
  /** Name under which requests are counted; undefined for not at all. */
  countedAs?(call: Call, key: string): string | undefined;
  readonly limits?: Partial<LimiterSettings>;
  /** Another limiter around, or instead of, the right one. */
  limiter?(limiter: Limiter): Limiter;
  /** Requests that the key near its quota may send beyond what is left to it. */
  readonly quotaOff?: number;
}

type Status = 'good' | 'unknown' | 'expired';

/** What is left to the key near its quota when the service starts. */
export const QUOTA_LEFT = 5;

/** The keys of a world. */
export function keysOf({ seed }: World) {
  const key = (name: string): string => {
    const [a, b] = ['a', 'b'].map((part) => hashOf(`${seed} ${name} ${part}`).toString(36));
    return `ik-${a}${b}-${name}`;
  };
  return {
    valid: [key('one'), key('two'), key('three')],
    disabled: key('off'),
    expired: key('old'),
    restricted: key('narrow'),
    nearQuota: key('last'),
  };
}

const FORBIDDEN = {
  news: ['/news', '/news/featured', '/news/hot', '/news/search'],
  etfs: ['/etfs/summary-history', '/etfs/{ticker}/history'],
  many: [
    '/news',
    '/currencies/{currency_id}',
    '/crypto-stocks',
    '/analyses',
    '/macro/events/{event}/history',
  ],
};

/** Path templates that the restricted key may not call. */
export const forbidden = (world: World): readonly string[] => world.of('restricted-to', FORBIDDEN);

/** What a defect may change about the counting. */
interface LimiterSettings {
  readonly requests: number;
  readonly windowMs: number;
}

/** What the limiter says of a request; `reset` is when the window ends, epoch ms. */
interface Ticket {
  readonly admitted: boolean;
  readonly remaining: number;
  readonly reset: number;
}

/** Counts the requests of every key. */
type Limiter = (key: string, now: number) => Ticket;

/** The limiter of a world. */
function limiterOf(world: World, { requests, windowMs }: LimiterSettings): Limiter {
  /** Windows that begin with the first request, or with the clock. */
  const windows = (startOf: (now: number, key: string) => number): Limiter => {
    const open = new Map<string, { start: number; used: number }>();
    return (key, now) => {
      let window = open.get(key);
      if (window === undefined || now >= window.start + windowMs) {
        window = { start: startOf(now, key), used: 0 };
        open.set(key, window);
      }
      const admitted = window.used < requests;
      if (admitted) window.used += 1;
      return { admitted, remaining: requests - window.used, reset: window.start + windowMs };
    };
  };
  /** A log of the last minute; the reset is when the next request would be admitted or the oldest leaves. */
  const sliding = (countsRefused: boolean): Limiter => {
    const logs = new Map<string, number[]>();
    return (key, now) => {
      const log = (logs.get(key) ?? []).filter((time) => time > now - windowMs);
      const admitted = log.length < requests;
      if (admitted || countsRefused) log.push(now);
      logs.set(key, log);
      const first = log[Math.max(0, log.length - requests)] ?? now;
      return { admitted, remaining: Math.max(0, requests - log.length), reset: first + windowMs };
    };
  };
  return world.of('limiter', {
    fixed: windows((now) => now),
    aligned: windows((now) => now - (now % windowMs)),
    'aligned-by-key': windows((now, key) => now - ((now + (hashOf(key) % windowMs)) % windowMs)),
    sliding: sliding(false),
    'sliding-counts-refused': sliding(true),
    // Twenty tokens that all come back at the announced reset: from outside, a window.
    bucket: windows((now) => now),
  });
}

/** All endpoints. */
const ALL: Endpoints = {
  ...CURRENCIES,
  ...ETFS,
  ...STOCKS,
  ...MACRO,
  ...NEWS,
  ...OTHERS,
  ...PAIRS,
};

/** The endpoint of a path that is still encoded, with the values of its placeholders; undefined when it has none. */
function route(pathname: string) {
  const parts = pathname.split('/');
  for (const [template, endpoint] of Object.entries(ALL)) {
    const words = template.split('/');
    const path: Record<string, string> = {};
    const fits = words.every((word, i) => {
      const part = parts[i] ?? '';
      if (word.startsWith('{')) path[word.slice(1, -1)] = unescape(part);
      return word.startsWith('{') ? part !== '' : word === part;
    });
    if (fits && words.length === parts.length) return { ...endpoint, template, path };
  }
  return undefined;
}

/** The service of a world without a socket: requests in, replies out. Hooks make it a defective one. */
export function serviceOf(world: World, hooks: Hooks = {}) {
  const keys = keysOf(world);
  const admittedKeys = [...keys.valid, keys.restricted, keys.nearQuota];
  const plain = limiterOf(world, { requests: 20, windowMs: MINUTE, ...hooks.limits });
  const take = hooks.limiter?.(plain) ?? plain;
  let left = QUOTA_LEFT + (hooks.quotaOff ?? 0);

  return (call: Call) => {
    const { key = '', now, method } = call;
    let endpoint: ReturnType<typeof route>;
    let keyed = false;
    let ticket: Ticket | undefined;

    function checkAccess(): void {
      if (!keyed || endpoint === undefined) return;
      const refused = key === keys.restricted && forbidden(world).includes(call.template);
      if (hooks.forbidden?.(call, refused) ?? refused)
        throw new Refusal('permission', { details: { endpoint: call.template } });
    }

    const checks: Readonly<Record<string, () => void>> = {
      key() {
        // Keys are compared as they are: no trimming, no folding.
        const found = admittedKeys.includes(key) ? 'good' : 'unknown';
        const plainly = key === keys.expired ? 'expired' : found;
        const status = hooks.status?.(call, plainly) ?? plainly;
        const solution = 'Send a key in use, or apply for a new one.';
        const details = { header: 'X-API-KEY', solution };
        if (status === 'expired') throw new Refusal('expired', { details });
        if (status === 'unknown') {
          const own = call.key === undefined && !world.is('missing-key', '400101');
          const missing = { code: world.count('missing-key'), message: 'API key missing' };
          throw new Refusal('key', { details, ...(own && missing) });
        }
        keyed = true;
        checkAccess();
      },

      limit() {
        const name = hooks.countedAs === undefined ? key : hooks.countedAs(call, key);
        if (name === undefined) return;
        const shared = world.is('shared-key', 'now-and-then') && key === keys.valid[0];
        if (shared && call.count % 9 === 4) take(name, now);
        ticket = take(name, now);
        if (!ticket.admitted) {
          const wait = world.is('retry-after', 'ms') ? ticket.reset - now : secondsTo(ticket, now);
          const retry_after = Math.max(1, wait);
          throw new Refusal('rate', { details: { limit: 20, window: '60s', retry_after } });
        }
        if (key !== keys.nearQuota) return;
        if (left <= 0) throw new Refusal('quota', { details: { quota: 100_000, period: 'month' } });
        left -= 1;
      },

      route() {
        const { pathname } = call;
        const same = world.is('trailing-slash', 'same') && pathname.length > 1;
        endpoint = route(same ? pathname.replace(/\/$/, '') : pathname);
        if (endpoint === undefined) {
          const suggestion = 'See the list of endpoints.';
          throw new Refusal('endpoint', { details: { path: pathname, suggestion } });
        }
        const other = world.choice('no-such-method');
        if (!['GET', 'HEAD'].includes(method) && other !== 'as-get')
          throw new Refusal(other === '405' ? 'method' : 'endpoint', { details: { method } });
        call.template = endpoint.template;
        call.path = endpoint.path;
        checkAccess();
      },

      values() {
        const params = endpoint?.params;
        if (params === undefined) return;
        if (world.is('path-checked', 'before-the-query') && 'currency_id' in call.path)
          currencyOf(call);
        call.values = readParams(call, typeof params === 'function' ? params(world) : params);
        hooks.values?.(call);
      },
    };

    let reply: { status: number; body: unknown };
    try {
      for (const check of world.choice('order').split('-')) checks[check]?.();
      if (endpoint === undefined) throw new Refusal('endpoint');
      reply = { status: 200, body: dressed(world, endpoint.answer(call)) };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      reply = replyTo(world, error);
    }
    return {
      ...reply,
      headers: ticket === undefined ? {} : limitHeaders(call, reply.status, ticket),
    };
  };
}

/** Fields that nobody states, and the order of all, as the world has them. */
function dressed(world: World, body: unknown): unknown {
  const extra = world.choice('extra-fields');
  const shuffled = world.is('key-order', 'shuffled');
  if (extra === 'none' && !shuffled) return body;
  let first = true;
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(([name, one]) => [name, walk(one)] as const);
    if (shuffled) entries.sort(([a], [b]) => hashOf(a) - hashOf(b));
    const record = !('list' in value);
    const more = record && (extra === 'everywhere' || (extra === 'one-record' && first));
    if (record) first = false;
    return { ...Object.fromEntries(entries), ...(more && { x_revision: 3, x_note: null }) };
  };
  return walk(body);
}

const secondsTo = ({ reset }: Ticket, now: number): number =>
  Math.max(1, Math.ceil((reset - now) / 1000));

/** The headers that announce the window, if a reply with this status has them. */
function limitHeaders(
  { world, now, count }: Call,
  status: number,
  ticket: Ticket,
): Record<string, string> {
  const { admitted, remaining, reset } = ticket;
  const told = world.of('limit-headers', {
    all: true,
    'refusal-only': !admitted,
    'good-and-refusal': !admitted || status === 200,
    'not-on-404': status !== 404,
  });
  if (!told) return {};
  const shown = world.of('reset', {
    exact: reset,
    ttl: reset + (count % 4),
    'seconds-up': Math.ceil(reset / 1000) * 1000,
    jitter: reset + (hashOf(String(count)) % 9) - 4,
  });
  const name = (text: string): string =>
    world.is('header-case', 'lower') ? text.toLowerCase() : text;
  const retry = !admitted && world.is('retry-header', 'yes');
  return {
    [name('X-RateLimit-Limit')]: '20',
    [name('X-RateLimit-Remaining')]: String(remaining),
    [name('X-RateLimit-Reset')]: String(shown),
    ...(retry && { 'Retry-After': String(secondsTo(ticket, now)) }),
  };
}
