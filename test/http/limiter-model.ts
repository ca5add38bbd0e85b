import type { RateAnnouncement } from '../../src/http/pace/key-window.ts';

export type LimiterKind = 'aligned' | 'from first request' | 'sliding';
/** `rest`: the clock plus the rest of the window in whole seconds, up to a second too early. */
export type Announces = 'truth' | 'nothing' | 'seconds' | 'stuck remaining' | 'rest';

export interface LimiterOptions {
  readonly kind: LimiterKind;
  readonly announces: Announces;
  readonly requests: number;
  readonly windowMs: number;
}

/** The limiter of a target for one key, in target time. */
export class LimiterModel {
  refused = 0;
  admitted = 0;
  readonly #options: LimiterOptions;
  #log: number[] = [];
  #start = Number.NEGATIVE_INFINITY;
  #count = 0;

  constructor(options: LimiterOptions) {
    this.#options = options;
  }

  handle(now: number): { status: number; announced: RateAnnouncement | null } {
    const { kind, requests, windowMs } = this.#options;
    let used: number;
    let resetAt: number;
    if (kind === 'sliding') {
      this.#log = this.#log.filter((time) => time > now - windowMs);
      used = this.#log.length;
      if (used < requests) this.#log.push(now);
      resetAt = (this.#log[0] ?? now) + windowMs;
    } else {
      const start = kind === 'aligned' ? now - (now % windowMs) : now;
      const over = kind === 'aligned' ? start !== this.#start : now >= this.#start + windowMs;
      if (over) {
        this.#start = start;
        this.#count = 0;
      }
      used = this.#count;
      if (used < requests) this.#count += 1;
      resetAt = this.#start + windowMs;
    }
    const status = used < requests ? 200 : 429;
    if (status === 200) this.admitted += 1;
    else this.refused += 1;
    const remaining = Math.max(0, requests - used - 1);
    return { status, announced: this.#announcement(remaining, resetAt, now) };
  }

  #announcement(remaining: number, resetAt: number, now: number): RateAnnouncement | null {
    switch (this.#options.announces) {
      case 'truth':
        return { remaining, resetAt };
      case 'rest':
        return { remaining, resetAt: now + Math.floor((resetAt - now) / 1000) * 1000 };
      case 'seconds':
        return { remaining, resetAt: Math.ceil(resetAt / 1000) };
      case 'stuck remaining':
        return { remaining: this.#options.requests - 1, resetAt };
      default:
        return null;
    }
  }
}
