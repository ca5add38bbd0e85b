import { isTradingDay, localTime, plusDays, startOf, tradingDayNext } from './calendar.ts';
import type { Country, Day } from './calendar.ts';
import { dayParam, integer, limited, named, oneOf, rangeOf, TEXT } from './call.ts';
import type { Call, Endpoints, Params } from './call.ts';
import { DAY, noise, random, times, type Body } from './core.ts';
import { pulse, sameTicker } from './prices.ts';
import { Refusal, wrong } from './refusals.ts';
import { decimals, digits, figure, figures } from './texts.ts';
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
function fundOf(world: World, country: Country, symbol: string, index: number, today: Day) {
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

type Fund = ReturnType<typeof fundOf>;

/** All funds, closed ones too. `now` counts when they are asked for first. */
export const funds = (world: World, now: number): readonly Fund[] =>
  world.once('funds', () =>
    (['US', 'HK'] as const).flatMap((country) =>
      LISTED[country]
        .filter((symbol) => isListed(world, country, symbol))
        .flatMap((symbol) =>
          times(world.count('etf-funds'), (index) =>
            fundOf(world, country, symbol, index, localTime(country, now).today),
          ),
        ),
    ),
  );

/** What a fund did on its days; figures in USD. */
function grow(world: World, { ticker, size, country, first }: Fund, until: Day) {
  let cum_inflow = 0;
  const all = times((startOf(until) - startOf(first)) / DAY + 1, (n) => plusDays(first, n));
  return all
    .filter((date) => isTradingDay(country, date))
    .map((date, index) => {
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

type FundDay = ReturnType<typeof fundDays>[number];

/** Every day of a fund up to a moment, oldest first. */
function fundDays(world: World, one: Fund, now: number) {
  const { country, last, ticker } = one;
  const { today, minute } = localTime(country, now);
  // Exchanges are open from 9:30 to 16:00.
  const from = world.of('etf-row-from', { open: 570, midnight: 0, close: 960 });
  const isThere = isTradingDay(country, today) && minute >= from;
  const newest = isThere ? today : tradingDayNext(country, today, -1);
  const until = last !== undefined && last < newest ? last : newest;
  const isOver = (due: Day, hour: number): boolean =>
    today > due || (today === due && minute >= hour * 60);
  const isSettled = (date: Day): boolean =>
    world.of('etf-settled', {
      'next-trading-day': isOver(tradingDayNext(country, date), 0),
      'next-midnight': today > date,
      'next-evening': isOver(tradingDayNext(country, date), 20),
      'same-night': isOver(date, 22),
    });
  const days = world.once(`${ticker} ${until}`, () => grow(world, one, until));
  // Only the newest rows can be waiting for their figures.
  return days.map((row, index) => ({
    ...row,
    settled: index < days.length - 4 || isSettled(row.date),
  }));
}

/** The funds of a listing. */
export const listing = (world: World, country: string, symbol: string, now: number) =>
  funds(world, now).filter((one) => one.symbol === symbol && one.country === country);

/** Totals of a listing, newest first; a day on which a fund is not settled yet has none. */
function listingDays(world: World, country: Country, symbol: string, now: number) {
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

/** What names a listing. */
export const LISTING: Params = {
  symbol: { ...oneOf(LISTED.US, undefined, true), required: true },
  country_code: {
    ...oneOf(['US', 'HK'], (world, sent) => !world.is('unknown-country', 'value') && sent, true),
    required: true,
  },
};
const DATES: Params = { start_date: dayParam(), end_date: dayParam() };
const LIMIT = integer(50, { most: 300 });

function summaryHistory(call: Call) {
  const { world, now, query, values } = call;
  const { symbol, country_code: country } = values;
  const known = country === 'US' || country === 'HK';
  if (!known && !world.is('unknown-country', 'listing'))
    throw wrong('format', 'country_code', country, 'must be US or HK');
  if (!known || !LISTED[country].includes(symbol)) {
    const shown = (name: 'symbol' | 'country_code'): string =>
      world.is('message-case', 'as-sent') ? (query.get(name) ?? '') : values[name].toUpperCase();
    throw new Refusal('format', {
      fields: ['symbol'],
      value: symbol,
      message: `Unsupported ETF category: symbol=${shown('symbol')}, country_code=${shown('country_code')}`,
    });
  }
  const isWanted = rangeOf(call, 'date', '1 month', true);
  const rows = listingDays(world, country, symbol, now);
  const found = rows.filter(({ date }) => isWanted(startOf(date)));
  return limited(call, found).map(({ date, ...sums }) => ({ date, ...decimals(world, sums) }));
}

const fundIn = (call: Call): Fund =>
  named(call, 'ETF', 'ticker', funds(call.world, call.now), ({ ticker }, wanted) =>
    sameTicker(call.world, ticker, wanted),
  );

function historyRow(call: Call, fund: Fund, row: FundDay): Body {
  const { world, now } = call;
  const others = listing(world, fund.country, fund.symbol, now);
  const share = fund.size / others.reduce((sum, { size }) => sum + size, 0);
  const settled = (value: number): number | null => (row.settled ? value : null);
  // What is traded today grows while the exchange is open.
  const value_traded = row.settled
    ? row.value_traded
    : Number((row.value_traded * pulse(call, fund.ticker)).toFixed(4));
  return {
    date: row.date,
    ticker: fund.ticker,
    ...figures(world, {
      net_inflow: settled(row.net_inflow),
      cum_inflow: settled(row.cum_inflow),
      net_assets: settled(row.net_assets),
      currency_share: settled(Math.min(1, Number((share * (1 + row.prem_dsc)).toFixed(5)))),
      prem_dsc: settled(row.prem_dsc),
      value_traded,
    }),
    volume: world.of('etf-volume', {
      'text-of-value': digits(value_traded),
      shares: figure(world, row.shares),
      'rounded-text': value_traded.toFixed(2),
      'text-with-zeros': value_traded.toFixed(8),
    }),
  };
}

function history(call: Call) {
  const fund = fundIn(call);
  const isWanted = rangeOf(call, 'date', '1 month');
  const days = fundDays(call.world, fund, call.now).toReversed();
  const found = days.filter(({ date }) => isWanted(startOf(date)));
  const kept = call.world.is('etf-limit', 'kept') ? limited(call, found) : found;
  return kept.map((one) => historyRow(call, fund, one));
}

/** The latest settled figures. */
function snapshot(call: Call): Body {
  const fund = fundIn(call);
  const one = fundDays(call.world, fund, call.now).findLast(({ settled }) => settled);
  if (one === undefined || call.world.is('purpose-empty', 'empty')) return { ticker: fund.ticker };
  return { ...historyRow(call, fund, one), volume: one.shares, sponsor_fee: 0.0025 };
}

/** Endpoints of ETFs. Which listing a symbol has is checked with the values. */
export const ETFS: Endpoints = {
  '/etfs/summary-history': {
    params: { ...LISTING, ...DATES, limit: LIMIT },
    answer: summaryHistory,
  },
  '/etfs/{ticker}/history': {
    params: (world) => ({ ...DATES, limit: world.is('etf-limit', 'kept') ? LIMIT : TEXT }),
    answer: history,
  },
  '/etfs/{ticker}/market-snapshot': { answer: snapshot },
};
