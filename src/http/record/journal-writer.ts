import { closeSync, fdatasync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import type { Exchange } from '../../spec/exchange.ts';
import { JournalFailed } from '../errors.ts';

/** Longest time for which an answer is on its way to the disk only, ms. */
const SYNC_MS = 200;

/** State of a session beside its exchanges, as far as a later part of the run needs it. */
export interface JournalState {
  /** How far the clock of a test target was moved, ms. */
  readonly advancedMs: number;
  /** Time spent waiting for windows, ms. */
  readonly waitedMs: number;
}

/** A line of the journal after its header. */
export type JournalLine =
  /** Written before a request goes out, so that one that was under way is known to be lost. */
  | ({ readonly type: 'sent'; readonly exchange: Exchange } & JournalState)
  | ({ readonly type: 'answer'; readonly exchange: Exchange } & JournalState)
  /** The clock of a test target was moved: by a check, or to wait for a window. */
  | {
      readonly type: 'advance';
      readonly advancedMs: number;
      readonly by: 'check' | 'window';
      readonly sequence?: number;
    }
  | { readonly type: 'sequence'; readonly number: number; readonly state: 'begin' | 'end' }
  | { readonly type: 'probes'; readonly left: number }
  | { readonly type: 'resumed'; readonly at: string };

/**
 * Appends to the journal of a run. Every line is handed to the operating system before the run goes on, so that it
 * survives the death of this process; it is forced onto the disk at most 200 ms later, which is what a machine that
 * dies may lose.
 */
export class JournalWriter {
  readonly #path: string;
  readonly #descriptor: number;
  #failed: JournalFailed | null = null;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #syncing = false;
  #dirty = false;
  #closed = false;

  /** @throws JournalFailed when the file cannot be opened */
  constructor(path: string) {
    this.#path = path;
    try {
      this.#descriptor = openSync(path, 'a');
    } catch (error) {
      throw new JournalFailed(path, reasonOf(error));
    }
  }

  /** @throws JournalFailed when this line or an earlier one could not be written */
  write(line: JournalLine): void {
    if (this.#closed) return;
    if (this.#failed !== null) throw this.#failed;
    try {
      const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
      for (let written = 0; written < bytes.length;) {
        written += writeSync(this.#descriptor, bytes, written);
      }
    } catch (error) {
      this.#failed = new JournalFailed(this.#path, reasonOf(error));
      throw this.#failed;
    }
    this.#syncSoon();
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    try {
      fdatasyncSync(this.#descriptor);
    } catch {
      // Whoever reads the journal finds out how far it goes.
    }
    // A sync under way still needs the descriptor, and closes it.
    if (!this.#syncing) closeSync(this.#descriptor);
  }

  #syncSoon(): void {
    this.#dirty = true;
    if (this.#timer !== null || this.#syncing) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#syncing = true;
      this.#dirty = false;
      fdatasync(this.#descriptor, (error) => {
        this.#syncing = false;
        // What cannot be forced onto the disk (a pipe, a device) is as safe as it gets; a failing disk is not.
        if (error !== null && error.code !== 'EINVAL') {
          this.#failed ??= new JournalFailed(this.#path, reasonOf(error));
        }
        if (this.#closed) closeSync(this.#descriptor);
        else if (this.#dirty) this.#syncSoon();
      });
    }, SYNC_MS);
    this.#timer.unref();
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'no space is left on the disk',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file may not grow any more',
  EROFS: 'the file system is read-only',
  EIO: 'the disk reports an error',
  EACCES: 'permission is denied',
  EPERM: 'the operation is not permitted',
  ENOENT: 'there is no such file or folder',
};

/** Why a file could not be written, in words. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const known = code === undefined ? undefined : REASONS[code];
  return known === undefined ? message : `${known} (${code ?? ''})`;
}
