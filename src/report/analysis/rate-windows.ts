import type { Exchange } from '../../spec/exchange.ts';
import { ERRORS } from '../../spec/error-codes.ts';
import {
  ERRORS_COUNT,
  RATE_HEADERS,
  RATE_LIMIT,
  RATE_WINDOW_MS,
  RESET_TOLERANCE_MS,
} from '../../spec/limits.ts';
import { statusOfCode } from '../model/error-code.ts';
import { groupBy } from '../../text/group-by.ts';
import { perObject } from '../../text/remembered.ts';
import type { LoadResult } from '../model/load-results.ts';
import type { Results } from '../model/results.ts';

/** When a request was sent, by the target's clock, epoch ms. */
export const sentAt = (exchange: Exchange): number => exchange.sentAt + exchange.skewMs;

const answeredAt = (exchange: Exchange): number => exchange.receivedAt + exchange.skewMs;

/** The reset that a response announces, epoch ms; null without one. */
function resetOf({ response }: Exchange): number | null {
  const text = response?.headers[RATE_HEADERS.reset]?.trim() ?? '';
  return /^-?\d{1,15}$/.test(text) ? Number(text) : null;
}

/** True for a refusal of the limiter, also one with another status than 429. */
const isOfLimiter = (exchange: Exchange): boolean =>
  [exchange.response?.status, statusOfCode(exchange)].includes(ERRORS.tooManyRequests.status);

/**
 * The rate-limit windows (§8) of a run by key, in the order of their resets: exchanges that announce the same reset, or before
 * it one up to a second from another one of the window (ruling 12), and those admitted without a reset. Judges nothing.
 */
export const rateWindows = perObject((results: Results) => {
  const { windowMs } = limitsOf(results);
  // Resets may be rounded to whole seconds; windows of a test target may be shorter than that.
  const tolerance = Math.min(RESET_TOLERANCE_MS, windowMs / 2);
  // Neither a log nor a bucket is full again so soon: each reset is that of another window.
  const areShort = results.requirements.some(({ findings }) =>
    findings.some(({ kind }) => kind === 'windows-too-short'),
  );
  const errorsCount = results.readings.find(({ question }) => question === ERRORS_COUNT)?.answer;
  const isAdmitted = (exchange: Exchange): boolean => {
    const { status } = exchange.response ?? { status: 0 };
    if (status < 200 || isOfLimiter(exchange)) return false;
    return errorsCount === 'yes' ? status !== 401 : status < 400;
  };
  const isOpen = (exchange: Exchange): boolean =>
    errorsCount === undefined && (exchange.response?.status ?? 0) >= 400 && !isOfLimiter(exchange);
  const refusals = (own: readonly Exchange[], ofQuota: boolean): number =>
    own.filter((one) => (one.role === 'nearQuota') === ofQuota && isOfLimiter(one)).length;
  return [...groupBy(results.exchanges, ({ key }) => key)].flatMap(([key, ofKey]) => {
    if (key === null) return [];
    const silent = ofKey.filter((one) => resetOf(one) === null && isAdmitted(one));
    const windows: { resets: number[]; own: Exchange[] }[] = [];
    for (const exchange of ofKey) {
      const reset = resetOf(exchange);
      if (reset === null) continue;
      const window = windows.findLast(
        (one) =>
          one.resets.some((other) => Math.abs(other - reset) <= tolerance) &&
          (answeredAt(exchange) < (one.resets[0] ?? 0) || one.resets.includes(reset)),
      );
      if (window === undefined) windows.push({ resets: [reset], own: [exchange] });
      else {
        window.resets.push(reset);
        window.own.push(exchange);
      }
    }
    return windows
      .map(({ own, resets: [reset = 0] }) => ({ own, reset }))
      .toSorted((a, b) => a.reset - b.reset)
      .map(({ own, reset }, at, sorted) => {
        const from = Math.max(reset - windowMs, sorted[at - 1]?.reset ?? 0);
        const within = silent.filter((one) => answeredAt(one) >= from && answeredAt(one) < reset);
        const admitted = own.filter(isAdmitted).length;
        return {
          key,
          exchanges: [...own, ...within].toSorted((a, b) => sentAt(a) - sentAt(b)),
          /** Responses below 400 that announce the reset, and errors with a valid key if the target counts them. */
          admitted,
          /**
           * False when admitted responses may be missing: they announce no reset, or one that moves by less than a window although
           * windows are long enough, or are errors of which nothing shows whether they count.
           */
          isWhole:
            within.length === 0 &&
            (admitted > 0 || silent.length === 0) &&
            !own.some(isOpen) &&
            [sorted[at - 1], sorted[at + 1]].every(
              (next) =>
                areShort ||
                next === undefined ||
                Math.abs(next.reset - reset) >= windowMs - 2 * tolerance,
            ),
          refused: refusals(own, false),
          /** Refusals of the near-quota key, which are about its month. */
          byQuota: refusals(own, true),
        };
      });
  });
});

/** Endpoints that the restricted key must not reach. */
export const forbiddenIn = ({ settings, facts }: Results): readonly string[] =>
  settings?.forbidden ?? facts?.forbidden ?? [];

/** Requests per window, and its length; recordings of a run keep them as facts. */
export const limitsOf = ({ settings, facts }: Results): LoadResult['limits'] =>
  settings?.limits ?? facts?.limits ?? { requests: RATE_LIMIT, windowMs: RATE_WINDOW_MS };
