import { STATUS } from '../../src/spec/finding.ts';
import type { Context } from '../../src/judge/context.ts';
import { judgeAll } from '../../src/judge/judge.ts';
import { accounted, isPooled } from './per-key.ts';
import { kindOf, nextAfterMs, weighted } from './models.ts';
import {
  done,
  firstAt,
  isBefore,
  isContiguous,
  sameWindow,
  sent,
  span,
  step,
  trafficOf,
  type KeyTraffic,
  type RateAnswer,
} from './traffic.ts';

/** A window observed completely, from its first request to a refusal. */
interface CompleteWindow {
  readonly first: RateAnswer;
  readonly refusal: RateAnswer;
  readonly admitted: number;
}

/**
 * `8/limit-not-early`, ruling 13: every request within the limit is admitted. Use of the key by others looks like a
 * lower limit, so a finding needs keys without such use, and two windows that ended after the same number of requests
 * with none that ended correctly. If all windows of several keys start at the same lower figure, the target itself
 * counts from there; on a single key it may be a monitor that sends one request per minute.
 */
export const limitNotEarly = judgeAll((views, context, it) => {
  const traffic = trafficOf(views, context);
  const { requests } = context.limits;
  const { start, isLater } = commonStart(traffic, requests);
  const recorded = new Set(views.map(({ exchange }) => exchange.id));
  const early: (CompleteWindow & Pick<KeyTraffic, 'answers'>)[] = [];
  let kept = false;
  let keptAtFirst = false;
  // Another refusal shows nothing then.
  const isOpen = (): boolean => isPooled(traffic, context) || hasUnexplained(traffic, context);
  for (const ofKey of traffic) {
    const { answers, shared, complete } = ofKey;
    const ordered = complete || context.load !== undefined ? [] : inOrderCounted(answers);
    for (const at of ordered.keys()) {
      const whole = completeWindowBefore(ordered, at, start, recorded, context);
      if (whole === null) continue;
      if (whole.admitted < requests) {
        if (!shared) early.push({ ...whole, answers });
        continue;
      }
      if (whole.first === answers[0]) keptAtFirst = true;
      else kept = true;
      if (!isOpen()) it.judged(whole.refusal.view);
    }
    // Without fixed windows, as many successes as the limit within one window length before a refusal show that it was
    // not early.
    const served: RateAnswer[] = [];
    for (const answer of complete ? [] : answers) {
      if (answer.kind === 'served') served.push(answer);
      if (answer.kind !== 'limited') continue;
      const first = served.at(-requests);
      const isWhole = first !== undefined && span(first, answer) < context.limits.windowMs;
      if (isWhole && mayCountTogether(first, answer, answers, context) && !isOpen())
        it.judged(answer.view);
    }
  }
  const refusals = traffic.flatMap((one) => (one.complete ? accounted(one, traffic, context) : []));
  const isPerKey = refusals.every(({ by }) => by !== 'together');
  for (const { refusal, number, by } of refusals) {
    if (by === 'weighted' || by === 'together') continue;
    // Where other keys count, too, it shows nothing that the key had used up its window.
    if (by === 'own' && !isPerKey) continue;
    it.expect(refusal.view, by === 'own', () => ({
      kind: 'refused-early',
      expected: `${requests} requests in the window before a refusal`,
      actual: `${number} requests`,
    }));
  }
  // A limiter that is right at first is another one only if no honest kind explains what it does later.
  const isChanged = keptAtFirst || isLater;
  const certain = isChanged ? early.filter((one) => !isExplained(one, context)) : early;
  const [first] = certain;
  // A lower start on several keys is already conclusive; one refusal confirms it.
  const lower = start < requests - 1;
  const enough = certain.length >= (lower ? 1 : 2);
  if (kept || first === undefined || !enough || isPooled(traffic, context)) return;
  if (early.some(({ admitted }) => admitted !== first.admitted)) return;
  // Another client may take a few requests at the same place twice, but hardly half of them between two of ours.
  if (keptAtFirst && !lower && 2 * first.admitted > requests) return;
  const window = isChanged ? 'window of a key after its first' : 'window';
  for (const { admitted, first: begin, refusal } of certain) {
    it.found(refusal.view, {
      kind: 'refused-early-always',
      facts: {
        admitted,
        begin: begin.view.exchange.id,
        window,
        lower: lower ? `; every ${window} begins with a lower figure` : '',
      },
      against: [begin.view],
      expected: `${requests} requests with a key are admitted before the first 429`,
      actual: `status 429 on request ${admitted + 1}`,
      header: STATUS,
    });
  }
});

/**
 * Whether a key was refused after fewer requests of its own than the limit, even within two windows: no honest limiter
 * does that, but another client of the key may be the cause. Those before the run may be, for two windows.
 */
function hasUnexplained(
  traffic: readonly KeyTraffic[],
  { load, limits: { requests, windowMs } }: Context,
): boolean {
  if (load !== undefined) return false;
  const begun = traffic.reduce(
    (first, { answers }) => Math.min(first, answers[0]?.sentAt ?? first),
    Number.POSITIVE_INFINITY,
  );
  return traffic.some(
    ({ answers, shared }) =>
      !shared &&
      answers.some((refusal) => {
        if (refusal.kind !== 'limited' || refusal.sentAt - begun < 2 * windowMs) return false;
        // Of concurrent requests, those sent later may have counted first.
        const first = answers[firstAt(answers, done(refusal), sent) - 1 - requests];
        return first === undefined || span(first, refusal) >= 2 * windowMs;
      }),
  );
}

/** Whether a request may still have counted at a refusal: in fixed windows, one of the window before does not. */
function mayCountTogether(
  first: RateAnswer,
  refusal: RateAnswer,
  answers: readonly RateAnswer[],
  { limits }: Context,
): boolean {
  const isNext =
    first.reset !== null &&
    refusal.reset !== null &&
    refusal.reset - first.reset >= nextAfterMs(limits.windowMs);
  if (!isNext) return true;
  const kind = kindOf(answers, isBefore, limits);
  const admitted = answers.filter((one) => one.kind !== 'limited');
  return kind === 'sliding' || (kind === 'unknown' && weighted(admitted, refusal, limits, 0));
}

/**
 * Whether what a key sent before may explain a refusal: in a log or a bucket, or in a weighted counter, whether or not
 * refusals count there.
 */
function isExplained(
  { refusal, answers }: Pick<CompleteWindow & KeyTraffic, 'refusal' | 'answers'>,
  { limits }: Context,
): boolean {
  const before = answers.filter((one) => one !== refusal && sent(one) <= done(refusal));
  const admitted = before.filter(({ kind }) => kind !== 'limited');
  const recent = before.filter((one) => span(one, refusal) < limits.windowMs);
  return (
    recent.length >= limits.requests ||
    [admitted, before].some((counted) => weighted(counted, refusal, limits, 0))
  );
}

/** Answers in the order counted. Concurrent requests are ordered by their figures within a window. */
function inOrderCounted(answers: readonly RateAnswer[]): readonly RateAnswer[] {
  const ordered: RateAnswer[] = [];
  for (const answer of answers) {
    let at = ordered.length;
    for (; at > 0; at -= 1) {
      const before = ordered[at - 1];
      if (before === undefined || isBefore(before, answer)) break;
      const down = step([before, answer]);
      if (down === null || down >= 0) break;
    }
    ordered.splice(at, 0, answer);
  }
  return ordered;
}

/**
 * Follows the figures of a window back from its refusal to its first request, one at a time. Null if a request is or
 * may be missing.
 */
function completeWindowBefore(
  answers: readonly RateAnswer[],
  at: number,
  start: number,
  recorded: ReadonlySet<string>,
  { limits: { requests, windowMs } }: Context,
): CompleteWindow | null {
  const refusal = answers[at];
  const last = answers[at - 1];
  if (refusal?.kind !== 'limited' || last === undefined || last.kind === 'limited') return null;
  let admitted = 0;
  for (let back = at - 1; back >= 0; back -= 1) {
    const answer = answers[back];
    if (answer === undefined || answer.kind === 'limited' || answer.remaining === null) return null;
    const before = answers[back - 1];
    // An error that was not counted would leave the whole limit.
    const isFirst = answer.remaining === start;
    const down =
      before === undefined || before.remaining === null
        ? null
        : before.remaining - answer.remaining;
    if (isFirst || down === 1) admitted += 1;
    else if (down !== 0 || answer.kind !== 'failed') return null;
    if (!isFirst) continue;
    const isOne = sameWindow(answer, refusal) || span(answer, refusal) < windowMs;
    // A window with earlier successes did not start here, whatever the figure.
    const isBegun = answers
      .slice(0, back)
      .some((one) => one.kind === 'served' && sameWindow(one, answer));
    // A request without an answer may have counted.
    const isComplete = isContiguous(last.view.exchange.id, refusal.view.exchange.id, recorded);
    const whole = { first: answer, refusal, admitted };
    if (!isOne || isBegun || !isComplete) return null;
    // Requests concurrent with a refusal may have come before it: they can show that a window is complete, but not that
    // it is too short.
    const isAlone = !answers.some(
      (one) => one.kind !== 'limited' && !isBefore(one, refusal) && !isBefore(refusal, one),
    );
    return admitted >= requests || isAlone ? whole : null;
  }
  return null;
}

/**
 * The limit minus one, or the lower figure at which every window of the run starts. `isLater`: every one but the first
 * of some keys, which had the whole limit.
 */
function commonStart(
  traffic: readonly KeyTraffic[],
  requests: number,
): { start: number; isLater: boolean } {
  const usual = requests - 1;
  let isLater = false;
  const starts = traffic.flatMap(({ answers }) => {
    const seen = new Set<number | null>([null]);
    const own = answers.filter(({ kind, reset, window }) => {
      const isFirst = window === null || !seen.has(window);
      seen.add(window);
      return isFirst && kind === 'served' && reset !== null;
    });
    if (own[0]?.remaining !== usual) return own;
    isLater = true;
    return own.slice(1);
  });
  const figure = starts[0]?.remaining ?? usual;
  const same =
    starts.length >= 3 &&
    starts.every(({ remaining }) => remaining === figure) &&
    new Set(starts.map(({ key }) => key)).size > 1;
  // In a sliding window that is used up, each request leaves 0.
  const isLower = same && figure < usual && (figure > 0 || !isLater);
  return { start: isLower ? figure : usual, isLater: isLower && isLater };
}
