import type { RunEvent } from './events.ts';

/** An event of a watch for `--events`. */
export function watchEvent(
  type: RunEvent['type'],
  content: Readonly<Record<string, unknown>>,
): RunEvent {
  return { type, at: new Date().toISOString(), [type]: content } as unknown as RunEvent;
}
