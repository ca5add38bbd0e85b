import facts from './stock-facts.json' with { type: 'json' };

/** What is fixed about a listed company. */
export interface StockFacts {
  readonly ticker: string;
  readonly name: string;
  readonly sector: string;
  /** Price in the middle of its swing, USD. */
  readonly base: number;
  readonly volatility: number;
  readonly shares: number;
  /** Part of the shares that circulates. */
  readonly float: number;
  /** Earnings of twelve months a share, USD; negative for a loss. */
  readonly earnings: number;
  /** Book value a share, USD. */
  readonly book: number;
}

/** Companies of the reference data; all trade in New York hours. */
export const STOCK_FACTS: readonly StockFacts[] = facts;
