import { wholeNumber } from '../../../suites/8-limits/answers.ts';
import { groupBy } from '../../text/group-by.ts';
import type { LoadRequirement, LoadWindow } from '../../report/model/load-results.ts';
import type { LoadPlan } from '../plan.ts';
import { isAdmitted, isRefused, type KeyedRow } from './keyed.ts';

/** Maximum number of windows in the results: as many bars as a reader can distinguish. */
export const WINDOWS_KEPT = 60;

const figure = (text: string | null): number | null => wholeNumber(text ?? undefined);

/**
 * Admission by key and window, which the announced reset identifies, or the clock if none is announced. Because a
 * sliding window may admit fewer after a full one, a window is only marked as wrong if the requirement is violated.
 */
export function windowsOf(
  rows: readonly KeyedRow[],
  { freshAt, windowMs, limit, notBefore }: LoadPlan,
  requirements: readonly Pick<LoadRequirement, 'id' | 'outcome'>[],
  fingerprint: (key: number) => string,
): LoadWindow[] {
  const isViolated = (...ids: readonly string[]): boolean =>
    requirements.some(({ id, outcome }) => outcome === 'failed' && ids.includes(id));
  const isMore = isViolated('8/limit-enforced');
  const isFewer = isViolated('8/limit-not-early', '8/per-key');
  const isHeld = isViolated('8/reset');
  const groups = groupBy(
    rows.filter((row) => isAdmitted(row) || isRefused(row)),
    ({ key, reset, t0 }) =>
      `${key} ${figure(reset) ?? `at ${Math.floor((t0 - freshAt) / windowMs)}`}`,
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const admitted = group.filter(isAdmitted);
    const refused = group.length - admitted.length;
    // Before `notBefore`, another client may have started the window.
    const isShort = admitted.length < limit && refused > 0 && first.t0 >= notBefore;
    const isWrong = isFewer || (isHeld && admitted.length === 0);
    const wrong =
      isMore && admitted.length > limit ? 'more' : isWrong && isShort ? 'fewer' : undefined;
    return [
      {
        key: fingerprint(first.key),
        resetAt: figure(first.reset),
        from: first.t0,
        to: group.reduce((latest, { t1 }) => Math.max(latest, t1), first.t1),
        admitted: admitted.length,
        refused,
        remaining: admitted.map(({ remaining }) => figure(remaining)),
        ...(wrong !== undefined && { wrong }),
      },
    ];
  });
}

/** At most 60 windows, in their order: the wrong ones, and others from the whole run. */
export function keepWindows(windows: readonly LoadWindow[]): LoadWindow[] {
  if (windows.length <= WINDOWS_KEPT) return [...windows];
  const wrong = windows.filter((window) => window.wrong !== undefined).slice(0, WINDOWS_KEPT);
  const right = windows.filter((window) => window.wrong === undefined);
  const room = Math.min(right.length, WINDOWS_KEPT - wrong.length);
  const some = Array.from({ length: room }, (_, index) =>
    right.at(Math.floor((index * right.length) / room)),
  );
  const kept = new Set<LoadWindow | undefined>([...wrong, ...some]);
  return windows.filter((window) => kept.has(window));
}
