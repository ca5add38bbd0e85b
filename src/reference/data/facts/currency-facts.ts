import facts from './currency-facts.json' with { type: 'json' };

/** Sectors that currencies belong to. */
export const SECTORS = {
  layer1: 'Layer 1',
  layer2: 'Layer 2',
  defi: 'DeFi',
  payment: 'Payments',
  stable: 'Stablecoins',
  meme: 'Meme',
  oracle: 'Oracles',
  ai: 'AI',
  storage: 'Storage and compute',
  exchange: 'Exchange tokens',
  rwa: 'Real-world assets',
  privacy: 'Privacy',
  gaming: 'Gaming',
} as const;
export type SectorId = keyof typeof SECTORS;

/** What is fixed about a currency. Prices and volumes are plausible magnitudes, not quotations. */
export interface CurrencyFacts {
  readonly symbol: string;
  readonly name: string;
  /** Price in the middle of its swing, USD. */
  readonly base: number;
  readonly volatility: number;
  /** Steady growth as a fraction a day; only for currencies that accrue or decay instead of swinging. */
  readonly growth: number;
  readonly circulating: number;
  readonly total: number;
  /** Null: unlimited. */
  readonly max: number | null;
  /** Typical 24-hour turnover, millions of USD. */
  readonly turnover: number;
  /** First issuance, `yyyy-MM-dd`. */
  readonly issued: string;
  readonly sectors: readonly SectorId[];
  /** Chain of the token contract; null when there is none. */
  readonly chain: string | null;
  readonly pairs: number;
}

/** Currencies of the reference data, most valuable first by and large. */
export const CURRENCY_FACTS = facts as readonly CurrencyFacts[];
