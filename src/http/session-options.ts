import type { Exchange, KeyRole } from '../spec/exchange.ts';
import type { Bounds } from './budget.ts';
import type { JournalWriter } from './record/journal-writer.ts';
import type { KeyCase } from './key-header.ts';
import type { KnownRun } from './record/known-answers.ts';
import type { Pin, PlannedWait } from './pace/pacer.ts';
import type { Query, RequestTarget } from './request-url.ts';

export interface SessionOptions {
  /** Seed of the never-issued key and derived identifiers. */
  readonly seed: number;
  /** Maximum number of requests with valid keys, including retries; default: no limit. */
  readonly maxRequests?: number | undefined;
  /** Maximum number of requests with the restricted key; default: no limit. */
  readonly maxRestricted?: number | undefined;
  /** Maximum number of requests with valid keys by purpose; default: no limit. */
  readonly bounds?: Bounds | undefined;
  readonly onWait?: ((wait: PlannedWait) => void) | undefined;
  readonly onExchange?: ((exchange: Exchange) => void) | undefined;
  /** Interrupts the run: pending requests reject with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Sends one request beyond the limit when a window is used up, so that the 429 of §8 is seen at the cost of one
   * request. Keys are then used up one after the other.
   */
  readonly probeLimit?: boolean | undefined;
  /** Number of keys to test so; default: one. */
  readonly probedKeys?: number | undefined;
  /** Recorded exchanges of an earlier run, which are not sent again. */
  readonly known?: KnownRun | undefined;
  /** Journal to write, so that the run can be resumed. */
  readonly journal?: JournalWriter | undefined;
  /**
   * Maximum number of parallel requests; default: no limit. With a limit, requests per key are sequential, so that
   * their answers show how they are counted, or as parallel as needed to use up a window fast.
   */
  readonly concurrency?: number | undefined;
  /** Position of the current caller in the order of the run, for the order of waiting requests. */
  readonly position?: (() => number) | undefined;
  /** False while others may send requests, which pins and clock advances would disturb. */
  readonly alone?: (() => boolean) | undefined;
  /** Salt of key fingerprints; default: random. */
  readonly salt?: string | undefined;
  /** Replaces time, for tests. */
  readonly time?: {
    readonly now: () => number;
    readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  };
}

export interface RequestOptions {
  /** Parameters of the path template. */
  readonly pathParameters?: Readonly<Record<string, string>> | undefined;
  readonly query?: Query | undefined;
  /** Role of the key; default: `valid`. */
  readonly role?: KeyRole | undefined;
  readonly keyIndex?: number | undefined;
  /** Send even if an equal request was sent before. */
  readonly fresh?: boolean | undefined;
  /** Default: GET. Other methods are not sent again after a 503 or 429. */
  readonly method?: string | undefined;
  /** Send immediately although the window is considered full; a 429 is expected and not retried. */
  readonly force?: boolean | undefined;
  readonly pin?: Pin | undefined;
  /** False disables retries. By default, transient failures and unexpected 429s are retried twice. */
  readonly repeat?: boolean | undefined;
  /** Letter case of the name of the key header, which is case-insensitive. */
  readonly headerCase?: KeyCase | undefined;
  /** Send an empty key header. For the role `none`. */
  readonly emptyKey?: boolean | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** A request to send, including retries. */
export interface Plan {
  readonly target: RequestTarget;
  readonly method: string;
  readonly role: KeyRole;
  readonly options: RequestOptions;
  /** Set for requests of the session itself. */
  readonly purpose?: Exchange['purpose'];
}

/** Roles that the rate limiter counts (§8). Other keys are rejected before it. */
export const PACED_ROLES = ['valid', 'restricted', 'nearQuota'] as const satisfies KeyRole[];

/** True when the rate limiter counts requests of the role. */
export function isPaced(role: KeyRole): boolean {
  return PACED_ROLES.some((paced) => paced === role);
}
