import { READINGS } from '../../src/spec/readings.ts';
import { ERRORS } from '../../src/spec/error-codes.ts';
import {
  RATE_HEADERS,
  RATE_LIMIT_MESSAGE,
  RATE_WINDOW_TEXT,
  RATE_WINDOW_MS,
  RESET_TOLERANCE_MS,
} from '../../src/spec/limits.ts';
import type { Context } from '../../src/judge/context.ts';
import { codeOf, describeAnswer } from '../../src/judge/errors.ts';
import { show } from '../../src/judge/judgement.ts';
import { judgeEach, type Judge, judgeAll } from '../../src/judge/judge.ts';
import { isObject, lacksBody, type View } from '../../src/judge/view.ts';
import { isRateRefusal, dateOf } from './answers.ts';
import { kindOf } from './models.ts';
import { isBefore, trafficOf, type RateAnswer } from './traffic.ts';

/** `8/refusal-headers`: refusals have all three headers. */
export const refusalHeaders = judgeEach((view, context, it) => {
  if (!isRateRefusal(view, context)) return;
  const missing = Object.values(RATE_HEADERS).filter(
    (name) => view.response.headers[name] === undefined,
  );
  // Browser scripts see only exposed headers; a missing `Date` shows that some are hidden.
  if (missing.length > 0 && context.partial === true && dateOf(view) === null) return;
  it.none(view, missing, (header) => ({
    kind: missing.length > 1 ? 'rate-headers-missing' : 'rate-header-missing',
    expected: Object.values(RATE_HEADERS).join(', '),
    actual: `missing: ${missing.join(', ')}`,
    header,
  }));
});

export const refusalCode = judgeEach((view, context, it) => {
  if (!isRateRefusal(view, context) || lacksBody(view)) return;
  const { code, twin } = ERRORS.tooManyRequests;
  const seen = codeOf(view);
  const isRight = seen === code || seen === twin;
  it.expect(view, isRight, () => ({
    kind: 'wrong-refusal-code',
    facts: { wrong: 'error code' },
    expected: `code ${code} or ${twin}`,
    actual: describeAnswer(view),
    pointer: '/code',
  }));
  if (isRight) it.note(READINGS.refusalCode.question, String(seen), view);
});

/** Judges a value in the body of the refusal. */
const inRefusal = (
  name: 'message' | 'details.limit' | 'details.window' | 'details.retry_after',
  type: 'string' | 'number',
  isRight: (value: unknown, context: Context) => boolean,
  expected: (context: Context) => string,
): Judge =>
  judgeEach((view, context, it) => {
    if (!isRateRefusal(view, context) || lacksBody(view)) return;
    const path = name.split('.');
    const value = path.reduce<unknown>(
      (at, key) => (isObject(at) ? at[key] : undefined),
      view.body,
    );
    it.expect(view, isRight(value, context), () => ({
      kind:
        value === undefined
          ? 'refusal-detail-missing'
          : typeof value === type
            ? 'refusal-detail-value'
            : 'refusal-detail-type',
      facts: { field: name },
      expected: expected(context),
      actual: show(value),
      pointer: `/${path.join('/')}`,
    }));
  });

export const refusalMessage = inRefusal(
  'message',
  'string',
  (value) => value === RATE_LIMIT_MESSAGE,
  () => `"${RATE_LIMIT_MESSAGE}"`,
);

export const refusalLimit = inRefusal(
  'details.limit',
  'number',
  (value, { limits }) => value === limits.requests,
  ({ limits }) => `${limits.requests}, an integer`,
);

export const refusalWindow = inRefusal(
  'details.window',
  'string',
  (value) => value === RATE_WINDOW_TEXT,
  () => `"${RATE_WINDOW_TEXT}"`,
);

export const retryAfter = inRefusal(
  'details.retry_after',
  'number',
  (value) => Number.isInteger(value),
  () => 'an integer',
);

/** How units convert: whole seconds are rounded either way, and some services add one for safety. */
const UNITS = {
  seconds: { ms: 1000, less: 1000, more: 2000 },
  milliseconds: { ms: 1, less: 0, more: 0 },
} as const;

type Unit = keyof typeof UNITS;

/** A refusal with a number in retry_after. */
interface Wait {
  readonly answer: RateAnswer;
  readonly number: number;
  /** Shortest and longest plausible wait, ms. */
  readonly least: number;
  readonly most: number;
  /** The unit in which the number is plausible, if any. */
  readonly unit: Unit | undefined;
}

/**
 * Ruling 14: the announced reset shows the unit of retry_after. The wait must end at the reset, or before it if
 * requests expire one by one: a single request may be admitted long before the full limit.
 */
function waitsOf(views: readonly View[], context: Context): readonly Wait[] {
  const { requests, windowMs } = context.limits;
  return trafficOf(views, context).flatMap(({ answers }) => {
    const slides = kindOf(answers, isBefore, context.limits) === 'sliding';
    return answers.flatMap((answer) => {
      const { body } = answer.view;
      const details = isObject(body) ? body['details'] : undefined;
      const number = isObject(details) ? details['retry_after'] : undefined;
      // Without a reset in milliseconds there is nothing to compare; other requirements judge that.
      if (answer.kind !== 'limited' || typeof number !== 'number') return [];
      if (answer.reset === null) return [];
      // Browser scripts see only exposed headers; a missing `Date` shows that some are hidden.
      if (context.partial === true && dateOf(answer.view) === null) return [];
      // A weighted counter admits the next request up to one slot's share of a window later.
      const longest = windowMs * (1 + 1 / requests);
      // Up to a window if no clock is known.
      const bounds = Number.isFinite(answer.latest)
        ? {
            least: answer.reset - answer.latest,
            most: Math.min(longest, answer.reset - answer.earliest),
          }
        : { least: 0, most: longest };
      // The wait and the reset may come from two clock readings.
      const tolerance = context.load === undefined ? RESET_TOLERANCE_MS : 0;
      const most = Math.max(0, bounds.most + tolerance);
      const least = slides ? 0 : Math.max(0, bounds.least - tolerance);
      const unit = (Object.keys(UNITS) as Unit[]).find((name) => {
        const { ms, less, more } = UNITS[name];
        return number * ms >= Math.max(0, least - less) && number * ms <= most + more;
      });
      // A target with scaled windows may still announce a minute, rounded up.
      const { ms, more } = UNITS.seconds;
      const isOfMinute =
        windowMs < RATE_WINDOW_MS && number >= 0 && number * ms <= RATE_WINDOW_MS + more;
      return isOfMinute && unit !== 'seconds' ? [] : [{ answer, number, least, most, unit }];
    });
  });
}

export const retryAfterFits = judgeAll((views, context, it) => {
  for (const { answer, number, least, most, unit } of waitsOf(views, context)) {
    it.expect(answer.view, unit !== undefined, () => ({
      kind: 'retry-after-differs',
      expected: `${Math.floor(least / 1000)} to ${Math.ceil(most / 1000)} in seconds, or a thousand times that in milliseconds`,
      actual: show(number),
      pointer: '/details/retry_after',
    }));
  }
});

export const retryAfterUnit = judgeAll((views, context, it) => {
  for (const { answer, unit } of waitsOf(views, context)) {
    if (unit === undefined) it.judged(answer.view);
    else it.read('Unit of retry_after', unit, answer.view);
  }
});
