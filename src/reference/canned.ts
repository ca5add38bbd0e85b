import { ERRORS } from '../spec/error-codes.ts';
import { KEY_HEADER, RATE_LIMIT_MESSAGE, RATE_WINDOW_TEXT } from '../spec/limits.ts';
import type { Content } from './content.ts';
import type { Admission, Quota } from './limiter.ts';
import { keyRefused, Refusal, unknownEndpoint } from './refusal.ts';

/** Content with its text and bytes. */
export interface WrittenContent extends Content {
  readonly text: string;
  readonly bytes: Buffer;
}

export function written(content: Content): WrittenContent {
  const text = JSON.stringify(content.value);
  return { status: content.status, value: content.value, text, bytes: Buffer.from(text) };
}

function refused(refusal: Refusal): WrittenContent {
  return written({ status: refusal.status, value: refusal.body() });
}

/** Refusals because of the key (§5), which never change. */
export const KEY_REFUSALS = {
  none: refused(
    keyRefused('invalidKey', 'Missing API key', `Send a valid key in the header ${KEY_HEADER}.`),
  ),
  bad: refused(
    keyRefused('invalidKey', 'Invalid API key', 'Check the key; it is unknown or was disabled.'),
  ),
  expired: refused(keyRefused('expiredKey', 'API key expired', 'Apply for a new key.')),
  forbidden: refused(
    keyRefused('forbidden', 'Insufficient permissions', 'Ask for access to this endpoint.'),
  ),
} as const;

/** The refusal of an unknown path (404 400402). */
export function unknownPath(path: string): WrittenContent {
  return refused(unknownEndpoint(path));
}

/** The refusal of a method other than GET with 405. §7 has no code of its own for it. */
export function methodNotAllowed(method: string): WrittenContent {
  return written({
    status: 405,
    value: {
      code: ERRORS.unknownEndpoint.code,
      message: 'Method not allowed',
      details: { field: 'method', value: method, suggestion: 'Use GET.' },
    },
  });
}

/** The refusal of the rate limiter (§8). `retry_after` is in whole seconds, rounded up. */
export function rateRefusal({ limit, resetAt }: Admission, now: number): WrittenContent {
  const retry_after = Math.max(1, Math.ceil((resetAt - now) / 1000));
  return refused(
    new Refusal('tooManyRequests', RATE_LIMIT_MESSAGE, {
      limit,
      window: RATE_WINDOW_TEXT,
      retry_after,
    }),
  );
}

/** The refusal of a key without quota; the specification leaves its form open (§8, ruling 15). */
export function quotaUsedUp(quota: Quota, now: number): WrittenContent {
  return refused(
    new Refusal('tooManyRequests', 'Monthly quota exceeded', {
      quota: quota.quota,
      reset: quota.resetAt(now),
    }),
  );
}
