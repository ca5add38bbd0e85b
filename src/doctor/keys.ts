import { errorNamed, ERRORS, type ErrorName } from '../spec/error-codes.ts';
import type { Exchange } from '../spec/exchange.ts';
import { errorBodyOf, isSuccess, describe } from './ask.ts';
import { fail, ok, warn, type Check } from './check.ts';

/** Checks the response to a valid key, which was sent in `header`. */
export function validKeyCheck(name: string, exchange: Exchange, header: string): Check {
  const status = exchange.response?.status;
  const description = describe(exchange);
  if (isSuccess(exchange)) return ok(name, 'accepted');
  const code = errorNamed(errorBodyOf(exchange)?.code ?? 0);
  const rejected = (fix: string): Check => fail(name, `rejected: ${description}`, fix);
  if (code === 'expiredKey') return rejected('Get a new key: this one has expired.');
  if (status === 401 || code === 'invalidKey') {
    const named = errorBodyOf(exchange)?.details['header'];
    const other = typeof named === 'string' && named.toLowerCase() !== header.toLowerCase();
    return rejected(
      other
        ? `The target expects the key in the header ${named}: set auth.header.`
        : `Check the key, and check that the target expects it in the header ${header} (auth.header).`,
    );
  }
  if (status === 403) {
    return rejected(
      'Use a key that is allowed to call every endpoint; others belong under keys.restricted.',
    );
  }
  if (status === 429) {
    const fix =
      'Wait a minute. If the problem persists, the monthly quota is used up or someone else is using the key.';
    return warn(name, 'accepted, but its rate limit is used up (429)', fix);
  }
  if (status === 404) return ok(name, `not rejected (${description})`);
  return fail(
    name,
    `could not be checked: ${description}`,
    'Fix the failures above, then run the doctor again.',
  );
}

/** The error that each role must cause (§5 rule 3). */
const PROMISES = {
  disabled: 'invalidKey',
  expired: 'expiredKey',
  restricted: 'forbidden',
} as const satisfies Record<string, ErrorName>;

/**
 * Checks that a key is rejected as its role requires. A wrong code, or a key that is let in, is only a warning: a run
 * reports it.
 */
export function roleCheck(role: keyof typeof PROMISES, exchange: Exchange): Check {
  const name = `key ${role}`;
  const { status, code, twin } = ERRORS[PROMISES[role]];
  const description = describe(exchange);
  const answered = exchange.response?.status;
  const promised = `${status} with code ${code}`;
  if (answered === undefined) {
    return fail(name, description, 'Fix the failures above, then run the doctor again.');
  }
  if (answered === status) {
    const given = errorBodyOf(exchange)?.code;
    if (given === code || given === twin) return ok(name, `rejected as expected: ${description}`);
    return warn(
      name,
      `rejected with ${description}, expected ${promised}`,
      'Check that the key has this role. If it does, the service answers with the wrong code, and a run will report that.',
    );
  }
  if (isSuccess(exchange) || answered === 404) {
    const what =
      role === 'restricted'
        ? `allowed to call ${exchange.endpoint ?? exchange.request.path}`
        : 'works';
    const check =
      role === 'restricted'
        ? 'Check keys.restricted.forbidden. If the list is right,'
        : `Check that the key is ${role}. If it is,`;
    return warn(
      name,
      `${what} (${description}), expected ${promised}`,
      `${check} the service lets the key in, and a run will report that.`,
    );
  }
  if (answered === 429) return warn(name, 'rejected with 429', 'Wait a minute, then try again.');
  return fail(name, `${description}, expected ${promised}`, `Check keys.${role}, or remove it.`);
}
