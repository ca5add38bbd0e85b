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
import { perObject } from '../../text/remembered.ts';
import type { LoadResult } from '../model/load-results.ts';
import type { Results } from '../model/results.ts';

/** One rate-limit window (§8) of one key: exchanges whose responses announce about the same reset, in the order sent. */
export type RateWindow = ReturnType<typeof rateWindows>[number];

/** When a request was sent, by the target's clock, epoch ms. */
export const sentAt = (exchange: Exchange): number => exchange.sentAt + exchange.skewMs;

/** The reset that a response announces, epoch ms; null without one. */
function resetOf({ response }: Exchange): number | null {
  const text = response?.headers[RATE_HEADERS.reset]?.trim() ?? '';
  return /^-?\d{1,15}$/.test(text) ? Number(text) : null;
}

/** True for a refusal of the limiter, also one with another status than 429. */
const isOfLimiter = (exchange: Exchange): boolean => {
  const due = ERRORS.tooManyRequests.status;
  return exchange.response?.status === due || statusOfCode(exchange) === due;
};

/** The rate-limit windows of a run by key, those of a key in the order of their resets. Judges nothing. */
export const rateWindows = perObject((results: Results) => {
  const { windowMs } = limitsOf(results);
  // Resets may be rounded to whole seconds; windows of a test target may be shorter than that.
  const tolerance = Math.min(RESET_TOLERANCE_MS, windowMs / 2);
  const errorsCount = results.readings.some(
    ({ question, answer }) => question === ERRORS_COUNT && answer === 'yes',
  );
  const isAdmitted = (exchange: Exchange): boolean => {
    const { status } = exchange.response ?? { status: 0 };
    if (status < 200 || isOfLimiter(exchange)) return false;
    return errorsCount ? status !== 401 : status < 400;
  };
  const unannounced = new Set<string>();
  const byKey = new Map<string, { reset: number; own: Exchange[] }[]>();
  for (const exchange of results.exchanges) {
    const { key } = exchange;
    const reset = resetOf(exchange);
    if (key === null) continue;
    if (reset === null) {
      if (isAdmitted(exchange)) unannounced.add(key);
      continue;
    }
    const windows = byKey.get(key) ?? [];
    byKey.set(key, windows);
    const window = windows.findLast((one) => Math.abs(one.reset - reset) <= tolerance);
    if (window === undefined) windows.push({ reset, own: [exchange] });
    else window.own.push(exchange);
  }
  const refusals = (own: readonly Exchange[], ofQuota: boolean): number =>
    own.filter((one) => (one.role === 'nearQuota') === ofQuota && isOfLimiter(one)).length;
  return [...byKey].flatMap(([key, windows]) =>
    windows
      .toSorted((a, b) => a.reset - b.reset)
      .map(({ own, reset }, at, sorted) => ({
        key,
        exchanges: own.toSorted((a, b) => sentAt(a) - sentAt(b)),
        /** Responses below 400, and errors with a valid key if the target counts them. */
        admitted: own.filter(isAdmitted).length,
        /** False when admitted responses may be missing: they announce no reset, or one that moves by less than a window. */
        isWhole:
          (own.some(isAdmitted) || !unannounced.has(key)) &&
          [sorted[at - 1], sorted[at + 1]].every(
            (next) => next === undefined || Math.abs(next.reset - reset) >= windowMs - tolerance,
          ),
        refused: refusals(own, false),
        /** Refusals of the near-quota key, which are about its month. */
        byQuota: refusals(own, true),
      })),
  );
});

/** Endpoints that the restricted key must not reach. */
export const forbiddenIn = ({ settings, facts }: Results): readonly string[] =>
  settings?.forbidden ?? facts?.forbidden ?? [];

/** Requests per window, and its length; recordings of a run keep them as facts. */
export const limitsOf = ({ settings, facts }: Results): LoadResult['limits'] =>
  settings?.limits ?? facts?.limits ?? { requests: RATE_LIMIT, windowMs: RATE_WINDOW_MS };
