import {
  isTradingDay,
  localTime,
  plusDays,
  startOf,
  tradingDayNext,
  tradingDays,
} from './calendar.ts';
import type { Country, Day } from './calendar.ts';
import { noise, random, times } from './core.ts';
import type { World } from './world.ts';

/** Symbols of the listings of each country. */
export const LISTED: Readonly<Record<Country, readonly string[]>> = {
  US: ['BTC', 'ETH', 'SOL', 'LTC', 'HBAR', 'XRP', 'DOGE', 'LINK', 'AVAX', 'DOT'],
  HK: ['BTC', 'ETH', 'SOL'],
};

const isListed = (world: World, country: Country, symbol: string): boolean =>
  world.of('etf-listings', {
    all: true,
    'some-empty': !['AVAX', 'DOT', 'HBAR'].includes(symbol),
    'btc-us-empty': country !== 'US' || symbol !== 'BTC',
    'hk-empty': country === 'US',
    'all-empty': false,
    'us-btc-only': country === 'US' && symbol === 'BTC',
  });

const NAMES = ['Alpha', 'Beta', 'Gamma', 'Delta', 'Epsilon', 'Zeta'];
const SIZES: Readonly<Record<string, number>> = { BTC: 2e9, ETH: 6e8, SOL: 1e8 };

/** An exchange-traded fund, with its first trading day and its last, if it was closed; its size in USD. */
function fund(world: World, country: Country, symbol: string, index: number, today: Day) {
  const back = (days: number): Day =>
    times(days, () => country).reduce((day) => tradingDayNext(country, day, -1), today);
  const first = world.of('etf-age', {
    old: plusDays(today, -(300 + index * 7)),
    'some-young': index === 1 || symbol === 'DOGE' ? back(2 + index) : plusDays(today, -300),
    'all-young': back(3),
    'one-day': back(1),
    'ten-days': back(7),
  });
  const third = (days: number): Day | undefined =>
    index === 2 ? tradingDayNext(country, plusDays(today, -days), -1) : undefined;
  const last = world.of('etf-closed', {
    none: undefined,
    'some-long-ago': third(80),
    'some-lately': third(12),
    'whole-listing': symbol === 'XRP' ? plusDays(today, -70) : undefined,
  });
  const ticker =
    country === 'US'
      ? `${symbol.slice(0, 3)}${'WXYZABCDEFGH'[index]}`
      : `${3042 + LISTED.HK.indexOf(symbol) * 40 + index}.HK`;
  const name = `${NAMES[index % 6]} ${symbol} Fund ${index + 1}`;
  const size = (SIZES[symbol] ?? 2e7) / (index + 1) / (country === 'HK' ? 20 : 1);
  return { ticker, name, symbol, country, first, last, size };
}

/** An exchange-traded fund. */
export type Fund = ReturnType<typeof fund>;

/** All funds, closed ones too. `now` counts when they are asked for first. */
export const funds = (world: World, now: number): readonly Fund[] =>
  world.once('funds', () =>
    (['US', 'HK'] as const).flatMap((country) =>
      LISTED[country]
        .filter((symbol) => isListed(world, country, symbol))
        .flatMap((symbol) =>
          times(world.count('etf-funds'), (index) =>
            fund(world, country, symbol, index, localTime(country, now).today),
          ),
        ),
    ),
  );

/** The newest day of which a row exists; the exchanges are open from 9:30 to 16:00. */
function newestDay(world: World, country: Country, now: number): Day {
  const { today, minute } = localTime(country, now);
  const from = world.of('etf-row-from', { open: 570, midnight: 0, close: 960 });
  const isThere = isTradingDay(country, today) && minute >= from;
  return isThere ? today : tradingDayNext(country, today, -1);
}

function isSettled(world: World, country: Country, day: Day, now: number): boolean {
  const { today, minute } = localTime(country, now);
  const next = tradingDayNext(country, day);
  const isOver = (due: Day, hour: number): boolean =>
    today > due || (today === due && minute >= hour * 60);
  return world.of('etf-settled', {
    'next-trading-day': today >= next,
    'next-midnight': today > day,
    'next-evening': isOver(next, 20),
    'same-night': isOver(day, 22),
  });
}

/** What a fund did on its days; figures in USD. */
function history(world: World, { ticker, size, country, first }: Fund, until: Day) {
  let cum_inflow = 0;
  return tradingDays(country, first, until).map((date, index) => {
    const dice = random(world.seed, ticker, date);
    // A fund begins with what its founders put in.
    const net_inflow = Math.round(index === 0 ? size * 0.6 : (dice.next() - 0.46) * size * 0.02);
    cum_inflow += net_inflow;
    const value_traded = Number((size * (0.01 + dice.next() * 0.02)).toFixed(4));
    return {
      date,
      net_inflow,
      cum_inflow,
      net_assets: Math.round(cum_inflow * (1.1 + 0.05 * Math.sin(startOf(date) / 5e8))),
      prem_dsc: Number(((dice.next() - 0.5) * 0.01).toFixed(5)),
      value_traded,
      shares: Math.round(value_traded / (20 + noise(ticker) * 40)),
    };
  });
}

/** What a fund did on one day. */
export type FundDay = ReturnType<typeof fundDays>[number];

/** Every day of a fund up to a moment, oldest first. */
export function fundDays(world: World, one: Fund, now: number) {
  const newest = newestDay(world, one.country, now);
  const until = one.last !== undefined && one.last < newest ? one.last : newest;
  const days = world.once(`${one.ticker} ${until}`, () => history(world, one, until));
  // Only the newest rows can be waiting for their figures.
  return days.map((day, index) => ({
    ...day,
    settled: index < days.length - 4 || isSettled(world, one.country, day.date, now),
  }));
}

/** The funds of a listing. */
export const listing = (world: World, country: string, symbol: string, now: number) =>
  funds(world, now).filter((one) => one.symbol === symbol && one.country === country);

/** Totals of a listing, newest first; a day on which a fund is not settled yet has none. */
export function listingDays(world: World, country: Country, symbol: string, now: number) {
  const totals = new Map<Day, { inflow: number; traded: number; assets: number }>();
  const open = new Set<Day>();
  for (const one of listing(world, country, symbol, now)) {
    for (const { date, settled, ...day } of fundDays(world, one, now)) {
      if (!settled) open.add(date);
      const sum = totals.get(date) ?? { inflow: 0, traded: 0, assets: 0 };
      totals.set(date, {
        inflow: sum.inflow + day.net_inflow,
        traded: Number((sum.traded + day.value_traded).toFixed(4)),
        assets: sum.assets + day.net_assets,
      });
    }
  }
  // What flowed in since launch counts on when a fund is closed.
  let cum_net_inflow = 0;
  return [...totals]
    .filter(([date]) => !open.has(date))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([date, { inflow, traded, assets }]) => ({
      date,
      total_net_inflow: inflow,
      total_value_traded: traded,
      total_net_assets: assets,
      cum_net_inflow: (cum_net_inflow += inflow),
    }))
    .toReversed();
}
