import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import type { Exchange } from '../../spec/exchange.ts';
import { SessionError } from '../errors.ts';

/** The file is synced to the disk at most this often, ms: syncing takes longer than many answers. */
const SYNC_MS = 200;

/** A line of the journal after its header. */
export type JournalLine =
  /** Written before a request is sent, so that requests in flight are known after a crash. */
  | {
      readonly type: 'sent' | 'answer';
      readonly exchange: Exchange;
      /** Time spent waiting for windows so far, ms. */
      readonly waitedMs: number;
    }
  /** A check has advanced the clock of a test target. */
  | { readonly type: 'advance'; readonly sequence: number | undefined }
  | { readonly type: 'sequence'; readonly number: number; readonly state: 'begin' | 'end' }
  | { readonly type: 'probes'; readonly left: number }
  | { readonly type: 'resumed'; readonly at: string };

/**
 * Appends to the journal of a run. Every line is passed to the operating system before the run continues, so it
 * survives a crash of the process. A crash of the machine may lose the last ones.
 */
export class JournalWriter {
  readonly #path: string;
  readonly #descriptor: number;
  #failed: SessionError | null = null;
  #syncedAt = 0;
  #closed = false;

  /** @throws SessionError when the file cannot be opened */
  constructor(path: string) {
    this.#path = path;
    try {
      this.#descriptor = openSync(path, 'a');
    } catch (error) {
      throw journalFailed(path, error);
    }
  }

  /** @throws SessionError when this line or an earlier one could not be written */
  write(line: JournalLine): void {
    if (this.#closed) return;
    if (this.#failed !== null) throw this.#failed;
    try {
      const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
      for (let written = 0; written < bytes.length;) {
        written += writeSync(this.#descriptor, bytes, written);
      }
      if (Date.now() - this.#syncedAt >= SYNC_MS) this.#sync();
    } catch (error) {
      this.#failed = journalFailed(this.#path, error);
      throw this.#failed;
    }
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    try {
      this.#sync();
    } catch {
      // A reader detects an incomplete journal.
    }
    closeSync(this.#descriptor);
  }

  /** Pipes and devices cannot be synced, which is fine; a failing disk is not. */
  #sync(): void {
    this.#syncedAt = Date.now();
    try {
      fdatasyncSync(this.#descriptor);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EINVAL') throw error;
    }
  }
}

/** The disk is full, read-only or broken. Ends the run, because further answers could not be saved and would cost quota again. */
const journalFailed = (path: string, error: unknown): SessionError =>
  new SessionError(
    'ASSAY_JOURNAL',
    `The journal ${path} cannot be written: ${reasonOf(error)}. The run was stopped, because further responses could not be saved.`,
    'Free up disk space, then continue with `assay run --resume` and the folder of this run.',
  );

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'no space left on disk',
  EDQUOT: 'disk quota exceeded',
  EFBIG: 'file size limit exceeded',
  EROFS: 'read-only file system',
  EIO: 'disk error',
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  ENOENT: 'no such file or folder',
};

/** Readable reason of a file system error. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const known = code === undefined ? undefined : REASONS[code];
  return known === undefined ? message : `${known} (${code ?? ''})`;
}
