import type { JsonObject, World } from '../world.ts';
import { daysFrom, monthsBefore, startOf } from './calendar.ts';
import type { Currency } from './currencies.ts';
import { daily } from './memo.ts';
import { noise, round, stream } from './prng.ts';

/** Value of a column on a day. */
type Column = (day: number) => number;

/** A chart: its time column, the names of its number columns, and its rows on a day, oldest first. */
interface Chart {
  readonly time: readonly [name: string, type: string];
  readonly columns: readonly string[];
  readonly rows: (today: number) => readonly JsonObject[];
}

/** Charts over ETF days: their time column is a date, and they say what the summary history says. */
const ofEtfs = (symbol: 'BTC' | 'ETH', etfSummary: World['etfSummary']): Chart => ({
  time: ['date', 'String'],
  columns: ['net_inflow', 'cum_net_inflow'],
  rows: (today) =>
    (etfSummary(symbol, 'US', startOf(today)) ?? []).toReversed().map((row) => ({
      date: row['date'] ?? '',
      net_inflow: row['total_net_inflow'] ?? 0,
      cum_net_inflow: row['cum_net_inflow'] ?? 0,
    })),
});

/** One row a day over the last three months, at 00:00 UTC. */
const aDay = (columns: Readonly<Record<string, Column>>): Chart => ({
  time: ['timestamp', 'Long'],
  columns: Object.keys(columns),
  rows: (today) =>
    daysFrom(monthsBefore(today, 3), today).map((day) => ({
      timestamp: startOf(day),
      ...Object.fromEntries(Object.entries(columns).map(([name, value]) => [name, value(day)])),
    })),
});

/** Analysis charts (§2.11, §4.6, §4.7). */
export function createCharts(
  seed: number,
  currencies: readonly Currency[],
  etfSummary: World['etfSummary'],
): Pick<World, 'chartNames' | 'charts' | 'chartData'> {
  const worth = (which: readonly Currency[], day: number): number =>
    which.reduce((sum, { path, circulating }) => sum + path.opening(day) * circulating, 0);
  const named = (symbol: string) => currencies.filter((one) => one.symbol === symbol);
  const cap =
    (symbol: string): Column =>
    (day) =>
      round(worth(named(symbol), day), 2);
  const price =
    (symbol: string): Column =>
    (day) =>
      named(symbol)[0]?.path.opening(day) ?? 0;
  const share =
    (symbol: string): Column =>
    (day) =>
      round((worth(named(symbol), day) / worth(currencies, day)) * 100, 4);
  const wave =
    (name: string, center: number, swing: number, decimals: number): Column =>
    (day) =>
      round(center + swing * noise(stream(seed, 'chart', name), day / 6), decimals);

  const charts: Readonly<Record<string, Chart>> = {
    btc_dominance: aDay({ btc_share: share('BTC'), eth_share: share('ETH') }),
    total_marketcap: aDay({ marketcap: (day) => round(worth(currencies, day), 2) }),
    stablecoin_marketcap: aDay({ usdt: cap('USDT'), usdc: cap('USDC'), dai: cap('DAI') }),
    eth_btc_ratio: aDay({ ratio: (day) => round(price('ETH')(day) / price('BTC')(day), 8) }),
    fear_and_greed: aDay({ score: wave('fear', 50, 38, 0) }),
    funding_rate_btc: aDay({ rate: wave('funding', 0.00008, 0.0002, 8) }),
    open_interest_btc: aDay({
      open_interest: wave('interest', 38e9, 9e9, 2),
      price: price('BTC'),
    }),
    active_addresses_btc: aDay({ addresses: wave('active', 760_000, 120_000, 0) }),
    hash_rate_btc: aDay({ exahash: wave('hash', 950, 120, 3) }),
    exchange_balance_btc: aDay({ balance: wave('balance', 2_450_000, 90_000, 4) }),
    realized_volatility_btc: aDay({ volatility_30d: wave('volatility', 44, 15, 4) }),
    etf_net_inflow_btc: ofEtfs('BTC', etfSummary),
    etf_net_inflow_eth: ofEtfs('ETH', etfSummary),
  };
  const list = Object.entries(charts).map(
    ([
      chart_name,
      {
        time: [time_field, type],
        columns,
      },
    ]) => ({
      chart_name,
      time_field,
      fields: [{ name: time_field, type }, ...columns.map((name) => ({ name, type: 'Number' }))],
    }),
  );
  return {
    chartNames: Object.keys(charts),
    charts: () => list,
    chartData: daily((name, today) =>
      Object.hasOwn(charts, name) ? charts[name]?.rows(today) : undefined,
    ),
  };
}
