import type { World } from '../world.ts';
import { daysFrom, isoDate, monthsBefore, startOf } from './calendar.ts';
import { daily } from './memo.ts';
import { noise, round, stream } from './prng.ts';

/** Columns of numbers by chart, each with the middle of its swing. Nobody states or judges what they say. */
const CHARTS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  btc_dominance: { btc_share: 58, eth_share: 12 },
  total_marketcap: { marketcap: 3.1e12 },
  stablecoin_marketcap: { usdt: 180e9, usdc: 70e9, dai: 5e9 },
  eth_btc_ratio: { ratio: 0.034 },
  fear_and_greed: { score: 50 },
  funding_rate_btc: { rate: 0.00008 },
  open_interest_btc: { open_interest: 38e9, price: 95_000 },
  active_addresses_btc: { addresses: 760_000 },
  hash_rate_btc: { exahash: 950 },
  exchange_balance_btc: { balance: 2_450_000 },
  realized_volatility_btc: { volatility_30d: 44 },
  etf_net_inflow_btc: { net_inflow: 120e6, cum_net_inflow: 58e9 },
  etf_net_inflow_eth: { net_inflow: 20e6, cum_net_inflow: 12e9 },
};

/** Charts of ETFs have dates, all others timestamps. */
const hasDates = (chart: string): boolean => chart.startsWith('etf_');

/** Analysis charts (§2.11, §4.6, §4.7): one row a day over the last three months, oldest first. */
export function createCharts(seed: number): Pick<World, 'chartNames' | 'charts' | 'chartData'> {
  const list = Object.entries(CHARTS).map(([chart_name, columns]) => {
    const time = hasDates(chart_name)
      ? { name: 'date', type: 'String' }
      : { name: 'timestamp', type: 'Long' };
    const own = Object.keys(columns).map((name) => ({ name, type: 'Number' }));
    return { chart_name, time_field: time.name, fields: [time, ...own] };
  });
  return {
    chartNames: Object.keys(CHARTS),
    charts: () => list,
    chartData: daily((chart, today) => {
      if (!Object.hasOwn(CHARTS, chart)) return undefined;
      const columns = Object.entries(CHARTS[chart] ?? {});
      return daysFrom(monthsBefore(today, 3), today).map((day) => ({
        ...(hasDates(chart) ? { date: isoDate(day) } : { timestamp: startOf(day) }),
        ...Object.fromEntries(
          columns.map(([name, middle]) => {
            const swing = noise(stream(seed, 'chart', chart, name), day / 6);
            return [name, round(middle * (1 + swing / 3), 8)];
          }),
        ),
      }));
    }),
  };
}
