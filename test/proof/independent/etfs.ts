import { startOf } from './calendar.ts';
import { day, integer, limited, oneOf, rangeOf, readParams, text, within } from './call.ts';
import type { Call, Params } from './call.ts';
import type { Body } from './core.ts';
import { fundDays, funds, LISTED, listing, listingDays, type Fund, type FundDay } from './funds.ts';
import { sameTicker } from './klines.ts';
import { pulse } from './prices.ts';
import { notFound, Refusal, wrong } from './refusals.ts';
import { decimals, digits, figure, figures, written } from './texts.ts';
import type { World } from './world.ts';

const LISTING: Params = {
  symbol: { ...oneOf(LISTED.US, undefined, true), required: true },
  country_code: {
    ...oneOf(
      ['US', 'HK'],
      (world, country) => !world.is('unknown-country', 'value') && country,
      true,
    ),
    required: true,
  },
};
const DATES: Params = { start_date: day(), end_date: day() };
const LIMIT = integer(50, { most: 300 });

/** Parameters of GET /etfs/summary-history. Which listing a symbol has is checked with the values. */
export const SUMMARY_PARAMS: Params = { ...LISTING, ...DATES, limit: LIMIT };

/** Parameters of GET /etfs/{ticker}/history. */
export const historyParams = (world: World): Params => ({
  ...DATES,
  limit: world.is('etf-limit', 'kept') ? LIMIT : text,
});

/** The rows that the dates of a request let through. */
function inRange<T extends { readonly date: string }>(
  call: Call,
  rows: readonly T[],
  plainFrom?: number,
): T[] {
  const range = rangeOf(call, 'date', '1 month', plainFrom);
  return rows.filter(({ date }) => within(range, startOf(date)));
}

/** GET /etfs/summary-history */
export function summaryHistory(call: Call) {
  const { world, now, query, values } = call;
  const { symbol, country_code: country } = values;
  const known = country === 'US' || country === 'HK';
  if (!known && !world.is('unknown-country', 'listing'))
    throw wrong('format', 'country_code', country, 'must be US or HK');
  if (!known || !LISTED[country].includes(symbol)) {
    const shown = (name: 'symbol' | 'country_code'): string =>
      world.is('message-case', 'as-sent')
        ? (query.get(name) ?? values[name])
        : values[name].toUpperCase();
    throw new Refusal('format', {
      fields: ['symbol'],
      value: symbol,
      message: `Unsupported ETF category: symbol=${shown('symbol')}, country_code=${shown('country_code')}`,
    });
  }
  const plainFrom = world.is('plain-reach', 'default-rows') ? 0 : undefined;
  const rows = inRange(call, listingDays(world, country, symbol, now), plainFrom);
  return limited(call, rows).map(({ date, ...sums }) => ({ date, ...decimals(world, sums) }));
}

/** The fund of the path. */
function fundOf({ world, now, path }: Call): Fund {
  const ticker = path['ticker'] ?? '';
  const found = funds(world, now).find((one) => sameTicker(world, one.ticker, ticker));
  return found ?? notFound(world, 'ETF', 'ticker', ticker);
}

function historyRow(call: Call, fund: Fund, row: FundDay): Body {
  const { world, now } = call;
  const { date, settled, shares, net_inflow, cum_inflow, net_assets, prem_dsc } = row;
  const others = listing(world, fund.country, fund.symbol, now);
  const share = fund.size / others.reduce((sum, { size }) => sum + size, 0);
  const currency_share = Math.min(1, Number((share * (1 + prem_dsc)).toFixed(5)));
  // What is traded today grows while the exchange is open.
  const value_traded = settled
    ? row.value_traded
    : Number((row.value_traded * pulse(call, fund.ticker)).toFixed(4));
  const open = { net_inflow: null, cum_inflow: null, net_assets: null, currency_share: null };
  return {
    date,
    ticker: fund.ticker,
    ...figures(world, {
      ...(settled
        ? { net_inflow, cum_inflow, net_assets, currency_share, prem_dsc }
        : { ...open, prem_dsc: null }),
      value_traded,
    }),
    volume: world.of('etf-volume', {
      'text-of-value': digits(value_traded),
      shares: figure(world, shares),
      'rounded-text': value_traded.toFixed(2),
      'text-with-zeros': value_traded.toFixed(8),
    }),
  };
}

/** GET /etfs/{ticker}/history */
export function etfHistory(call: Call) {
  const fund = fundOf(call);
  const rows = inRange(call, fundDays(call.world, fund, call.now).toReversed());
  const kept = call.world.is('etf-limit', 'kept') ? limited(call, rows) : rows;
  return kept.map((one) => historyRow(call, fund, one));
}

/** GET /etfs/{ticker}/market-snapshot: the latest settled figures. */
export function etfSnapshot(call: Call): Body {
  const fund = fundOf(call);
  const one = fundDays(call.world, fund, call.now).findLast(({ settled }) => settled);
  if (one === undefined || call.world.is('purpose-empty', 'empty')) return { ticker: fund.ticker };
  return { ...historyRow(call, fund, one), volume: one.shares, sponsor_fee: 0.0025 };
}

/** GET /etfs */
export function etfList(call: Call): unknown {
  const { world, now } = call;
  const choice = world.choice('etf-list');
  const { symbol, country_code } =
    choice === 'needs-parameter' ? readParams(call, LISTING) : { symbol: '', country_code: '' };
  if (world.is('purpose-empty', 'empty')) return [];
  const list = symbol === '' ? funds(world, now) : listing(world, country_code, symbol, now);
  if (choice === 'texts') return list.map(({ ticker }) => ticker);
  const rows = list.map((one, index) => {
    const name = written(world, one.name);
    if (choice === 'id-and-symbol')
      return { id: 7000 + index, symbol: one.symbol, etf_ticker: one.ticker, name };
    if (choice === 'code-and-name') return { name, code: one.ticker, exchange: one.country };
    return { ticker: one.ticker, name, symbol: one.symbol, country_code: one.country };
  });
  return choice === 'nested' ? { US: rows.slice(0, 40), HK: rows.slice(40) } : rows;
}
