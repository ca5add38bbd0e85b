import { READINGS } from '../../src/contract/readings.ts';
import { ERRORS } from '../../src/contract/error-codes.ts';
import { RATE_HEADERS, RATE_LIMIT_MESSAGE, RATE_WINDOW_TEXT } from '../../src/contract/limits.ts';
import { codeOf, describeAnswer } from '../../src/rules/errors.ts';
import { show, type Rule } from '../../src/rules/judgement.ts';
import { isRateRefusal } from './answers.ts';
import { dateOf } from './clock.ts';
import { retryAfter } from './retry-after.ts';
import { isObject, lacksBody } from '../../src/rules/view.ts';
import { criteria } from '../../src/rules/criterion.ts';

/** What this file decides. */
export const LIMIT_REFUSAL = criteria(
  'refusalHeaders',
  'refusalCode',
  'refusalMessage',
  'refusalLimit',
  'refusalWindow',
  'retryAfter',
);

/** §8: what the refusal of the limiter carries. */
const refusal: Rule = {
  name: 'rate-refusal',
  judges: [
    LIMIT_REFUSAL.refusalHeaders,
    LIMIT_REFUSAL.refusalCode,
    LIMIT_REFUSAL.refusalMessage,
    LIMIT_REFUSAL.refusalLimit,
    LIMIT_REFUSAL.refusalWindow,
    LIMIT_REFUSAL.retryAfter,
  ],
  each(view, context, into) {
    if (!isRateRefusal(view, context)) return;
    const { headers } = view.response;
    const missing = Object.values(RATE_HEADERS).filter((name) => headers[name] === undefined);
    // Scripts in a page see the headers that they are allowed to see; `Date` is not among them.
    const seesAll = context.partial !== true || dateOf(view) !== null;
    if (seesAll || missing.length === 0)
      into.expect(LIMIT_REFUSAL.refusalHeaders, view, missing.length === 0, () => ({
        message: 'The refusal does not carry all three rate-limit headers',
        expected: Object.values(RATE_HEADERS).join(', '),
        actual: `missing: ${missing.join(', ')}`,
        ...(missing[0] === undefined ? {} : { header: missing[0] }),
      }));
    if (lacksBody(view)) return;
    const { code, twin } = ERRORS.tooManyRequests;
    const seen = codeOf(view);
    into.expect(LIMIT_REFUSAL.refusalCode, view, seen === code || seen === twin, () => ({
      message: 'The refusal has the wrong code',
      expected: `code ${code} or ${twin}`,
      actual: describeAnswer(view),
      pointer: '/code',
    }));
    if (seen === code || seen === twin)
      into.read(READINGS.refusalCode.question, String(seen), view);
    const body = isObject(view.body) ? view.body : {};
    into.expect(LIMIT_REFUSAL.refusalMessage, view, body['message'] === RATE_LIMIT_MESSAGE, () => ({
      message: 'The refusal has the wrong message',
      expected: `"${RATE_LIMIT_MESSAGE}"`,
      actual: show(body['message']),
      pointer: '/message',
    }));
    const details = isObject(body['details']) ? body['details'] : {};
    const { requests } = context.limits;
    into.expect(LIMIT_REFUSAL.refusalLimit, view, details['limit'] === requests, () => ({
      message: 'details.limit of the refusal is not the limit',
      expected: `${requests}, an integer`,
      actual: show(details['limit']),
      pointer: '/details/limit',
    }));
    into.expect(LIMIT_REFUSAL.refusalWindow, view, details['window'] === RATE_WINDOW_TEXT, () => ({
      message: 'details.window of the refusal is not the window',
      expected: `"${RATE_WINDOW_TEXT}"`,
      actual: show(details['window']),
      pointer: '/details/window',
    }));
    into.expect(LIMIT_REFUSAL.retryAfter, view, Number.isInteger(details['retry_after']), () => ({
      message: 'details.retry_after of the refusal is not an integer',
      expected: 'an integer',
      actual: show(details['retry_after']),
      pointer: '/details/retry_after',
    }));
  },
};

export const LIMIT_REFUSAL_RULES: readonly Rule[] = [refusal, retryAfter];
