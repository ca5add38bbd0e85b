import { open, readFile, rename, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import { SPEC_SHA256 } from '../../requirements/clauses.ts';
import type { KeyRole } from '../../spec/exchange.ts';
import { reasonOf } from '../../http/record/journal-writer.ts';
import type { RunSettings } from '../../report/model/results.ts';
import { configuredSecrets } from '../../http/request-headers.ts';
import { KeyRing } from '../../target/keys.ts';
import { JournalError } from './journal-errors.ts';
import { headersDigest, settingsOf, type Started } from '../settings.ts';
import { toolVersion } from '../version.ts';

/** Name of the journal in the folder of a run. It is there while the run is not finished. */
export const JOURNAL_FILE = 'journal.ndjson';

/** First line of a journal: what the run is, so that nothing else is taken up in its place. Holds no key. */
export interface JournalHeader {
  readonly journal: 1;
  readonly tool: string;
  readonly spec: string;
  readonly baseUrl: string;
  readonly envelope: string | null;
  /** True for the embedded reference server, which ends with the run. */
  readonly reference: boolean;
  readonly profile: string;
  readonly seed: number;
  readonly startedAt: string;
  /** Salt of the fingerprints: with the same one, the same keys have the same. */
  readonly salt: string;
  readonly keys: Readonly<Partial<Record<KeyRole, readonly string[]>>>;
  readonly settings: RunSettings;
  readonly headers: string;
  /** Requirements that were wrong in an earlier run and are to be looked at again. */
  readonly wrong?: readonly string[];
}

export interface HeaderOptions extends Started {
  readonly wrong?: readonly string[];
  readonly reference: boolean;
  readonly profile: string;
  readonly seed: number;
  readonly salt: string;
  readonly startedAt: Date;
}

/** The header for a run. */
export function journalHeader(options: HeaderOptions): JournalHeader {
  const { target, seed, salt } = options;
  const ring = new KeyRing(target.keys, { seed, salt, secrets: configuredSecrets(target.http) });
  return {
    journal: 1,
    tool: toolVersion(),
    spec: SPEC_SHA256,
    baseUrl: target.baseUrl,
    envelope: target.envelope,
    reference: options.reference,
    profile: options.profile,
    seed,
    startedAt: options.startedAt.toISOString(),
    salt,
    keys: ring.fingerprints(),
    settings: settingsOf(options),
    headers: headersDigest(target, salt),
    ...(options.wrong !== undefined && { wrong: options.wrong }),
  };
}

/**
 * Begins the journal of a run. One that is there already belongs to an interrupted run that nobody took up: it is kept
 * under another name, since its answers were paid for.
 * @returns where the earlier journal went; null when there was none
 * @throws JournalError when it cannot be written: nothing was sent then
 */
export async function beginJournal(file: string, header: JournalHeader): Promise<string | null> {
  const aside = path.join(path.dirname(file), 'journal.previous.ndjson');
  try {
    const moved = await rename(file, aside).then(
      () => true,
      () => false,
    );
    const handle = await open(file, 'wx', 0o600);
    try {
      await handle.write(`${JSON.stringify(header)}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    return moved ? aside : null;
  } catch (error) {
    throw new JournalError(
      `The journal ${file} cannot be written: ${reasonOf(error)}. Nothing was sent.`,
      'Name a folder that can be written with --output, or make room on the disk.',
      { cause: error },
    );
  }
}

/** Removes the journal of a run whose results are safely on the disk. */
export async function endJournal(file: string): Promise<void> {
  // It is only a remainder by now: failing over it would take a good run away.
  await unlink(file).catch(() => undefined);
}

/** The whole lines of a journal and how many bytes they take: the last one may be torn. */
export async function journalLines(file: string): Promise<{ lines: string[]; bytes: number }> {
  let content: Buffer;
  try {
    const info = await stat(file);
    if (info.size > MAX_BYTES) {
      throw new JournalError(
        `The journal ${file} is larger than ${MAX_BYTES / 1024 ** 2} MB.`,
        'Start a new run.',
      );
    }
    content = await readFile(file);
  } catch (error) {
    if (error instanceof JournalError) throw error;
    throw new JournalError(
      `There is no journal to go on from: ${file} cannot be read: ${reasonOf(error)}.`,
      'Name the folder of an interrupted run. A finished run has none: its results.json is complete.',
      { cause: error },
    );
  }
  const bytes = content.lastIndexOf(0x0a) + 1;
  return { lines: content.subarray(0, bytes).toString('utf8').split('\n').slice(0, -1), bytes };
}

/** Answers of a few hundred requests take some megabytes; whatever is larger was not written by a run. */
const MAX_BYTES = 512 * 1024 ** 2;

/** Cuts a torn last line off and notes that the run goes on. @throws JournalError when it cannot be written */
export async function continueJournal(file: string, bytes: number): Promise<void> {
  try {
    const handle = await open(file, 'r+');
    try {
      await handle.truncate(bytes);
      const line = `${JSON.stringify({ type: 'resumed', at: new Date().toISOString() })}\n`;
      await handle.write(line, bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw new JournalError(
      `The journal ${file} cannot be written: ${reasonOf(error)}. Nothing was sent.`,
      'Make room on the disk, or copy the folder to where it can be written.',
      { cause: error },
    );
  }
}
