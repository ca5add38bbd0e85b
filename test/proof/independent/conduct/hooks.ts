import type { Call } from '../core/call.ts';
import type { Status } from './keys.ts';
import type { Limiter, LimiterSettings } from './limiter.ts';

/** Where a defect may take hold of a request on its way. Every hook may be left out. */
export interface Hooks {
  /** After the parameters were checked; may change `call.values`. */
  values?(call: Call): void;
  /** The status of a key. */
  status?(call: Call, status: Status): Status;
  /** Whether a key is refused an endpoint. */
  forbidden?(call: Call, forbidden: boolean): boolean;
  /** Name under which requests are counted; undefined for not at all. */
  countedAs?(call: Call, key: string): string | undefined;
  readonly limits?: Partial<LimiterSettings>;
  /** Another limiter around, or instead of, the right one. */
  limiter?(limiter: Limiter): Limiter;
  /** Requests that the key near its quota may send beyond what is left to it. */
  readonly quotaOff?: number;
}
