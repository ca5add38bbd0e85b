import { closeSync, openSync, writeSync } from 'node:fs';
import { reasonOf } from '../../http/record/journal-writer.ts';
import { EventTeller } from '../../run/events.ts';
import type { RunListener } from '../../run/run.ts';
import { UsageError } from '../errors.ts';
import { guardedText } from '../guarded-console.ts';

export const STDOUT = '-';

/** Writes events as NDJSON to a file or standard output. */
export class EventFile {
  readonly #file: string;
  readonly #subject: string;
  #descriptor: number | null = null;

  /**
   * @param subject of the warning when writing fails
   * @throws UsageError when the file cannot be written
   */
  constructor(file: string, flags: 'w' | 'a', subject: string) {
    this.#file = file;
    this.#subject = subject;
    if (file === STDOUT) return;
    try {
      this.#descriptor = openSync(file, flags);
    } catch (error) {
      throw new UsageError(
        `--events ${file}: cannot write the file: ${reasonOf(error)}. No requests were sent.`,
        'Choose a writable file, or - for standard output.',
      );
    }
  }

  write(event: unknown): void {
    const line = `${guardedText(JSON.stringify(event))}\n`;
    if (this.#file === STDOUT) {
      process.stdout.write(line);
      return;
    }
    if (this.#descriptor === null) return;
    try {
      writeSync(this.#descriptor, line);
    } catch (error) {
      // The run continues: its results contain everything that the events do.
      this.close();
      process.stderr.write(
        `assay: warning: ${this.#file} can no longer be written: ${reasonOf(error)}. ${this.#subject} continues without it.\n`,
      );
    }
  }

  close(): void {
    if (this.#descriptor !== null) closeSync(this.#descriptor);
    this.#descriptor = null;
  }
}

/** Writes the events of a run as NDJSON (`schemas/tool/events.json`). */
export type RunEvents = Pick<EventTeller, 'listener' | 'end' | 'found'> & Pick<EventFile, 'close'>;

/**
 * Opens the event file; null without `--events`.
 * @throws UsageError when the file cannot be written
 */
export function openEvents(file: string | undefined): RunEvents | null {
  if (file === undefined) return null;
  const lines = new EventFile(file, 'w', 'The run');
  const teller = new EventTeller((event) => lines.write(event));
  return Object.assign(teller, { close: () => lines.close() });
}

/** A file of `--events` that outlives one process; null without the option. */
export const appendedEvents = (file: string | undefined, subject: string): EventFile | null =>
  file === undefined ? null : new EventFile(file, 'a', subject);

/** A listener that calls several in order. */
export const tellAll = (listeners: readonly RunListener[]): RunListener => ({
  onStart: (run) => listeners.forEach((one) => one.onStart?.(run)),
  onCheck: (record, done) => listeners.forEach((one) => one.onCheck?.(record, done)),
  onEvent: (event) => listeners.forEach((one) => one.onEvent?.(event)),
  onEnd: (end) => listeners.forEach((one) => one.onEnd?.(end)),
});
