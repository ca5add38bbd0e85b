import { RESET_TOLERANCE_MS } from '../../src/spec/limits.ts';
import type { Context } from '../../src/judge/context.ts';

/** One request of a key as a limiter sees it. */
export interface Counted {
  /** When it was sent and when its answer arrived, by a clock that runs evenly, ms: it was counted in between. */
  readonly sentAt: number;
  readonly receivedAt: number;
  /** By how much these may be wrong, ms. */
  readonly doubtMs: number;
  /** `failed`: another answer than a success or the refusal of the limiter. */
  readonly kind: 'served' | 'failed' | 'limited';
  /** What the headers announce; null where they do not. */
  readonly remaining: number | null;
  readonly reset: number | null;
  /** Names the announced window: answers of one window have the same, although their resets may differ a little. */
  readonly window: number | null;
}

type Limits = Pick<Context['limits'], 'requests' | 'windowMs'>;

/**
 * How many places an honest limiter of a kind can have left at most for each of the requests that it counted, in the order
 * sent: as many as our own requests leave, for somebody else may use the key, too. A request took its place at some time
 * between its sending and its answer, so requests that were sent together are taken for one set.
 */
type Model = (counted: readonly Counted[], limits: Limits) => readonly number[];

/** A window that is fixed, whether it begins with the clock or with the first request of a key. */
const fixed: Model = (counted, { requests, windowMs }) => {
  const windows = windowsOf(counted, windowMs);
  const taken = new Map<number, number>();
  return counted.map((_, at) => {
    const window = windows[at] ?? null;
    // Where it begins is not known, so two of them may meet here.
    if (window === null) return 2 * requests - withinWindow(counted, at, windowMs, 2 * requests);
    const before = taken.get(window) ?? 0;
    taken.set(window, before + 1);
    return requests - before;
  });
};

/** A log of requests, each of which counts for one window length. */
const log: Model = (counted, { requests, windowMs }) =>
  counted.map((_, at) => requests - withinWindow(counted, at, windowMs, requests));

/**
 * Places that come back evenly: a bucket of tokens, and a counter that weighs the window before by the share of it that is
 * not over yet. Neither admits more than the limit before one announced reset.
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

/** Clocks that both run evenly drift apart by no more than this share, NTP's steps included. */
const DRIFT = 1 / 500;

/** Requests before one that surely lie within one window length with it; beyond `most` it does not matter how many. */
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

/** A reset that moves by this share of the window length or more is that of another window. */
export const NEXT_WINDOW = 0.9;

/** By how much the announced end moves at least from one fixed window to the next, ms: either may be rounded. */
export const nextAfterMs = (windowMs: number): number =>
  Math.min(windowMs * NEXT_WINDOW, windowMs - RESET_TOLERANCE_MS);

/**
 * The fixed window of each request, if windows are fixed; null where none is announced. What moves on by less than a window
 * is no other one, unless it is full again: a limiter that was started anew has forgotten the one before.
 */
function windowsOf(
  counted: readonly Pick<Counted, 'remaining' | 'reset' | 'window'>[],
  windowMs: number,
): readonly (number | null)[] {
  const least = nextAfterMs(windowMs);
  const known = new Map<number, number>();
  let present:
    { readonly name: number; readonly reset: number; readonly first: number } | undefined;
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

/** The kinds of limiters that ruling 13 allows. */
export const MODELS = { fixed, log, refilled } as const;

/**
 * Places in a list of admitted requests at which no honest limiter had room, whoever else uses the key: of one window, the
 * first.
 */
export function unexplained(counted: readonly Counted[], limits: Limits): readonly number[] {
  const rooms = Object.values(MODELS).map((model) => model(counted, limits));
  const windows = windowsOf(counted, limits.windowMs);
  const found: number[] = [];
  for (const [at, { sentAt }] of counted.entries()) {
    if (rooms.some((room) => (room[at] ?? 1) >= 1)) continue;
    const last = found.at(-1);
    const since = sentAt - (counted[last ?? -1]?.sentAt ?? Number.NEGATIVE_INFINITY);
    const window = windows[at] ?? null;
    const isAgain = window === null ? since < limits.windowMs : window === windows[last ?? -1];
    if (!isAgain) found.push(at);
  }
  return found;
}

/** How far a weighted counter may seem to be off, since requests take their time, in requests. */
const WEIGHED_WITHIN = 2;

/**
 * Whether a weighted counter refuses just here, with fewer requests in the last window length than the limit: it counts the
 * announced window before the present one by the share of it that is not over one window length yet. Where it would have
 * refused before, the refusal is not its doing.
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
  // By the clock of the requests.
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
 * Which kind of limiter explains what a key was told, as far as it shows: `fixed` when a window begins anew although more
 * requests are too young for a log, a bucket or a weighted counter to have forgotten them; `sliding` when the announced end
 * moves by less than a window.
 */
export function kindOf<Answer extends Counted>(
  answers: readonly Answer[],
  isBefore: (a: Answer, b: Answer) => boolean,
  limits: Limits,
): 'fixed' | 'sliding' | 'unknown' {
  const { requests, windowMs } = limits;
  const served = answers.filter(({ kind }) => kind === 'served');
  const isAnew = served.some((fresh, at) => {
    if (fresh.remaining !== requests - 1 || fresh.reset === null) return false;
    const young = served.slice(0, at).filter((one) => isBefore(one, fresh));
    const counted = [...young.slice(-requests), fresh].map((one) => ({ ...one, window: null }));
    return [log, refilled].every((model) => (model(counted, limits).at(-1) ?? 0) < requests - 1);
  });
  if (isAnew) return 'fixed';
  // By more than announcements of one window may differ, and by less than the next window.
  const slides = answers.some((answer, at) => {
    const before = answers[at - 1];
    if (before === undefined || !isBefore(before, answer)) return false;
    if (before.reset === null || answer.reset === null) return false;
    const move = answer.reset - before.reset;
    return move > Math.min(RESET_TOLERANCE_MS, windowMs / 4) && move < windowMs * NEXT_WINDOW;
  });
  return slides ? 'sliding' : 'unknown';
}
