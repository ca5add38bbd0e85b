import { startOf } from './calendar.ts';
import { day, integer, limited, named, oneOf, rangeOf, text } from './call.ts';
import type { Call, Endpoints, Params } from './call.ts';
import type { Body } from './core.ts';
import { fundDays, funds, LISTED, listing, listingDays, type Fund, type FundDay } from './funds.ts';
import { sameTicker } from './klines.ts';
import { pulse } from './prices.ts';
import { Refusal, wrong } from './refusals.ts';
import { decimals, digits, figure, figures } from './texts.ts';

/** What names a listing. */
export const LISTING: Params = {
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

function summaryHistory(call: Call) {
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
  const isWanted = rangeOf(call, 'date', '1 month', true);
  const rows = listingDays(world, country, symbol, now);
  const found = rows.filter(({ date }) => isWanted(startOf(date)));
  return limited(call, found).map(({ date, ...sums }) => ({ date, ...decimals(world, sums) }));
}

const fundOf = (call: Call): Fund =>
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
  const fund = fundOf(call);
  const isWanted = rangeOf(call, 'date', '1 month');
  const days = fundDays(call.world, fund, call.now).toReversed();
  const found = days.filter(({ date }) => isWanted(startOf(date)));
  const kept = call.world.is('etf-limit', 'kept') ? limited(call, found) : found;
  return kept.map((one) => historyRow(call, fund, one));
}

/** The latest settled figures. */
function snapshot(call: Call): Body {
  const fund = fundOf(call);
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
    params: (world) => ({ ...DATES, limit: world.is('etf-limit', 'kept') ? LIMIT : text }),
    answer: history,
  },
  '/etfs/{ticker}/market-snapshot': { answer: snapshot },
};
