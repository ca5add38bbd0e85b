import type { Call, Reply } from '../core/call.ts';
import type { Standing } from './keys.ts';
import type { Limiter, LimiterSettings } from './limiter.ts';

/** Where a defect may take hold of a request on its way. Every hook may be left out. */
export interface Hooks {
  /** Before the parameters are checked; may change `call.query` and `call.path`. */
  query?(call: Call): void;
  /** After they were checked; may change `call.values`. */
  values?(call: Call): void;
  /** What the service answers instead. Bodies may be changed in place: they are made for one request. */
  reply?(call: Call, reply: Reply): Reply | undefined;
  /** The last word on headers, those of the limiter too. */
  headers?(call: Call, reply: Reply): void;
  /** How a key stands. */
  standing?(call: Call, standing: Standing): Standing;
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
