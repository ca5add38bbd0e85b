import { EventTeller } from '../../run/events.ts';
import type { RunListener } from '../../run/run.ts';
import { EventFile } from './event-file.ts';

export { STDOUT } from './event-file.ts';

/** Writes the events of a run as NDJSON (`schemas/tool/events.json`). */
export interface RunEvents extends Pick<EventTeller, 'listener' | 'end' | 'found'> {
  close(): void;
}

/**
 * Opens the event file; null without `--events`.
 * @throws UsageError when the file cannot be written
 */
export function openEvents(file: string | undefined): RunEvents | null {
  return file === undefined ? null : new EventLines(file);
}

class EventLines extends EventTeller implements RunEvents {
  readonly #lines: EventFile;

  constructor(file: string) {
    super((event) => this.#lines.write(event));
    this.#lines = new EventFile(file, { flags: 'w', what: 'The run' });
  }

  close(): void {
    this.#lines.close();
  }
}

/** A listener that calls several in order. */
export function tellAll(listeners: readonly RunListener[]): RunListener {
  return {
    onStart: (run) => listeners.forEach((one) => one.onStart?.(run)),
    onCheck: (record, done) => listeners.forEach((one) => one.onCheck?.(record, done)),
    onEvent: (event) => listeners.forEach((one) => one.onEvent?.(event)),
    onEnd: (end) => listeners.forEach((one) => one.onEnd?.(end)),
  };
}
