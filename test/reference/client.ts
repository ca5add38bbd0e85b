import { endpoint, ENDPOINT_PATHS, requiredQuery } from '../../src/contract/endpoints.ts';
import { createReference, standingClock } from '../../src/reference/reference.ts';
import type {
  Reference,
  ReferenceAnswer,
  ReferenceOptions,
} from '../../src/reference/reference.ts';
import type { MovableClock } from '../../src/reference/clock.ts';
import { createWorld } from '../../src/reference/data/world.ts';
import type { World } from '../../src/reference/world.ts';

/** A Wednesday afternoon in New York: the market is open, an ETF row is unsettled, Labor Day lies in the month. */
export const OPEN_MARKET = Date.UTC(2026, 8, 9, 15, 0, 0);

/** One set of data for all tests of a file: making it costs more than answering from it. */
export const world: World = createWorld(1);

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
  const clock = standingClock(OPEN_MARKET);
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

/** Paths of all endpoints with parameters that succeed. */
export function goodPaths(): readonly string[] {
  const known = { ...world, etfTickers: world.etfs.map(({ ticker }) => ticker) };
  return ENDPOINT_PATHS.map((path) => {
    const query = path === '/news/search' ? { keyword: 'bitcoin' } : requiredQuery(path);
    const sent = new URLSearchParams(
      Object.entries(query).map(([name, value]) => [name, String(value)]),
    );
    const filled = Object.entries(endpoint(path).path).reduce<string>(
      (text, [name, kind]) => text.replace(`{${name}}`, encodeURIComponent(known[kind][0] ?? '')),
      path,
    );
    return sent.size === 0 ? filled : `${filled}?${sent.toString()}`;
  });
}
