import { numberOf } from '../../src/spec/exchange.ts';
import { doubtOf, RATE_HEADERS, RESET_TOLERANCE_MS } from '../../src/spec/limits.ts';
import type { Context } from '../../src/judge/context.ts';
import {
  isCounted,
  isGet,
  isInformative,
  isRateRefusal,
  resetOf,
  wholeNumber,
  ESTIMATES_MS,
  isTimed,
  NO_TIMES,
  latestSkew,
  timesOf,
} from './answers.ts';
import type { View } from '../../src/judge/view.ts';
import { groupBy } from '../../src/text/group-by.ts';
import { perObject } from '../../src/text/remembered.ts';
import { kindOf, type Counted } from './models.ts';

/**
 * What an answer tells about its key's window (§8). `served`: 2xx to a GET. `limited`: refused by the limiter.
 * `failed`: anything else, which may or may not have counted (ruling 13).
 */
export interface RateAnswer extends Counted {
  readonly view: View;
  readonly key: string;
  /** Target time range in which the request was processed, epoch ms; infinite if unknown. */
  readonly earliest: number;
  readonly latest: number;
  /** Best estimate of the target time at which the answer arrived, epoch ms. */
  readonly arrivedAt: number;
}

/** Requests of one key, in the order sent. */
export interface KeyTraffic {
  readonly key: string;
  readonly answers: readonly RateAnswer[];
  /** True if the figures show requests of another client. */
  readonly shared: boolean;
  /** True if requests of the key may be missing. */
  readonly partial: boolean;
  /** True if every request of the key is known to be here, so that each refusal can be explained. */
  readonly complete: boolean;
  /** How much announcements of one reset differ, ms. */
  readonly granularityMs: number;
}

/** Recorders round times and omit part of the waiting. */
const FOREIGN_DOUBT_MS = 250;

/** Traffic of the keys that reach the limiter, except near-quota keys. */
export const trafficOf = (views: readonly View[], context: Context): readonly KeyTraffic[] =>
  trafficIn(context)(views);

const trafficIn = perObject((context: Context) =>
  perObject((views: readonly View[]) => trafficByKey(views, context)),
);

function trafficByKey(views: readonly View[], context: Context): readonly KeyTraffic[] {
  const { clockTold, load } = context;
  const timed = isTimed(views, context);
  // One estimate of the clock for all answers; individual ones could reverse the order of two of them.
  const skew = latestSkew(views);
  // Concurrent users are distinguished only by whole milliseconds.
  const ownDoubtMs = load === undefined || load.oneByOne ? 0 : 1;
  const answers = views.flatMap((view): RateAnswer[] => {
    const { key, role, sentAt, receivedAt, skewMs } = view.exchange;
    if (!isCounted(view) || role === 'nearQuota' || key === null) return [];
    const limited = isRateRefusal(view, context);
    const told = limited || isInformative(view);
    const reset = told ? resetOf(view) : null;
    const isOneClock = clockTold !== true && Math.abs(skew - skewMs) <= ESTIMATES_MS;
    // A test may move the clock that a target reports. A time estimated from `Date` jumps by up to a second.
    const moved = clockTold === true ? skewMs : 0;
    return [
      {
        view,
        key,
        kind: limited ? 'limited' : view.ok && told && isGet(view) ? 'served' : 'failed',
        remaining: told ? wholeNumber(view.response.headers[RATE_HEADERS.remaining]) : null,
        reset,
        window: reset,
        ...(timed ? timesOf(view, context) : NO_TIMES),
        arrivedAt: isOneClock ? receivedAt + skew : view.now,
        doubtMs: context.partial === true ? FOREIGN_DOUBT_MS : ownDoubtMs,
        sentAt: sentAt + moved,
        receivedAt: receivedAt + moved,
      },
    ];
  });
  const byKey = groupBy(nameWindows(answers), ({ key }) => key);
  const partial = context.partial === true || load?.recorded === 'some';
  const ids = new Set(load === undefined ? views.map(({ exchange }) => exchange.id) : []);
  return [...byKey].map(([key, own]) => ({
    key,
    answers: own.toSorted((a, b) => sent(a) - sent(b)),
    partial,
    complete: load?.recorded === 'all',
    granularityMs: granularityOf(own, context.limits.windowMs),
    shared: partial || (load === undefined && hasGaps(own, ids)),
  }));
}

/** Whether announced resets are all multiples of a length, ms. */
export const areMultiplesOf = (length: number, resets: readonly number[]): boolean =>
  resets.every((reset) => reset % length === 0);

/**
 * Granularity of a key's announced resets, ms. If successes announce whole seconds (errors may come from other code),
 * several requests of a sliding window share a reset, and each one that expires gives its slot back. Clock-aligned
 * windows are not rounded.
 */
function granularityOf(answers: readonly RateAnswer[], windowMs: number): number {
  const resets = answers.flatMap(({ kind, reset }) => (kind === 'served' ? (reset ?? []) : []));
  if (areMultiplesOf(SECOND_MS, resets) && !areMultiplesOf(windowMs, resets)) return SECOND_MS;
  return answers.reduce(
    (most, { reset, window }) => Math.max(most, (reset ?? 0) - (window ?? 0)),
    0,
  );
}

const SECOND_MS = 1000;

/**
 * Gives all answers of a window the same name. Announcements vary if they are recomputed for each answer, for example
 * from a remaining time in a data store (ruling 12). A reset that moves back reveals this and its extent, and
 * differences up to that extent mean the same window. Otherwise only equal resets do: in a sliding window, different
 * resets are different states.
 */
function nameWindows(answers: readonly RateAnswer[]): readonly RateAnswer[] {
  const tolerance = jitterMs(answers);
  if (tolerance === 0) return answers;
  const names = new Map<string, number>();
  let current: { readonly key: string; readonly first: number } | undefined;
  const inOrder = answers
    .flatMap(({ key, reset }) => (reset === null ? [] : [{ key, reset }]))
    .toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.reset - b.reset));
  for (const { key, reset } of inOrder) {
    if (current?.key !== key || reset - current.first > tolerance) current = { key, first: reset };
    names.set(`${key} ${reset}`, current.first);
  }
  return answers.map((answer) => ({
    ...answer,
    window: answer.window === null ? null : (names.get(`${answer.key} ${answer.reset}`) ?? null),
  }));
}

/** The furthest that a key's reset moved back within tolerance, ms. */
export function jitterMs(answers: readonly RateAnswer[]): number {
  const announced = answers.filter(({ reset }) => reset !== null);
  const keys = groupBy(announced, ({ key }) => key);
  return [...keys.values()].reduce((most, own) => Math.max(most, jitterOfKey(own)), 0);
}

function jitterOfKey(answers: readonly RateAnswer[]): number {
  const byEnd = answers.toSorted((a, b) => done(a) - done(b));
  let ended = 0;
  let latest = 0;
  let most = 0;
  for (const answer of answers.toSorted((a, b) => sent(a) - sent(b))) {
    for (; ; ended += 1) {
      const before = byEnd[ended];
      if (before === undefined || !isBefore(before, answer)) break;
      latest = Math.max(latest, before.reset ?? 0);
    }
    const back = latest - (answer.reset ?? 0);
    if (back <= RESET_TOLERANCE_MS) most = Math.max(most, back);
  }
  return most;
}

/** Index of the first item whose figure is at least `least`, in a sorted list; its length if there is none. */
export function firstAt<Item>(
  sorted: readonly Item[],
  least: number,
  figure: (item: Item) => number,
): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const item = sorted[middle];
    if (item !== undefined && figure(item) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Send and arrival time by the local clock, in microseconds if Assay sent the requests, which puts them in order; ms. */
export const sent = ({ view }: RateAnswer): number => view.exchange.sentAt;
export const done = ({ view, doubtMs }: RateAnswer): number => view.exchange.receivedAt + doubtMs;

/**
 * Whether `a` was answered before `b` was sent. Concurrent requests have no order; while a clock stands still, exchange
 * numbers decide.
 */
export function isBefore(a: RateAnswer, b: RateAnswer): boolean {
  if (done(a) > sent(b)) return false;
  return done(b) > sent(a) || numberOf(a.view.exchange.id) < numberOf(b.view.exchange.id);
}

/** From the sending of one request to the arrival of another's answer, ms. */
export const span = (a: RateAnswer, b: RateAnswer): number => b.receivedAt - a.sentAt;

/** Adjacent answers of a key that were not concurrent. */
export function pairs(
  answers: readonly RateAnswer[],
): readonly (readonly [RateAnswer, RateAnswer])[] {
  return answers.flatMap((second, index) => {
    const first = answers[index - 1];
    return first !== undefined && isBefore(first, second) ? [[first, second] as const] : [];
  });
}

export function sameWindow(a: RateAnswer, b: RateAnswer): boolean {
  return a.window !== null && a.window === b.window;
}

/**
 * Whether `b` may have come after the reset that `a` announced, by the target's clock, and announces another one: a new
 * window, of whatever length. The limiter's clock may be a little ahead.
 */
export const mayFollowReset = (a: RateAnswer, b: RateAnswer, windowMs: number): boolean =>
  a.reset !== null && b.reset !== a.reset && b.arrivedAt + doubtOf(windowMs) >= a.reset;

/** By how much Remaining dropped between two answers of a window; null if unknown. */
export function step([a, b]: readonly [RateAnswer, RateAnswer]): number | null {
  if (!sameWindow(a, b) || a.remaining === null || b.remaining === null) return null;
  return a.remaining - b.remaining;
}

/**
 * Whether more was used between two answers than the key's own requests explain. Time only gives back, and so does a
 * new window, so figures under different resets are comparable in buckets and logs too.
 */
function hasGaps(answers: readonly RateAnswer[], recorded: ReadonlySet<string>): boolean {
  return pairs(answers).some((pair) => {
    const [a, b] = pair;
    if (a.remaining === null || b.remaining === null) return false;
    const down = a.remaining - b.remaining;
    if (down < 2 || b.kind === 'limited' || a.remaining === 0) return false;
    // Concurrent requests may have counted in between.
    const own = answers.filter((one) => one !== a && !isBefore(one, a) && !isBefore(b, one)).length;
    return down > own && isContiguous(a.view.exchange.id, b.view.exchange.id, recorded);
  });
}

/** Whether all exchanges between two ids are present: a missing one may have used a request. */
export function isContiguous(a: string, b: string, recorded: ReadonlySet<string>): boolean {
  const [from, to] = [numberOf(a), numberOf(b)];
  if (!Number.isInteger(from) || !Number.isInteger(to) || to - from > recorded.size) return false;
  for (let id = from + 1; id < to; id += 1) if (!recorded.has(`x${id}`)) return false;
  return true;
}

/** Whether errors (4xx) count against the limit, according to Remaining; null if unknown or inconsistent. */
export function failuresCount(traffic: readonly KeyTraffic[]): boolean | null {
  // A step may be due to a missing request.
  if (traffic.some(({ partial }) => partial)) return null;
  const steps = traffic.flatMap(({ answers }) =>
    pairs(answers)
      .filter(([, b]) => b.kind === 'failed')
      .map(step),
  );
  const counted = steps.includes(1);
  return counted === steps.includes(0) ? null : counted;
}

/**
 * Whether refused requests count (ruling 13): a second refusal then announces a later reset, with nothing admitted or
 * expired in between. Null if inconclusive.
 */
export function refusalsCount(answers: readonly RateAnswer[], requests: number): boolean | null {
  let told: boolean | null = null;
  let before: number | undefined;
  // If refusals counted, this request's expiry would be the reset.
  const freeing = (index: number): RateAnswer | undefined => answers[index - requests + 1];
  for (const [index, answer] of answers.entries()) {
    if (answer.kind === 'served') before = undefined;
    if (answer.kind !== 'limited' || answer.reset === null) continue;
    const earlier = before;
    before = index;
    const previous = earlier === undefined ? undefined : answers[earlier];
    if (earlier === undefined || previous === undefined || previous.reset === null) continue;
    if (!isBefore(previous, answer) || answer.latest >= previous.reset) continue;
    if (answer.reset > previous.reset) return true;
    const [one, other] = [freeing(earlier), freeing(index)];
    // Simultaneous requests expire together, so equal resets say nothing.
    if (one !== undefined && other !== undefined && isBefore(one, other)) told = false;
  }
  return told;
}

type Limits = Pick<Context['limits'], 'requests' | 'windowMs'>;

/** This many exactly repeated resets prove that the target does not recompute them. */
const EXACT_AFTER = 6;

/**
 * Possible error of announced resets (ruling 12), ms: the tolerance if they are seen to be rounded or recomputed, 0 if
 * seen to be exact, null if inconclusive. Considers all keys, since one is representative.
 */
export function resetErrorMs(traffic: readonly KeyTraffic[], limits: Limits): number | null {
  const announced = traffic.map(({ answers }) => answers.flatMap(({ reset }) => reset ?? []));
  const varies = announced.some((resets) => {
    const told = resets.toSorted((a, b) => a - b);
    return told.some((later, index) => {
      const apart = later - (told[index - 1] ?? later);
      return apart > 0 && apart <= RESET_TOLERANCE_MS;
    });
  });
  if (varies || mayBeRounded(traffic, announced.flat(), limits)) return RESET_TOLERANCE_MS;
  const repeats = announced.reduce((sum, all) => sum + all.length - new Set(all).size, 0);
  return repeats >= EXACT_AFTER ? 0 : null;
}

/**
 * Whole seconds may be rounded. Clock-aligned windows end at multiples of their length; for short windows that does not
 * exclude a weighted counter, whose next slot comes within a second of the end.
 */
function mayBeRounded(
  traffic: readonly KeyTraffic[],
  resets: readonly number[],
  limits: Limits,
): boolean {
  const { requests, windowMs } = limits;
  if (resets.length === 0 || !areMultiplesOf(SECOND_MS, resets)) return false;
  if (!areMultiplesOf(windowMs, resets)) return true;
  const isShort = windowMs < requests * RESET_TOLERANCE_MS;
  return isShort && !traffic.some(({ answers }) => kindOf(answers, isBefore, limits) === 'fixed');
}
