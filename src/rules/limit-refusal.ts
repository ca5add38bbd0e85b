import { ERRORS } from '../contract/error-codes.ts';
import { RATE_HEADERS, RATE_LIMIT_MESSAGE, RATE_WINDOW_TEXT } from '../contract/limits.ts';
import { codeOf, describeAnswer } from './errors.ts';
import { show, type Judgement, type Rule } from './judgement.ts';
import { dateOf, isRateRefusal, wholeNumber } from './limit-traffic.ts';
import { isObject, type View } from './view.ts';

/** §8: what the refusal of the limiter carries. */
const refusal: Rule = {
  name: 'rate-refusal',
  requirements: [
    '8/refusal-headers',
    '8/refusal-code',
    '8/refusal-message',
    '8/refusal-limit',
    '8/refusal-window',
    '8/retry-after',
    '8/retry-after-fits',
    '8/retry-after-unit',
  ],
  each(view, context, into) {
    if (!isRateRefusal(view, context)) return;
    const { headers } = view.response;
    const missing = Object.values(RATE_HEADERS).filter((name) => headers[name] === undefined);
    // Scripts in a page see the headers that they are allowed to see; `Date` is not among them.
    const seesAll = context.partial !== true || dateOf(view) !== null;
    if (seesAll || missing.length === 0)
      into.expect('8/refusal-headers', view, missing.length === 0, () => ({
        message: 'The refusal does not carry all three rate-limit headers',
        expected: Object.values(RATE_HEADERS).join(', '),
        actual: `missing: ${missing.join(', ')}`,
      }));
    const { code, twin } = ERRORS.tooManyRequests;
    const seen = codeOf(view);
    into.expect('8/refusal-code', view, seen === code || seen === twin, () => ({
      message: 'The refusal has another code',
      expected: `code ${code} or ${twin}`,
      actual: describeAnswer(view),
      pointer: '/code',
    }));
    const body = isObject(view.body) ? view.body : {};
    into.expect('8/refusal-message', view, body['message'] === RATE_LIMIT_MESSAGE, () => ({
      message: 'The refusal has another message',
      expected: `"${RATE_LIMIT_MESSAGE}"`,
      actual: show(body['message']),
      pointer: '/message',
    }));
    const details = isObject(body['details']) ? body['details'] : {};
    const { requests } = context.limits;
    into.expect('8/refusal-limit', view, details['limit'] === requests, () => ({
      message: 'details.limit of the refusal is not the limit',
      expected: `${requests}, an integer`,
      actual: show(details['limit']),
      pointer: '/details/limit',
    }));
    into.expect('8/refusal-window', view, details['window'] === RATE_WINDOW_TEXT, () => ({
      message: 'details.window of the refusal is not the window',
      expected: `"${RATE_WINDOW_TEXT}"`,
      actual: show(details['window']),
      pointer: '/details/window',
    }));
    judgeRetryAfter(view, details['retry_after'], seesAll, into);
  },
};

/** Ruling 14: an integer, whose unit is told by the announced reset. */
function judgeRetryAfter(view: View, retryAfter: unknown, isTimed: boolean, into: Judgement): void {
  into.expect('8/retry-after', view, Number.isInteger(retryAfter), () => ({
    message: 'details.retry_after of the refusal is not an integer',
    expected: 'an integer',
    actual: show(retryAfter),
    pointer: '/details/retry_after',
  }));
  const reset = wholeNumber(view.response.headers[RATE_HEADERS.reset]);
  // Without a reset in milliseconds there is nothing to fit it to; that is judged where it belongs.
  if (typeof retryAfter !== 'number' || reset === null || reset < 1e12 || !isTimed) return;
  const wait = waitBounds(view, reset);
  const seconds = isBetween(retryAfter * 1000, wait.least - 1000, wait.most + 1000);
  const milliseconds = isBetween(retryAfter, wait.least, wait.most);
  into.expect('8/retry-after-fits', view, seconds || milliseconds, () => ({
    message:
      'details.retry_after does not agree with the announced reset, neither in seconds nor in milliseconds',
    expected: `about ${Math.max(0, Math.round((wait.least + wait.most) / 2000))} in seconds, or a thousand times that in milliseconds`,
    actual: show(retryAfter),
    pointer: '/details/retry_after',
  }));
  if (seconds !== milliseconds) {
    into.read(
      'Unit of retry_after',
      seconds ? 'seconds' : 'milliseconds',
      view,
      '8/retry-after-unit',
    );
  } else into.judged('8/retry-after-unit', view);
}

/** Doubt about the moment of the refusal, ms. */
const SLACK_MS = 300;
const UNDATED_SLACK_MS = 2500;

/** Least and most time between the refusal and the reset by the target's clock, ms. */
function waitBounds(view: View, reset: number): { least: number; most: number } {
  const date = dateOf(view);
  const { sentAt, receivedAt, skewMs } = view.exchange;
  const took = Math.max(0, receivedAt - sentAt);
  return date === null
    ? {
        least: reset - (receivedAt + skewMs) - UNDATED_SLACK_MS,
        most: reset - (sentAt + skewMs) + UNDATED_SLACK_MS,
      }
    : { least: reset - date - 1000 - SLACK_MS, most: reset - date + took + SLACK_MS };
}

const isBetween = (value: number, least: number, most: number): boolean =>
  value >= least && value <= most;

export const LIMIT_REFUSAL_RULES: readonly Rule[] = [refusal];
