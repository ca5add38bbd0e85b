import type { Country, EtfSymbol, Language } from '../spec/values.ts';

/**
 * The data of the reference server. Everything is a pure function of the seed and of `now` (epoch ms): when the clock
 * advances, windows slide, the unsettled ETF row settles, and news age. The same seed and `now` give the same bytes.
 * Histories are stable: a settled row, an old candle, a news item do not change when
 * `now` moves.
 *
 * `now` may be any time from 2024-01-01 on. A trading day is the UTC date in both ETF countries. Results are shared between
 * callers: treat them as frozen.
 *
 * Rows are in the order of the service and cover exactly the window of §8; query parameters (limit, dates, page, filters) are
 * applied by the server.
 */
export interface World {
  readonly seed: number;
  readonly currencyIds: readonly string[];
  readonly stockTickers: readonly string[];
  readonly indexTickers: readonly string[];
  readonly sectorNames: readonly string[];
  readonly macroEvents: readonly string[];
  readonly chartNames: readonly string[];
  readonly projectIds: readonly string[];
  /** Exchanges that pairs are traded on, as `market` names them (§2.5). */
  readonly exchanges: readonly string[];
  /** All ETFs; at least three for each of the 13 listings. */
  readonly etfs: readonly EtfListing[];

  currencyList(now: number): readonly Json[];
  currencyInfo(currencyId: string): JsonObject | undefined;
  currencySnapshot(currencyId: string, now: number): JsonObject | undefined;
  tokenEconomics(currencyId: string): JsonObject | undefined;
  /** Daily candles of the last 3 months, oldest first; timestamps at 00:00 UTC. */
  currencyKlines(currencyId: string, now: number): readonly JsonObject[] | undefined;
  /** All pairs of the currency, by turnover_24h descending. */
  pairs(currencyId: string, now: number): readonly JsonObject[] | undefined;
  fundraising(currencyId: string): JsonObject | undefined;

  /** News of the last 7 days (and older, which only a range may not reach), in display order (newest first). */
  news(now: number): readonly NewsRecord[];
  /** Featured news: fewer, same display order. */
  featuredNews(now: number): readonly NewsRecord[];
  hotNews(now: number): readonly NewsRecord[];

  /** Newest first; undefined when the asset is not listed in the country. Settled days only. */
  etfSummary(symbol: EtfSymbol, country: Country, now: number): readonly JsonObject[] | undefined;
  /** Newest first; the first row is unsettled when `now` lies on a trading day of the ETF's country. */
  etfHistory(ticker: string, now: number): readonly JsonObject[] | undefined;
  /** Latest settled figures; `volume` is the share volume (§4.4 rule 3). */
  etfSnapshot(ticker: string, now: number): JsonObject | undefined;

  stockList(now: number): readonly Json[];
  stockSnapshot(ticker: string, now: number): JsonObject | undefined;
  stockMarketCap(ticker: string, now: number): readonly JsonObject[] | undefined;
  /** Trading days of the last 3 months, oldest first. */
  stockKlines(ticker: string, now: number): readonly JsonObject[] | undefined;
  stockSectors(now: number): readonly Json[];
  sectorIndex(name: string, now: number): readonly JsonObject[] | undefined;

  indexList(now: number): readonly Json[];
  indexConstituents(ticker: string, now: number): readonly JsonObject[] | undefined;
  indexSnapshot(ticker: string, now: number): JsonObject | undefined;
  indexKlines(ticker: string, now: number): readonly JsonObject[] | undefined;

  fundraisingProjects(now: number): readonly Json[];
  fundraisingProject(projectId: string, now: number): JsonObject | undefined;

  /** Events by date, newest date first. */
  macroCalendar(now: number): readonly Json[];
  /** Newest first; at least 130 released rows an event, so that the maximum of 100 can be seen. */
  macroHistory(event: string, now: number): readonly JsonObject[] | undefined;

  /** Chart metadata of `GET /analyses` (§2.11). */
  charts(): readonly JsonObject[];
  chartData(name: string, now: number): readonly JsonObject[] | undefined;
}

export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

export interface EtfListing {
  readonly ticker: string;
  readonly name: string;
  readonly symbol: EtfSymbol;
  readonly country: Country;
}

/** A news item before the language is chosen and the fields of §2.7 are written. */
export interface NewsRecord {
  readonly id: string;
  /** Epoch ms. */
  readonly releaseTime: number;
  readonly category: 1 | 2 | 3 | 4 | 7 | 13;
  readonly currencyIds: readonly string[];
  readonly projectIds: readonly string[];
  /** The item with all fields of §2.7, title, content and quote_info.content in the language asked for. */
  item(language: Language): JsonObject;
}
