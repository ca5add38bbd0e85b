import type { Country, EtfSymbol } from '../../spec/values.ts';
import type { EtfListing, JsonObject } from '../world.ts';
import { dayOf, isoDate, monthsBefore } from './calendar.ts';
import type { Currency } from './currencies.ts';
import { ETF_FACTS } from './facts/etf-facts.ts';
import {
  createLedger,
  tradingDayList,
  type Ledger,
  type LedgerEntry,
  type TradingDayList,
} from './etf-ledger.ts';
import { latest } from './memo.ts';

/**
 * ETF answers (§2.8, §4.3, §4.4). A trading day is taken as the UTC date in both countries; the figures of a day settle
 * when the next UTC date begins.
 */
export interface Etfs {
  readonly list: readonly EtfListing[];
  history(ticker: string, now: number): readonly JsonObject[] | undefined;
  summary(symbol: EtfSymbol, country: Country, now: number): readonly JsonObject[] | undefined;
  snapshot(ticker: string, now: number): JsonObject | undefined;
}

/** All ETFs: ticker, name, asset and country. */
export function createEtfList(): readonly EtfListing[] {
  return ETF_FACTS.map(({ ticker, name, symbol, country }) => ({ ticker, name, symbol, country }));
}

/** Cents as dollars; the number prints with two decimals at most. */
const usd = (cents: number): number => cents / 100;

export function createEtfs(seed: number, currencies: readonly Currency[]): Etfs {
  const calendars: Readonly<Record<Country, TradingDayList>> = {
    US: tradingDayList('US'),
    HK: tradingDayList('HK'),
  };
  const ledgers = new Map<string, Ledger>();
  for (const facts of ETF_FACTS) {
    const currency = currencies.find((one) => one.symbol === facts.symbol);
    if (currency === undefined) throw new Error(`no currency ${facts.symbol} for ${facts.ticker}`);
    ledgers.set(facts.ticker, createLedger(seed, facts, currency, calendars[facts.country]));
  }
  const histories = latest<readonly JsonObject[]>();
  const summaries = latest<readonly JsonObject[]>();
  const snapshots = latest<JsonObject | undefined>();

  return {
    list: createEtfList(),

    history(ticker, now) {
      const ledger = ledgers.get(ticker);
      if (ledger === undefined) return undefined;
      const today = dayOf(now);
      return histories.get(ticker, today, () =>
        recent(ledger, today).map((entry) => historyRow(ticker, entry, entry.day < today)),
      );
    },

    summary(symbol, country, now) {
      const listed = ETF_FACTS.filter((one) => one.symbol === symbol && one.country === country);
      const books = listed.flatMap(({ ticker }) => ledgers.get(ticker) ?? []);
      const [first] = books;
      if (first === undefined) return undefined;
      const today = dayOf(now);
      return summaries.get(`${symbol}/${country}`, today, () =>
        recent(first, today)
          .filter(({ day }) => day < today)
          .map(({ day }) => summaryRow(day, books)),
      );
    },

    snapshot(ticker, now) {
      const ledger = ledgers.get(ticker);
      if (ledger === undefined) return undefined;
      const today = dayOf(now);
      return snapshots.get(ticker, today, () => {
        const settled = recent(ledger, today).find(({ day }) => day < today);
        return settled && snapshotRow(ledger, settled);
      });
    },
  };
}

/** Entries of the most recent calendar month, newest first. */
function recent(ledger: Ledger, today: number): LedgerEntry[] {
  const entries: LedgerEntry[] = [];
  const first = monthsBefore(today, 1);
  for (let day = today; day >= first; day -= 1) {
    const entry = ledger.on(day);
    if (entry !== undefined) entries.push(entry);
  }
  return entries;
}

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
  let flow = 0;
  let traded = 0;
  let assets = 0;
  let cumulative = 0;
  for (const book of books) {
    const entry = book.on(day);
    if (entry === undefined) continue;
    flow += entry.flow;
    traded += entry.traded;
    assets += entry.assets;
    cumulative += entry.cumulative;
  }
  return {
    date: isoDate(day),
    total_net_inflow: usd(flow),
    total_value_traded: usd(traded),
    total_net_assets: usd(assets),
    cum_net_inflow: usd(cumulative),
  };
}

function snapshotRow(ledger: Ledger, entry: LedgerEntry): JsonObject {
  const { ticker, name, symbol, country } = ledger.facts;
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
