/** What is fixed about a listed company. */
export interface StockFacts {
  readonly ticker: string;
  readonly name: string;
  readonly sector: string;
  /** Price in the middle of its swing, USD. */
  readonly base: number;
  readonly volatility: number;
  /** Shares, millions. */
  readonly shares: number;
  /** Part of the shares that circulates. */
  readonly float: number;
  /** Earnings of twelve months a share, USD; negative for a loss. */
  readonly earnings: number;
  /** Book value a share, USD. */
  readonly book: number;
}

type Row = readonly [
  ticker: string,
  name: string,
  sector: string,
  base: number,
  volatility: number,
  shares: number,
  float: number,
  earnings: number,
  book: number,
];

const ROWS: readonly Row[] = [
  ['COIN', 'Coinbase Global', 'Exchanges', 260, 0.8, 257, 0.83, 9.4, 47],
  ['HOOD', 'Robinhood Markets', 'Exchanges', 96, 0.8, 889, 0.88, 2.1, 9.6],
  ['BLSH', 'Bullish', 'Exchanges', 44, 0.7, 148, 0.22, -0.6, 22],
  ['GEMI', 'Gemini Space Station', 'Exchanges', 13, 0.8, 116, 0.4, -3.1, 4.4],
  ['MSTR', 'Strategy', 'Digital asset treasuries', 220, 0.95, 287, 0.92, 18.2, 182],
  ['BMNR', 'BitMine Immersion', 'Digital asset treasuries', 34, 0.95, 284, 0.95, -1.7, 31],
  ['SBET', 'SharpLink Gaming', 'Digital asset treasuries', 11, 0.95, 191, 0.93, -1.2, 12.6],
  ['FORW', 'Forward Industries', 'Digital asset treasuries', 9.5, 0.95, 86, 0.7, -0.9, 13],
  ['MARA', 'MARA Holdings', 'Mining', 13, 0.9, 378, 0.97, 1.9, 13.7],
  ['RIOT', 'Riot Platforms', 'Mining', 15, 0.9, 371, 0.92, 0.4, 9.2],
  ['CLSK', 'CleanSpark', 'Mining', 13, 0.9, 281, 0.96, 1.1, 8.5],
  ['HUT', 'Hut 8', 'Mining', 42, 0.9, 108, 0.85, 1.4, 14.6],
  ['CIFR', 'Cipher Mining', 'Mining', 16, 0.9, 395, 0.78, -0.5, 2.2],
  ['BTDR', 'Bitdeer Technologies', 'Mining', 14, 0.9, 212, 0.55, -2.4, 3.2],
  ['BITF', 'Bitfarms', 'Mining', 3.1, 0.95, 557, 0.93, -0.2, 1.2],
  ['CORZ', 'Core Scientific', 'Infrastructure', 16.5, 0.85, 310, 0.9, -2.6, -3.8],
  ['IREN', 'IREN', 'Infrastructure', 45, 0.9, 283, 0.93, 1.9, 10.4],
  ['WULF', 'TeraWulf', 'Infrastructure', 12.5, 0.9, 418, 0.74, -1.5, 0.6],
  ['GLXY', 'Galaxy Digital', 'Infrastructure', 27, 0.85, 391, 0.5, 0.9, 8.2],
  ['CRCL', 'Circle Internet Group', 'Payments', 82, 0.8, 236, 0.62, -1.1, 13],
  ['XYZ', 'Block', 'Payments', 66, 0.6, 609, 0.9, 5, 36],
  ['PYPL', 'PayPal Holdings', 'Payments', 63, 0.4, 936, 0.99, 4.9, 21.5],
];

/** Companies of the reference data; all trade in New York hours. */
export const STOCK_FACTS: readonly StockFacts[] = ROWS.map(
  ([ticker, name, sector, base, volatility, shares, float, earnings, book]) => ({
    ticker,
    name,
    sector,
    base,
    volatility,
    shares: Math.round(shares * 1e6),
    float,
    earnings,
    book,
  }),
);
