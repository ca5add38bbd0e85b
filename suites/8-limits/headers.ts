import { RATE_HEADERS, RESET_TOLERANCE_MS } from '../../src/contract/limits.ts';
import type { Context } from '../../src/rules/context.ts';
import type { Judgement, Rule } from '../../src/rules/judgement.ts';
import { isCounted, isGet, isRateRefusal, wholeNumber } from './answers.ts';
import { dateOf, isDateRight, isTimed, timesOf } from './clock.ts';
import { done, isBefore, pairs, trafficOf, type KeyTraffic, type RateAnswer } from './traffic.ts';
import { place } from '../../src/rules/transport.ts';
import type { View } from '../../src/rules/view.ts';
import { NEXT_WINDOW, windowKind } from './window-kind.ts';
import { moment } from '../../src/text/moment.ts';
import { criteria } from '../../src/rules/criterion.ts';

/** What this file decides. */
export const LIMIT_HEADERS = criteria(
  'headersPresent',
  'headerLimit',
  'headerRemaining',
  'headerReset',
  'resetSteady',
);

/** Names of the headers as §8 writes them. */
export const LABELS = {
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
  judges: [LIMIT_HEADERS.headersPresent],
  each(view, { load }, into) {
    if (!isCounted(view) || !isGet(view) || view.status === 429 || view.status >= 500) return;
    if (load !== undefined) return;
    const names = (Object.keys(LABELS) as (keyof typeof LABELS)[]).filter(
      (name) => headerOf(view, name) !== undefined,
    );
    const answer =
      names.length === 0
        ? 'no'
        : names.length === 3
          ? 'yes, all three'
          : `only ${names.map((name) => LABELS[name]).join(' and ')}`;
    const kind = view.ok ? 'that succeed' : `with status ${view.status}`;
    into.read(
      `Do answers ${kind} carry the X-RateLimit headers?`,
      answer,
      view,
      LIMIT_HEADERS.headersPresent,
    );
  },
  all(views, { load }, into) {
    const admitted = views.filter((view) => view.ok && isCounted(view));
    const [first] = admitted;
    if (load === undefined || first === undefined) return;
    const bare = admitted.filter(
      ({ response }) => !Object.values(RATE_HEADERS).every((name) => name in response.headers),
    ).length;
    const answer =
      bare === 0
        ? 'on every admitted answer'
        : bare === admitted.length
          ? 'on refusals only'
          : `mixed: missing on ${bare} of ${admitted.length} admitted answers`;
    into.read('Rate-limit headers', answer, first, LIMIT_HEADERS.headersPresent);
  },
};

/** §8: what each header says by itself, wherever it is present. */
const headerValues: Rule = {
  name: 'rate-header-values',
  judges: [LIMIT_HEADERS.headerLimit, LIMIT_HEADERS.headerRemaining, LIMIT_HEADERS.headerReset],
  each(view, context, into) {
    if (!tellsWindow(view, context)) return;
    const refused = isRateRefusal(view, context);
    const { requests } = context.limits;
    const limit = headerOf(view, 'limit');
    if (limit !== undefined) {
      into.expect(LIMIT_HEADERS.headerLimit, view, limit === String(requests), () => ({
        message: `${LABELS.limit} of ${place(view)} is not the limit`,
        expected: String(requests),
        actual: limit,
        header: RATE_HEADERS.limit,
      }));
    }
    const remaining = headerOf(view, 'remaining');
    if (remaining !== undefined) {
      const number = wholeNumber(remaining) ?? Number.NaN;
      // An error that is not counted leaves a window as full as it was.
      const most = refused ? 0 : view.ok ? requests - 1 : requests;
      into.expect(LIMIT_HEADERS.headerRemaining, view, number >= 0 && number <= most, () => ({
        message: `${LABELS.remaining} of ${place(view)}${refused ? ', a refusal,' : ''} is out of its range`,
        expected: refused ? '0' : `an integer from 0 to ${most}`,
        actual: remaining,
        header: RATE_HEADERS.remaining,
      }));
    }
  },
  all(views, context, into) {
    const isRight = context.load === undefined && isDateRight(views.filter(isCounted), context);
    const slack = isRight ? SLACK_MS : SLACK_MS + UNCONFIRMED_MS;
    const measured = context.load !== undefined && isTimed(views, context);
    for (const view of views) {
      const reset = headerOf(view, 'reset');
      if (reset === undefined || !tellsWindow(view, context)) continue;
      const bounds = measured ? byClock(view, context) : byDate(view, context, slack);
      judgeReset(view, reset, bounds, context.limits.windowMs, into);
    }
    if (isRight) judgeAhead(trafficOf(views, context), context, into);
  },
};

/** Answers of a key after which it is no accident that no reset lay ahead. */
const MANY = 10;

/**
 * A reset that no request ever comes before is the beginning of the window, not its end. Not when it lies hardly behind:
 * a bucket that is about full may round the rest of its time down to nothing.
 */
function judgeAhead(traffic: readonly KeyTraffic[], { limits }: Context, into: Judgement): void {
  for (const { answers } of traffic) {
    const told = answers.filter(({ kind, reset }) => kind === 'served' && reset !== null);
    const isBehind = told.some(({ view: { exchange }, arrivedAt, reset }) => {
      const sentAt = arrivedAt - (exchange.receivedAt - exchange.sentAt);
      return sentAt - (reset ?? 0) > RESET_TOLERANCE_MS;
    });
    // The beginning of a window seems to lie ahead of its first request when the clock is thought to be a little behind.
    const doubt = isBehind ? RESET_TOLERANCE_MS : 0;
    if (told.some(({ arrivedAt, reset }) => (reset ?? 0) - arrivedAt > doubt)) continue;
    const stands = pairs(told).some(
      ([a, b]) => a.reset === b.reset && (b.remaining ?? 0) < (a.remaining ?? 0),
    );
    if (!isBehind && !stands) continue;
    const first = told[0]?.reset ?? 0;
    // In two windows: all requests of one may come just before its end. The answer by which it is plain, and not the
    // last one: with more traffic of the key the finding stays the same.
    const plain = told.find(
      ({ reset }, index) =>
        index >= MANY - 1 && (reset ?? 0) - first > limits.windowMs * NEXT_WINDOW,
    );
    if (plain === undefined) continue;
    into.found(LIMIT_HEADERS.headerReset, plain.view, {
      message: `${LABELS.reset} lies in the past on all answers of a key`,
      expected: 'the end of the present window',
      actual: `${moment(plain.reset)} at about ${moment(plain.arrivedAt)}`,
      header: RATE_HEADERS.reset,
    });
  }
}

/** A failing server may announce anything, and a 429 that is not the limiter's says nothing about the window. */
function tellsWindow(view: View, context: Context): boolean {
  if (!isCounted(view) || !isGet(view) || view.status >= 500) return false;
  return view.status !== 429 || isRateRefusal(view, context);
}

/** Between which times a reset may lie, and the time of the answer. Null when no clock is known. */
type Bounds = readonly [from: number, to: number, now: number] | null;

/** The reset is a time of the target, so its own Date is the measure, however wrong its clock may be. */
function byDate(view: View, { limits: { windowMs } }: Context, slack: number): Bounds {
  const date = dateOf(view);
  const { sentAt, receivedAt } = view.exchange;
  const from = (date ?? 0) - Math.max(0, receivedAt - sentAt) - slack;
  return date === null ? null : [from, date + windowMs + slack, date];
}

/** Under load the clock was measured before. A weighted counter announces the first place of the next window when it refuses. */
function byClock(view: View, context: Context): Bounds {
  const { requests, windowMs } = context.limits;
  const { earliest, latest } = timesOf(view, context);
  return [earliest, latest + windowMs * (view.ok ? 1 : 1 + 1 / requests), latest];
}

function judgeReset(
  view: View,
  text: string,
  bounds: Bounds,
  windowMs: number,
  into: Judgement,
): void {
  const reset = wholeNumber(text);
  if (reset === null || reset < 1e12 || reset >= 1e14) {
    const seconds = reset !== null && reset >= 1e9 && reset < 1e11;
    into.found(LIMIT_HEADERS.headerReset, view, {
      message: `${LABELS.reset} of ${place(view)} is not Unix time in milliseconds${seconds ? ', but seems to be in seconds' : ''}`,
      expected: 'an integer with 13 digits, such as 1750000000000',
      actual: text,
      header: RATE_HEADERS.reset,
    });
    return;
  }
  if (bounds === null) {
    into.judged(LIMIT_HEADERS.headerReset, view);
    return;
  }
  const [from, to, now] = bounds;
  into.expect(LIMIT_HEADERS.headerReset, view, reset >= from && reset <= to, () => ({
    message:
      reset < from
        ? `${LABELS.reset} of ${place(view)} lies in the past`
        : `${LABELS.reset} of ${place(view)} is more than one window ahead`,
    expected: `at most ${windowMs} ms after ${dateOf(view) === null ? 'the answer' : 'the Date of the answer'}, ${moment(now)}`,
    actual: `${text}, which is ${Math.abs(reset - now)} ms ${reset < now ? 'before' : 'after'} it`,
    header: RATE_HEADERS.reset,
  }));
}

/**
 * §8: the reset does not move back, and stands still within a fixed window, but for what the tolerance of an announcement
 * leaves (ruling 12). A window that slides may announce a later reset with each answer, so a move forward is judged only
 * where the key's traffic shows that its windows are fixed; the next window of those ends at least one length later.
 */
const resetSteady: Rule = {
  name: 'reset-steady',
  judges: [LIMIT_HEADERS.resetSteady],
  all(views, context, into) {
    for (const { answers } of trafficOf(views, context)) {
      const fixed = windowKind(answers, context.limits) === 'fixed';
      const told = answers.filter(({ reset }) => reset !== null);
      const arriving = told.toSorted((a, b) => done(a) - done(b));
      const places = new Map(answers.map((answer, index) => [answer, index]));
      // Of what came within one millisecond only the order tells which was first.
      const isEarlier = (a: RateAnswer, b: RateAnswer): boolean =>
        isBefore(a, b) && (places.get(a) ?? 0) < (places.get(b) ?? 0);
      let [arrived, latest]: [number, RateAnswer | undefined] = [0, undefined];
      for (const [index, b] of answers.entries()) {
        if (b.reset === null) continue;
        for (let a = arriving[arrived]; a !== undefined && isEarlier(a, b); a = arriving[arrived]) {
          if ((a.reset ?? 0) >= (latest?.reset ?? 0)) latest = a;
          arrived += 1;
        }
        const a = answers[index - 1];
        const isNext = a !== undefined && isBefore(a, b);
        if (latest !== undefined)
          judgeMove({ a: isNext ? a : latest, b, latest, fixed }, context, into);
      }
    }
  },
};

interface Move {
  readonly a: RateAnswer;
  readonly b: RateAnswer;
  /** The answer done before `b` that announces the latest reset: what creeps back does so a little at a time. */
  readonly latest: RateAnswer;
  readonly fixed: boolean;
}

function judgeMove({ a, b, latest, fixed }: Move, { limits }: Context, into: Judgement): void {
  const { reset } = b;
  if (reset === null || latest.reset === null) return;
  const forward = reset - (a.reset ?? reset);
  const isBack = latest.reset - reset > RESET_TOLERANCE_MS;
  // The next window may be announced as much too early as the one before was too late.
  const next = Math.min(limits.windowMs * NEXT_WINDOW, limits.windowMs - RESET_TOLERANCE_MS);
  const wentOn = fixed && forward > RESET_TOLERANCE_MS && forward < next;
  const from = isBack ? latest : a;
  into.expect(LIMIT_HEADERS.resetSteady, b.view, !isBack && !wentOn, () => ({
    message: `${LABELS.reset} moves ${isBack ? 'back' : 'forward within a fixed window'}, after ${from.view.exchange.id}`,
    expected: isBack ? `${moment(latest.reset)} or later` : moment(a.reset),
    actual: `${moment(reset)}, ${Math.abs(reset - (from.reset ?? 0))} ms ${isBack ? 'earlier' : 'later'}`,
    header: RATE_HEADERS.reset,
  }));
}

export const LIMIT_HEADER_RULES: readonly Rule[] = [headersPresent, headerValues, resetSteady];
