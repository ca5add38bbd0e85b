import { ERRORS } from '../../contract/error-codes.ts';
import { RATE_LIMIT_MESSAGE, RATE_WINDOW_TEXT } from '../../contract/limits.ts';
import type { Answer } from './answers.ts';
import { objectOf } from './answers.ts';
import type { JudgeContext } from './context.ts';
import type { Ledger } from './ledger.ts';

/** Whole seconds may be rounded either way, and the answer takes its time. */
const SECOND = 1000;

const shown = (value: unknown): string =>
  value === undefined ? 'missing' : JSON.stringify(value).slice(0, 120);

/** What every refusal of the limiter carries: headers, code, message, details (§8, rulings 6, 10, 12, 14). */
export function judgeRefusalContent(
  refusals: readonly Answer[],
  context: JudgeContext,
  ledger: Ledger,
): void {
  for (const { row, body } of refusals) {
    const missing = [
      row.limit === null ? 'X-RateLimit-Limit' : '',
      row.remaining === null ? 'X-RateLimit-Remaining' : '',
      row.reset === null ? 'X-RateLimit-Reset' : '',
    ].filter((name) => name !== '');
    ledger.expect('8/refusal-headers', missing.length === 0, () => ({
      message: `A refusal carries no ${missing.join(', ')}`,
      expected: 'the three rate-limit headers',
      actual: `${missing.join(', ')} missing`,
    }));
    const { code, message, details } = objectOf(body);
    const { tooManyRequests } = ERRORS;
    ledger.expect(
      '8/refusal-code',
      code === tooManyRequests.code || code === tooManyRequests.twin,
      () => ({
        message: 'A refusal has another code',
        expected: `${tooManyRequests.code} or ${tooManyRequests.twin}`,
        actual: shown(code),
      }),
    );
    ledger.expect('8/refusal-message', message === RATE_LIMIT_MESSAGE, () => ({
      message: 'A refusal has another message',
      expected: shown(RATE_LIMIT_MESSAGE),
      actual: shown(message),
    }));
    const { limit, window, retry_after: retryAfter } = objectOf(details);
    ledger.expect('8/refusal-limit', limit === context.limit, () => ({
      message: 'details.limit of a refusal is not the limit',
      expected: String(context.limit),
      actual: shown(limit),
    }));
    ledger.expect('8/refusal-window', window === RATE_WINDOW_TEXT, () => ({
      message: 'details.window of a refusal is not the window',
      expected: shown(RATE_WINDOW_TEXT),
      actual: shown(window),
    }));
    ledger.expect('8/retry-after', Number.isInteger(retryAfter), () => ({
      message: 'details.retry_after of a refusal is no integer',
      expected: 'an integer',
      actual: shown(retryAfter),
    }));
  }
  judgeRetryAfter(refusals, context, ledger);
}

/** Whether a wait in this unit agrees with the announced reset. */
function fits(unit: 's' | 'ms', wait: number, answer: Answer, context: JudgeContext): boolean {
  if (answer.reset === null) return false;
  const { skewMs, toleranceMs } = context;
  const longest = answer.reset - (answer.t0 + skewMs) + toleranceMs;
  const shortest = answer.reset - (answer.t1 + skewMs) - toleranceMs;
  return unit === 's'
    ? wait * SECOND > shortest - SECOND && wait * SECOND < longest + SECOND
    : wait >= shortest && wait <= longest;
}

/** One unit must fit all refusals (ruling 14). */
function judgeRetryAfter(refusals: readonly Answer[], context: JudgeContext, ledger: Ledger): void {
  const waits = refusals.flatMap((answer) => {
    const wait = objectOf(objectOf(answer.body)['details'])['retry_after'];
    return typeof wait === 'number' && answer.reset !== null ? [{ answer, wait }] : [];
  });
  if (waits.length === 0) return;
  const misfits = (unit: 's' | 'ms'): typeof waits =>
    waits.filter(({ answer, wait }) => !fits(unit, wait, answer, context));
  const [seconds, milliseconds] = [misfits('s'), misfits('ms')];
  const unit = milliseconds.length < seconds.length ? 'ms' : 's';
  const worst = unit === 'ms' ? milliseconds : seconds;
  ledger.judged('8/retry-after-fits', waits.length - worst.length);
  if (worst.length === 0) {
    ledger.read(
      'Unit of retry_after',
      unit === 'ms' ? 'milliseconds' : 'seconds',
      '8/retry-after-unit',
    );
  }
  for (const { answer, wait } of worst) {
    const left = (answer.reset ?? 0) - answer.t1 - context.skewMs;
    ledger.found('8/retry-after-fits', {
      message: 'retry_after does not agree with the announced reset',
      expected: `about ${Math.max(1, Math.ceil(left / SECOND))} (seconds) or ${left} (milliseconds)`,
      actual: String(wait),
    });
  }
}
