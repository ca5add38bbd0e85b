/** What is known about a run before its first request. */
export interface ProgressPlan {
  /** Checks that will run. */
  readonly total: number;
  /** Requests with valid keys that the checks need. */
  readonly requests: number;
  /** Valid keys that the run is spread over. */
  readonly keys: number;
  /** Requests that one key may make in one window (§8). */
  readonly limit: number;
  /** Length of a window, ms (§8: 60 s; a test target may scale it). */
  readonly windowMs: number;
}

/** Estimates the time left of a run that is paced by the rate limit. */
export interface Estimator {
  /** To be told whenever the number of requests sent changes. */
  sent(requests: number, now: number): void;
  /** Time left in ms; `waitingUntil` is the end of a wait that is under way (epoch ms) or null. */
  left(now: number, waitingUntil: number | null): number;
}

/**
 * An estimate from the plan, not from the average so far: a paced run sends its first window at once and then stands
 * still, so an average would promise far too little at first and far too much later. What is left is counted in whole
 * windows, plus the pace inside a window as measured so far.
 */
export function createEstimator(plan: ProgressPlan, start: number): Estimator {
  const capacity = Math.max(1, plan.limit * Math.max(1, plan.keys));
  let count = 0;
  let windowStart = start;
  let windowsOpened = 1;
  /** Time spent inside windows per request, ms. */
  let pace = 0;

  return {
    sent(requests, now) {
      if (requests <= count) return;
      const opened = Math.ceil(requests / capacity);
      if (opened > windowsOpened) {
        windowsOpened = opened;
        windowStart = now;
      } else {
        const inWindow = requests - (windowsOpened - 1) * capacity;
        if (inWindow > 1) pace = Math.min((now - windowStart) / inWindow, plan.windowMs / capacity);
      }
      count = requests;
    },
    left(now, waitingUntil) {
      const remaining = Math.max(0, plan.requests - count);
      const waiting = waitingUntil === null ? 0 : Math.max(0, waitingUntil - now);
      const room = windowsOpened * capacity - count;
      if (remaining <= room) return waiting + remaining * pace;
      const afterThis = remaining - room;
      const untilNext = waiting > 0 ? waiting : Math.max(0, windowStart + plan.windowMs - now);
      const wholeWindows = Math.ceil(afterThis / capacity) - 1;
      const inLast = afterThis - wholeWindows * capacity;
      return untilNext + wholeWindows * plan.windowMs + inLast * pace;
    },
  };
}
