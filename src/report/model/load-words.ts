import type { LoadOutcome, LoadResult, LoadWindow } from './load-results.ts';

const ORDER: Readonly<Record<LoadOutcome, number>> = {
  failed: 0,
  inconclusive: 1,
  warned: 2,
  passed: 3,
};

/** Scenarios with their index in the results, the worst first. */
export function worstFirst(
  load: readonly LoadResult[],
): readonly { readonly load: LoadResult; readonly index: number }[] {
  return load
    .map((one, index) => ({ load: one, index }))
    .toSorted((a, b) => ORDER[a.load.outcome] - ORDER[b.load.outcome]);
}

/** Requests per second. */
export function formatRate(perSecond: number): string {
  if (!Number.isFinite(perSecond)) return 'unknown';
  return perSecond < 10 ? String(Number(perSecond.toFixed(1))) : String(Math.round(perSecond));
}

/** Milliseconds, with two significant digits below 100. */
export function formatMs(ms: number): string {
  return ms >= 100 ? String(Math.round(ms)) : String(Number(ms.toPrecision(2)));
}

/** `12:00:04`, UTC; `?` for an invalid time. */
export function clockTime(ms: number): string {
  return Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString().slice(11, 19) : '?';
}

/** `1 more than the limit of 20` */
export function wrongWords({ admitted, wrong }: LoadWindow, limit: number): string {
  return wrong === undefined
    ? 'as expected'
    : `${Math.abs(admitted - limit)} ${wrong} than the limit of ${limit}`;
}
