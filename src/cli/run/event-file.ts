import { closeSync, openSync, writeSync } from 'node:fs';
import { reasonOf } from '../../http/record/journal-writer.ts';
import { eventTeller } from '../../run/events.ts';
import type { RunListener } from '../../run/run.ts';
import { UsageError } from '../errors.ts';
import { guardedText } from '../guarded-console.ts';

export const STDOUT = '-';

/** A file or standard output for events, as NDJSON. */
export interface EventFile {
  readonly write: (event: unknown) => void;
  readonly close: () => void;
}

/** @param subject of the warning when writing fails @throws UsageError when it cannot be opened */
function eventFile(file: string, flags: 'w' | 'a', subject: string): EventFile {
  const line = (event: unknown): string => `${guardedText(JSON.stringify(event))}\n`;
  if (file === STDOUT) {
    return { write: (event) => void process.stdout.write(line(event)), close: () => undefined };
  }
  let descriptor: number | null;
  try {
    descriptor = openSync(file, flags);
  } catch (error) {
    throw new UsageError(
      `--events ${file}: cannot write the file: ${reasonOf(error)}. No requests were sent.`,
      'Choose a writable file, or - for standard output.',
    );
  }
  const close = (): void => {
    if (descriptor !== null) closeSync(descriptor);
    descriptor = null;
  };
  const write = (event: unknown): void => {
    if (descriptor === null) return;
    try {
      writeSync(descriptor, line(event));
    } catch (error) {
      // The run continues: its results contain everything that the events do.
      close();
      process.stderr.write(
        `assay: warning: ${file} can no longer be written: ${reasonOf(error)}. ${subject} continues without it.\n`,
      );
    }
  };
  return { write, close };
}

/** Writes the events of a run as NDJSON (`schemas/tool/events.json`). */
export type RunEvents = ReturnType<typeof eventTeller> & Pick<EventFile, 'close'>;

/** Opens the event file; null without `--events`. @throws UsageError when it cannot be opened */
export function openEvents(file: string | undefined): RunEvents | null {
  if (file === undefined) return null;
  const { write, close } = eventFile(file, 'w', 'The run');
  return { ...eventTeller(write), close };
}

/** A file of `--events` that outlives one process; null without the option. */
export const appendedEvents = (file: string | undefined, subject: string): EventFile | null =>
  file === undefined ? null : eventFile(file, 'a', subject);

/** A listener that calls several in order. */
export const tellAll = (listeners: readonly RunListener[]): RunListener => ({
  onStart: (run) => listeners.forEach((one) => one.onStart?.(run)),
  onCheck: (record, done) => listeners.forEach((one) => one.onCheck?.(record, done)),
  onEvent: (event) => listeners.forEach((one) => one.onEvent?.(event)),
  onEnd: (end) => listeners.forEach((one) => one.onEnd?.(end)),
});
