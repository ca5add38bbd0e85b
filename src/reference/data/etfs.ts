import type { JsonObject, World } from '../world.ts';
import { daysFrom, isoDate, monthsBefore } from './calendar.ts';
import type { Currency } from './currencies.ts';
import { ETF_FACTS } from './facts/etf-facts.ts';
import { createLedger, type Ledger, type LedgerEntry } from './etf-ledger.ts';
import { daily } from './memo.ts';

/** Cents as dollars; the number prints with two decimals at most. */
const usd = (cents: number): number => cents / 100;

/**
 * ETF answers (§2.8, §4.3, §4.4). A trading day is taken as the UTC date in both countries; the figures of a day settle
 * when the next UTC date begins.
 */
export function createEtfs(
  seed: number,
  currencies: readonly Currency[],
): Pick<World, 'etfs' | 'etfHistory' | 'etfSummary' | 'etfSnapshot'> {
  const ledgers = new Map<string, Ledger>();
  const listings = new Map<string, Ledger[]>();
  for (const facts of ETF_FACTS) {
    const currency = currencies.find((one) => one.symbol === facts.symbol);
    if (currency === undefined) throw new Error(`no currency ${facts.symbol} for ${facts.ticker}`);
    const ledger = createLedger(seed, facts, currency);
    ledgers.set(facts.ticker, ledger);
    const listing = `${facts.symbol}/${facts.country}`;
    listings.set(listing, [...(listings.get(listing) ?? []), ledger]);
  }
  const summary = daily((listing, today) => {
    const books = listings.get(listing);
    const [first] = books ?? [];
    return first && recent(first, today, today - 1).map(({ day }) => summaryRow(day, books ?? []));
  });
  return {
    etfs: ETF_FACTS.map(({ ticker, name, symbol, country }) => ({ ticker, name, symbol, country })),
    etfHistory: daily((ticker, today) => {
      const ledger = ledgers.get(ticker);
      return (
        ledger &&
        recent(ledger, today, today).map((entry) => historyRow(ticker, entry, entry.day < today))
      );
    }),
    etfSummary: (symbol, country, now) => summary(`${symbol}/${country}`, now),
    etfSnapshot: daily((ticker, today) => {
      const ledger = ledgers.get(ticker);
      const [settled] = ledger === undefined ? [] : recent(ledger, today, today - 1);
      return ledger && settled && snapshotRow(ledger, settled);
    }),
  };
}

/** Entries of the most recent calendar month up to a day, newest first. */
const recent = (ledger: Ledger, today: number, until: number): readonly LedgerEntry[] =>
  daysFrom(monthsBefore(today, 1), until)
    .flatMap((day) => ledger.on(day) ?? [])
    .toReversed();

function historyRow(ticker: string, entry: LedgerEntry, settled: boolean): JsonObject {
  return {
    date: isoDate(entry.day),
    ticker,
    net_inflow: settled ? usd(entry.flow) : null,
    cum_inflow: settled ? usd(entry.cumulative) : null,
    net_assets: settled ? usd(entry.assets) : null,
    currency_share: settled ? entry.share : null,
    prem_dsc: settled ? entry.premium : null,
    value_traded: usd(entry.traded),
    // The known issue of §4.4 rule 3: the turnover again, as a string.
    volume: String(usd(entry.traded)),
  };
}

function summaryRow(day: number, books: readonly Ledger[]): JsonObject {
  const entries = books.flatMap((book) => book.on(day) ?? []);
  const total = (field: 'flow' | 'traded' | 'assets' | 'cumulative'): number =>
    usd(entries.reduce((sum, entry) => sum + entry[field], 0));
  return {
    date: isoDate(day),
    total_net_inflow: total('flow'),
    total_value_traded: total('traded'),
    total_net_assets: total('assets'),
    cum_net_inflow: total('cumulative'),
  };
}

function snapshotRow({ facts: { ticker, name, symbol, country } }: Ledger, entry: LedgerEntry) {
  return {
    date: isoDate(entry.day),
    ticker,
    name,
    symbol,
    country_code: country,
    mkt_price: entry.price,
    net_inflow: usd(entry.flow),
    cum_inflow: usd(entry.cumulative),
    net_assets: usd(entry.assets),
    currency_share: entry.share,
    prem_dsc: entry.premium,
    value_traded: usd(entry.traded),
    volume: entry.shares,
  };
}
