import facts from './fundraising-facts.json' with { type: 'json' };

/** Made-up names: who invested in what is not claimed about real firms or people. */
export interface FundraisingFacts {
  readonly investors: readonly string[];
  /** Projects without a currency of their own. */
  readonly startups: readonly string[];
  /** In the order in which projects raise them, with the usual size in millions of USD. */
  readonly rounds: readonly { readonly name: string; readonly millions: number }[];
  readonly statuses: readonly string[];
  readonly ecosystems: readonly string[];
  readonly regions: readonly string[];
  readonly firstNames: readonly string[];
  readonly lastNames: readonly string[];
  readonly positions: readonly string[];
}

export const FUNDRAISING_FACTS: FundraisingFacts = facts;
