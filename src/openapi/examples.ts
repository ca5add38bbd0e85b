import type { FixtureKind } from '../spec/endpoints.ts';

/** Kinds of values that differ between implementations; the names are those of `fixtures` in a target file. */
export type ExampleKind = FixtureKind | 'exchanges';

/**
 * Examples that hold for the reference server with its default seed (a test asks its data). Tools that generate requests need ids that exist: with invented ones
 * every answer is "resource not found" and nothing else is ever tested.
 */
export const DEFAULT_EXAMPLES: Readonly<Record<ExampleKind, readonly string[]>> = {
  currencyIds: ['1364005475320104960', '1364005475320104997'],
  etfTickers: ['IBIT', 'FBTC'],
  stockTickers: ['MSTR', 'COIN'],
  indexTickers: ['TOP10', 'MAJOR7'],
  sectorNames: ['Mining', 'Exchanges'],
  macroEvents: ['CPI YoY', 'Nonfarm Payrolls'],
  chartNames: ['btc_dominance', 'total_marketcap'],
  projectIds: ['1870500700485977321'],
  exchanges: ['Binance', 'OKX'],
};
