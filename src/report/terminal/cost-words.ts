import { plural } from '../../text/text.ts';
import { formatDuration } from '../model/labels.ts';

/** How the rate limit paces a run. */
export interface Windows {
  /** Windows that the requests fill. */
  readonly windows: number;
  readonly validKeys: number;
  /** The key role that needs the most windows. */
  readonly busiest: 'valid' | 'restricted';
  /** Minimum time spent waiting for windows, ms. */
  readonly waitMs: number;
}

/** Windows and waiting time of a run; `moved`: the target's clock is advanced instead of waiting. */
export function windowWords(
  { windows, validKeys, busiest, waitMs }: Windows,
  moved: boolean,
): string {
  const held = busiest === 'restricted' ? ', limited by the restricted key' : '';
  const isAtOnce = windows <= 1 || (waitMs === 0 && !moved);
  const waiting = moved
    ? "advances the target's clock instead of waiting"
    : `about ${formatDuration(waitMs)}`;
  const of = windows === 0 ? 'no window' : plural(windows, 'window');
  return `${of} with ${plural(validKeys, 'valid key')}${held}: ${isAtOnce ? 'no waiting' : waiting}`;
}
