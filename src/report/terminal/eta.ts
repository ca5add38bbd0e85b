/** What is known about a run before its first request. */
export interface ProgressPlan {
  readonly total: number;
  /** Planned requests with valid keys; null when unknown. */
  readonly requests: number | null;
  /** Planned requests with the restricted key, whose windows can hold up a run too. */
  readonly restricted: number;
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

/** Times in epoch ms. */
interface Clock {
  readonly now: number;
  /** When the first request of the present window was sent. */
  readonly windowStart: number;
  /** End of the current wait; null when not waiting. */
  readonly waitingUntil: number | null;
}

/** Windows that the requests fill, with these keys. */
export const windowsOf = ({ limit }: ProgressPlan, requests: number, keys: number): number =>
  Math.ceil(requests / Math.max(1, limit * keys));

/** Estimates the time left from the plan: a run sends its first window at once and then waits, so an average would be wrong. */
export function timeLeft(
  plan: ProgressPlan,
  sent: Sent,
  { windowStart, waitingUntil, now }: Clock,
): {
  /** Windows still to wait for, including a wait in progress. */
  readonly windows: number;
  /** Time until the next window; null when not waiting. */
  readonly nextMs: number | null;
  /** Time until the last window begins; null without a window to wait for. */
  readonly ms: number | null;
} {
  const toOpen = (planned: number, own: number, keys: number): number =>
    windowsOf(plan, planned, keys) - Math.max(1, windowsOf(plan, own, keys));
  const nextMs = waitingUntil !== null && waitingUntil > now ? waitingUntil - now : null;
  const windows = Math.max(
    nextMs === null ? 0 : 1,
    toOpen(plan.requests ?? 0, sent.valid, plan.keys),
    toOpen(plan.restricted, sent.restricted, 1),
  );
  const untilNext = nextMs ?? Math.max(0, windowStart + plan.windowMs - now);
  return { windows, nextMs, ms: windows === 0 ? null : untilNext + (windows - 1) * plan.windowMs };
}
