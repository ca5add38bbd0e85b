import { numberOf } from '../../src/contract/exchange.ts';
import { RATE_HEADERS, RESET_TOLERANCE_MS } from '../../src/contract/limits.ts';
import type { Context } from '../../src/rules/context.ts';
import type { Judgement, Rule } from '../../src/rules/judgement.ts';
import { LABELS } from './headers.ts';
import {
  failuresCount,
  gap,
  isBefore,
  isInSeconds,
  pairs,
  sameWindow,
  SECOND_MS,
  span,
  step,
  trafficOf,
  type KeyTraffic,
  type RateAnswer,
} from './traffic.ts';
import { place } from '../../src/rules/transport.ts';
import { windowKind } from './window-kind.ts';
import { moment } from '../../src/text/moment.ts';
import { criteria } from '../../src/rules/criterion.ts';

/** What this file decides. */
export const LIMIT_REMAINING = criteria('remainingDecrements');

/**
 * §8: Remaining goes down by one with each admitted request, within one announced window of a key.
 *
 * | what was seen | verdict | covering fault |
 * | --- | --- | --- |
 * | two admitted requests with one figure | violated | `remaining-given-twice`, `remaining-stuck`, `remaining-skips-one`, `limit-racy` |
 * | a higher figure after a lower one | violated | `op/limiter/uncounted/…` |
 * | a request without a figure, and the next figure does not show it | violated | `limit-passed-by` |
 * | each of eight steps or more skips the same number | violated | `remaining-by-two` |
 * | errors stand still, and each success after one goes down by two | violated | `op/rate-header/remaining/one-more/on-errors` |
 * | all requests of the key are known (load), and a figure is missing | violated | none that the first row does not show |
 * | some figures are skipped | passed: somebody else may use the key at the same time | |
 * | a figure comes back in a window that is not fixed, or near the end of a rounded one | passed: time gave requests back | |
 * | requests may be missing (recorded traffic) | only the first two rows are judged | |
 * | no step between two figures of a window | untested | |
 */
export const remainingDecrements: Rule = {
  name: 'remaining-decrements',
  judges: [LIMIT_REMAINING.remainingDecrements],
  all(views, context, into) {
    const traffic = trafficOf(views, context);
    const counted = failuresCount(traffic) === true;
    for (const ofKey of traffic) {
      const { answers, partial } = ofKey;
      const kind = windowKind(answers, context.limits);
      // At the end of a window that is not fixed, what is announced as one window may be two states of it.
      const early = kind === 'fixed' ? answers : wellBeforeEnd(ofKey, context);
      const plain = plainWindows(ofKey, kind, context);
      const givesBackMs = givingBack(ofKey, kind, context);
      judgeRepeats(early, { counted, plain, givesBackMs }, context, into);
      judgeRises(early, { kind, plain, givesBackMs }, into);
      if (!partial) judgeUncounted(early, plain, into);
      // What skips may be the requests of somebody else that are missing here.
      if (!partial) judgeSkips(answers, into);
      if (!partial) judgeErrors(answers, into);
      if (ofKey.complete) judgeHoles(answers, plain, into);
    }
  },
};

const WHERE = LIMIT_REMAINING.remainingDecrements;

/**
 * Answers from before the moment at which the announced reset, as coarse as it is, may have come. Where no clock tells
 * that, those of a fresh key within its first window: nothing that it was admitted to has left by then.
 */
function wellBeforeEnd(
  { answers, grain }: KeyTraffic,
  { limits: { requests, windowMs } }: Context,
): readonly RateAnswer[] {
  const [first] = answers;
  if (first === undefined || grain === 0) return answers;
  const isFresh = first.remaining === requests - 1;
  return answers.filter((answer) => {
    const { reset, latest } = answer;
    if (reset === null || latest < reset - grain) return true;
    return latest === Number.POSITIVE_INFINITY && isFresh && span(first, answer) < windowMs - grain;
  });
}

/**
 * In how many ms a bucket gives one request back, where two of its states may look like one window: because announcements
 * are rounded, or made anew for each answer from a rest of seconds. Null where a window is one for certain.
 */
function givingBack(
  { answers, grain }: KeyTraffic,
  kind: ReturnType<typeof windowKind>,
  { limits: { requests, windowMs } }: Context,
): number | null {
  const looksAlike = grain > 0 || isInSeconds(answers, windowMs);
  return kind !== 'fixed' && looksAlike ? windowMs / requests : null;
}

/**
 * Windows in which nothing but requests changes the figure. A weighted counter also gives back what older requests used
 * up: its windows begin with a lower figure when there were any within the window length before (ruling 13).
 */
function plainWindows(
  { answers, partial }: KeyTraffic,
  kind: ReturnType<typeof windowKind>,
  { limits: { requests, windowMs } }: Context,
): ReadonlySet<number> {
  const plain = new Set<number>();
  const seen = new Set<number>();
  let last: RateAnswer | undefined;
  for (const answer of answers) {
    const { window, remaining } = answer;
    const before = last;
    if (answer.kind !== 'limited') last = answer;
    if (window === null || seen.has(window)) continue;
    seen.add(window);
    // Where requests may be missing here, nobody knows whether a key has rested.
    const rested = !partial && (before === undefined || span(before, answer) > 2 * windowMs);
    if (kind === 'fixed' || rested || remaining === requests - 1) plain.add(window);
  }
  return plain;
}

function judgeRepeats(
  answers: readonly RateAnswer[],
  {
    counted,
    plain,
    givesBackMs,
  }: {
    readonly counted: boolean;
    readonly plain: ReadonlySet<number>;
    readonly givesBackMs: number | null;
  },
  { limits: { requests } }: Context,
  into: Judgement,
): void {
  const seen = new Map<string, { readonly answer: RateAnswer; readonly place: number }>();
  const admitted = new Map<number, RateAnswer[]>();
  for (const answer of answers) {
    const { kind, remaining, reset, window, view } = answer;
    if (window === null || remaining === null || !plain.has(window)) continue;
    const before = admitted.get(window) ?? [];
    const beyond = before[requests - 1];
    const position = before.length;
    const counts = kind === 'served' || (kind === 'failed' && counted);
    if (counts) admitted.set(window, before);
    if (counts) before.push(answer);
    // What is admitted beyond the limit has no right figure: 8/limit-enforced judges that.
    if (kind !== 'served' || (beyond !== undefined && isBefore(beyond, answer))) continue;
    const figure = `${window} ${remaining}`;
    const first = seen.get(figure);
    if (first === undefined) {
      seen.set(figure, { answer, place: position });
      continue;
    }
    // A full bucket stays full, however long it waits.
    const isFull = remaining === requests - 1;
    const given = position - first.place;
    const gaveBack =
      givesBackMs !== null &&
      span(first.answer, answer) > (given - 1) * givesBackMs &&
      (isFull || gap(first.answer, answer) < (given + 1) * givesBackMs);
    if (gaveBack && gap(first.answer, answer) < SECOND_MS) continue;
    into.found(WHERE, view, {
      message: `${LABELS.remaining} is ${remaining} on two admitted requests of one key and window, the other being ${first.answer.view.exchange.id}`,
      expected: `one less with each admitted request until the reset at ${moment(reset)}`,
      actual: `${remaining} twice`,
      header: RATE_HEADERS.remaining,
    });
  }
}

/**
 * Where every request of a key is here, each admitted one has the next figure below: what lies between the highest and the
 * lowest of a window was given to one of them. Where announcements of one window differ, it may be under another name.
 */
function judgeHoles(
  answers: readonly RateAnswer[],
  plain: ReadonlySet<number>,
  into: Judgement,
): void {
  if (answers.some(({ kind }) => kind === 'failed')) return;
  const windows = new Map<number, RateAnswer[]>();
  for (const answer of answers) {
    if (answer.kind !== 'served' || answer.window === null) continue;
    const own = windows.get(answer.window) ?? [];
    windows.set(answer.window, own);
    own.push(answer);
  }
  const names = [...windows.keys()].toSorted((a, b) => a - b);
  const figuresOf = (name: number): readonly (number | null)[] =>
    (windows.get(name) ?? []).map(({ remaining }) => remaining);
  for (const [index, name] of names.entries()) {
    const [first] = windows.get(name) ?? [];
    const own = figuresOf(name);
    if (first === undefined || !plain.has(name) || own.includes(null)) continue;
    const told = new Set(own);
    const figures = own.flatMap((figure) => figure ?? []).toSorted((a, b) => b - a);
    const [most = 0, least = 0] = [figures[0], figures.at(-1)];
    for (const way of told.size > most - least ? [] : [-1, 1]) {
      for (let at = index + way; ; at += way) {
        const other = names[at];
        if (other === undefined || Math.abs(other - name) > RESET_TOLERANCE_MS) break;
        for (const figure of figuresOf(other)) told.add(figure);
      }
    }
    const missing = Array.from({ length: most - least }, (_, below) => most - below).filter(
      (figure) => !told.has(figure),
    );
    into.expect(WHERE, first.view, missing.length === 0, () => ({
      message: `${LABELS.remaining} skips figures within one window`,
      expected: `one less with each admitted request until the reset at ${moment(first.reset)}`,
      actual: figures.join(', '),
      header: RATE_HEADERS.remaining,
    }));
  }
}

function judgeRises(
  answers: readonly RateAnswer[],
  {
    kind,
    plain,
    givesBackMs,
  }: {
    readonly kind: ReturnType<typeof windowKind>;
    readonly plain: ReadonlySet<number>;
    readonly givesBackMs: number | null;
  },
  into: Judgement,
): void {
  for (const pair of pairs(answers)) {
    const [a, b] = pair;
    const down = step(pair);
    if (a.window === null || !plain.has(a.window)) continue;
    // A bucket gives back meanwhile, and an error that is not counted does not move its end.
    if (b.kind === 'failed' && (kind !== 'fixed' || b.latest >= (a.reset ?? 0))) continue;
    // Refusals have the figure 0, which is judged as such; an equal figure after an error means it was not counted.
    if (down === null || a.kind === 'limited' || b.kind === 'limited') continue;
    // What b took itself was given back as well.
    if (
      down < 0 &&
      givesBackMs !== null &&
      gap(a, b) < SECOND_MS &&
      span(a, b) > -down * givesBackMs
    ) {
      continue;
    }
    into.expect(WHERE, b.view, down >= 0, () => ({
      message: `${LABELS.remaining} rises within a window, after ${a.view.exchange.id}`,
      expected: `less than ${a.remaining} until the reset at ${moment(a.reset)}`,
      actual: String(b.remaining),
      header: RATE_HEADERS.remaining,
    }));
  }
  // Sliding windows announce another reset with each answer: what can be confirmed there is confirmed.
  for (const [a, b] of pairs(answers)) {
    if (a.remaining === null || b.remaining === null || b.kind !== 'served') continue;
    if (a.kind !== 'limited' && a.remaining - b.remaining === 1) into.judged(WHERE, b.view);
  }
}

/**
 * Requests that carry no figure count all the same: the next figure shows them. One that did not count was not limited,
 * as on an endpoint that goes past the limiter.
 */
function judgeUncounted(
  answers: readonly RateAnswer[],
  plain: ReadonlySet<number>,
  into: Judgement,
): void {
  let last: RateAnswer | undefined;
  let silent: RateAnswer[] = [];
  for (const answer of answers) {
    const { kind, remaining, window } = answer;
    if (remaining === null && window === null) {
      if (kind === 'served') silent.push(answer);
      continue;
    }
    const down = last === undefined ? null : step([last, answer]);
    const between = silent.filter(
      (one) => last !== undefined && isBefore(last, one) && isBefore(one, answer),
    );
    const [first] = between;
    const isTold = kind === 'served' && last?.kind === 'served' && plain.has(window ?? 0);
    if (first !== undefined && down !== null && isTold && isBefore(last ?? answer, answer)) {
      into.expect(WHERE, first.view, down > between.length, () => ({
        message: `${place(first.view)} is not counted: ${LABELS.remaining} goes on as if it had not been sent`,
        expected: `${(last?.remaining ?? 0) - 1 - between.length} or less on ${answer.view.exchange.id}`,
        actual: String(remaining),
        header: RATE_HEADERS.remaining,
      }));
    }
    last = answer;
    silent = [];
  }
}

/** Steps onto errors, and off them, that show whose figure is wrong. */
const MIN_ERRORS = 4;

/**
 * An error that leaves the figure as it was did not count; then the next success shows one less, not two. Where every
 * error of a key stands still and every success after one skips, errors count and do not show it.
 */
function judgeErrors(answers: readonly RateAnswer[], into: Judgement): void {
  const steps = pairs(answers).filter(([a, b]) => sameWindow(a, b) && isNext(a, b));
  const onto = steps.filter(([a, b]) => a.kind === 'served' && b.kind === 'failed');
  const off = steps.filter(([a, b]) => a.kind === 'failed' && b.kind === 'served');
  const [first] = onto;
  if (first === undefined || onto.length < MIN_ERRORS || off.length < MIN_ERRORS) return;
  if (!onto.every((pair) => step(pair) === 0) || !off.every((pair) => step(pair) === 2)) return;
  into.found(WHERE, first[1].view, {
    message: `${LABELS.remaining} stands still on each of ${onto.length} errors after a success, and goes down by 2 on each of ${off.length} successes after an error: errors count, and do not show it`,
    expected: `${(first[0].remaining ?? 0) - 1}`,
    actual: String(first[1].remaining),
    header: RATE_HEADERS.remaining,
  });
}

/** True when no other request of the run lies between the two. */
const isNext = (a: RateAnswer, b: RateAnswer): boolean =>
  numberOf(b.view.exchange.id) - numberOf(a.view.exchange.id) === 1;

/** Steps of a key that all skip the same number, none less, are the target's own doing. */
const MIN_STEPS = 8;

function judgeSkips(answers: readonly RateAnswer[], into: Judgement): void {
  // Directly one after the other, so that requests of other keys, which may share a count, are not in between.
  const steps = pairs(answers).filter(
    ([a, b]) =>
      a.kind === 'served' &&
      b.kind === 'served' &&
      sameWindow(a, b) &&
      b.remaining !== 0 &&
      isNext(a, b),
  );
  const [first] = steps;
  const size = first === undefined ? null : step(first);
  if (first === undefined || size === null || size < 2 || steps.length < MIN_STEPS) return;
  if (!steps.every((pair) => step(pair) === size)) return;
  into.found(WHERE, first[1].view, {
    message: `${LABELS.remaining} goes down by ${size} with each of ${steps.length} requests`,
    expected: `${(first[0].remaining ?? 0) - 1}`,
    actual: String(first[1].remaining),
    header: RATE_HEADERS.remaining,
  });
}
