import {
  endpoint,
  ENDPOINT_PATHS,
  requiredQuery,
  type EndpointPath,
} from '../../src/spec/endpoints.ts';
import { createReference, manualClock } from '../../src/reference/reference.ts';
import type {
  Reference,
  ReferenceAnswer,
  ReferenceOptions,
} from '../../src/reference/reference.ts';
import type { MovableClock } from '../../src/reference/clock.ts';
import { WORLD } from '../kept/data.ts';
import type { World } from '../../src/reference/world.ts';

/** A Wednesday afternoon in New York: the market is open, an ETF row is unsettled, Labor Day lies in the month. */
export const OPEN_MARKET = Date.UTC(2026, 8, 9, 15, 0, 0);

export const world: World = WORLD;

export interface Fixture {
  readonly reference: Reference;
  readonly clock: MovableClock;
  /** A GET with the first valid key by default; null sends no key. */
  readonly get: (path: string, key?: string | null) => ReferenceAnswer;
  /** The parsed body of `get`. */
  readonly body: (path: string, key?: string | null) => Record<string, unknown> & unknown[];
}

/** A server on a standing clock with room for many requests, unless `options` set the limit. */
export function start(options: ReferenceOptions = {}): Fixture {
  const clock = manualClock(OPEN_MARKET);
  const reference = createReference({ clock, world, limit: 100_000, ...options });
  const [first = ''] = reference.keys.valid;
  const get = (path: string, key: string | null = first): ReferenceAnswer =>
    reference.handle({
      method: 'GET',
      path: `/v1${path}`,
      headers: key === null ? {} : { 'X-API-KEY': key },
    });
  return { reference, clock, get, body: (path, key) => JSON.parse(get(path, key).body) };
}

const KNOWN = { ...world, etfTickers: world.etfs.map(({ ticker }) => ticker) };

/** A request that succeeds, for the nth entity of the endpoint; `query` stands beside or above what is required. */
export function goodPath(
  path: EndpointPath,
  query: Readonly<Record<string, string | number>> = {},
  nth = 0,
): string {
  const required = path === '/news/search' ? { keyword: 'bitcoin' } : requiredQuery(path);
  const sent = new URLSearchParams(
    Object.entries({ ...required, ...query }).map(([name, value]) => [name, String(value)]),
  );
  const filled = Object.entries(endpoint(path).path).reduce<string>(
    (text, [name, kind]) => text.replace(`{${name}}`, encodeURIComponent(KNOWN[kind][nth] ?? '')),
    path,
  );
  return sent.size === 0 ? filled : `${filled}?${sent.toString()}`;
}

/** Paths of all endpoints with parameters that succeed. */
export const goodPaths = (): readonly string[] => ENDPOINT_PATHS.map((path) => goodPath(path));

/** The next two entities of an endpoint, and every number that it takes at its bounds and beyond. */
export function furtherPaths(path: EndpointPath): readonly string[] {
  const numbers = Object.entries(endpoint(path).query).filter(([, { type }]) => type === 'integer');
  return [
    ...(Object.keys(endpoint(path).path).length === 0
      ? []
      : [goodPath(path, {}, 1), goodPath(path, {}, 2)]),
    ...numbers.flatMap(([name, { minimum = 1, maximum }]) =>
      [0, minimum - 1, minimum, 2, 3, ...(maximum === undefined ? [] : [maximum, maximum + 1])]
        .filter((value, index, all) => all.indexOf(value) === index)
        .map((value) => goodPath(path, { [name]: value })),
    ),
  ];
}
