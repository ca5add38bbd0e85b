import { plural } from '../../text/text.ts';
import { formatDuration } from '../model/labels.ts';

/** What the rate limit makes of the requests of a run. */
export interface Windows {
  /** Windows that the requests fill. */
  readonly windows: number;
  readonly validKeys: number;
  /** Whose requests fill them. */
  readonly busiest: 'valid' | 'restricted';
  /** Least time that waiting for them takes, ms. */
  readonly waitMs: number;
}

/**
 * How many windows a run fills and what that takes, in the same words before a run and in its plan.
 *
 * @param moved whether the clock of the target is moved instead of waiting
 */
export function windowWords(
  { windows, validKeys, busiest, waitMs }: Windows,
  moved: boolean,
): string {
  const held = busiest === 'restricted' ? ', held up by the restricted key' : '';
  const time = moved
    ? 'the clock of the target is moved instead of waiting'
    : waitMs === 0
      ? 'no waiting'
      : `about ${formatDuration(waitMs)}`;
  const of = windows === 0 ? 'no window' : plural(windows, 'window');
  return `${of} with ${plural(validKeys, 'valid key')}${held}: ${windows <= 1 ? 'no waiting' : time}`;
}
