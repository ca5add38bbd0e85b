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

/** Writes a journal. */
export type JournalWriter = ReturnType<typeof journalWriter>;

/**
 * Appends to the journal of a run. Every line is passed to the operating system before the run continues, so it
 * survives a crash of the process. A crash of the machine may lose the last ones.
 * @throws SessionError when the file cannot be opened
 */
export function journalWriter(path: string) {
  let descriptor: number;
  try {
    descriptor = openSync(path, 'a');
  } catch (error) {
    throw journalFailed(path, error);
  }
  let failed: SessionError | null = null;
  let syncedAt = 0;
  let isClosed = false;
  /** Pipes and devices cannot be synced, which is fine; a failing disk is not. */
  const sync = (): void => {
    syncedAt = Date.now();
    try {
      fdatasyncSync(descriptor);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EINVAL') throw error;
    }
  };
  return {
    /** @throws SessionError when this line or an earlier one could not be written */
    write(line: JournalLine): void {
      if (isClosed) return;
      if (failed !== null) throw failed;
      try {
        const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
        for (let written = 0; written < bytes.length;) {
          written += writeSync(descriptor, bytes, written);
        }
        if (Date.now() - syncedAt >= SYNC_MS) sync();
      } catch (error) {
        failed = journalFailed(path, error);
        throw failed;
      }
    },
    close(): void {
      if (isClosed) return;
      isClosed = true;
      try {
        sync();
      } catch {
        // A reader detects an incomplete journal.
      }
      closeSync(descriptor);
    },
  };
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
