import { MONTHLY_QUOTA, RATE_LIMIT, RATE_WINDOW_MS } from '../spec/limits.ts';
import { systemClock } from './clock.ts';
import type { Clock, MovableClock } from './clock.ts';
import { createCore } from './core.ts';
import { createWorld } from './data/world.ts';
import { collectHooks, type HookLists, type Modification } from './hooks.ts';
import { listenHttp } from './http-server.ts';
import type { Listening, ListenOptions } from './http-server.ts';
import { issueKeys, keyRegistry } from './keys.ts';
import type { KeyOptions, ReferenceKeys } from './keys.ts';
import { fixedWindow, monthlyQuota, type Limiter } from './limiter.ts';
import { DEFAULT_SETTINGS } from './settings.ts';
import { referenceTarget } from './target-file.ts';
import type { ReferenceTarget } from './target-file.ts';
import type { Fault } from './faults/fault.ts';
import type { OperatorFault } from './operators/operators.ts';
import type { Variant } from './choices/choices.ts';
import type { World } from './world.ts';

/** Settings of a server, apart from faults and variants. */
export interface ServerOptions {
  /** Seed of the data; 1 by default. */
  readonly seed?: number;
  /** The system clock by default. */
  readonly clock?: Clock;
  /** Requests per key per window; 20 by default (§8). */
  readonly limit?: number;
  /** Length of the window in ms; 60 000 by default (§8). Texts such as "60s" stay when it is scaled. */
  readonly windowMs?: number;
  /** Requests per key per month; 100 000 by default (§8). */
  readonly quota?: number;
  readonly keys?: KeyOptions;
  /** Further changes, applied after variants and before faults. */
  readonly modifications?: readonly Modification[];
  /** Base path; `/v1` by default. */
  readonly basePath?: string;
  /** Serves the clock at `/_reference/clock`; requires a clock that can be advanced. */
  readonly control?: boolean;
  /** Data to serve instead of generated data. */
  readonly world?: World;
}

export interface ReferenceRequest {
  readonly method: string;
  /** Path with the base path and the query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ReferenceAnswer {
  readonly status: number;
  /** Names lower-cased. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Delay over a socket, ms; ignored without one. */
  readonly delayMs: number;
}

/** A conforming implementation of the whole service, with variants and faults on demand. */
export interface Reference {
  readonly keys: ReferenceKeys;
  readonly clock: Clock;
  readonly seed: number;
  /** Answers one request without a socket. */
  readonly handle: (request: ReferenceRequest) => ReferenceAnswer;
  /** Serves on loopback until closed. */
  readonly listen: (options?: ListenOptions) => Promise<Listening>;
  /** The served data. */
  readonly world: World;
  /** The target file for this server at `baseUrl`. */
  readonly targetFile: (baseUrl: string) => ReferenceTarget;
}

/** Modifications of a server. */
export interface Otherwise {
  /** In the order of the catalogue. */
  readonly variants: readonly Variant[];
  readonly faults: readonly (Fault | OperatorFault)[];
}

/**
 * Creates a server without loading the large catalogue of faults and variants. Throws on invalid options, with a hint in the
 * message.
 */
export function createServer(
  options: ServerOptions = {},
  { variants, faults }: Otherwise = { variants: [], faults: [] },
): Reference {
  const {
    seed = 1,
    clock = systemClock,
    limit = RATE_LIMIT,
    windowMs = RATE_WINDOW_MS,
    quota: perMonth = MONTHLY_QUOTA,
    basePath = '/v1',
  } = options;
  checkWhole('limit', limit, 0);
  checkWhole('windowMs', windowMs, 1);
  checkWhole('quota', perMonth, 0);
  checkBasePath(basePath);
  const control = options.control === true ? controlled(clock) : undefined;

  const changes: readonly Modification[] = [
    ...variants,
    ...(options.modifications ?? []),
    ...faults,
  ];
  const hooks = collectHooks(changes);
  let settings = DEFAULT_SETTINGS;
  for (const change of changes) settings = { ...settings, ...change.settings };
  let world = options.world ?? createWorld(seed);
  // What a hook does not replace still uses the world before it.
  for (const hook of hooks.world ?? [])
    world = Object.create(world, Object.getOwnPropertyDescriptors(hook(world))) as World;

  const keys = issueKeys(options.keys);
  const left = new Map([[keys.nearQuota.key, keys.nearQuota.remaining]]);
  let quota = monthlyQuota(perMonth, left, clock.now());
  for (const replace of hooks.quota ?? []) quota = replace(quota);
  let limiter: Limiter = fixedWindow({ limit, windowMs });
  for (const replace of hooks.limiter ?? []) limiter = replace({ limit, windowMs }, limiter);

  const respond = createCore({
    clock,
    basePath,
    keys: keyRegistry(keys),
    limiter,
    quota,
    windowMs,
    settings,
    hooks,
    world,
    cache: options.modifications === undefined && !changesContents(hooks),
  });

  return {
    keys,
    clock,
    seed,
    world,
    handle({ method, path, headers = {} }) {
      const reply = respond(method, path, keyIn(headers), Object.entries(headers).flat());
      const fields: Record<string, string> = {};
      for (let index = 0; index < reply.headers.length; index += 2) {
        fields[(reply.headers[index] ?? '').toLowerCase()] = reply.headers[index + 1] ?? '';
      }
      return {
        status: reply.status,
        headers: fields,
        body: method === 'HEAD' ? '' : reply.text,
        delayMs: reply.delayMs,
      };
    },
    listen: (listenOptions = {}) => listenHttp(respond, basePath, control, listenOptions),
    targetFile(baseUrl) {
      const { key } = keys.nearQuota;
      const remaining = quota.remaining(key, clock.now());
      return referenceTarget(world, control !== undefined, {
        baseUrl,
        keys: { ...keys, nearQuota: { key, remaining } },
        limits: { requests: limit, windowMs, monthlyQuota: perMonth },
        envelope: changes.some((change) => change.envelope === 'data') ? 'data' : null,
      });
    },
  };
}

/** True when a response may depend on more than path, query and minute. */
function changesContents({ path, query, rows, record, body }: HookLists): boolean {
  return [path, query, rows, record, body].some((hooks) => hooks !== undefined);
}

function keyIn(headers: Readonly<Record<string, string>>): string | undefined {
  for (const [name, value] of Object.entries(headers)) {
    if (name.toLowerCase() === 'x-api-key') return value === '' ? undefined : value;
  }
  return undefined;
}

function controlled(clock: Clock): MovableClock {
  if (clock.advance === undefined) {
    throw new Error(
      'control needs a clock that can be moved. Give the option clock a movableClock().',
    );
  }
  return { now: () => clock.now(), advance: (ms) => clock.advance?.(ms) };
}

function checkWhole(name: string, value: number, minimum: number): void {
  if (Number.isSafeInteger(value) && value >= minimum) return;
  throw new RangeError(`${name} must be a whole number of at least ${minimum}; got ${value}.`);
}

function checkBasePath(basePath: string): void {
  if (basePath === '' || /^(?:\/[\w.~-]+)+$/.test(basePath)) return;
  throw new Error(`basePath must be empty or look like "/v1"; got "${basePath}".`);
}
