import { Refusal } from '../conduct/errors.ts';
import { textValue, type Call } from '../core/call.ts';
import type { Json, JsonObject } from '../core/json.ts';
import { startOf, type Country } from '../data/calendar.ts';
import {
  allFunds,
  fundDays,
  LISTED,
  listingDays,
  SYMBOLS,
  type Fund,
  type FundDay,
} from '../data/etfs.ts';
import { written } from '../data/names.ts';
import { pulse } from '../data/prices.ts';
import type { World } from '../worlds/world.ts';
import { readParams, type Param } from './params.ts';
import { limited, rangeOf, type Range } from './ranges.ts';
import { notFound, sameTicker } from './stocks.ts';
import { decimal, digits, figure } from './write.ts';

const DATES: readonly Param[] = [
  { name: 'start_date', kind: 'day' },
  { name: 'end_date', kind: 'day' },
];

/** Parameters of GET /etfs/summary-history. Which listing a symbol has is checked with the values. */
export const SUMMARY_PARAMS: readonly Param[] = [
  { name: 'symbol', kind: 'enum', required: true, allowed: SYMBOLS, anyCase: true },
  {
    name: 'country_code',
    kind: 'enum',
    required: true,
    allowed: ['US', 'HK'],
    anyCase: true,
    unknown: (world) => (world.choice('unknown-country') === 'value' ? 'refuse' : 'keep'),
  },
  ...DATES,
  { name: 'limit', kind: 'integer', otherwise: 50, most: 300 },
];

/** Parameters of GET /etfs/{ticker}/history. */
export function historyParams(world: World): readonly Param[] {
  return world.choice('etf-limit') === 'kept'
    ? [...DATES, { name: 'limit', kind: 'integer', otherwise: 50, most: 300 }]
    : [...DATES, { name: 'limit', kind: 'text' }];
}

function range(call: Call, plainFrom?: number): Range | undefined {
  const from = textValue(call, 'start_date');
  const to = textValue(call, 'end_date');
  const sent = {
    from: from === undefined ? undefined : startOf(from),
    to: to === undefined ? undefined : startOf(to),
  };
  return rangeOf(call, ['start_date', 'end_date'], sent, 'month', plainFrom);
}

function within<T extends { readonly day: string }>(
  rows: readonly T[],
  span: Range | undefined,
): T[] {
  if (span === undefined) return [];
  return rows.filter(({ day }) => startOf(day) >= span.from && startOf(day) <= span.to);
}

function unsupported(call: Call, symbol: string, country: string): Refusal {
  const sent = call.world.choice('message-case') === 'as-sent';
  const shown = (name: string, value: string): string =>
    sent ? (call.query.get(name) ?? value) : value.toUpperCase();
  return new Refusal('listing', {
    fields: ['symbol'],
    value: symbol,
    message: `Unsupported ETF category: symbol=${shown('symbol', symbol)}, country_code=${shown('country_code', country)}`,
  });
}

/** GET /etfs/summary-history */
export function summaryHistory(call: Call): Json {
  const { world, now } = call;
  const symbol = textValue(call, 'symbol') ?? '';
  const code = textValue(call, 'country_code') ?? '';
  if (code !== 'US' && code !== 'HK') {
    if (world.choice('unknown-country') === 'listing') throw unsupported(call, symbol, code);
    throw new Refusal('format', {
      fields: ['country_code'],
      value: code,
      issue: 'must be US or HK',
    });
  }
  const country: Country = code;
  if (!LISTED[country].includes(symbol)) throw unsupported(call, symbol, country);
  const span = range(call, world.choice('plain-reach') === 'default-rows' ? 0 : undefined);
  const rows = within(listingDays(world, country, symbol, now), span);
  return limited(call, rows, 50).map((one) => ({
    date: one.day,
    total_net_inflow: decimal(world, 'total_net_inflow', one.netInflow),
    total_value_traded: decimal(world, 'total_value_traded', one.valueTraded),
    total_net_assets: decimal(world, 'total_net_assets', one.netAssets),
    cum_net_inflow: decimal(world, 'cum_net_inflow', one.cumInflow),
  }));
}

/** The fund of the path. */
export function fundOf(call: Call): Fund {
  const ticker = call.path['ticker'] ?? '';
  const found = allFunds(call.world, call.now).find((one) => sameTicker(call, one.ticker, ticker));
  if (found === undefined) throw notFound(call, 'ETF', 'ticker', ticker);
  return found;
}

function volumeOf(call: Call, one: FundDay, value: number): Json {
  return call.world.of('etf-volume', {
    'text-of-value': digits(value),
    shares: figure(call.world, one.shares),
    'rounded-text': value.toFixed(2),
    'text-with-zeros': value.toFixed(8),
  });
}

function shareOf(call: Call, fund: Fund, one: FundDay): number {
  const all = allFunds(call.world, call.now).filter(
    ({ symbol, country }) => symbol === fund.symbol && country === fund.country,
  );
  const total = all.reduce((sum, other) => sum + other.size, 0);
  return Number(((fund.size / total) * (1 + one.premium)).toFixed(5));
}

function historyRow(call: Call, fund: Fund, one: FundDay): JsonObject {
  const { world } = call;
  // What is traded today grows while the exchange is open.
  const traded = one.settled
    ? one.valueTraded
    : Number((one.valueTraded * pulse(world, fund.ticker, call.now, call.count)).toFixed(4));
  const settled = (value: number): Json => (one.settled ? figure(world, value) : null);
  return {
    date: one.day,
    ticker: fund.ticker,
    net_inflow: settled(one.netInflow),
    cum_inflow: settled(one.cumInflow),
    net_assets: settled(one.netAssets),
    currency_share: settled(Math.min(1, shareOf(call, fund, one))),
    prem_dsc: settled(one.premium),
    value_traded: figure(world, traded),
    volume: volumeOf(call, one, traded),
  };
}

/** GET /etfs/{ticker}/history */
export function etfHistory(call: Call): Json {
  const fund = fundOf(call);
  const rows = within(fundDays(call.world, fund, call.now).toReversed(), range(call));
  const kept = call.world.choice('etf-limit') === 'kept' ? limited(call, rows, 50) : rows;
  return kept.map((one) => historyRow(call, fund, one));
}

/** GET /etfs/{ticker}/market-snapshot: the latest settled figures. */
export function etfSnapshot(call: Call): Json {
  const fund = fundOf(call);
  const one = fundDays(call.world, fund, call.now).findLast(({ settled }) => settled);
  const empty = call.world.choice('purpose-empty') === 'empty';
  if (one === undefined || empty) return { ticker: fund.ticker };
  const row = historyRow(call, fund, one);
  return { ...row, volume: one.shares, sponsor_fee: 0.0025 };
}

/** GET /etfs */
export function etfList(call: Call): Json {
  const { world } = call;
  const choice = world.choice('etf-list');
  let list = allFunds(world, call.now);
  if (choice === 'needs-parameter') {
    const values = readParams(call, SUMMARY_PARAMS.slice(0, 2));
    list = list.filter(
      (one) => one.symbol === values['symbol'] && one.country === values['country_code'],
    );
  }
  if (world.choice('purpose-empty') === 'empty') return [];
  if (choice === 'texts') return list.map(({ ticker }) => ticker);
  const rows = list.map((one, index): JsonObject => {
    const name = written(world, one.name);
    if (choice === 'id-and-symbol')
      return { id: 7000 + index, symbol: one.symbol, etf_ticker: one.ticker, name };
    if (choice === 'code-and-name') return { name, code: one.ticker, exchange: one.country };
    return { ticker: one.ticker, name, symbol: one.symbol, country_code: one.country };
  });
  return choice === 'nested' ? { US: rows.slice(0, 40), HK: rows.slice(40) } : rows;
}
