import type { LoadRequirement, LoadWindow } from '../../report/model/load-results.ts';
import type { RequirementId } from '../../spec/requirement-id.ts';

/** Maximum number of windows in the results: as many bars as a reader can distinguish. */
export const WINDOWS_KEPT = 60;

const TOO_MANY: readonly RequirementId[] = ['8/limit-enforced'];
const TOO_FEW: readonly RequirementId[] = ['8/limit-not-early', '8/per-key'];

export interface Judged {
  /** Requests per window (§8). */
  readonly limit: number;
  /** Before this, another client may have started the window of a key, epoch ms. */
  readonly notBefore: number;
  readonly requirements: readonly Pick<LoadRequirement, 'id' | 'outcome'>[];
}

/**
 * Marks windows that admitted a wrong number of requests. Because a sliding window may admit fewer after a full one, a
 * window is only marked if the requirement is violated.
 */
export function markWrong(windows: readonly LoadWindow[], judged: Judged): LoadWindow[] {
  const { limit, notBefore, requirements } = judged;
  const violated = (ids: readonly string[]): boolean =>
    requirements.some(({ id, outcome }) => outcome === 'failed' && ids.includes(id));
  const [many, few] = [violated(TOO_MANY), violated(TOO_FEW)];
  return windows.map((window) => {
    const { admitted, refused, from } = window;
    if (many && admitted > limit) return { ...window, wrong: 'more' };
    const short = admitted < limit && refused > 0 && from >= notBefore;
    return few && short ? { ...window, wrong: 'fewer' } : window;
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
