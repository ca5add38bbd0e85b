import type { RunEvent } from './events.ts';

/** An event of traffic that is watched, as a line of `--events`. */
export function watchEvent(
  type: RunEvent['type'],
  content: Readonly<Record<string, unknown>>,
): RunEvent {
  return { type, at: new Date().toISOString(), [type]: content } as unknown as RunEvent;
}
