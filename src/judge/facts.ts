/** What a judge knows about the target besides the exchanges. Plain JSON. */
export interface Facts {
  readonly limits: {
    readonly requests: number;
    /** Length of the rate-limit window, ms. */
    readonly windowMs: number;
    readonly monthlyQuota: number;
  };
  /** Envelope key to unwrap before judging (ruling 21), or null. */
  readonly envelope: string | null;
  /** Identifiers that cannot exist on the target, by path parameter; unknown paths under `path`. */
  readonly unknownIds: Readonly<Record<string, readonly string[]>>;
  readonly malformedCurrencyIds: readonly string[];
  /** Identifiers that may or may not exist, by path parameter: any answer is fine. */
  readonly doubtfulIds?: Readonly<Record<string, readonly string[]>>;
  /**
   * Identifiers found in the target's lists, by path parameter. Lists may use other names than paths do, so an
   * identifier proves nothing until it succeeds once (ruling 11).
   */
  readonly discoveredIds?: Readonly<Record<string, readonly string[]>>;
  /** Values of `exchange` in the target file. */
  readonly exchanges?: readonly string[];
  /** Requests left for the near-quota key at the start of the run. */
  readonly quotaLeft?: number;
  /** Requests with the near-quota key without an answer that can be judged, which may or may not have counted. */
  readonly quotaUnseen?: number;
  /** Rows without settlement figures in earlier runs against this target (§4.4 rule 1, ruling 17). */
  readonly earlierRows?: readonly EarlierRow[];
  /**
   * Set if the target reports its exact time, as a test target with an adjustable clock does: recorded skews are exact.
   */
  readonly clockTold?: true;
  /** Path templates closed to the restricted key. */
  readonly forbidden: readonly string[];
  /**
   * Set for traffic that Assay did not send. Keys may be issued, revoked or used elsewhere at any time, and clocks and
   * headers depend on the recorder, so rules relying on them are skipped.
   */
  readonly partial?: true;
  /** Set for exchanges recorded under load, with many requests in flight. */
  readonly load?: LoadTraffic;
}

interface LoadTraffic {
  /** Precision of the target's clock, ms, unless its rate-limit headers contradict it. */
  readonly clockWithinMs: number;
  /** Which answers to keyed requests were recorded. Nobody else uses these keys. */
  readonly recorded: 'all' | 'all but some refusals' | 'some';
  /** True if a single user sent everything, so that the order within a millisecond is known. */
  readonly oneByOne: boolean;
}

/** An ETF history row without settlement figures in an earlier run. */
export interface EarlierRow {
  readonly ticker: string;
  /** yyyy-MM-dd */
  readonly date: string;
  /** Target time of that sighting, epoch ms. */
  readonly seenAt: number;
  /** Start of that run, ISO 8601. */
  readonly run: string;
}

/** The specified limits, no envelope, no known identifiers. */
export const DEFAULT_FACTS: Facts = {
  limits: { requests: 20, windowMs: 60_000, monthlyQuota: 100_000 },
  envelope: null,
  unknownIds: {},
  malformedCurrencyIds: [],
  forbidden: [],
};
