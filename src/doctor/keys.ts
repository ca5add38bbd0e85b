import { ERRORS } from '../spec/error-codes.ts';
import type { ErrorName } from '../spec/error-codes.ts';
import type { Exchange } from '../spec/exchange.ts';
import type { Target } from '../target/target.ts';
import { errorBodyOf, isSuccess, wordsFor } from './ask.ts';
import { fail, ok, warn } from './check.ts';
import type { Check } from './check.ts';

/** What the answer to a valid key says about it. `header` is the one that the key went out in. */
export function validKeyCheck(name: string, exchange: Exchange, header: string): Check {
  const status = exchange.response?.status;
  const words = wordsFor(exchange);
  if (isSuccess(exchange)) return ok(name, 'accepted');
  if (status === 401) {
    const named = errorBodyOf(exchange)?.details['header'];
    const other = typeof named === 'string' && named.toLowerCase() !== header.toLowerCase();
    const fix = other
      ? `The target asks for the key in the header ${named}: set auth.header to it.`
      : `Check the key, and that the target expects it in the header ${header} (auth.header).`;
    return fail(name, `refused: ${words}`, fix);
  }
  if (status === 403) {
    return fail(
      name,
      `refused: ${words}`,
      'Give a key that may call every endpoint; others belong under keys.restricted.',
    );
  }
  if (status === 429) {
    const fix =
      'Wait a minute. If it stays so, its monthly quota is used up or someone else uses the key.';
    return warn(name, 'accepted, but its window is used up (429)', fix);
  }
  if (status === 404) return ok(name, `not refused (${words})`);
  return fail(
    name,
    `could not be judged: ${words}`,
    'Mend what the lines above name, then look again.',
  );
}

/** Roles that are asked for, and the error that each promises (§5 rule 3). */
const PROMISES = {
  disabled: 'invalidKey',
  expired: 'expiredKey',
  restricted: 'forbidden',
} as const satisfies Record<string, ErrorName>;
export type PromisingRole = keyof typeof PROMISES;

/** Whether a key of a role is refused as its role promises. A wrong code is the target's fault, for a run to find. */
export function roleCheck(role: PromisingRole, exchange: Exchange): Check {
  const name = `key ${role}`;
  const { status, code, twin } = ERRORS[PROMISES[role]];
  const words = wordsFor(exchange);
  const answered = exchange.response?.status;
  const promised = `${status} with code ${code}`;
  if (answered === undefined) {
    return fail(name, words, 'Mend what the lines above name, then look again.');
  }
  if (answered === status) {
    const given = errorBodyOf(exchange)?.code;
    if (given === code || given === twin) return ok(name, `refused as it should be: ${words}`);
    return warn(
      name,
      `refused with ${words}; ${promised} is due`,
      'Is it the right key for this role? If so, a run will report the code.',
    );
  }
  if (isSuccess(exchange) || answered === 404) {
    const what =
      role === 'restricted' ? `may call ${exchange.endpoint ?? exchange.request.path}` : 'works';
    const fix =
      role === 'restricted'
        ? 'List under keys.restricted.forbidden what the key may really not call.'
        : `Give a key that is ${role}, or take keys.${role} out.`;
    return fail(name, `${what} (${words}); ${promised} is due`, fix);
  }
  if (answered === 429) return warn(name, 'refused with 429', 'Wait a minute, then look again.');
  return fail(name, `${words}; ${promised} is due`, `Check keys.${role}, or take it out.`);
}

/** The forbidden endpoint that can be asked with the fewest unknowns: one without parameters, if there is one. */
export function forbiddenPath(
  restricted: NonNullable<Target['keys']['restricted']>,
): string | undefined {
  return restricted.forbidden.find((path) => !path.includes('{'));
}
