import { RESET_TOLERANCE_MS } from '../../src/spec/limits.ts';
import type { Context } from '../../src/judge/context.ts';

/** A request of a key as the limiter sees it. */
export interface Counted {
  /** Send and arrival time by a steady clock, ms. The request counted in between. */
  readonly sentAt: number;
  readonly receivedAt: number;
  /** Possible error of these times, ms. */
  readonly doubtMs: number;
  /** `failed`: neither a success nor a refusal by the limiter. */
  readonly kind: 'served' | 'failed' | 'limited';
  /** Announced figures; null if not announced. */
  readonly remaining: number | null;
  readonly reset: number | null;
  /** Identifies the announced window: the same for all its answers, even if resets differ slightly. */
  readonly window: number | null;
}

type Limits = Pick<Context['limits'], 'requests' | 'windowMs'>;

/**
 * For each counted request in the order sent, the most slots that this kind of honest limiter can have left. Only our
 * own requests are deducted: others may use the key too. Since a request counts at some time between sending and
 * answer, concurrent requests are treated as a set.
 */
type Model = (counted: readonly Counted[], limits: Limits) => readonly number[];

/** Fixed windows, aligned with the clock or starting at a key's first request. */
const fixed: Model = (counted, { requests, windowMs }) => {
  const windows = windowsOf(counted, windowMs);
  const taken = new Map<number, number>();
  return counted.map((_, at) => {
    const window = windows[at] ?? null;
    // The start is unknown, so two windows may meet here.
    if (window === null) return 2 * requests - withinWindow(counted, at, windowMs, 2 * requests);
    const before = taken.get(window) ?? 0;
    taken.set(window, before + 1);
    return requests - before;
  });
};

/** A log in which each request counts for one window length. */
const log: Model = (counted, { requests, windowMs }) =>
  counted.map((_, at) => requests - withinWindow(counted, at, windowMs, requests));

/**
 * Slots that return steadily: token buckets, and counters that weight the previous window. Both admit at most the
 * limit before one announced reset.
 */
const refilled: Model = (counted, { requests, windowMs }) => {
  const announced = new Map<number, number>();
  let latest = Number.NEGATIVE_INFINITY;
  return counted.map(({ receivedAt, doubtMs, reset, window }, at) => {
    latest = Math.max(latest, receivedAt + doubtMs);
    let most = requests;
    for (let from = at - 1; from >= 0 && at - from <= 3 * requests; from -= 1) {
      const { sentAt = 0 } = counted[from] ?? {};
      most = Math.min(most, requests - (at - from) + ((latest - sentAt) * requests) / windowMs);
    }
    if (reset === null || window === null) return most;
    const before = announced.get(window) ?? 0;
    announced.set(window, before + 1);
    return Math.min(most, requests - before);
  });
};

/** Maximum drift between two steady clocks, NTP steps included, as a share. */
const DRIFT = 1 / 500;

/** Earlier requests certainly within one window length of this one, up to `most`. */
function withinWindow(
  counted: readonly Counted[],
  at: number,
  windowMs: number,
  most: number,
): number {
  let latest = Number.NEGATIVE_INFINITY;
  for (let before = at; before >= 0 && at - before <= most; before -= 1) {
    const { sentAt = 0, receivedAt = 0, doubtMs = 0 } = counted[before] ?? {};
    latest = Math.max(latest, receivedAt + doubtMs);
    if (latest - sentAt >= windowMs * (1 - DRIFT)) return Math.max(0, at - before - 1);
  }
  return Math.min(at, most);
}

/** A reset that moves by at least this share of the window belongs to another window. */
export const NEXT_WINDOW = 0.9;

/** Smallest move of the reset between fixed windows, ms: both may be rounded. */
export const nextAfterMs = (windowMs: number): number =>
  Math.min(windowMs * NEXT_WINDOW, windowMs - RESET_TOLERANCE_MS);

/**
 * The fixed window of each request, null if unannounced. A smaller move means the same window, unless it is full again
 * because the limiter was restarted.
 */
function windowsOf(
  counted: readonly Pick<Counted, 'remaining' | 'reset' | 'window'>[],
  windowMs: number,
): readonly (number | null)[] {
  const least = nextAfterMs(windowMs);
  const known = new Map<number, number>();
  let present:
    | { readonly name: number; readonly reset: number; readonly first: number }
    | undefined;
  return counted.map(({ remaining, reset, window }) => {
    if (window === null) return null;
    const before = known.get(window);
    if (before !== undefined) return before;
    const end = reset ?? window;
    const isNext =
      present === undefined ||
      end - present.reset >= least ||
      remaining === null ||
      remaining >= present.first;
    if (present === undefined || isNext) {
      present = { name: window, reset: end, first: remaining ?? Number.POSITIVE_INFINITY };
    }
    known.set(window, present.name);
    return present.name;
  });
}

/** Limiters allowed by ruling 13. */
export const MODELS = { fixed, log, refilled } as const;

/**
 * Indexes of admitted requests for which no honest limiter had room, whoever else uses the key; only the first in each
 * window. `nth`: its number in the window, or within one window length if windows are not announced.
 */
export function unexplained(
  counted: readonly Counted[],
  limits: Limits,
): readonly { readonly at: number; readonly nth: number }[] {
  const rooms = Object.values(MODELS).map((model) => model(counted, limits));
  const windows = windowsOf(counted, limits.windowMs);
  const found: { at: number; nth: number }[] = [];
  for (const [at, { sentAt }] of counted.entries()) {
    if (rooms.some((room) => (room[at] ?? 1) >= 1)) continue;
    const last = found.at(-1)?.at;
    const since = sentAt - (counted[last ?? -1]?.sentAt ?? Number.NEGATIVE_INFINITY);
    const window = windows[at] ?? null;
    const isAgain = window === null ? since < limits.windowMs : window === windows[last ?? -1];
    if (isAgain) continue;
    const before =
      window === null
        ? withinWindow(counted, at, limits.windowMs, at)
        : windows.slice(0, at).filter((one) => one === window).length;
    found.push({ at, nth: before + 1 });
  }
  return found;
}

/** How far off a weighted counter may appear because requests take time, in requests. */
const WEIGHED_WITHIN = 2;

/**
 * Whether a weighted counter explains a refusal with fewer recent requests than the limit. It weights the previous
 * announced window by the share that still overlaps. If it would have refused earlier already, it is not the
 * explanation.
 */
export function weighted(
  admitted: readonly (Counted & { readonly arrivedAt: number })[],
  refusal: Counted & { readonly arrivedAt: number },
  { requests, windowMs }: Limits,
  withinMs: number,
): boolean {
  const at = refusal.sentAt;
  const recent = admitted.filter(({ sentAt }) => sentAt > at - 3 * windowMs && sentAt <= at);
  const last = recent.findLast(({ reset }) => reset !== null);
  // Converted to the clock of the requests.
  const end = (last?.reset ?? 0) - (refusal.arrivedAt - refusal.receivedAt);
  const since = last === undefined ? at - windowMs : at < end ? end - windowMs : end;
  const now = recent.filter(({ sentAt }) => sentAt >= since).length;
  const before = recent.filter(
    ({ sentAt, receivedAt }) => sentAt < since && receivedAt >= since - windowMs - withinMs,
  ).length;
  const leftAt = (time: number): number => {
    const over = last === undefined ? 0 : Math.min(1, Math.max(0, time - since) / windowMs);
    return requests - now - before * (1 - over);
  };
  return leftAt(at - withinMs) < 1 && leftAt(refusal.receivedAt) > -WEIGHED_WITHIN;
}

/**
 * The kind of limiter, if conclusive. `fixed`: a window starts afresh although recent requests would still count in a
 * log, a bucket or a weighted counter. `sliding`: the reset moves by less than a window.
 */
export function kindOf<Answer extends Counted>(
  answers: readonly Answer[],
  isBefore: (a: Answer, b: Answer) => boolean,
  limits: Limits,
): 'fixed' | 'sliding' | 'unknown' {
  const { requests, windowMs } = limits;
  const served = answers.filter(({ kind }) => kind === 'served');
  const restarts = served.some((fresh, at) => {
    if (fresh.remaining !== requests - 1 || fresh.reset === null) return false;
    const young = served.slice(0, at).filter((one) => isBefore(one, fresh));
    const counted = [...young.slice(-requests), fresh].map((one) => ({ ...one, window: null }));
    return [log, refilled].every((model) => (model(counted, limits).at(-1) ?? 0) < requests - 1);
  });
  if (restarts) return 'fixed';
  // More than the tolerance for one window, less than the next window.
  const slides = answers.some((answer, at) => {
    const before = answers[at - 1];
    if (before === undefined || !isBefore(before, answer)) return false;
    if (before.reset === null || answer.reset === null) return false;
    const move = answer.reset - before.reset;
    return move > Math.min(RESET_TOLERANCE_MS, windowMs / 4) && move < windowMs * NEXT_WINDOW;
  });
  return slides ? 'sliding' : 'unknown';
}
