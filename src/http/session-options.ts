import type { Exchange, KeyRole } from '../spec/exchange.ts';
import type { Bounds } from './budget.ts';
import type { JournalWriter } from './record/journal-writer.ts';
import type { KeyCase } from './key-header.ts';
import type { KnownRun } from './record/known-answers.ts';
import type { Pin, PlannedWait } from './pace/pacer.ts';
import type { Query, RequestTarget } from './request-url.ts';

export interface SessionOptions {
  /** Fixes the never-issued key and derived identifiers. */
  readonly seed: number;
  /** Most requests with valid keys, repeats included. Unbounded by default. */
  readonly maxRequests?: number | undefined;
  /** Most requests with the restricted key. Unbounded by default. */
  readonly maxRestricted?: number | undefined;
  /** Most requests with valid keys by what they are sent for. Unbounded by default. */
  readonly bounds?: Bounds | undefined;
  /** Told before every planned wait. */
  readonly onWait?: ((wait: PlannedWait) => void) | undefined;
  /** Told of every exchange when it is recorded. */
  readonly onExchange?: ((exchange: Exchange) => void) | undefined;
  /** Interrupts the run: what waits or is under way rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Sends one request more than the limit once a window of the first valid key is used up, so that the refusal of §8 is
   * seen at the cost of one request. That key is then used up before the others.
   */
  readonly probeLimit?: boolean | undefined;
  /** What an earlier run is known to have asked: it is answered from there and not sent again. */
  readonly known?: KnownRun | undefined;
  /** Where everything is written down as it happens, so that the run can be taken up again. */
  readonly journal?: JournalWriter | undefined;
  /**
   * Most requests at a time; unbounded by default. With a bound, those with one key go out one after the other, so that their
   * answers show how it is counted, or as many together as it takes to use up its window at once.
   */
  readonly concurrency?: number | undefined;
  /** Place in the order of the run of whoever asks right now: where requests have to wait, the first one goes first. */
  readonly place?: (() => number) | undefined;
  /** False while others may ask at the same time, who would be disturbed by pins and steps of the clock. */
  readonly alone?: (() => boolean) | undefined;
  /** Salt of key fingerprints; random by default. */
  readonly salt?: string | undefined;
  readonly userAgent?: string;
  readonly maxBodyBytes?: number;
  /** Replaces time, for tests. */
  readonly time?: {
    readonly now: () => number;
    readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  };
}

export interface RequestOptions {
  /** Fill the parameters of a path template. */
  readonly pathParameters?: Readonly<Record<string, string>> | undefined;
  readonly query?: Query | undefined;
  /** Which kind of key to send. Default `valid`. */
  readonly role?: KeyRole | undefined;
  /** A certain key of the role. */
  readonly keyIndex?: number | undefined;
  /** Send it, even if the same was asked before. */
  readonly fresh?: boolean | undefined;
  /** Default GET. Other methods are never repeated. */
  readonly method?: string | undefined;
  /** Send at once although the window is believed to be full; a 429 is then expected and not repeated. */
  readonly force?: boolean | undefined;
  /** The pin that holds the key to send with. */
  readonly pin?: Pin | undefined;
  /** False to take the first answer as it is. By default passing failures and unexpected 429s are repeated twice. */
  readonly repeat?: boolean | undefined;
  /**
   * Sends the name of the key header in lower case, or with a capital at the start of each word: names of headers have
   * no letter case.
   */
  readonly headerCase?: KeyCase | undefined;
  /** Sends the key header with nothing in it. For the role `none`. */
  readonly emptyKey?: boolean | undefined;
  /** Additional headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** A request as the session sends it, once or again. */
export interface Plan {
  readonly target: RequestTarget;
  readonly method: string;
  readonly role: KeyRole;
  readonly options: RequestOptions;
  /** Set when the session asks for it by itself. */
  readonly purpose?: Exchange['purpose'];
}

/** Roles whose keys the limiter counts (§8). The others are refused before it. */
export const PACED_ROLES = ['valid', 'restricted', 'nearQuota'] as const satisfies KeyRole[];

/** True when the limiter counts requests with keys of the role. */
export function isPaced(role: KeyRole): boolean {
  return PACED_ROLES.some((paced) => paced === role);
}
