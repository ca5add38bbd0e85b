import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { currencies, unknownIds } from './currencies.ts';
import { defectById } from './defects.ts';
import { funds } from './etfs.ts';
import { stocks } from './klines.ts';
import { charts, indices, projectIds, sectorPaths } from './lists.ts';
import { macroEvents } from './macro.ts';
import { exchanges } from './pairs.ts';
import { forbidden, keysOf, QUOTA_LEFT, serviceOf } from './service.ts';
import { CLOCK_PATH, serverOf } from './transport.ts';
import { worldOf, type Chosen, type World } from './world.ts';

/** What to start. */
export interface Wanted {
  /** Makes the data; 1 by default. */
  readonly seed?: number;
  /** Each has its default where it is not here. */
  readonly choices?: Chosen;
  /** Id of a defect. */
  readonly defect?: string;
  /** Time to begin at, epoch ms; the real time by default. */
  readonly now?: number;
  /** How much the target file tells: one key, or all roles. */
  readonly keys?: 'one' | 'all';
  /** Whether it names identifiers too. */
  readonly fixtures?: 'none' | 'all';
}

/** A running server. */
export interface Running {
  readonly baseUrl: string;
  /** The contents of a target file. */
  readonly target: Readonly<Record<string, unknown>>;
  close(): Promise<void>;
}

function fixturesOf(world: World, now: number) {
  const lists: Readonly<Record<string, readonly string[]>> = {
    currencyIds: currencies(world).map(({ id }) => id),
    etfTickers: funds(world, now).map(({ ticker }) => ticker),
    stockTickers: stocks(world).map(({ ticker }) => ticker),
    indexTickers: indices(world).map(({ ticker }) => ticker),
    sectorNames: sectorPaths(world),
    macroEvents: macroEvents(world).map(({ name }) => name),
    chartNames: charts(world),
    projectIds: projectIds(world),
    exchanges: exchanges(world),
  };
  const known = Object.entries(lists).filter(([, list]) => list.length > 0);
  return {
    ...unknownIds(world),
    ...Object.fromEntries(known.map(([name, list]) => [name, list.slice(0, 6)])),
  };
}

function targetOf(world: World, { keys, fixtures }: Wanted, baseUrl: string, now: number) {
  const { valid, disabled, expired, restricted, nearQuota } = keysOf(world);
  const all = {
    valid,
    disabled,
    expired,
    restricted: { key: restricted, forbidden: forbidden(world) },
    nearQuota: { key: nearQuota, remaining: QUOTA_LEFT },
  };
  return {
    baseUrl,
    keys: keys === 'one' ? { valid: valid.slice(0, 1) } : all,
    ...(fixtures === 'all' && { fixtures: fixturesOf(world, now) }),
    clock: { control: `${baseUrl}${CLOCK_PATH}` },
  };
}

/** Starts a server on the loopback address. Throws a RangeError for a choice or defect that does not exist. */
export async function startIndependent(wanted: Wanted = {}): Promise<Running> {
  const world = worldOf(wanted.seed ?? 1, wanted.choices);
  const defect = wanted.defect === undefined ? undefined : defectById(wanted.defect);
  const start = wanted.now ?? Date.now();
  // Ages of funds count from the start, so they are settled before the first request.
  funds(world, start);
  const server = serverOf(world, serviceOf(world, defect), start);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    baseUrl,
    target: targetOf(world, wanted, baseUrl, start),
    async close() {
      const closed = once(server.close(), 'close');
      server.closeAllConnections();
      await closed;
    },
  };
}
