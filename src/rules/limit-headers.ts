import { RATE_HEADERS, RESET_TOLERANCE_MS } from '../contract/limits.ts';
import type { Context } from './context.ts';
import type { Judgement, Rule } from './judgement.ts';
import { isCounted, isGet, isRateRefusal, wholeNumber } from './limit-answers.ts';
import { dateOf, isDateRight } from './limit-clock.ts';
import {
  failuresCount,
  pairs,
  sameWindow,
  span,
  step,
  trafficOf,
  type RateAnswer,
} from './limit-traffic.ts';
import { place } from './transport.ts';
import type { View } from './view.ts';
import { NEXT_WINDOW, windowKind } from './limit-window-kind.ts';
import { moment } from '../text/moment.ts';

const LABELS = {
  limit: 'X-RateLimit-Limit',
  remaining: 'X-RateLimit-Remaining',
  reset: 'X-RateLimit-Reset',
} as const;

/** Doubt about the moment of an answer: `Date` has whole seconds, clocks agree within some, announced times are rounded. */
const SLACK_MS = 5000;

/** Doubt about a clock that nothing confirms: it may come from something in front of the service (ruling 12), ms. */
const UNCONFIRMED_MS = 60_000;

function headerOf(view: View, name: keyof typeof RATE_HEADERS): string | undefined {
  return view.response.headers[RATE_HEADERS[name]];
}

/** §8, ruling 12: on answers other than the refusal the headers are optional. */
const headersPresent: Rule = {
  name: 'rate-headers-present',
  requirements: ['8/headers-present'],
  each(view, _context, into) {
    if (!isCounted(view) || !isGet(view) || view.status === 429 || view.status >= 500) return;
    const names = (Object.keys(LABELS) as (keyof typeof LABELS)[]).filter(
      (name) => headerOf(view, name) !== undefined,
    );
    const answer =
      names.length === 0
        ? 'none'
        : names.length === 3
          ? 'all three'
          : names.map((name) => LABELS[name]).join(', ');
    const kind = view.ok ? 'successful answers' : 'errors other than the refusal';
    into.read(`Rate-limit headers on ${kind}`, answer, view, '8/headers-present');
  },
};

/** §8: what each header says by itself, wherever it is present. */
const headerValues: Rule = {
  name: 'rate-header-values',
  requirements: ['8/header-limit', '8/header-remaining', '8/header-reset'],
  each(view, context, into) {
    if (!tellsWindow(view, context)) return;
    const refused = isRateRefusal(view, context);
    const { requests } = context.limits;
    const limit = headerOf(view, 'limit');
    if (limit !== undefined) {
      into.expect('8/header-limit', view, limit === String(requests), () => ({
        message: `${LABELS.limit} of ${place(view)} is not the limit`,
        expected: String(requests),
        actual: limit,
      }));
    }
    const remaining = headerOf(view, 'remaining');
    if (remaining !== undefined) {
      const number = wholeNumber(remaining) ?? Number.NaN;
      // An error that is not counted leaves a window as full as it was.
      const most = refused ? 0 : view.ok ? requests - 1 : requests;
      into.expect('8/header-remaining', view, number >= 0 && number <= most, () => ({
        message: `${LABELS.remaining} of ${place(view)}${refused ? ', a refusal,' : ''} is out of its range`,
        expected: refused ? '0' : `an integer from 0 to ${most}`,
        actual: remaining,
      }));
    }
  },
  all(views, context, into) {
    const slack = isDateRight(views.filter(isCounted)) ? SLACK_MS : SLACK_MS + UNCONFIRMED_MS;
    for (const view of views) {
      const reset = headerOf(view, 'reset');
      if (reset === undefined || !tellsWindow(view, context)) continue;
      judgeReset(view, reset, { windowMs: context.limits.windowMs, slack }, into);
    }
  },
};

/** A failing server may announce anything, and a 429 that is not the limiter's says nothing about the window. */
function tellsWindow(view: View, context: Context): boolean {
  if (!isCounted(view) || !isGet(view) || view.status >= 500) return false;
  return view.status !== 429 || isRateRefusal(view, context);
}

function judgeReset(
  view: View,
  text: string,
  { windowMs, slack }: { readonly windowMs: number; readonly slack: number },
  into: Judgement,
): void {
  const reset = wholeNumber(text);
  if (reset === null || reset < 1e12 || reset >= 1e14) {
    const seconds = reset !== null && reset >= 1e9 && reset < 1e11;
    into.found('8/header-reset', view, {
      message: `${LABELS.reset} of ${place(view)} is not Unix time in milliseconds${seconds ? ', but seems to be in seconds' : ''}`,
      expected: 'an integer with 13 digits, such as 1750000000000',
      actual: text,
    });
    return;
  }
  const date = dateOf(view);
  if (date === null) {
    into.judged('8/header-reset', view);
    return;
  }
  // The reset is a time of the target, so its own Date is the measure, however wrong its clock may be.
  const { sentAt, receivedAt } = view.exchange;
  const from = date - Math.max(0, receivedAt - sentAt) - slack;
  const to = date + windowMs + slack;
  into.expect('8/header-reset', view, reset >= from && reset <= to, () => ({
    message:
      reset < from
        ? `${LABELS.reset} of ${place(view)} lies in the past`
        : `${LABELS.reset} of ${place(view)} is more than one window ahead`,
    expected: `at most ${windowMs} ms after the Date of the answer, ${moment(date)}`,
    actual: `${text}, which is ${reset - date} ms after it`,
  }));
}

/**
 * §8: Remaining goes down by one with each admitted request. Within one announced window no two admitted requests get the
 * same figure and none gets a higher one than a request before it. A figure that skips some is no violation by itself,
 * since somebody else may use the key at the same time; it is one when every single step of a key skips the same number.
 */
const remainingDecrements: Rule = {
  name: 'remaining-decrements',
  requirements: ['8/remaining-decrements'],
  all(views, context, into) {
    const traffic = trafficOf(views, context);
    const counted = failuresCount(traffic) === true;
    for (const { answers, partial } of traffic) {
      const kind = windowKind(answers, context.limits);
      const plain = plainWindows(answers, kind, context);
      judgeRepeats(answers, { limit: context.limits.requests, counted, plain }, into);
      judgeRises(answers, { kind, plain }, into);
      // What skips may be the requests of somebody else that are missing here.
      if (!partial) judgeSkips(answers, into);
    }
  },
};

const WHERE = '8/remaining-decrements';

/**
 * Windows in which nothing but requests changes the figure. A weighted counter also gives back what older requests used
 * up: its windows begin with a lower figure when there were any within the window length before (ruling 13).
 */
function plainWindows(
  answers: readonly RateAnswer[],
  kind: ReturnType<typeof windowKind>,
  { limits: { requests, windowMs } }: Context,
): ReadonlySet<number> {
  const plain = new Set<number>();
  const seen = new Set<number>();
  for (const [index, answer] of answers.entries()) {
    const { window, remaining } = answer;
    if (window === null || seen.has(window)) continue;
    seen.add(window);
    const before = answers.slice(0, index).findLast((one) => one.kind === 'served');
    const rested = before === undefined || span(before, answer) > 2 * windowMs;
    if (kind !== 'unknown' || rested || remaining === requests - 1) plain.add(window);
  }
  return plain;
}

function judgeRepeats(
  answers: readonly RateAnswer[],
  {
    limit,
    counted,
    plain,
  }: { readonly limit: number; readonly counted: boolean; readonly plain: ReadonlySet<number> },
  into: Judgement,
): void {
  const seen = new Map<string, RateAnswer>();
  const admitted = new Map<number, number>();
  for (const answer of answers) {
    const { kind, remaining, reset, window, view } = answer;
    if (window === null || remaining === null || !plain.has(window)) continue;
    const before = admitted.get(window) ?? 0;
    const counts = kind === 'served' || (kind === 'failed' && counted);
    if (counts) admitted.set(window, before + 1);
    // What is admitted beyond the limit has no right figure: that is a matter of 8/limit-enforced.
    if (kind !== 'served' || before >= limit) continue;
    const figure = `${window} ${remaining}`;
    const first = seen.get(figure);
    if (first === undefined) {
      seen.set(figure, answer);
      continue;
    }
    into.found(WHERE, view, {
      message: `${LABELS.remaining} is ${remaining} on two admitted requests of one key and window, the other being ${first.view.exchange.id}`,
      expected: `one less with each admitted request until the reset at ${moment(reset)}`,
      actual: `${remaining} twice`,
    });
  }
}

function judgeRises(
  answers: readonly RateAnswer[],
  {
    kind,
    plain,
  }: { readonly kind: ReturnType<typeof windowKind>; readonly plain: ReadonlySet<number> },
  into: Judgement,
): void {
  for (const pair of pairs(answers)) {
    const [a, b] = pair;
    const down = step(pair);
    if (a.window === null || !plain.has(a.window)) continue;
    // A bucket gives back meanwhile, and an error that is not counted does not move its end.
    if (kind === 'sliding' && b.kind === 'failed') continue;
    // Refusals have the figure 0, which is judged as such; an equal figure after an error means it was not counted.
    if (down === null || a.kind === 'limited' || b.kind === 'limited') continue;
    into.expect(WHERE, b.view, down >= 0, () => ({
      message: `${LABELS.remaining} rises within a window, after ${a.view.exchange.id}`,
      expected: `less than ${a.remaining} until the reset at ${moment(a.reset)}`,
      actual: String(b.remaining),
    }));
  }
  // Sliding windows announce another reset with each answer: what can be confirmed there is confirmed.
  for (const [a, b] of pairs(answers)) {
    if (a.remaining === null || b.remaining === null || b.kind !== 'served') continue;
    if (a.kind !== 'limited' && a.remaining - b.remaining === 1) into.judged(WHERE, b.view);
  }
}

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
      Number(b.view.exchange.id.slice(1)) - Number(a.view.exchange.id.slice(1)) === 1,
  );
  const [first] = steps;
  const size = first === undefined ? null : step(first);
  if (first === undefined || size === null || size < 2 || steps.length < MIN_STEPS) return;
  if (!steps.every((pair) => step(pair) === size)) return;
  into.found(WHERE, first[1].view, {
    message: `${LABELS.remaining} goes down by ${size} with each of ${steps.length} requests`,
    expected: `${(first[0].remaining ?? 0) - 1}`,
    actual: String(first[1].remaining),
  });
}

/**
 * §8: the reset does not move back, and stands still within a fixed window, but for what the tolerance of an announcement
 * leaves (ruling 12). A window that slides may announce a later reset with each answer, so a move forward is judged only
 * where the key's traffic shows that its windows are fixed; the next window of those ends at least one length later.
 */
const resetSteady: Rule = {
  name: 'reset-steady',
  requirements: ['8/reset-steady'],
  all(views, context, into) {
    for (const { answers } of trafficOf(views, context)) {
      const fixed = windowKind(answers, context.limits) === 'fixed';
      for (const [a, b] of pairs(answers)) {
        if (a.reset === null || b.reset === null) continue;
        const move = b.reset - a.reset;
        const isBack = move < -RESET_TOLERANCE_MS;
        const wentOn =
          fixed && move > RESET_TOLERANCE_MS && move < context.limits.windowMs * NEXT_WINDOW;
        into.expect('8/reset-steady', b.view, !isBack && !wentOn, () => ({
          message: `${LABELS.reset} moves ${isBack ? 'back' : 'forward within a fixed window'}, after ${a.view.exchange.id}`,
          expected: isBack ? `${moment(a.reset)} or later` : moment(a.reset),
          actual: `${moment(b.reset)}, ${Math.abs(move)} ms ${isBack ? 'earlier' : 'later'}`,
        }));
      }
    }
  },
};

export const LIMIT_HEADER_RULES: readonly Rule[] = [
  headersPresent,
  headerValues,
  remainingDecrements,
  resetSteady,
];
