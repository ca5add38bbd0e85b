import { numberOf } from '../../src/spec/exchange.ts';
import { RATE_HEADERS } from '../../src/spec/limits.ts';
import type { Context } from '../../src/judge/context.ts';
import { judgeAll, type OwnJudgement } from '../../src/judge/judge.ts';
import { moment } from '../../src/text/moment.ts';
import { kindOf } from './models.ts';
import {
  failuresCount,
  isBefore,
  pairs,
  sameWindow,
  span,
  step,
  trafficOf,
  type KeyTraffic,
  type RateAnswer,
} from './traffic.ts';

/**
 * `8/remaining-decrements`: Remaining goes down by one with each admitted request, within one announced window of a key.
 *
 * | what was seen | verdict | covering fault |
 * | --- | --- | --- |
 * | two admitted requests with one figure | violated | `remaining-given-twice`, `remaining-stuck`, `remaining-skips-one`, `limit-racy` |
 * | a higher figure after a lower one | violated | `op/limiter/uncounted/…` |
 * | a request without a figure, and the next figure does not show it | violated | `limit-passed-by` |
 * | each of eight steps or more skips the same number | violated | `remaining-by-two` |
 * | some figures are skipped | passed: somebody else may use the key at the same time | |
 * | a figure comes back in a window that is not known to be fixed, and is announced in whole seconds or by several clocks, after time may have given requests back | passed | |
 * | a figure comes back in a window that began lower, after an older one | passed: a weighted counter gives back what older requests used up | |
 * | requests may be missing (recorded traffic) | only the first two rows are judged | |
 * | no step between two figures of a window | untested | |
 */
export const remainingDecrements = judgeAll((views, context, it) => {
  const traffic = trafficOf(views, context);
  const failures = failuresCount(traffic) === true;
  for (const { answers, partial, grain } of traffic) {
    // Sliding windows announce another reset with each answer: what can be confirmed there is confirmed.
    for (const [a, b] of pairs(answers)) {
      if (a.remaining === null || b.remaining === null || b.kind !== 'served') continue;
      if (a.kind !== 'limited' && a.remaining - b.remaining === 1) it.judged(b.view);
    }
    const isFixed = kindOf(answers, isBefore, context.limits) === 'fixed';
    for (const own of plainWindows(answers, { isFixed, partial }, context)) {
      const sure = isFixed || grain === 0 ? own : beforeAnyLeft(own, grain, context);
      judgeWindow(sure, { isFixed, failures, partial }, context, it);
    }
    // What skips may be the requests of somebody else that are missing here.
    if (!partial) judgeSkips(answers, it);
  }
});

/**
 * The answers of each announced window in which nothing but requests changes the figure, with those that announce nothing in
 * between. A weighted counter also gives back what older requests used up: its windows begin with a lower figure when there
 * were any within the window length before (ruling 13).
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
    // Where requests may be missing here, nobody knows whether a key has rested.
    const rested = !partial && (before === undefined || span(before, answer) > 2 * windowMs);
    const isPlain = isFixed || rested || remaining === requests - 1;
    if (!windows.has(window) && isPlain) windows.set(window, []);
    windows.get(window)?.push(...(windows.get(window)?.length === 0 ? [] : silent), answer);
    silent = [];
  }
  return [...windows.values()];
}

/**
 * Where several states of a log or a bucket may have one name, because announcements are coarse: what came before anything
 * that a fresh key was admitted to has left again.
 */
function beforeAnyLeft(
  own: readonly RateAnswer[],
  grain: number,
  { limits: { requests, windowMs } }: Context,
): readonly RateAnswer[] {
  const [first] = own;
  if (first?.remaining !== requests - 1 || grain >= windowMs / requests) return [];
  return own.filter((answer) => span(first, answer) < windowMs - grain);
}

/** One window: each admitted request has a figure of its own, below those that were told before it was sent. */
function judgeWindow(
  own: readonly RateAnswer[],
  { isFixed, failures, partial }: Record<'isFixed' | 'failures' | 'partial', boolean>,
  { limits: { requests } }: Context,
  it: OwnJudgement,
): void {
  const told: RateAnswer[] = [];
  const counted: RateAnswer[] = [];
  for (const answer of own) {
    const { kind, remaining, view, reset } = answer;
    const beyond = counted[requests - 1];
    if (kind === 'served' || (kind === 'failed' && failures)) counted.push(answer);
    // What is admitted beyond the limit has no right figure: 8/limit-enforced judges that. A refusal has the figure 0.
    if (remaining === null || kind === 'limited') continue;
    if (beyond !== undefined && isBefore(beyond, answer)) continue;
    const until = `until the reset at ${moment(reset)}`;
    const twin =
      kind === 'served'
        ? told.find((one) => one.kind === kind && one.remaining === remaining)
        : undefined;
    const before = told
      .filter((one) => isBefore(one, answer) && (isFixed || kind === 'served'))
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
    told.push(answer);
    if (before !== undefined) it.judged(view);
    if (twin !== undefined) {
      it.found(view, {
        kind: 'remaining-twice',
        facts: { remaining, other: twin.view.exchange.id },
        expected: `one less with each admitted request ${until}`,
        actual: `${remaining} twice`,
        header: RATE_HEADERS.remaining,
        against: [twin.view],
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
    } else if (unseen !== undefined && kind === 'served' && down <= silent.length) {
      it.found(unseen.view, {
        kind: 'not-counted',
        expected: `${remaining - silent.length - 1 + down} or less on ${view.exchange.id}`,
        against: [view],
        actual: String(remaining),
        header: RATE_HEADERS.remaining,
      });
    }
  }
}

/** Steps of a key that all skip the same number, none less, are the target's own doing. */
const MIN_STEPS = 8;

function judgeSkips(answers: readonly RateAnswer[], it: OwnJudgement): void {
  // Directly one after the other, so that requests of other keys, which may share a count, are not in between.
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
