import { READINGS } from '../../src/spec/readings.ts';
import { ERRORS } from '../../src/spec/error-codes.ts';
import { RATE_HEADERS, RATE_LIMIT_MESSAGE, RATE_WINDOW_TEXT } from '../../src/spec/limits.ts';
import type { Context } from '../../src/judge/context.ts';
import { codeOf, describeAnswer } from '../../src/judge/errors.ts';
import { show } from '../../src/judge/judgement.ts';
import { judgeEach, type Judge } from '../../src/judge/judge.ts';
import { isObject, lacksBody } from '../../src/judge/view.ts';
import { isRateRefusal } from './answers.ts';
import { dateOf } from './clock.ts';

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
