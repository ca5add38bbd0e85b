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
  /** Identifiers that were sent because the target cannot know them, by path parameter; paths under `path`. */
  readonly unknownIds: Readonly<Record<string, readonly string[]>>;
  readonly malformedCurrencyIds: readonly string[];
  /** Identifiers of which it is not known what they are to the target, by path parameter: any answer will do. */
  readonly doubtfulIds?: Readonly<Record<string, readonly string[]>>;
  /**
   * Identifiers that were found in the lists of the target, by path parameter. A list may call its entries otherwise than
   * the path does, so one that was never answered with a success proves nothing (ruling 11).
   */
  readonly discoveredIds?: Readonly<Record<string, readonly string[]>>;
  /** Values of `exchange` that the target file names, so that the target knows them. */
  readonly exchanges?: readonly string[];
  /** Requests that the key near its monthly quota had left when the run began; left out when there is no such key. */
  readonly quotaLeft?: number;
  /** How many requests with that key got no answer, so that it is not known whether they counted. */
  readonly quotaUnseen?: number;
  /** Rows that earlier runs of the same target saw unsettled (§4.4 rule 1, ruling 17). */
  readonly earlierRows?: readonly EarlierRow[];
  /** Set for a target that told its exact time, as a test target does whose clock can be moved: recorded skews are exact. */
  readonly clockTold?: true;
  /** Path templates that the restricted key may not call. */
  readonly forbidden: readonly string[];
  /**
   * Set for the traffic of others: their keys may be issued, withdrawn and used elsewhere at any time, and their clocks
   * and headers are those of some tool. What then proves nothing is not judged.
   */
  readonly partial?: true;
  /** Set for what was recorded under load, where many requests are under way at once. */
  readonly load?: LoadTraffic;
}

/** What is known about traffic that was sent to load a target. */
export interface LoadTraffic {
  /** The clock of the target is known within so many ms, as far as its announcements do not speak against it. */
  readonly clockWithinMs: number;
  /** Which answers to requests with a key were recorded. Nobody else uses the keys meanwhile. */
  readonly recorded: 'all' | 'all but some refusals' | 'some';
  /** True when one user sent everything, so that of two requests in the same millisecond the order is known. */
  readonly oneByOne: boolean;
}

/** A row of an ETF history whose settlement figures were null when an earlier run saw it. */
export interface EarlierRow {
  readonly ticker: string;
  /** yyyy-MM-dd */
  readonly date: string;
  /** Time of the target when it was seen, epoch ms. */
  readonly seenAt: number;
  /** Start of that run, ISO 8601. */
  readonly run: string;
}

/** The specified limits, no envelope, nothing known to be unknown. */
export const DEFAULT_FACTS: Facts = {
  limits: { requests: 20, windowMs: 60_000, monthlyQuota: 100_000 },
  envelope: null,
  unknownIds: {},
  malformedCurrencyIds: [],
  forbidden: [],
};
