import { closeSync, openSync, writeSync } from 'node:fs';
import { reasonOf } from '../http/journal-writer.ts';
import { EventTeller, type RunEvent } from '../run/events.ts';
import type { RunListener } from '../run/run.ts';
import { UsageError } from './errors.ts';
import { guardedText } from './guarded-console.ts';

/** Stands for standard output, as in other tools. */
export const STDOUT = '-';

/** Writes what happens in a run, one JSON object a line (`schemas/events.json`). */
export interface RunEvents extends Pick<EventTeller, 'listener' | 'end' | 'found'> {
  close(): void;
}

/**
 * Opens what events are written to; null when nobody asked for them.
 * @throws UsageError when the file cannot be written
 */
export function openEvents(file: string | undefined): RunEvents | null {
  return file === undefined ? null : new EventLines(file);
}

/** A file, or standard output, that events are written to. */
export interface EventFile {
  write(event: RunEvent): void;
  close(): void;
}

/**
 * @param flags `w` begins the file anew, `a` writes behind what is there
 * @param goesOn what goes on when the file cannot be written any more: `The run`
 * @throws UsageError when the file cannot be written
 */
export function openEventFile(file: string, flags: 'w' | 'a', goesOn: string): EventFile {
  let descriptor: number | null = null;
  const close = (): void => {
    if (descriptor !== null) closeSync(descriptor);
    descriptor = null;
  };
  if (file !== STDOUT) {
    try {
      descriptor = openSync(file, flags);
    } catch (error) {
      throw new UsageError(
        `--events ${file}: the file cannot be written: ${reasonOf(error)}. Nothing was sent.`,
        'Name a file that can be written, or - for standard output.',
      );
    }
  }
  const write = (event: RunEvent): void => {
    const line = `${guardedText(JSON.stringify(event))}\n`;
    if (file === STDOUT) {
      process.stdout.write(line);
      return;
    }
    if (descriptor === null) return;
    try {
      writeSync(descriptor, line);
    } catch (error) {
      // What is judged is worth more than the account of it: the results say everything once more.
      close();
      process.stderr.write(
        `assay: warning: ${file} cannot be written any more: ${reasonOf(error)}. ${goesOn} goes on without it.\n`,
      );
    }
  };
  return { write, close };
}

class EventLines extends EventTeller implements RunEvents {
  readonly #lines: EventFile;

  constructor(file: string) {
    const lines = openEventFile(file, 'w', 'The run');
    super((event) => lines.write(event));
    this.#lines = lines;
  }

  close(): void {
    this.#lines.close();
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
