import { noise, random } from '../core/random.ts';
import type { World } from '../worlds/world.ts';
import {
  dayIn,
  isTradingDay,
  minuteIn,
  plusDays,
  startOf,
  tradingDayAfter,
  tradingDayBefore,
  tradingDays,
  type Country,
  type Day,
} from './calendar.ts';

export const SYMBOLS = [
  'BTC',
  'ETH',
  'SOL',
  'LTC',
  'HBAR',
  'XRP',
  'DOGE',
  'LINK',
  'AVAX',
  'DOT',
] as const;
export const LISTED: Readonly<Record<Country, readonly string[]>> = {
  US: SYMBOLS,
  HK: ['BTC', 'ETH', 'SOL'],
};

/** An exchange-traded fund. */
export interface Fund {
  readonly ticker: string;
  readonly name: string;
  readonly symbol: string;
  readonly country: Country;
  readonly first: Day;
  /** Last trading day of a fund that was closed. */
  readonly last: Day | undefined;
  /** Size, whole USD. */
  readonly size: number;
}

/** What one fund did on one day; figures in USD. */
export interface FundDay {
  readonly day: Day;
  readonly netInflow: number;
  readonly cumInflow: number;
  readonly netAssets: number;
  readonly premium: number;
  readonly valueTraded: number;
  readonly shares: number;
  readonly settled: boolean;
}

const SIZES: Readonly<Record<string, number>> = { BTC: 2e9, ETH: 6e8, SOL: 1e8 };

function listed(world: World, country: Country, symbol: string): boolean {
  const isFirst = country === 'US' && symbol === 'BTC';
  return world.of('etf-listings', {
    all: true,
    'some-empty': !['AVAX', 'DOT', 'HBAR'].includes(symbol),
    'btc-us-empty': !isFirst,
    'hk-empty': country === 'US',
    'all-empty': false,
    'us-btc-only': isFirst,
  });
}

function ageOf(world: World, country: Country, symbol: string, index: number, today: Day): Day {
  const back = (days: number): Day => {
    let day = today;
    for (let n = 0; n < days; n += 1) day = tradingDayBefore(country, day);
    return day;
  };
  return world.of('etf-age', {
    old: plusDays(today, -(300 + index * 7)),
    'some-young': index === 1 || symbol === 'DOGE' ? back(2 + index) : plusDays(today, -300),
    'all-young': back(3),
    'one-day': back(1),
    'ten-days': back(7),
  });
}

function endOf(
  world: World,
  symbol: string,
  index: number,
  today: Day,
  country: Country,
): Day | undefined {
  const choice = world.choice('etf-closed');
  if (choice === 'whole-listing') return symbol === 'XRP' ? plusDays(today, -70) : undefined;
  if (choice === 'none' || index !== 2) return undefined;
  return tradingDayBefore(country, plusDays(today, choice === 'some-lately' ? -12 : -80));
}

const funds = new WeakMap<World, readonly Fund[]>();

/** All funds, closed ones too. `now` counts when they are asked for first. */
export function allFunds(world: World, now: number): readonly Fund[] {
  const known = funds.get(world);
  if (known !== undefined) return known;
  const list: Fund[] = [];
  for (const country of ['US', 'HK'] as const) {
    const today = dayIn(country, now);
    for (const symbol of LISTED[country]) {
      if (!listed(world, country, symbol)) continue;
      for (let index = 0; index < world.count('etf-funds'); index += 1) {
        const ticker =
          country === 'US'
            ? `${symbol.slice(0, 3)}${'WXYZABCDEFGH'.slice(index, index + 1)}`
            : `${3042 + LISTED.HK.indexOf(symbol) * 40 + index}.HK`;
        list.push({
          ticker,
          name: `${'Alpha Beta Gamma Delta Epsilon Zeta'.split(' ')[index % 6]} ${symbol} Fund ${index + 1}`,
          symbol,
          country,
          first: ageOf(world, country, symbol, index, today),
          last: endOf(world, symbol, index, today, country),
          size: (SIZES[symbol] ?? 2e7) / (index + 1) / (country === 'HK' ? 20 : 1),
        });
      }
    }
  }
  funds.set(world, list);
  return list;
}

/** Minutes since midnight at which the exchange opens, and closes. */
const HOURS = { US: { open: 570, close: 960 }, HK: { open: 570, close: 960 } } as const;

/** The newest day of which a row exists. */
export function newestDay(world: World, country: Country, now: number): Day {
  const today = dayIn(country, now);
  const choice = world.choice('etf-row-from');
  const from = choice === 'midnight' ? 0 : HOURS[country][choice];
  return isTradingDay(country, today) && minuteIn(country, now) >= from
    ? today
    : tradingDayBefore(country, today);
}

function isSettled(world: World, country: Country, day: Day, now: number): boolean {
  const today = dayIn(country, now);
  const isOver = (due: Day, hour: number): boolean =>
    today > due || (today === due && minuteIn(country, now) >= hour * 60);
  return world.of('etf-settled', {
    'next-trading-day': () => today >= tradingDayAfter(country, day),
    'next-midnight': () => today > day,
    'next-evening': () => isOver(tradingDayAfter(country, day), 20),
    'same-night': () => isOver(day, 22),
  })();
}

const histories = new WeakMap<World, Map<string, readonly FundDay[]>>();

/** Every day of a fund up to a moment, oldest first. */
export function fundDays(world: World, fund: Fund, now: number): readonly FundDay[] {
  let cache = histories.get(world);
  if (cache === undefined) histories.set(world, (cache = new Map<string, readonly FundDay[]>()));
  const newest = newestDay(world, fund.country, now);
  const until = fund.last !== undefined && fund.last < newest ? fund.last : newest;
  const key = `${fund.ticker} ${until}`;
  let days = cache.get(key);
  if (days === undefined) {
    days = grow(world, fund, tradingDays(fund.country, fund.first, until));
    cache.set(key, days);
  }
  // Only the newest rows can be waiting for their figures.
  const waiting = days.slice(-4).map((day) => {
    const settled = isSettled(world, fund.country, day.day, now);
    return settled === day.settled ? day : { ...day, settled };
  });
  return [...days.slice(0, -4), ...waiting];
}

function grow(world: World, fund: Fund, days: readonly Day[]): FundDay[] {
  let cum = 0;
  return days.map((day, index) => {
    const dice = random(world.seed, fund.ticker, day);
    // A fund begins with what its founders put in.
    const net = Math.round(index === 0 ? fund.size * 0.6 : (dice.next() - 0.46) * fund.size * 0.02);
    cum += net;
    const value = Number((fund.size * (0.01 + dice.next() * 0.02)).toFixed(4));
    return {
      day,
      netInflow: net,
      cumInflow: cum,
      netAssets: Math.round(cum * (1.1 + 0.05 * Math.sin(startOf(day) / 5e8))),
      premium: Number(((dice.next() - 0.5) * 0.01).toFixed(5)),
      valueTraded: value,
      shares: Math.round(value / (20 + noise(fund.ticker) * 40)),
      settled: true,
    };
  });
}

/** Totals of a listing on one settled day. */
export interface ListingDay {
  readonly day: Day;
  readonly netInflow: number;
  readonly valueTraded: number;
  readonly netAssets: number;
  readonly cumInflow: number;
}

/** Totals of a listing, newest first; a day on which a fund is not settled yet has none. */
export function listingDays(
  world: World,
  country: Country,
  symbol: string,
  now: number,
): ListingDay[] {
  const totals = new Map<Day, ListingDay>();
  const open = new Set<Day>();
  let gone = 0;
  const members = allFunds(world, now).filter(
    (one) => one.symbol === symbol && one.country === country,
  );
  for (const fund of members) {
    const days = fundDays(world, fund, now);
    for (const one of days) {
      if (!one.settled) open.add(one.day);
      const sum = totals.get(one.day);
      totals.set(one.day, {
        day: one.day,
        netInflow: (sum?.netInflow ?? 0) + one.netInflow,
        valueTraded: Number(((sum?.valueTraded ?? 0) + one.valueTraded).toFixed(4)),
        netAssets: (sum?.netAssets ?? 0) + one.netAssets,
        cumInflow: 0,
      });
    }
  }
  const settled = [...totals.values()]
    .filter(({ day }) => !open.has(day))
    .toSorted((a, b) => (a.day < b.day ? -1 : 1));
  // What flowed in since launch counts on when a fund is closed.
  return settled
    .map((one) => {
      gone += one.netInflow;
      return { ...one, cumInflow: gone };
    })
    .toReversed();
}
