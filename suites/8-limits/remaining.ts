import { numberOf } from '../../src/spec/exchange.ts';
import { RATE_HEADERS, RESET_TOLERANCE_MS } from '../../src/spec/limits.ts';
import type { Context } from '../../src/judge/context.ts';
import { judgeAll, type OwnJudgement } from '../../src/judge/judge.ts';
import { readableTime } from '../../src/text/time.ts';
import { kindOf } from './models.ts';
import {
  failuresCount,
  isBefore,
  mayFollowReset,
  pairs,
  sameWindow,
  span,
  step,
  trafficOf,
  type KeyTraffic,
  type RateAnswer,
} from './traffic.ts';

/**
 * `8/remaining-decrements`: within an announced window of a key, Remaining drops by one with each admitted request.
 *
 * | observation | verdict | covering fault |
 * | --- | --- | --- |
 * | two admitted requests with the same figure | violated | `remaining-given-twice`, `remaining-stuck`, `remaining-skips-one`, `limit-racy` |
 * | a higher figure after a lower one | violated | `op/limiter/uncounted/…` |
 * | a full figure under another reset, although two requests have just been admitted and no window has ended | violated | `limit-forgets` |
 * | the same after the announced reset, by the target's clock | not judged: only the length of the window may be wrong | |
 * | a request without a figure that the next figure does not reflect | violated | `limit-passed-by` |
 * | eight or more steps that all skip the same number | violated | `remaining-by-two` |
 * | some figures are skipped | passed: another client may use the key | |
 * | a figure returns after requests may have expired, in a window not known to be fixed whose reset is rounded or comes from several clocks | passed | |
 * | a figure returns in a window that started lower, after an older one | passed: a weighted counter gives back what older requests used | |
 * | any of these in scaled windows whose announced resets may each be a second off, so that two windows look like one | not judged | |
 * | requests may be missing (recorded traffic) | only the first two rows are judged | |
 * | 0 again on a request beyond the limit, which 8/limit-enforced judges | not judged | |
 * | no step between two figures of a window, or none that is wrong and a reset that moves back | untested | |
 */
export const remainingDecrements = judgeAll((views, context, it) => {
  const traffic = trafficOf(views, context);
  const failures = failuresCount(traffic) === true;
  for (const { answers, partial, granularityMs } of traffic) {
    // A reset that moves back does not show which figures belong together, so nothing confirms that none is left out.
    const isSteady = pairs(answers).every(
      ([a, b]) => b.reset === null || (a.reset ?? 0) - b.reset <= RESET_TOLERANCE_MS,
    );
    // Sliding windows announce a new reset with each answer; confirm what can be confirmed there.
    for (const [a, b] of pairs(answers)) {
      if (a.remaining === null || b.remaining === null || b.kind !== 'served') continue;
      if (isSteady && a.kind !== 'limited' && a.remaining - b.remaining === 1) it.judged(b.view);
    }
    if (lookAlike(answers, context)) continue;
    const isFixed = kindOf(answers, isBefore, context.limits) === 'fixed';
    for (const own of plainWindows(answers, { isFixed, partial }, context)) {
      const sure =
        isFixed || granularityMs === 0 ? own : beforeFirstExpiry(own, granularityMs, context);
      judgeWindow(sure, { answers, isFixed, isSteady, failures, partial }, context, it);
    }
    judgeForgotten(answers, granularityMs, context, it);
    // Skipped figures may be requests missing here.
    if (!partial) judgeSkips(answers, it);
  }
});

/** True if windows cannot be distinguished: their announced resets vary, by up to almost the length of a window. */
const lookAlike = (answers: readonly RateAnswer[], { limits: { windowMs } }: Context): boolean =>
  windowMs <= 3 * RESET_TOLERANCE_MS && answers.some(({ reset, window }) => reset !== window);

/**
 * Answers of each announced window in which only requests change the figure, including unannounced ones in between. A
 * weighted counter also gives back what older requests used: its windows start lower if there were requests within the
 * previous window length (ruling 13).
 */
function plainWindows(
  answers: readonly RateAnswer[],
  { isFixed, partial }: Pick<KeyTraffic, 'partial'> & { readonly isFixed: boolean },
  { limits: { requests, windowMs } }: Context,
): readonly (readonly RateAnswer[])[] {
  const windows = new Map<number, RateAnswer[]>();
  let silent: RateAnswer[] = [];
  let last: RateAnswer | undefined;
  for (const answer of answers) {
    const before = last;
    if (answer.kind !== 'limited') last = answer;
    const { window, remaining } = answer;
    if (window === null) {
      if (remaining === null && answer.kind === 'served') silent.push(answer);
      continue;
    }
    // If requests may be missing, a key cannot be known to have been idle.
    const rested = !partial && (before === undefined || span(before, answer) > 2 * windowMs);
    const isPlain = isFixed || rested || remaining === requests - 1;
    if (!windows.has(window) && isPlain) windows.set(window, []);
    windows.get(window)?.push(...(windows.get(window)?.length === 0 ? [] : silent), answer);
    silent = [];
  }
  return [...windows.values()];
}

/**
 * Coarse announcements may give several states of a log or bucket one name. Keeps only answers from before the first
 * request of a fresh key expires.
 */
function beforeFirstExpiry(
  own: readonly RateAnswer[],
  granularityMs: number,
  { limits: { requests, windowMs } }: Context,
): readonly RateAnswer[] {
  const [first] = own;
  if (first?.remaining !== requests - 1 || granularityMs >= windowMs / requests) return [];
  return own.filter((answer) => span(first, answer) < windowMs - granularityMs);
}

/** Within a window, each admitted request has a unique figure below those announced before it was sent. */
function judgeWindow(
  own: readonly RateAnswer[],
  {
    answers,
    isFixed,
    isSteady,
    failures,
    partial,
  }: Pick<KeyTraffic, 'answers' | 'partial'> & Record<'isFixed' | 'isSteady' | 'failures', boolean>,
  { limits: { requests } }: Context,
  it: OwnJudgement,
): void {
  const announced: RateAnswer[] = [];
  const counted: RateAnswer[] = [];
  const counts = ({ kind }: RateAnswer): boolean =>
    kind === 'served' || (kind === 'failed' && failures);
  // The first one in a window may have been sent after others that are concurrent with it.
  const isExceeded = (): boolean =>
    new Set([...own, ...answers.filter((one) => one.window === own[0]?.window)].filter(counts))
      .size > requests;
  const isWhole = own[0]?.remaining === requests - 1 && counts(own[0]);
  for (const answer of own) {
    const { kind, remaining, view, reset } = answer;
    const beyond = counted[requests - 1];
    const isCounted = counts(answer);
    if (isCounted) counted.push(answer);
    // 8/limit-enforced judges requests beyond the limit, in whatever order they overlapped; refusals announce 0.
    if (remaining === null || kind === 'limited') continue;
    if (beyond !== undefined && isBefore(beyond, answer)) continue;
    if (remaining === 0 && announced.some((one) => one.remaining === 0) && isExceeded()) continue;
    const until = `until the reset at ${readableTime(reset)}`;
    const twin =
      kind === 'served'
        ? announced.find((one) => one.kind === kind && one.remaining === remaining)
        : undefined;
    const before = announced
      .filter((one) => isBefore(one, answer) && (isFixed || isCounted))
      .reduce<RateAnswer | undefined>(
        (least, one) => ((one.remaining ?? 0) <= (least?.remaining ?? Infinity) ? one : least),
        undefined,
      );
    const silent = partial
      ? []
      : counted.filter(
          (one) =>
            one.remaining === null &&
            before?.kind === 'served' &&
            isBefore(before, one) &&
            isBefore(one, answer),
        );
    const [unseen] = silent;
    const down = (before?.remaining ?? remaining) - remaining;
    announced.push(answer);
    if (before !== undefined && isSteady) it.judged(view);
    if (twin !== undefined) {
      // By the count of our own requests, this one is right, and the one before was too low.
      const isLow = isWhole && isCounted && remaining === requests - counted.length;
      const [wrong, other] = isLow ? [twin.view, view] : [view, twin.view];
      const [from, to] = (isLow && jumpIn(announced)) || [];
      const after =
        to && `, after ${to.remaining} followed ${from?.remaining} on ${to.view.exchange.id}`;
      it.found(wrong, {
        kind: 'remaining-twice',
        facts: { remaining, other: other.exchange.id },
        expected: `one less with each admitted request ${until}`,
        actual: `${remaining} twice${after ?? ''}`,
        header: RATE_HEADERS.remaining,
        against: to === undefined ? [other] : [other, to.view],
      });
    } else if (down < 0) {
      it.found(view, {
        kind: 'remaining-rises',
        facts: { after: before?.view.exchange.id ?? '' },
        expected: `less than ${before?.remaining} ${until}`,
        actual: String(remaining),
        header: RATE_HEADERS.remaining,
        ...(before !== undefined && { against: [before.view] }),
      });
    } else if (unseen !== undefined && isCounted && down <= silent.length) {
      it.found(unseen.view, {
        kind: 'not-counted',
        expected: `${remaining - silent.length - 1 + down} or less on ${view.exchange.id}`,
        against: [view],
        actual: `${remaining} on ${view.exchange.id}`,
        header: RATE_HEADERS.remaining,
      });
    }
  }
}

/** The first of these figures that is more than one below the one before, with that one. */
const jumpIn = (announced: readonly RateAnswer[]) =>
  pairs(announced).find((pair) => (step(pair) ?? 0) > 1);

/** As many requests as are compared with a later one; more are hardly ever sent within the time in which one expires. */
const JUST_BEFORE = 5;

/**
 * A key that was admitted twice just before is not new to a limiter of any kind: a window ends no sooner than announced, and a
 * log or bucket gives nothing back so soon. (A weighted counter may forget a single request.)
 */
function judgeForgotten(
  answers: readonly RateAnswer[],
  granularityMs: number,
  { limits: { requests, windowMs } }: Context,
  it: OwnJudgement,
): void {
  const soonMs = windowMs / requests - granularityMs;
  for (const [index, answer] of answers.entries()) {
    const { kind, remaining, reset } = answer;
    if (kind !== 'served' || remaining !== requests - 1 || reset === null) continue;
    const earlier = answers
      .slice(Math.max(0, index - JUST_BEFORE), index)
      .filter((one) => one.kind === 'served' && isBefore(one, answer) && span(one, answer) < soonMs)
      .filter((one) => one.reset !== null && reset - one.reset < windowMs / 2);
    const last = earlier.at(-1);
    if (last === undefined || earlier.length < 2 || sameWindow(last, answer)) continue;
    if (mayFollowReset(last, answer, windowMs)) continue;
    it.found(answer.view, {
      kind: 'remaining-rises',
      facts: { after: last.view.exchange.id },
      expected: `less than ${last.remaining ?? requests} until the reset at ${readableTime(last.reset)}`,
      actual: String(remaining),
      header: RATE_HEADERS.remaining,
      against: [last.view],
    });
  }
}

/** This many steps that all skip the same number are the target's doing. */
const MIN_STEPS = 8;

function judgeSkips(answers: readonly RateAnswer[], it: OwnJudgement): void {
  // Adjacent requests only, since other keys may share the count.
  const steps = pairs(answers).filter(
    ([a, b]) =>
      a.kind === 'served' &&
      b.kind === 'served' &&
      sameWindow(a, b) &&
      b.remaining !== 0 &&
      numberOf(b.view.exchange.id) - numberOf(a.view.exchange.id) === 1,
  );
  const [first] = steps;
  const size = first === undefined ? null : step(first);
  if (first === undefined || size === null || size < 2 || steps.length < MIN_STEPS) return;
  if (!steps.every((pair) => step(pair) === size)) return;
  it.found(first[1].view, {
    kind: 'remaining-skips',
    facts: { size, steps: steps.length },
    expected: `${(first[0].remaining ?? 0) - 1}`,
    actual: String(first[1].remaining),
    header: RATE_HEADERS.remaining,
  });
}
