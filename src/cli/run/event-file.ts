import { closeSync, openSync, writeSync } from 'node:fs';
import { reasonOf } from '../../http/record/journal-writer.ts';
import { UsageError } from '../errors.ts';
import { guardedText } from '../guarded-console.ts';

/** Stands for standard output, as in other tools. */
export const STDOUT = '-';

/** Events, one JSON object a line, in a file or on standard output. */
export class EventFile {
  readonly #file: string;
  readonly #goesOn: string;
  #descriptor: number | null = null;

  /**
   * @param what how a warning names the work that is worth more than its events
   * @throws UsageError when the file cannot be written
   */
  constructor(file: string, options: { readonly flags: 'w' | 'a'; readonly what: string }) {
    this.#file = file;
    this.#goesOn = options.what;
    if (file === STDOUT) return;
    try {
      this.#descriptor = openSync(file, options.flags);
    } catch (error) {
      throw new UsageError(
        `--events ${file}: the file cannot be written: ${reasonOf(error)}. Nothing was sent.`,
        'Name a file that can be written, or - for standard output.',
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
      // The work is worth more than the account of it: its results say everything once more.
      this.close();
      process.stderr.write(
        `assay: warning: ${this.#file} cannot be written any more: ${reasonOf(error)}. ${this.#goesOn} goes on without it.\n`,
      );
    }
  }

  close(): void {
    if (this.#descriptor !== null) closeSync(this.#descriptor);
    this.#descriptor = null;
  }
}
