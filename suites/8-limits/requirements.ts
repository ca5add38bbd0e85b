import { beyond } from '../4.3-etf-summary/requests.ts';
import { readBeyondWindow } from '../families/range.ts';
import { alone, check, part, type Ask, type Check } from '../../src/ask/index.ts';
import {
  afterReset,
  burst,
  inTwoWindows,
  limited,
  refusedWindow,
  retryBesideReset,
  twoKeys,
} from './full-window-requests.ts';
import { answersWith, comparable, failedRequest, soFar } from './requests.ts';
import { usedUpQuota } from './quota-requests.ts';
import { restrictedWindow } from './restricted-window-requests.ts';
import { admittedAfterReset, limitEnforced } from './admission.ts';
import { limitNotEarly } from './early.ts';
import {
  headerLimit,
  headerRemaining,
  headerReset,
  headersPresent,
  resetSteady,
} from './headers.ts';
import { perKey } from './per-key.ts';
import { quota, quotaAnswer, quotaNotEarly } from './quota.ts';
import {
  refusalCode,
  refusalHeaders,
  refusalLimit,
  refusalMessage,
  refusalWindow,
  retryAfter,
} from './refusal.ts';
import { remainingDecrements } from './remaining.ts';
import { retryAfterFits, retryAfterUnit } from './retry-after.ts';
import { refusedCounted, windowKind } from './window-kind.ts';
import { windowLength } from './window-length.ts';
import {
  COUNTDOWN,
  MESSAGE,
  QUOTA,
  RATE_HEADERS,
  RATE_REFUSAL,
} from '../../src/requirements/advice.ts';
import { must, should, observe, type Definition } from '../../src/requirements/definition.ts';

/** A check that looks at all the traffic of a run, and adds what is missing in it: nothing else may be under way. */
const ofTraffic = (ask: Ask): Check => check(ask, alone);

/**
 * Requirements of §8. They come late in a run: nearly everything here is judged on requests that other checks sent. The
 * refusal itself comes from one request beyond a window that the run used up on its way.
 */
/** Load scenarios in which a limiter shows what it does wrong. */
const OF_THE_LIMITER = [
  'rl-headers',
  'rl-exact',
  'rl-recovery',
  'rl-retry-after',
  'rl-boundary',
  'smoke',
] as const;

export const LIMIT_REQUIREMENTS = {
  '8/limit-enforced': must({
    title: 'A request beyond the limit of the window is refused with 429',
    clauses: ['8 request frequency', '1 rate limited per key', '7 402901'],
    shownBy:
      'a burst: more requests of one key in one window than the limit admits, with what came of them',
    rulings: [13],
    needs: ['window'],
    why: 'A limit that is not enforced protects nobody, and callers come to rely on more than was sold.',
    usually: [
      'Several instances count for themselves, so that the limit is a multiple of 20.',
      'The limiter is switched off on this environment.',
      'The limit of the plan of this key is higher: set limits.requests only if the target is scaled on purpose.',
    ],
    checks: [
      ofTraffic(limited(limitEnforced)),
      part(
        'also for requests at the same moment, and until the reset',
        limited(limitEnforced, burst),
        alone,
      ),
      // Last: what the valid keys are asked for does not depend on what another one shows.
      part(
        'also for the restricted key, later in the run and until the reset',
        restrictedWindow,
        alone,
      ),
    ],
    load: OF_THE_LIMITER,
    judge: limitEnforced,
  }),
  '8/limit-not-early': must({
    title: 'Every request within the limit of the window is admitted',
    clauses: ['8 request frequency'],
    shownBy: 'a whole window of one key from its first request to a refusal, used by nobody else',
    rulings: [13],
    needs: ['window'],
    why: '20 requests are paid for; the one that is refused early is missing.',
    usually: [
      'Someone else used the key during the run: give the run keys of its own.',
      'Requests that were refused, or those of the load balancer, count too.',
      'The window slides although its reset is announced as fixed.',
    ],
    checks: [ofTraffic(limited(limitNotEarly))],
    load: OF_THE_LIMITER,
    judge: limitNotEarly,
  }),
  '8/window-length': must({
    title: 'A window of the limit lasts a minute',
    clauses: ['8 request frequency', '8 table 2 X-RateLimit-Reset'],
    shownBy: 'a key that is used up, and used again behind the announced reset',
    rulings: [12, 13],
    needs: ['window'],
    why: 'A window of a quarter of a minute admits four times what was sold, and no client that counts notices.',
    usually: [
      'The length of the window is configured in another unit, or was shortened for a test.',
      'The target is scaled on purpose: set limits.windowMs in the target file.',
    ],
    checks: [ofTraffic(inTwoWindows)],
    load: OF_THE_LIMITER,
    judge: windowLength,
  }),
  '8/per-key': must({
    title: 'The requests of one key do not count against another key',
    clauses: ['8 request frequency', '5 1', '1 rate limited per key'],
    shownBy: 'two keys in use in the same window, one of them near its limit',
    rulings: [13],
    needs: ['second-key', 'window'],
    why: 'A noisy caller must not shut out others.',
    usually: [
      'The limiter counts by address, not by key: all keys of a run share it.',
      'The keys of the target file belong to one account that is limited as a whole.',
    ],
    checks: [ofTraffic(twoKeys)],
    load: ['rl-exact-multi'],
    judge: perKey,
  }),
  '8/reset': must({
    title: 'A refused request is admitted after the reset',
    repeat: 'after-reset',
    clauses: ['8 table 2 X-RateLimit-Reset', '8 request frequency'],
    shownBy: 'a request of a refused key after the announced reset',
    rulings: [13],
    needs: ['window'],
    why: 'The reset is a promise about when to come back. Who comes back in time and is refused waits for ever.',
    usually: [
      'The reset is announced by one clock and kept by another: compare the clock line of `assay doctor`.',
      'A refused request starts the window anew.',
    ],
    checks: [ofTraffic(limited(admittedAfterReset, afterReset))],
    load: ['rl-retry-after', 'rl-recovery', 'rl-exact'],
    judge: admittedAfterReset,
  }),
  '8/refusal-headers': must({
    title: 'The refusal carries the three rate-limit headers',
    clauses: [
      '8 table 2 X-RateLimit-Limit',
      '8 table 2 X-RateLimit-Remaining',
      '8 table 2 X-RateLimit-Reset',
    ],
    shownBy: 'an answer 429 of the rate limiter',
    rulings: [12],
    needs: ['window'],
    ...RATE_HEADERS,
    checks: [ofTraffic(limited(refusalHeaders))],
    load: OF_THE_LIMITER,
    judge: refusalHeaders,
  }),
  '8/refusal-code': must({
    title: 'The refusal has code 402901 or its twin 42901',
    clauses: ['8 refusal', '7 402901'],
    basis: 'contradictory',
    rulings: [6],
    needs: ['window'],
    ...RATE_REFUSAL,
    checks: [ofTraffic(limited(refusalCode))],
    load: OF_THE_LIMITER,
    judge: refusalCode,
  }),
  '8/refusal-message': must({
    title: 'The message of the refusal is Rate limit exceeded',
    clauses: ['8 refusal'],
    shownBy: 'an answer 429 of the rate limiter',
    rulings: [10],
    needs: ['window'],
    ...MESSAGE,
    checks: [ofTraffic(limited(refusalMessage))],
    load: OF_THE_LIMITER,
    judge: refusalMessage,
  }),
  '8/refusal-limit': must({
    title: 'details.limit of the refusal is the limit',
    clauses: ['8 refusal'],
    rulings: [14],
    needs: ['window'],
    ...RATE_REFUSAL,
    checks: [ofTraffic(limited(refusalLimit))],
    load: OF_THE_LIMITER,
    judge: refusalLimit,
  }),
  '8/refusal-window': must({
    title: 'details.window of the refusal is 60s',
    clauses: ['8 refusal'],
    rulings: [14],
    needs: ['window'],
    ...RATE_REFUSAL,
    checks: [ofTraffic(limited(refusalWindow))],
    load: OF_THE_LIMITER,
    judge: refusalWindow,
  }),
  '8/retry-after': must({
    title: 'details.retry_after of the refusal is an integer',
    clauses: ['8 refusal'],
    rulings: [14],
    needs: ['window'],
    ...RATE_REFUSAL,
    checks: [ofTraffic(limited(retryAfter))],
    load: OF_THE_LIMITER,
    judge: retryAfter,
  }),
  '8/retry-after-fits': should({
    title: 'retry_after agrees with the announced reset in seconds or milliseconds',
    clauses: ['8 refusal'],
    rulings: [14],
    needs: ['window'],
    ...RATE_REFUSAL,
    checks: [ofTraffic(retryBesideReset)],
    load: OF_THE_LIMITER,
    judge: retryAfterFits,
  }),
  '8/retry-after-unit': observe({
    title: 'Unit of retry_after',
    clauses: ['8 unit of retry_after'],
    shownBy: 'an answer 429 of the rate limiter',
    rulings: [14],
    needs: ['window'],
    checks: [ofTraffic(refusedWindow)],
    judge: retryAfterUnit,
  }),
  '8/headers-present': observe({
    title: 'Rate-limit headers on answers other than the refusal',
    clauses: [
      '8 table 2 X-RateLimit-Limit',
      '8 table 2 X-RateLimit-Remaining',
      '8 table 2 X-RateLimit-Reset',
    ],
    shownBy: 'an answer with the rate-limit headers',
    rulings: [12],
    checks: [ofTraffic(soFar)],
    judge: headersPresent,
  }),
  '8/header-limit': must({
    title: 'X-RateLimit-Limit, where present, is the limit',
    clauses: ['8 table 2 X-RateLimit-Limit'],
    shownBy: 'an answer with the rate-limit headers',
    rulings: [12],
    ...RATE_HEADERS,
    checks: [ofTraffic(answersWith('limit'))],
    load: OF_THE_LIMITER,
    judge: headerLimit,
  }),
  '8/header-remaining': must({
    title:
      'X-RateLimit-Remaining, where present, is an integer from 0 to below the limit, and 0 on a refusal',
    clauses: ['8 table 2 X-RateLimit-Remaining'],
    shownBy: 'an answer with the rate-limit headers',
    rulings: [12],
    ...RATE_HEADERS,
    checks: [ofTraffic(answersWith('remaining'))],
    load: OF_THE_LIMITER,
    judge: headerRemaining,
  }),
  '8/remaining-decrements': must({
    title: 'X-RateLimit-Remaining goes down by one with each admitted request of a window',
    repeat: 'window',
    clauses: ['8 table 2 X-RateLimit-Remaining'],
    rulings: [12, 13],
    ...COUNTDOWN,
    checks: [ofTraffic(comparable('remaining', remainingDecrements))],
    load: OF_THE_LIMITER,
    judge: remainingDecrements,
  }),
  '8/header-reset': must({
    title:
      'X-RateLimit-Reset, where present, is Unix time in milliseconds at most one window ahead',
    clauses: ['8 table 2 X-RateLimit-Reset'],
    shownBy: 'an answer with the rate-limit headers',
    rulings: [12],
    ...RATE_HEADERS,
    checks: [ofTraffic(answersWith('reset'))],
    load: OF_THE_LIMITER,
    judge: headerReset,
  }),
  '8/reset-steady': must({
    title: 'X-RateLimit-Reset does not move back, and stands still within a fixed window',
    repeat: 'window',
    clauses: ['8 table 2 X-RateLimit-Reset'],
    rulings: [12, 13],
    ...COUNTDOWN,
    checks: [ofTraffic(comparable('reset', resetSteady))],
    load: OF_THE_LIMITER,
    judge: resetSteady,
  }),
  '8/refused-counted': observe({
    title: 'Whether refused requests count against the limit',
    clauses: ['8 request frequency'],
    shownBy: 'every request of one key, which recorded traffic cannot promise',
    rulings: [13],
    needs: ['window'],
    checks: [ofTraffic(failedRequest)],
    judge: refusedCounted,
  }),
  '8/window-kind': observe({
    title: 'Fixed or sliding window',
    clauses: ['8 request frequency'],
    shownBy: 'several answers of one key with the rate-limit headers',
    rulings: [13],
    needs: ['window'],
    checks: [ofTraffic(afterReset)],
    judge: windowKind,
  }),
  '8/quota': must({
    title: 'The request after the last one of the monthly quota is refused in the error shape',
    clauses: ['8 monthly quota'],
    rulings: [15],
    needs: ['near-quota-key'],
    ...QUOTA,
    checks: [ofTraffic(usedUpQuota)],
    load: ['quota'],
    judge: quota,
  }),
  '8/quota-not-early': must({
    title: 'The last requests of the monthly quota are admitted',
    clauses: ['8 monthly quota'],
    rulings: [15],
    needs: ['near-quota-key'],
    ...QUOTA,
    checks: [ofTraffic(usedUpQuota)],
    load: ['quota'],
    judge: quotaNotEarly,
  }),
  '8/quota-answer': observe({
    title: 'Status and code when the monthly quota is exhausted',
    clauses: ['8 quota exhausted'],
    rulings: [15],
    needs: ['near-quota-key'],
    checks: [ofTraffic(usedUpQuota)],
    judge: quotaAnswer,
  }),
  '8/beyond-window': observe({
    title: 'Answer to a range beyond the recent window: refused, cut or empty',
    clauses: ['8 beyond the window'],
    shownBy: 'a request that reaches back beyond the window',
    rulings: [5],
    checks: [check(beyond)],
    judge: readBeyondWindow,
  }),
} as const satisfies Record<string, Definition>;
