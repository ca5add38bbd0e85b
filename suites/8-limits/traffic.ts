import { numberOf } from '../../src/spec/exchange.ts';
import { RATE_HEADERS, RESET_TOLERANCE_MS } from '../../src/spec/limits.ts';
import type { Context } from '../../src/judge/context.ts';
import { isCounted, isGet, isInformative, isRateRefusal, resetOf, wholeNumber } from './answers.ts';
import { ESTIMATES_MS, isTimed, NO_TIMES, settledSkew, timesOf } from './clock.ts';
import type { View } from '../../src/judge/view.ts';
import { kindOf, type Counted } from './models.ts';

/**
 * What one answer says about the window of its key (§8). `served`: 2xx to a GET; `failed`: another answer that is no
 * refusal by the limiter, which may or may not have been counted (ruling 13); `limited`: the limiter's refusal.
 */
export interface RateAnswer extends Counted {
  readonly view: View;
  readonly key: string;
  /** The target dealt with the request between these times of its own clock, epoch ms; infinite when not known. */
  readonly earliest: number;
  readonly latest: number;
  /** Target's time when the answer arrived, as well as all answers together tell it, epoch ms. */
  readonly arrivedAt: number;
}

/** Requests of one key, in the order sent. */
export interface KeyTraffic {
  readonly key: string;
  readonly answers: readonly RateAnswer[];
  /** True when the figures show requests that were not ours: the key is used by someone else, too. */
  readonly shared: boolean;
  /** True when requests of the key may be missing here. */
  readonly partial: boolean;
  /** True when every request of the key is known to be here, so that what is refused can be accounted for. */
  readonly complete: boolean;
  /** By how much announcements of one reset are seen to differ, ms. */
  readonly grain: number;
}

/** Tools that record traffic round times, and leave some of the waiting out. */
const FOREIGN_DOUBT_MS = 250;

/** By how much recorded times may be wrong, ms. Users who send at the same time are told apart by whole milliseconds only. */
function doubtOf({ partial, load }: Context): number {
  if (partial === true) return FOREIGN_DOUBT_MS;
  return load === undefined || load.oneByOne ? 0 : 1;
}

const known = new WeakMap<readonly View[], { context: Context; traffic: readonly KeyTraffic[] }>();

/** Answers of the keys that the limiter counts, without those near the end of their quota. */
export function trafficOf(views: readonly View[], context: Context): readonly KeyTraffic[] {
  const before = known.get(views);
  if (before?.context === context) return before.traffic;
  const traffic = trafficByKey(views, context);
  known.set(views, { context, traffic });
  return traffic;
}

function trafficByKey(views: readonly View[], context: Context): readonly KeyTraffic[] {
  const byKey = new Map<string, RateAnswer[]>();
  const timed = isTimed(views, context);
  const clock = { timed, skewMs: settledSkew(views) };
  const answers = views.flatMap((view) => rateAnswer(view, context, clock) ?? []);
  for (const answer of named(answers)) {
    const own = byKey.get(answer.key);
    if (own === undefined) byKey.set(answer.key, [answer]);
    else own.push(answer);
  }
  const partial = context.partial === true || context.load?.recorded === 'some';
  const ids = new Set(context.load === undefined ? views.map(({ exchange }) => exchange.id) : []);
  return [...byKey].map(([key, own]) => ({
    key,
    answers: own.toSorted((a, b) => sent(a) - sent(b)),
    partial,
    complete: context.load?.recorded === 'all',
    grain: grainOf(own, context.limits.windowMs),
    shared: partial || (context.load === undefined && hasGaps(own, ids)),
  }));
}

/**
 * How coarse the announced resets of a key are, ms. Where they are rounded to seconds, several requests of a sliding window
 * have the same one, and each that leaves before it gives its place back.
 */
function grainOf(answers: readonly RateAnswer[], windowMs: number): number {
  if (isInSeconds(answers, windowMs)) return SECOND_MS;
  return answers.reduce(
    (most, { reset, window }) => Math.max(most, (reset ?? 0) - (window ?? 0)),
    0,
  );
}

/** What is known of the clock of the target: whether it tells when the limiter acts, and how far it is from ours, ms. */
interface TargetClock {
  readonly timed: boolean;
  readonly skewMs: number;
}

/**
 * One estimate for all answers: with those of their own, two that came one after the other would seem to have come in
 * the other order.
 */
function arrivalOf(
  { exchange, now }: View,
  { clockTold }: Context,
  { skewMs }: TargetClock,
): number {
  const isOneClock = clockTold !== true && Math.abs(skewMs - exchange.skewMs) <= ESTIMATES_MS;
  return isOneClock ? exchange.receivedAt + skewMs : now;
}

function rateAnswer(view: View, context: Context, clock: TargetClock): RateAnswer | null {
  const { key, role } = view.exchange;
  if (!isCounted(view) || role === 'nearQuota' || key === null) return null;
  const limited = isRateRefusal(view, context);
  const told = limited || isInformative(view);
  const reset = told ? resetOf(view) : null;
  return {
    view,
    key,
    kind: limited ? 'limited' : view.ok && told && isGet(view) ? 'served' : 'failed',
    remaining: told ? wholeNumber(view.response.headers[RATE_HEADERS.remaining]) : null,
    reset,
    window: reset,
    ...(clock.timed ? timesOf(view, context) : NO_TIMES),
    arrivedAt: arrivalOf(view, context, clock),
    doubtMs: doubtOf(context),
    ...evenTimes(view, context),
  };
}

/**
 * When the request was sent and its answer arrived by a clock that runs evenly: that of this machine, or that of a target
 * whose exact time is known, because a test may move it. A time estimated from `Date` jumps by up to a second.
 */
function evenTimes(
  { exchange: { sentAt, receivedAt, skewMs } }: View,
  { clockTold }: Context,
): Pick<RateAnswer, 'sentAt' | 'receivedAt'> {
  const moved = clockTold === true ? skewMs : 0;
  return { sentAt: sentAt + moved, receivedAt: receivedAt + moved };
}

/** What resets are rounded to, ms. */
export const SECOND_MS = 1000;

/** Whether successes announce whole seconds; errors may be announced by other code. Windows that begin with the minute are not rounded. */
function isInSeconds(answers: readonly RateAnswer[], windowMs: number): boolean {
  const resets = answers.flatMap(({ kind, reset }) => (kind === 'served' ? (reset ?? []) : []));
  const areMultiplesOf = (length: number): boolean => resets.every((reset) => reset % length === 0);
  return areMultiplesOf(SECOND_MS) && !areMultiplesOf(windowMs);
}

/**
 * Gives answers of one window one name. Announcements differ where they are made anew for each answer, such as from a
 * rest of time that a store tells (ruling 12). A reset that moves back shows that, since the end of no window does; it
 * also shows by how much, and what differs by no more is the same window. Where no reset moves back, equal resets are
 * the same window: in a sliding window others belong to another state of it.
 */
function named(answers: readonly RateAnswer[]): readonly RateAnswer[] {
  const tolerance = jitterOf(answers);
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

/** The most by which the reset of a key moved back, as far as that is allowed, ms. */
export function jitterOf(answers: readonly RateAnswer[]): number {
  const keys = new Map<string, RateAnswer[]>();
  for (const answer of answers) {
    if (answer.reset === null) continue;
    const own = keys.get(answer.key) ?? [];
    keys.set(answer.key, own);
    own.push(answer);
  }
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

/** The first place in a sorted list at which a figure is `least` or more; its length when there is none. */
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

/** When a request was sent and when its answer arrived by the clock of this machine, which puts requests in order, ms. */
export const sent = ({ view }: RateAnswer): number => view.exchange.sentAt;
export const done = ({ view, doubtMs }: RateAnswer): number => view.exchange.receivedAt + doubtMs;

/**
 * True when the target was done with `a` before `b` was sent. Requests under way together have no order. Of two that were
 * sent and answered within one millisecond, the number of the exchange says which was first.
 */
export function isBefore(a: RateAnswer, b: RateAnswer): boolean {
  if (done(a) > sent(b)) return false;
  return done(b) > sent(a) || numberOf(a.view.exchange.id) < numberOf(b.view.exchange.id);
}

/** Time between the sending of one request and the arrival of the answer to another, ms. */
export const span = (a: RateAnswer, b: RateAnswer): number => b.receivedAt - a.sentAt;

/** Time between the arrival of one answer and the sending of another request, ms. */
export const gap = (a: RateAnswer, b: RateAnswer): number => b.sentAt - a.receivedAt;

/** Neighbours among the answers of a key of which the first was done before the second was sent. */
export function pairs(
  answers: readonly RateAnswer[],
): readonly (readonly [RateAnswer, RateAnswer])[] {
  return answers.flatMap((second, index) => {
    const first = answers[index - 1];
    return first !== undefined && isBefore(first, second) ? [[first, second] as const] : [];
  });
}

/** True when both answers announce the same window. */
export function sameWindow(a: RateAnswer, b: RateAnswer): boolean {
  return a.window !== null && a.window === b.window;
}

/** By how much Remaining went down between two answers of a window; null when that is not told. */
export function step([a, b]: readonly [RateAnswer, RateAnswer]): number | null {
  if (!sameWindow(a, b) || a.remaining === null || b.remaining === null) return null;
  return a.remaining - b.remaining;
}

/**
 * True when more was used up between two answers of a key than its own requests can have. Time only gives back, in every
 * kind of window, and so does a new one: where a bucket or a log announces another reset with each answer, a figure tells
 * as much as within one window.
 */
function hasGaps(answers: readonly RateAnswer[], recorded: ReadonlySet<string>): boolean {
  return pairs(answers).some((pair) => {
    const [a, b] = pair;
    if (a.remaining === null || b.remaining === null) return false;
    const down = a.remaining - b.remaining;
    if (down < 2 || b.kind === 'limited' || a.remaining === 0) return false;
    // What was under way together with one of them may have been counted in between.
    const own = answers.filter((one) => one !== a && !isBefore(one, a) && !isBefore(b, one)).length;
    return down > own && isContiguous(a.view.exchange.id, b.view.exchange.id, recorded);
  });
}

/** False when an exchange between the two is not among those at hand: it may have used up what is missing. */
export function isContiguous(a: string, b: string, recorded: ReadonlySet<string>): boolean {
  const [from, to] = [numberOf(a), numberOf(b)];
  if (!Number.isInteger(from) || !Number.isInteger(to) || to - from > recorded.size) return false;
  for (let id = from + 1; id < to; id += 1) if (!recorded.has(`x${id}`)) return false;
  return true;
}

/**
 * Whether answers that were refused for another reason (4xx) count against the limit, as Remaining shows it: null when
 * nothing was seen, or when one did and another did not.
 */
export function failuresCount(traffic: readonly KeyTraffic[]): boolean | null {
  // A step may be that of a request which is missing here.
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
 * Whether refused requests count (ruling 13), as far as the answers of a key show it: a refusal that follows another one,
 * with nothing admitted in between and before anything has run out, announces a later reset. Null when no two tell.
 */
export function refusalsCount(answers: readonly RateAnswer[], requests: number): boolean | null {
  let told: boolean | null = null;
  let before: number | undefined;
  // If refused requests counted, the reset would be that of the request which is one less than the limit before.
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
    // Requests of the same moment free their places at the same moment, so equal resets tell nothing then.
    if (one !== undefined && other !== undefined && isBefore(one, other)) told = false;
  }
  return told;
}

type Limits = Pick<Context['limits'], 'requests' | 'windowMs'>;

/** Repeats of a reset to the millisecond that no target gives by chance whose announcements are made anew each time. */
const EXACT_AFTER = 6;

/**
 * By how much the announced resets may be off (ruling 12), ms: the tolerance where the announcements show that the target
 * rounds, or makes them anew for each answer, and nothing where they show that it does neither. Null while they show too
 * little. It takes every key: one that wobbles speaks for all.
 */
export function wobbleOf(traffic: readonly KeyTraffic[], limits: Limits): number | null {
  const announced = traffic.map(({ answers }) => answers.flatMap(({ reset }) => reset ?? []));
  const wobbles = announced.some((resets) => {
    const told = resets.toSorted((a, b) => a - b);
    return told.some((later, index) => {
      const apart = later - (told[index - 1] ?? later);
      return apart > 0 && apart <= RESET_TOLERANCE_MS;
    });
  });
  if (wobbles || areRounded(traffic, announced.flat(), limits)) return RESET_TOLERANCE_MS;
  const repeats = announced.reduce((sum, all) => sum + all.length - new Set(all).size, 0);
  return repeats >= EXACT_AFTER ? 0 : null;
}

/**
 * Whole seconds may be rounded. Those of windows that follow the clock are multiples of their length; in short windows
 * that says nothing of a weighted counter, whose next place comes within a second of the end.
 */
function areRounded(
  traffic: readonly KeyTraffic[],
  resets: readonly number[],
  limits: Limits,
): boolean {
  const { requests, windowMs } = limits;
  const areMultiplesOf = (length: number): boolean => resets.every((reset) => reset % length === 0);
  if (resets.length === 0 || !areMultiplesOf(SECOND_MS)) return false;
  if (!areMultiplesOf(windowMs)) return true;
  const isShort = windowMs < requests * RESET_TOLERANCE_MS;
  return isShort && !traffic.some(({ answers }) => kindOf(answers, isBefore, limits) === 'fixed');
}
