import { closeSync, openSync, writeSync } from 'node:fs';
import { reasonOf } from '../http/journal-writer.ts';
import { EventTeller, type RunEvent } from '../run/events.ts';
import type { RunListener } from '../run/run.ts';
import { UsageError } from './errors.ts';
import { guardedText } from './guarded-console.ts';

/** Stands for standard output, as in other tools. */
export const STDOUT = '-';

/** Writes what happens in a run, one JSON object a line (`schemas/events.json`). */
export interface RunEvents extends Pick<EventTeller, 'listener' | 'end'> {
  close(): void;
}

/**
 * Opens what events are written to; null when nobody asked for them.
 * @throws UsageError when the file cannot be written
 */
export function openEvents(file: string | undefined): RunEvents | null {
  return file === undefined ? null : new EventLines(file);
}

class EventLines extends EventTeller implements RunEvents {
  readonly #file: string;
  #descriptor: number | null = null;

  constructor(file: string) {
    super((event) => this.#write(event));
    this.#file = file;
    if (file === STDOUT) return;
    try {
      this.#descriptor = openSync(file, 'w');
    } catch (error) {
      throw new UsageError(
        `--events ${file}: the file cannot be written: ${reasonOf(error)}. Nothing was sent.`,
        'Name a file that can be written, or - for standard output.',
      );
    }
  }

  close(): void {
    if (this.#descriptor !== null) closeSync(this.#descriptor);
    this.#descriptor = null;
  }

  #write(event: RunEvent): void {
    const line = `${guardedText(JSON.stringify(event))}\n`;
    if (this.#file === STDOUT) {
      process.stdout.write(line);
      return;
    }
    if (this.#descriptor === null) return;
    try {
      writeSync(this.#descriptor, line);
    } catch (error) {
      // The run is worth more than the account of it: its results say everything once more.
      this.close();
      process.stderr.write(
        `assay: warning: ${this.#file} cannot be written any more: ${reasonOf(error)}. The run goes on without it.\n`,
      );
    }
  }
}

/** A listener that tells several, in their order. */
export function tellAll(listeners: readonly RunListener[]): RunListener {
  return {
    onStart: (run) => listeners.forEach((one) => one.onStart?.(run)),
    onCheck: (record, done) => listeners.forEach((one) => one.onCheck?.(record, done)),
    onEvent: (event) => listeners.forEach((one) => one.onEvent?.(event)),
    onEnd: (end) => listeners.forEach((one) => one.onEnd?.(end)),
  };
}
