import { beyond } from '../4.3-etf-summary/requests.ts';
import { readBeyondWindow } from '../families/range.ts';
import { alone, check, part, type Ask, type Check } from '../../src/ask/index.ts';
import {
  afterReset,
  burst,
  inTwoWindows,
  limited,
  restrictedWindow,
  retryAfterAndReset,
  twoKeys,
} from './full-window-requests.ts';
import { answersWith, comparable, failedRequest, silentRequests, soFar } from './requests.ts';
import { beyondQuota, refusedByQuota, usedUpQuota } from './quota-requests.ts';
import { admittedAfterReset, limitEnforced } from './admission.ts';
import { limitNotEarly } from './early.ts';
import {
  headerLimit,
  headerRemaining,
  headerReset,
  headersPresent,
  NAMES,
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
  retryAfterFits,
  retryAfterUnit,
} from './refusal.ts';
import { remainingDecrements } from './remaining.ts';
import { refusedCounted, windowKind, windowLength } from './windows.ts';
import {
  COUNTDOWN,
  MESSAGE,
  QUOTA,
  RATE_HEADERS,
  RATE_REFUSAL,
} from '../../src/requirements/advice.ts';
import {
  must,
  should,
  observe,
  type Definition,
  type Stated,
} from '../../src/requirements/definition.ts';
import type { Judge } from '../../src/judge/judge.ts';

/** A check of all traffic of a run, which sends missing requests; runs exclusively. */
const ofTraffic = (ask: Ask): Check => check(ask, alone);

/** Load scenarios that reveal defects of a limiter. */
const OF_THE_LIMITER = [
  'rl-headers',
  'rl-exact',
  'rl-recovery',
  'rl-retry-after',
  'rl-boundary',
  'smoke',
] as const;

/** A requirement on the refusal of the limiter. */
const ofRefusal = (judge: Judge) =>
  ({
    clauses: ['8 refusal'],
    rulings: [14],
    needs: ['window'],
    ...RATE_REFUSAL,
    checks: [ofTraffic(limited(judge))],
    load: OF_THE_LIMITER,
    judge,
  }) satisfies Partial<Stated>;

/** A requirement on a header of any answer. */
const ofHeader = (name: keyof typeof NAMES, judge: Judge) =>
  ({
    clauses: [`8 table 2 ${NAMES[name]}`],
    shownBy: 'a response with the rate-limit headers',
    rulings: [12],
    ...RATE_HEADERS,
    checks: [ofTraffic(answersWith(name))],
    load: OF_THE_LIMITER,
    judge,
  }) satisfies Partial<Stated>;

const OF_QUOTA = {
  clauses: ['8 monthly quota'],
  rulings: [15],
  needs: ['near-quota-key'],
  ...QUOTA,
  checks: [ofTraffic(usedUpQuota)],
  load: ['quota'],
} satisfies Partial<Stated>;

/** Violations without which a refusal tells the unit of its wait. */
const NO_RESET = ['8/header-reset'];
const NO_WAIT = ['8/retry-after', '8/refusal-headers', ...NO_RESET];

/** Clauses on the three headers. */
const HEADER_CLAUSES = Object.values(NAMES).map((name) => `8 table 2 ${name}`);

/**
 * Requirements of §8. They run late: nearly everything is judged on requests of other checks. The refusal comes from one
 * request beyond a window that the run has exhausted.
 */
export const LIMIT_REQUIREMENTS = {
  '8/limit-enforced': must({
    title: "A request beyond the window's limit is refused with 429",
    clauses: ['8 request frequency', '1 rate limited per key', '7 402901'],
    hinderedBy: ['8/limit-not-early'],
    shownBy:
      'a burst: more requests with one key in one window than the limit allows, with their responses',
    rulings: [13],
    needs: ['window'],
    why: 'An unenforced limit protects nobody, and clients come to rely on more than they paid for.',
    usually: [
      'Several instances count separately, so the effective limit is a multiple of 20.',
      'The limiter is switched off in this environment.',
      'The plan of this key has a higher limit. Set `limits.requests` only for a test target with scaled limits.',
    ],
    checks: [
      ofTraffic(limited(limitEnforced)),
      part(
        'also for requests at the same moment, and until the reset',
        limited(limitEnforced, burst),
        alone,
      ),
      // Last, so that requests with valid keys do not depend on it.
      part(
        'also for the restricted key, later in the run and until the reset',
        restrictedWindow,
        alone,
      ),
    ],
    load: [...OF_THE_LIMITER, 'rl-exact-multi'],
    judge: limitEnforced,
  }),
  '8/limit-not-early': must({
    title: "Every request within the window's limit is admitted",
    clauses: ['8 request frequency'],
    shownBy:
      'a whole window of requests with one key, from the first request to a refusal, while nobody else uses the key',
    rulings: [13],
    needs: ['window'],
    why: 'Clients paid for 20 requests per window.',
    usually: [
      'Someone else used the key during the run: use dedicated keys.',
      "Refused requests, or the load balancer's own requests, are counted.",
      'The window slides, although the announced reset is fixed.',
    ],
    checks: [ofTraffic(limited(limitNotEarly))],
    load: OF_THE_LIMITER,
    judge: limitNotEarly,
  }),
  '8/window-length': must({
    title: 'A rate-limit window lasts one minute',
    clauses: ['8 request frequency', '8 table 2 X-RateLimit-Reset'],
    shownBy: 'a key that exhausts its limit and is used again after the announced reset',
    rulings: [12, 13],
    needs: ['window'],
    why: 'A 15-second window allows four times as many requests, and clients that count requests do not notice.',
    usually: [
      'The window is configured in a different unit, or was shortened for a test.',
      'The limits of the target are scaled on purpose: set `limits.windowMs` in the target file.',
    ],
    checks: [ofTraffic(inTwoWindows)],
    load: OF_THE_LIMITER,
    judge: windowLength,
  }),
  '8/per-key': must({
    title: "One key's requests do not count against another key",
    hinderedBy: NO_RESET,
    clauses: ['8 request frequency', '5 1', '1 rate limited per key'],
    shownBy: 'two keys used in the same window, one of them near its limit',
    rulings: [13],
    needs: ['second-key', 'window'],
    why: 'One busy client must not block others.',
    usually: [
      'The limiter counts by IP address instead of key.',
      'The keys in the target file belong to one account with a shared limit.',
    ],
    checks: [ofTraffic(twoKeys)],
    load: ['rl-exact-multi'],
    judge: perKey,
  }),
  '8/reset': must({
    title: 'A rate-limited key is admitted again after the reset',
    repeat: 'after-reset',
    clauses: ['8 table 2 X-RateLimit-Reset', '8 request frequency'],
    shownBy: 'a request with a rate-limited key after the announced reset',
    rulings: [13],
    needs: ['window'],
    why: 'Clients retry at the announced reset and must not be refused again.',
    usually: [
      'The reset is announced by one clock and enforced by another: see the clock in `assay doctor`.',
      'A refused request restarts the window.',
    ],
    checks: [ofTraffic(limited(admittedAfterReset, afterReset))],
    load: ['rl-retry-after', 'rl-recovery', 'rl-exact'],
    judge: admittedAfterReset,
  }),
  '8/refusal-headers': must({
    title: 'The refusal has the three rate-limit headers',
    clauses: HEADER_CLAUSES,
    shownBy: 'a 429 response of the rate limiter',
    rulings: [12],
    needs: ['window'],
    ...RATE_HEADERS,
    usually: ['The refusal comes from another layer, without the headers.'],
    checks: [ofTraffic(limited(refusalHeaders))],
    load: OF_THE_LIMITER,
    judge: refusalHeaders,
  }),
  '8/refusal-code': must({
    ...ofRefusal(refusalCode),
    title: 'The refusal has code 402901 or 42901',
    clauses: ['8 refusal', '7 402901'],
    basis: 'contradictory',
    rulings: [6],
  }),
  '8/refusal-message': must({
    ...ofRefusal(refusalMessage),
    title: 'The refusal message is "Rate limit exceeded"',
    rulings: [10],
    ...MESSAGE,
  }),
  '8/refusal-limit': must({
    ...ofRefusal(refusalLimit),
    title: '`details.limit` in the refusal is the limit',
  }),
  '8/refusal-window': must({
    ...ofRefusal(refusalWindow),
    title: '`details.window` in the refusal is "60s"',
    usually: ['It is a number, or the length of the window in another unit.'],
  }),
  '8/retry-after': must({
    ...ofRefusal(retryAfter),
    title: '`details.retry_after` in the refusal is an integer',
  }),
  '8/retry-after-fits': should({
    ...ofRefusal(retryAfterFits),
    title: '`retry_after` agrees with the announced reset, in seconds or milliseconds',
    usually: [
      'It is a constant, such as the length of the window, and not the time left.',
      'It counts to the end of another window than the header.',
    ],
    hinderedBy: NO_WAIT,
    checks: [ofTraffic(retryAfterAndReset)],
  }),
  '8/retry-after-unit': observe({
    title: 'Unit of `retry_after`',
    clauses: ['8 unit of retry_after'],
    hinderedBy: [...NO_WAIT, '8/retry-after-fits'],
    shownBy:
      'a 429 response of the rate limiter with a numeric `retry_after` and X-RateLimit-Reset',
    rulings: [14],
    needs: ['window'],
    checks: [ofTraffic(retryAfterAndReset)],
    judge: retryAfterUnit,
  }),
  '8/headers-present': observe({
    title: 'Rate-limit headers on responses other than the refusal',
    clauses: HEADER_CLAUSES,
    shownBy: 'a response with the rate-limit headers',
    rulings: [12],
    checks: [ofTraffic(soFar)],
    judge: headersPresent,
  }),
  '8/header-limit': must({
    ...ofHeader('limit', headerLimit),
    title: 'X-RateLimit-Limit, where present, is the limit',
  }),
  '8/header-remaining': must({
    ...ofHeader('remaining', headerRemaining),
    title:
      'X-RateLimit-Remaining, where present, is an integer from 0 to one less than the limit, and 0 on a refusal',
  }),
  '8/remaining-decrements': must({
    title: 'X-RateLimit-Remaining decreases by one with each admitted request in a window',
    repeat: 'window',
    hinderedBy: ['8/reset-steady'],
    clauses: ['8 table 2 X-RateLimit-Remaining'],
    rulings: [12, 13],
    ...COUNTDOWN,
    checks: [
      ofTraffic(comparable('remaining', remainingDecrements)),
      part(
        'also by requests whose responses do not have it',
        comparable('remaining', remainingDecrements, silentRequests),
        alone,
      ),
    ],
    load: OF_THE_LIMITER,
    judge: remainingDecrements,
  }),
  '8/header-reset': must({
    ...ofHeader('reset', headerReset),
    usually: ['It is a duration instead of a time.'],
    usuallyFor: {
      'reset-in-seconds': [],
      'reset-past': ['It is the start of the window instead of its end.'],
      'reset-always-past': ['It is the start of the window instead of its end.'],
      'reset-too-far': ['It is the end of another period, such as the month.'],
    },
    title:
      'X-RateLimit-Reset, where present, is a Unix time in milliseconds, at most one window ahead',
  }),
  '8/reset-steady': must({
    title: 'X-RateLimit-Reset never decreases, and is constant within a fixed window',
    repeat: 'window',
    clauses: ['8 table 2 X-RateLimit-Reset'],
    hinderedBy: NO_RESET,
    rulings: [12, 13],
    ...COUNTDOWN,
    usually: [...COUNTDOWN.usually, 'The reset of a fixed window is recomputed with each request.'],
    checks: [ofTraffic(comparable('reset', resetSteady))],
    load: OF_THE_LIMITER,
    judge: resetSteady,
  }),
  '8/refused-counted': observe({
    title: 'Whether refused requests count against the limit',
    clauses: ['8 request frequency'],
    shownBy: 'every request with one key',
    rulings: [13],
    needs: ['window'],
    checks: [ofTraffic(failedRequest)],
    judge: refusedCounted,
  }),
  '8/window-kind': observe({
    title: 'Fixed or sliding window',
    clauses: ['8 request frequency'],
    hinderedBy: NO_RESET,
    shownBy: 'several responses to requests with one key, with the rate-limit headers',
    rulings: [13],
    needs: ['window'],
    checks: [ofTraffic(afterReset)],
    judge: windowKind,
  }),
  '8/quota': must({
    title: 'Requests beyond the monthly quota are refused with an error body',
    ...OF_QUOTA,
    checks: [ofTraffic(usedUpQuota), part('in each group of endpoints', beyondQuota, alone)],
    judge: quota,
  }),
  '8/quota-not-early': must({
    title: 'The last requests of the monthly quota are admitted',
    ...OF_QUOTA,
    hinderedBy: ['8/quota'],
    checks: [ofTraffic(refusedByQuota(quotaNotEarly))],
    judge: quotaNotEarly,
  }),
  '8/quota-answer': observe({
    title: 'Status and code when the monthly quota is exhausted',
    hinderedBy: ['8/quota'],
    clauses: ['8 quota exhausted'],
    rulings: [15],
    needs: ['near-quota-key'],
    checks: [ofTraffic(refusedByQuota(quotaAnswer))],
    judge: quotaAnswer,
  }),
  '8/beyond-window': observe({
    title: 'Response to a range beyond the recent window: refused, truncated or empty',
    clauses: ['8 beyond the window'],
    shownBy: 'a request that reaches beyond the window',
    rulings: [5],
    checks: [check(beyond)],
    judge: readBeyondWindow,
  }),
} as const satisfies Record<string, Definition>;
