import { existsSync } from 'node:fs';
import { appendFile, readFile, rename, stat, truncate, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { SPEC_SHA256 } from '../../requirements/clauses.ts';
import type { KeyRole } from '../../spec/exchange.ts';
import { reasonOf } from '../../http/record/journal-writer.ts';
import type { RunSettings } from '../../report/model/results.ts';
import { configuredSecrets } from '../../http/secrets.ts';
import { CodedError } from '../../text/hinted-error.ts';
import { keyRing } from '../../target/keys.ts';
import { headersDigest, settingsOf, type Started } from '../settings.ts';
import { toolVersion } from '../version.ts';

/** An interrupted run cannot be resumed, or a journal cannot be written. No requests were sent. */
export class JournalError extends CodedError('ASSAY_RESUME') {}

/** Name of the journal in the folder of a run. It exists until the run is finished. */
export const JOURNAL_FILE = 'journal.ndjson';

/** First line of a journal. It identifies the run, so that only the same run is resumed. Contains no keys. */
export interface JournalHeader {
  readonly journal: 1;
  readonly tool: string;
  readonly spec: string;
  readonly baseUrl: string;
  readonly envelope: string | null;
  /** True for the embedded reference server, which does not outlive the run. */
  readonly reference: boolean;
  readonly profile: string;
  readonly seed: number;
  readonly startedAt: string;
  readonly salt: string;
  readonly keys: Readonly<Partial<Record<KeyRole, readonly string[]>>>;
  readonly settings: RunSettings;
  readonly headers: string;
  /** Failures of an earlier run that this run repeats. */
  readonly wrong?: readonly string[];
}

/** What the header of a journal is made of. */
export interface HeaderOptions
  extends Started, Pick<JournalHeader, 'reference' | 'profile' | 'seed' | 'salt' | 'wrong'> {
  readonly startedAt: Date;
}

export function journalHeader(options: HeaderOptions): JournalHeader {
  const { target, reference, profile, seed, salt, wrong } = options;
  const ring = keyRing(target.keys, { seed, salt, secrets: configuredSecrets(target.http) });
  return {
    journal: 1,
    tool: toolVersion(),
    spec: SPEC_SHA256,
    baseUrl: target.baseUrl,
    envelope: target.envelope,
    reference,
    profile,
    seed,
    salt,
    startedAt: options.startedAt.toISOString(),
    keys: ring.fingerprints(),
    settings: settingsOf(options),
    headers: headersDigest(target, salt),
    ...(wrong !== undefined && { wrong }),
  };
}

/**
 * Creates the journal of a run. An existing one belongs to an interrupted run and is renamed, not overwritten, because
 * its requests cost quota.
 * @returns the new path of the existing journal, or null
 * @throws JournalError when it cannot be written
 */
export async function beginJournal(file: string, header: JournalHeader): Promise<string | null> {
  const previous = path.join(path.dirname(file), 'journal.previous.ndjson');
  try {
    const isThere = existsSync(file);
    if (isThere) await rename(file, previous);
    const line = `${JSON.stringify(header)}\n`;
    await writeFile(file, line, { flag: 'wx', mode: 0o600, flush: true });
    return isThere ? previous : null;
  } catch (error) {
    throw unwritten(file, error, 'Choose a writable folder with --output, or free up disk space.');
  }
}

/** Removes the journal after the results were written. */
export async function endJournal(file: string): Promise<void> {
  // The results are complete, so a failure here does not matter.
  await unlink(file).catch(() => undefined);
}

/** The complete lines of a journal and their size in bytes; the last line may be truncated. */
export async function journalLines(file: string): Promise<{ lines: string[]; bytes: number }> {
  let content: Buffer;
  try {
    if ((await stat(file)).size > MAX_BYTES) throw new Error('larger than 512 MB');
    content = await readFile(file);
  } catch (error) {
    throw new JournalError(
      `Cannot resume: the journal ${file} cannot be read: ${reasonOf(error)}.`,
      'Pass the folder of an interrupted run. A finished run has no journal.',
      { cause: error },
    );
  }
  const bytes = content.lastIndexOf(0x0a) + 1;
  return { lines: content.subarray(0, bytes).toString('utf8').split('\n').slice(0, -1), bytes };
}

/** A run writes a few megabytes; a larger file is not a journal. */
const MAX_BYTES = 512 * 1024 ** 2;

/** Removes a truncated last line and records that the run was resumed. @throws JournalError when it cannot be written */
export async function continueJournal(file: string, bytes: number): Promise<void> {
  try {
    await truncate(file, bytes);
    const line = JSON.stringify({ type: 'resumed', at: new Date().toISOString() });
    await appendFile(file, `${line}\n`, { flush: true });
  } catch (error) {
    throw unwritten(file, error, 'Free up disk space, or copy the folder to a writable place.');
  }
}

const unwritten = (file: string, cause: unknown, hint: string): JournalError =>
  new JournalError(
    `The journal ${file} cannot be written: ${reasonOf(cause)}. No requests were sent.`,
    hint,
    { cause },
  );
