/** What is known about a run before its first request. */
export interface ProgressPlan {
  /** Selected requirements. */
  readonly total: number;
  /** Planned requests with valid keys; null when unknown. */
  readonly requests: number | null;
  /** Planned requests with the restricted key, whose windows can hold up a run too. */
  readonly restricted: number;
  /** Valid keys in the pool. */
  readonly keys: number;
  /** Requests per key per window (§8). */
  readonly limit: number;
  /** Length of a window, ms (§8: 60 s; a test target may scale it). */
  readonly windowMs: number;
  /** How a full window is handled: wait, advance the target's clock, or ignore it because nothing is sent. */
  readonly windowsAre: 'paced' | 'skipped' | 'irrelevant';
}

/** Requests sent so far, including those of the run that this one resumes. */
export interface Sent {
  readonly valid: number;
  readonly restricted: number;
}

/** How much of a run is left. */
export interface TimeLeft {
  /** Windows still to wait for, including a wait in progress. */
  readonly windows: number;
  /** Time until the next window, ms; null when not waiting. */
  readonly nextMs: number | null;
  /** Time left, ms; null when the run takes longer than estimated. */
  readonly ms: number | null;
}

/** Estimates the time left of a run that is paced by the rate limit. */
export interface Estimator {
  /** Call whenever the number of requests sent changes. */
  sent(sent: Sent, now: number): void;
  /** `waitingUntil` is the end of the current wait (epoch ms) or null. */
  left(now: number, waitingUntil: number | null): TimeLeft;
}

/** Requests needed before the pace inside a window can be estimated. */
const MEASURED = 3;
/** Extra wait per window, ms: resets are rounded up to seconds, and clocks differ. */
const ROUNDING_MS = 1500;
/** How much slower the last window may be than those before it. */
const SLOWER = 1.5;

const windowsFor = (requests: number, capacity: number): number => Math.ceil(requests / capacity);

/**
 * Estimates from the plan, not from the average so far: a paced run sends its first window at once and then waits, so an
 * average would be far too low at first and far too high later. The estimate counts windows, plus the measured pace inside a
 * window. It never rises: once the run falls behind it, only the windows are reported.
 */
export function createEstimator(plan: ProgressPlan, start: number): Estimator {
  const capacity = Math.max(1, plan.limit * Math.max(1, plan.keys));
  const planned = plan.requests ?? 0;
  let count = 0;
  let restricted = 0;
  let windowStart = start;
  let windowsOpened = 1;
  let lastAt = start;
  /** Time spent inside the windows before this one, ms. */
  let insideBefore = 0;
  let promised = Number.POSITIVE_INFINITY;

  /** Windows that the rest of the plan still has to open. */
  const toOpen = (): number => {
    const ofValid = windowsFor(planned, capacity) - Math.max(1, windowsFor(count, capacity));
    const ofRestricted =
      windowsFor(plan.restricted, plan.limit) - Math.max(1, windowsFor(restricted, plan.limit));
    return Math.max(0, ofValid, ofRestricted);
  };
  /** Time per request inside a window, ms; null until enough were sent. */
  const pace = (): number | null =>
    count < MEASURED
      ? null
      : Math.min((insideBefore + lastAt - windowStart) / count, plan.windowMs / capacity);

  return {
    sent(sent, now) {
      restricted = Math.max(restricted, sent.restricted);
      if (sent.valid <= count) return;
      const opened = windowsFor(sent.valid, capacity);
      if (opened > windowsOpened) {
        insideBefore += lastAt - windowStart;
        windowsOpened = opened;
        windowStart = now;
      }
      lastAt = now;
      count = sent.valid;
    },
    left(now, waitingUntil) {
      const waiting = waitingUntil === null ? 0 : Math.max(0, waitingUntil - now);
      const nextMs = waiting > 0 ? waiting : null;
      const windows = Math.max(waiting > 0 ? 1 : 0, toOpen());
      const each = pace();
      if (each === null) return { windows, nextMs, ms: null };
      const remaining = Math.max(0, planned - count);
      const inLast = windows === 0 ? remaining : ((planned - 1) % capacity) + 1;
      const untilNext = nextMs ?? Math.max(0, windowStart + plan.windowMs - now);
      const waits = windows === 0 ? 0 : untilNext + (windows - 1) * plan.windowMs;
      const likely = now + waits + inLast * each;
      const safe = now + waits + windows * ROUNDING_MS + inLast * each * SLOWER;
      const kept = likely <= promised;
      if (kept) promised = Math.min(promised, safe);
      return { windows, nextMs, ms: kept ? promised - now : null };
    },
  };
}
