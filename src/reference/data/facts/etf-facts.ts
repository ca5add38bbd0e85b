import type { EtfListing } from '../../world.ts';
import facts from './etf-facts.json' with { type: 'json' };

/** What is fixed about an ETF. */
export interface EtfFacts extends EtfListing {
  /** Net assets when the data begins, millions of USD. */
  readonly assets: number;
  /** Tendency of flows: 1 gathers money, -1 bleeds. */
  readonly drift: number;
  /** Price of a share as a fraction of one unit of the asset. */
  readonly perShare: number;
}

/** All ETFs of the reference data, by listing. Tickers are unique; some equal the symbol of another field. */
export const ETF_FACTS = facts as readonly EtfFacts[];
