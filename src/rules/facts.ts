/** What a judge must know about the target besides the exchanges. Plain JSON. */
export interface Facts {
  readonly limits: {
    readonly requests: number;
    /** Length of the rate-limit window, ms. */
    readonly windowMs: number;
    readonly monthlyQuota: number;
  };
  /** Key of the envelope that is unwrapped before judging (ruling 21), or null for the bare body. */
  readonly envelope: string | null;
  /** Identifiers that were sent because the target cannot know them, by path parameter or `malformed`. */
  readonly unknownIds: Readonly<Record<string, readonly string[]>>;
  readonly malformedCurrencyIds: readonly string[];
  /** Path templates that the restricted key may not call. */
  readonly forbidden: readonly string[];
}

/** The specified limits, no envelope, nothing known to be unknown. */
export const DEFAULT_FACTS: Facts = {
  limits: { requests: 20, windowMs: 60_000, monthlyQuota: 100_000 },
  envelope: null,
  unknownIds: {},
  malformedCurrencyIds: [],
  forbidden: [],
};
