/** What is known about a run before its first request. */
export interface ProgressPlan {
  /** Requirements that are selected. */
  readonly total: number;
  /** Requests with valid keys that are planned; null when nobody counted them. */
  readonly requests: number | null;
  /** Requests with the restricted key that are planned: its windows hold up a run, too. */
  readonly restricted: number;
  /** Valid keys that the run is spread over. */
  readonly keys: number;
  /** Requests that one key may make in one window (§8). */
  readonly limit: number;
  /** Length of a window, ms (§8: 60 s; a test target may scale it). */
  readonly windowMs: number;
  /** What the end of a window takes: waiting for it, moving the clock of the target, or nothing where nothing is sent. */
  readonly windowsAre: 'waited for' | 'passed over' | 'of no account';
}

/** Requests that were sent so far, those of an earlier part of the run included. */
export interface Sent {
  readonly valid: number;
  readonly restricted: number;
}

/** How much of a run is left. */
export interface TimeLeft {
  /** Windows whose beginning has still to be waited for, that of a wait under way included. */
  readonly windows: number;
  /** Time until the next of them, ms; null when none is waited for right now. */
  readonly nextMs: number | null;
  /** Time left, ms; null when the run takes longer than was thought: then nobody knows. */
  readonly ms: number | null;
}

/** Estimates the time left of a run that is paced by the rate limit. */
export interface Estimator {
  /** To be told whenever the number of requests sent changes. */
  sent(sent: Sent, now: number): void;
  /** `waitingUntil` is the end of a wait that is under way (epoch ms) or null. */
  left(now: number, waitingUntil: number | null): TimeLeft;
}

/** Requests after which the pace inside a window is believed. */
const MEASURED = 3;
/** How much longer than announced a window may keep a run waiting, ms: ends are rounded up to seconds, and clocks differ. */
const ROUNDING_MS = 1500;
/** How much slower the last window may be than those before it. */
const SLOWER = 1.5;

/** Counts the windows that some requests fill. */
const windowsFor = (requests: number, capacity: number): number => Math.ceil(requests / capacity);

/**
 * An estimate from the plan, not from the average so far: a paced run sends its first window at once and then stands
 * still, so an average would promise far too little at first and far too much later. What is left is counted in windows,
 * plus the pace inside a window as measured so far. The time never rises: it is one that the run can keep, and once it
 * does not, no time is said any more, only the windows.
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

  /** Windows that are still to be opened by what is planned. */
  const toOpen = (): number => {
    const ofValid = windowsFor(planned, capacity) - Math.max(1, windowsFor(count, capacity));
    const ofRestricted =
      windowsFor(plan.restricted, plan.limit) - Math.max(1, windowsFor(restricted, plan.limit));
    return Math.max(0, ofValid, ofRestricted);
  };
  /** What a request takes inside a window, ms; null as long as too few were sent. */
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
