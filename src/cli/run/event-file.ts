import { closeSync, openSync, writeSync } from 'node:fs';
import { reasonOf } from '../../http/record/journal-writer.ts';
import { UsageError } from '../errors.ts';
import { guardedText } from '../guarded-console.ts';

export const STDOUT = '-';

/** Writes events as NDJSON to a file or standard output. */
export class EventFile {
  readonly #file: string;
  readonly #subject: string;
  #descriptor: number | null = null;

  /**
   * @param what subject of the warning when writing fails
   * @throws UsageError when the file cannot be written
   */
  constructor(file: string, options: { readonly flags: 'w' | 'a'; readonly what: string }) {
    this.#file = file;
    this.#subject = options.what;
    if (file === STDOUT) return;
    try {
      this.#descriptor = openSync(file, options.flags);
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
