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

/** Paths of all 31 endpoints with parameters that succeed. */
export function goodPaths(): readonly string[] {
  const id = world.currencyIds[0];
  const [stock, index, sector] = [
    world.stockTickers[0],
    world.indexTickers[0],
    world.sectorNames[0],
  ];
  const event = encodeURIComponent(world.macroEvents[0] ?? '');
  return [
    `/currencies/${id}`,
    `/currencies/${id}/market-snapshot`,
    `/currencies/${id}/token-economics`,
    `/currencies/${id}/klines?interval=1d`,
    `/currencies/${id}/pairs`,
    `/currencies/${id}/fundraising`,
    '/news',
    '/news/featured?page=1&page_size=20',
    '/etfs/summary-history?symbol=BTC&country_code=US',
    `/etfs/${world.etfs[0]?.ticker}/history`,
    `/crypto-stocks/${stock}/market-snapshot`,
    `/crypto-stocks/${stock}/klines?interval=1d`,
    `/macro/events/${event}/history`,
    '/analyses',
    '/crypto-stocks',
    `/crypto-stocks/${stock}/market-cap`,
    '/crypto-stocks/sector',
    `/crypto-stocks/sector/${encodeURIComponent(sector ?? '')}/index`,
    '/indices',
    `/indices/${index}/constituents`,
    `/indices/${index}/market-snapshot`,
    `/indices/${index}/klines`,
    '/etfs',
    `/etfs/${world.etfs[0]?.ticker}/market-snapshot`,
    '/news/hot',
    '/news/search?keyword=bitcoin',
    '/fundraising/projects',
    `/fundraising/projects/${world.projectIds[0]}`,
    '/macro/events',
    `/analyses/${world.chartNames[0]}`,
    '/currencies',
  ];
}
