import type { Call, Reply } from '../core/call.ts';
import { isList, isObject, type Json, type JsonObject } from '../core/json.ts';
import { hashOf } from '../core/random.ts';
import { readParams } from '../endpoints/params.ts';
import { route, type Endpoint } from '../endpoints/table.ts';
import type { World } from '../worlds/world.ts';
import { Refusal, refusalReply } from './errors.ts';
import type { Hooks } from './hooks.ts';
import { forbidden, keysOf, QUOTA_LEFT, statusOf } from './keys.ts';
import { limiterOf, STATED, type Ticket } from './limiter.ts';

/** One request as the transport hands it over. */
export interface Incoming {
  readonly method: string;
  /** Path, still percent-encoded. */
  readonly pathname: string;
  readonly query: URLSearchParams;
  readonly key: string | undefined;
  readonly now: number;
  readonly count: number;
}

/** The service without a socket: requests in, replies out. */
export interface Service {
  answer(incoming: Incoming): Reply;
}

/** What is known of a request while it is checked. */
interface State {
  readonly call: Call;
  readonly incoming: Incoming;
  endpoint?: Endpoint;
  ticket?: Ticket;
  keyed: boolean;
}

/** A service of a world; hooks make it a defective one. */
export function serviceOf(world: World, hooks: Hooks = {}): Service {
  const keys = keysOf(world);
  const plain = limiterOf(world, { ...STATED, ...hooks.limits });
  const limiter = hooks.limiter?.(plain) ?? plain;
  let left = QUOTA_LEFT + (hooks.quotaOff ?? 0);

  function checkKey({ call }: State): void {
    const found = statusOf(keys, call.key);
    const held = hooks.status?.(call, found) ?? found;
    if (held === 'expired') throw new Refusal('expired');
    if (held === 'unknown') throw new Refusal('key');
  }

  function checkAccess(state: State): void {
    if (!state.keyed || state.endpoint === undefined) return;
    const { call } = state;
    const refused = call.key === keys.restricted && forbidden(world).includes(call.template);
    if (hooks.forbidden?.(call, refused) ?? refused)
      throw new Refusal('permission', { details: { endpoint: call.template } });
  }

  function checkLimit(state: State): void {
    const { call } = state;
    const key = call.key ?? '';
    const name = hooks.countedAs === undefined ? key : hooks.countedAs(call, key);
    if (name === undefined) return;
    if (
      world.choice('shared-key') === 'now-and-then' &&
      key === keys.valid[0] &&
      call.count % 9 === 4
    ) {
      limiter.take(name, call.now);
    }
    const ticket = limiter.take(name, call.now);
    state.ticket = ticket;
    if (!ticket.admitted) {
      const wait = ticket.reset - call.now;
      const retry_after =
        world.choice('retry-after') === 'ms'
          ? Math.max(1, wait)
          : Math.max(1, Math.ceil(wait / 1000));
      throw new Refusal('rate', { details: { limit: 20, window: '60s', retry_after } });
    }
    if (key !== keys.nearQuota) return;
    if (left <= 0) throw new Refusal('quota', { details: { quota: 100_000, period: 'month' } });
    left -= 1;
  }

  function checkRoute(state: State): void {
    const { incoming, call } = state;
    const slash = world.choice('trailing-slash') === 'same' && incoming.pathname.length > 1;
    const found = route(slash ? incoming.pathname.replace(/\/$/, '') : incoming.pathname);
    if (found === undefined)
      throw new Refusal('endpoint', {
        details: { path: call.pathname, suggestion: 'See the list of endpoints.' },
      });
    const method = world.choice('no-such-method');
    if (!['GET', 'HEAD'].includes(incoming.method) && method !== 'as-get') {
      throw new Refusal(method === '405' ? 'method' : 'endpoint', {
        details: { method: incoming.method },
      });
    }
    state.endpoint = found.endpoint;
    call.template = found.endpoint.template;
    call.path = found.path;
  }

  function checkValues({ call, endpoint }: State): void {
    const { params, checkPath } = endpoint ?? {};
    if (params === undefined) return;
    if (world.choice('path-checked') === 'before-the-query') checkPath?.(call);
    call.values = readParams(call, typeof params === 'function' ? params(world) : params);
    hooks.values?.(call);
  }

  const steps: Readonly<Record<string, (state: State) => void>> = {
    key: (state) => {
      checkKey(state);
      state.keyed = true;
      checkAccess(state);
    },
    limit: checkLimit,
    route: (state) => {
      checkRoute(state);
      checkAccess(state);
    },
    values: checkValues,
  };
  const order = world.choice('order').split('-');

  function decide(state: State): Reply {
    try {
      for (const step of order) steps[step]?.(state);
      if (state.endpoint === undefined) throw new Refusal('endpoint');
      return { status: 200, headers: {}, body: dressed(world, state.endpoint.answer(state.call)) };
    } catch (error) {
      if (error instanceof Refusal)
        return missingKey(world, state.call, refusalReply(world, error));
      throw error;
    }
  }

  return {
    answer: (incoming) => {
      const { method, pathname, key, now, count } = incoming;
      const query = new Map([...incoming.query].toReversed());
      const call: Call = {
        world,
        method,
        pathname,
        template: '',
        path: {},
        query,
        now,
        count,
        key,
        values: {},
      };
      const state: State = { call, incoming, keyed: false };
      const reply = decide(state);
      announce(world, call, reply, state.ticket);
      return reply;
    },
  };
}

/** The code for a key that was not sent at all is a choice. */
function missingKey(world: World, call: Call, reply: Reply): Reply {
  const choice = world.choice('missing-key');
  if (call.key !== undefined || reply.status !== 401 || choice === '400101') return reply;
  const body = { ...(reply.body as JsonObject), code: Number(choice), message: 'API key missing' };
  return { ...reply, body };
}

/** Fields of its own, and their order, as the world has them. */
function dressed(world: World, body: Json): Json {
  const extra = world.choice('extra-fields');
  const shuffled = world.choice('key-order') === 'shuffled';
  if (extra === 'none' && !shuffled) return body;
  let first = true;
  const walk = (value: Json): Json => {
    if (isList(value)) return value.map(walk);
    if (!isObject(value)) return value;
    let entries = Object.entries(value).map(
      ([name, one]) => [name, one === undefined ? one : walk(one)] as const,
    );
    if (shuffled) entries = entries.toSorted((a, b) => hashOf(a[0]) - hashOf(b[0]));
    const record = !('list' in value);
    const more = record && (extra === 'everywhere' || (extra === 'one-record' && first));
    if (record) first = false;
    return { ...Object.fromEntries(entries), ...(more ? { x_revision: 3, x_note: null } : {}) };
  };
  return walk(body);
}

/** Announces the window in the headers of a reply. */
function announce(world: World, call: Call, reply: Reply, ticket: Ticket | undefined): void {
  if (ticket === undefined) return;
  const choice = world.choice('limit-headers');
  const refused = !ticket.admitted;
  if (choice === 'refusal-only' && !refused) return;
  if (choice === 'good-and-refusal' && !refused && reply.status !== 200) return;
  if (choice === 'not-on-404' && reply.status === 404) return;
  const name = (text: string): string =>
    world.choice('header-case') === 'lower' ? text.toLowerCase() : text;
  reply.headers[name('X-RateLimit-Limit')] = '20';
  reply.headers[name('X-RateLimit-Remaining')] = String(ticket.remaining);
  reply.headers[name('X-RateLimit-Reset')] = String(resetOf(world, call, ticket.reset));
  if (refused && world.choice('retry-header') === 'yes') {
    reply.headers['Retry-After'] = String(Math.max(1, Math.ceil((ticket.reset - call.now) / 1000)));
  }
}

function resetOf(world: World, call: Call, reset: number): number {
  return world.of('reset', {
    exact: reset,
    ttl: reset + (call.count % 4),
    'seconds-up': Math.ceil(reset / 1000) * 1000,
    jitter: reset + (hashOf(String(call.count)) % 9) - 4,
  });
}
