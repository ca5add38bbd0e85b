import type { AddressInfo } from 'node:net';
import { movableClock } from './core/clock.ts';
import { forbidden, keysOf, QUOTA_LEFT } from './conduct/keys.ts';
import { serviceOf } from './conduct/service.ts';
import { currencies, looksLikeId } from './data/currencies.ts';
import { allFunds } from './data/etfs.ts';
import { charts, indices, macroEvents, sectors, stocks } from './data/others.ts';
import { slugOf } from './data/names.ts';
import { defectById } from './defects.ts';
import { EXCHANGES } from './endpoints/pairs.ts';
import { projectId } from './endpoints/fundraising.ts';
import { CLOCK_PATH, serverOf } from './transport.ts';
import { worldOf, type Chosen, type World } from './worlds/world.ts';

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

/** Texts that no currency of a world has as its id, one of the right form and one of a wrong one. */
function strangers(world: World): { unknownCurrencyId: string; malformedCurrencyId?: string } {
  const unknown: Readonly<Record<string, string>> = {
    numeric: '987654321',
    slug: 'no-such-currency-anywhere',
    symbol: 'QQZZQQ',
    'symbol-lower': 'qqzzqq',
    uuid: '00000000-0000-4000-a000-000000000000',
    'beyond-2-53': '1999999999999999999',
    prefixed: 'cur_99999',
    hex: '0123456789abcdef01234567',
  };
  const malformed = ['not an id!', '%%%'].find((text) => !looksLikeId(world, text));
  return {
    unknownCurrencyId: unknown[world.choice('currency-ids')] ?? 'none',
    ...(world.choice('id-check') === 'malformed' && malformed !== undefined
      ? { malformedCurrencyId: malformed }
      : {}),
  };
}

function fixturesOf(world: World, now: number): Record<string, unknown> {
  const some = <T>(list: readonly T[]): readonly T[] | undefined =>
    list.length === 0 ? undefined : list.slice(0, 6);
  const sectorNames = sectors(world).map((name) =>
    world.choice('sector-list') === 'display-and-path' ? slugOf(name) : name,
  );
  const lists = {
    currencyIds: some(currencies(world).map(({ id }) => id)),
    etfTickers: some(allFunds(world, now).map(({ ticker }) => ticker)),
    stockTickers: some(stocks(world).map(({ ticker }) => ticker)),
    indexTickers: some(indices(world).map(({ ticker }) => ticker)),
    sectorNames: some(sectorNames),
    macroEvents: some(macroEvents(world).map(({ name }) => name)),
    chartNames: some(charts(world)),
    projectIds: some(
      Array.from({ length: world.count('projects') }, (_, index) => projectId(index)),
    ),
    exchanges: some(world.choice('exchanges') === 'slug' ? EXCHANGES.map(slugOf) : EXCHANGES),
  };
  const known = Object.entries(lists).filter(([, list]) => list !== undefined);
  return { ...strangers(world), ...Object.fromEntries(known) };
}

function targetOf(
  world: World,
  wanted: Wanted,
  baseUrl: string,
  now: number,
): Record<string, unknown> {
  const keys = keysOf(world);
  const all = {
    valid: keys.valid,
    disabled: keys.disabled,
    expired: keys.expired,
    restricted: { key: keys.restricted, forbidden: forbidden(world) },
    nearQuota: { key: keys.nearQuota, remaining: QUOTA_LEFT },
  };
  return {
    baseUrl,
    keys: wanted.keys === 'one' ? { valid: keys.valid.slice(0, 1) } : all,
    ...(wanted.fixtures === 'all' ? { fixtures: fixturesOf(world, now) } : {}),
    clock: { control: `${baseUrl}${CLOCK_PATH}` },
  };
}

/** Starts a server on the loopback address. Throws a RangeError for a choice or defect that does not exist. */
export async function startIndependent(wanted: Wanted = {}): Promise<Running> {
  const world = worldOf(wanted.seed ?? 1, wanted.choices);
  const defect = wanted.defect === undefined ? undefined : defectById(wanted.defect);
  const clock = movableClock(wanted.now);
  const began = clock.now();
  // Ages of funds count from the start, so they are settled before the first request.
  allFunds(world, began);
  const server = serverOf(world, serviceOf(world, defect), clock);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    baseUrl,
    target: targetOf(world, wanted, baseUrl, began),
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        server.closeAllConnections();
      }),
  };
}
