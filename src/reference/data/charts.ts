import type { JsonObject } from '../world.ts';
import { dayOf, monthsBefore, startOf } from './calendar.ts';
import type { Currency } from './currencies.ts';
import type { Etfs } from './etfs.ts';
import { latest } from './memo.ts';
import { noise, round, stream } from './prng.ts';

/** Analysis charts (§2.11, §4.6, §4.7): one row a day over the last three months, oldest first. */
export interface Charts {
  readonly names: readonly string[];
  list(): readonly JsonObject[];
  data(name: string, now: number): readonly JsonObject[] | undefined;
}

/** A column: its type as the metadata gives it, and its value on a day. */
interface Column {
  readonly name: string;
  value(day: number): number;
}

interface Chart {
  readonly name: string;
  readonly columns: readonly Column[];
}

/** Name of the time column of every chart; epoch ms at 00:00 UTC. */
const TIME_FIELD = 'timestamp';

const cap = (currency: Currency, day: number): number =>
  currency.path.opening(day) * currency.circulating;

export function createCharts(seed: number, currencies: readonly Currency[], etfs: Etfs): Charts {
  const total = (day: number): number =>
    currencies.reduce((sum, currency) => sum + cap(currency, day), 0);
  const capOf =
    (symbol: string) =>
    (day: number): number =>
      currencies.reduce((sum, one) => sum + (one.symbol === symbol ? cap(one, day) : 0), 0);
  const price =
    (symbol: string) =>
    (day: number): number =>
      currencies.find((one) => one.symbol === symbol)?.path.opening(day) ?? 0;
  const share =
    (symbol: string) =>
    (day: number): number =>
      round((capOf(symbol)(day) / total(day)) * 100, 4);
  const wave =
    (name: string, center: number, swing: number, decimals: number) =>
    (day: number): number =>
      round(center + swing * noise(stream(seed, 'chart', name), day / 6), decimals);

  const charts: readonly Chart[] = [
    {
      name: 'btc_dominance',
      columns: [
        { name: 'btc_share', value: share('BTC') },
        { name: 'eth_share', value: share('ETH') },
      ],
    },
    {
      name: 'total_marketcap',
      columns: [{ name: 'marketcap', value: (day) => round(total(day), 2) }],
    },
    {
      name: 'stablecoin_marketcap',
      columns: ['USDT', 'USDC', 'DAI'].map((symbol) => ({
        name: symbol.toLowerCase(),
        value: (day: number) => round(capOf(symbol)(day), 2),
      })),
    },
    {
      name: 'eth_btc_ratio',
      columns: [{ name: 'ratio', value: (day) => round(price('ETH')(day) / price('BTC')(day), 8) }],
    },
    { name: 'fear_and_greed', columns: [{ name: 'score', value: wave('fear', 50, 38, 0) }] },
    {
      name: 'funding_rate_btc',
      columns: [{ name: 'rate', value: wave('funding', 0.00008, 0.0002, 8) }],
    },
    {
      name: 'open_interest_btc',
      columns: [
        { name: 'open_interest', value: wave('interest', 38e9, 9e9, 2) },
        { name: 'price', value: price('BTC') },
      ],
    },
    {
      name: 'active_addresses_btc',
      columns: [{ name: 'addresses', value: wave('active', 760_000, 120_000, 0) }],
    },
    { name: 'hash_rate_btc', columns: [{ name: 'exahash', value: wave('hash', 950, 120, 3) }] },
    {
      name: 'exchange_balance_btc',
      columns: [{ name: 'balance', value: wave('balance', 2_450_000, 90_000, 4) }],
    },
    {
      name: 'realized_volatility_btc',
      columns: [{ name: 'volatility_30d', value: wave('volatility', 44, 15, 4) }],
    },
  ];
  const list = [...charts.map(metadata), ...ETF_CHARTS.map(({ meta }) => meta)];
  const rows = latest<readonly JsonObject[]>();
  return {
    names: [...charts, ...ETF_CHARTS].map(({ name }) => name),
    list: () => list,
    data(name, now) {
      const today = dayOf(now);
      const flows = ETF_CHARTS.find((one) => one.name === name);
      if (flows !== undefined) {
        return rows.get(name, today, () => etfRows(etfs, flows.symbol, now));
      }
      const chart = charts.find((one) => one.name === name);
      return chart && rows.get(name, today, () => daily(chart, today));
    },
  };
}

function metadata(chart: Chart): JsonObject {
  return {
    chart_name: chart.name,
    time_field: TIME_FIELD,
    fields: [
      { name: TIME_FIELD, type: 'Long' },
      ...chart.columns.map(({ name }) => ({ name, type: 'Number' })),
    ],
  };
}

function daily(chart: Chart, today: number): JsonObject[] {
  const rows: JsonObject[] = [];
  for (let day = monthsBefore(today, 3); day <= today; day += 1) {
    rows.push({
      [TIME_FIELD]: startOf(day),
      ...Object.fromEntries(chart.columns.map((column) => [column.name, column.value(day)])),
    });
  }
  return rows;
}

/** Charts over ETF days: their time column is a date, and they say what the summary history says. */
const ETF_CHARTS = (['BTC', 'ETH'] as const).map((symbol) => {
  const name = `etf_net_inflow_${symbol.toLowerCase()}`;
  return {
    name,
    symbol,
    meta: {
      chart_name: name,
      time_field: 'date',
      fields: [
        { name: 'date', type: 'String' },
        { name: 'net_inflow', type: 'Number' },
        { name: 'cum_net_inflow', type: 'Number' },
      ],
    } satisfies JsonObject,
  };
});

function etfRows(etfs: Etfs, symbol: 'BTC' | 'ETH', now: number): JsonObject[] {
  return (etfs.summary(symbol, 'US', now) ?? []).toReversed().map((row) => ({
    date: row['date'] ?? '',
    net_inflow: row['total_net_inflow'] ?? 0,
    cum_net_inflow: row['cum_net_inflow'] ?? 0,
  }));
}
