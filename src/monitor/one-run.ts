import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from '../fs/make-folder.ts';
import { SecretsGate } from '../fs/secrets-gate.ts';
import { secretsOf } from '../http/secrets.ts';
import type { Format } from '../report/formats.ts';
import type { NamedFile, Results } from '../report/model/results.ts';
import { writeReports } from '../report/write.ts';
import { withHistory } from '../run/history.ts';
import {
  beginJournal,
  continueJournal,
  endJournal,
  JOURNAL_FILE,
  journalHeader,
} from '../run/journal/journal.ts';
import { readJournal } from '../run/journal/read-journal.ts';
import { mustFit, readInterrupted } from '../run/journal/resume.ts';
import { run, type RunListener, type RunOptions } from '../run/run.ts';
import type { Waiver } from '../run/waivers.ts';
import type { Target } from '../target/target.ts';
import { isObject } from '../text/json-value.ts';
import { spentIn, type Spent } from './budget.ts';
import type { RunEntry, Task } from './state.ts';

/** Settings shared by all runs of a monitor. */
export interface RunFrame extends Pick<RunOptions, 'concurrency'> {
  readonly named: NamedFile;
  readonly formats: readonly Format[];
  /** Read before each run, so that waivers can expire. */
  readonly waivers?: () => readonly Waiver[];
  readonly listener?: (target: Target) => RunListener;
}

type Ordered = 'target' | 'profile' | 'seed' | 'only' | 'skip' | 'earlierRows' | 'signal';

/** One run of a monitor. */
export interface RunOrder extends Required<Pick<RunOptions, Ordered | 'maxRestricted'>> {
  readonly folder: string;
  readonly maxRequests: number;
}

/** Data to resume an interrupted run. */
export interface TakenUp extends Required<Pick<RunOptions, 'known' | 'resumed' | 'startedAt'>> {
  readonly salt: string;
}

/**
 * The interrupted run of a folder if it can be resumed: of this version, with these keys, and not too old. Null
 * otherwise.
 */
export async function takenUp(order: RunOrder): Promise<TakenUp | null> {
  try {
    const interrupted = await readInterrupted(order.folder, { now: Date.now() });
    mustFit(interrupted, { ...order, path: null });
    await continueJournal(interrupted.file, interrupted.bytes);
    const { known, resumed, header } = interrupted;
    const { salt, startedAt } = header;
    return { known, resumed: resumed + 1, startedAt: new Date(startedAt), salt };
  } catch {
    return null;
  }
}

/**
 * Runs the suites and writes the reports. The journal of an interrupted run stays for the next process.
 * @throws SuiteFailure, JournalError, ReportWriteError, SecretLeak
 */
export async function oneRun(
  { named, formats, waivers, concurrency, listener }: RunFrame,
  order: RunOrder,
  earlier: TakenUp | null,
): Promise<Results> {
  const { target, folder } = order;
  const salt = earlier?.salt ?? randomBytes(16).toString('hex');
  const journal = path.join(folder, JOURNAL_FILE);
  const startedAt = earlier?.startedAt ?? new Date();
  if (earlier === null) {
    makeFolder(folder);
    const header = { ...order, path: null, reference: false, startedAt, salt };
    await beginJournal(journal, journalHeader(header));
  }
  const ended = await run({
    ...order,
    reference: false,
    named,
    ...(concurrency !== undefined && { concurrency }),
    startedAt,
    journal: { path: journal, salt },
    failOn: ['must'],
    // A separate signal: listeners of a run would stay on the monitor's signal forever.
    signal: AbortSignal.any([order.signal]),
    ...(waivers !== undefined && { waivers: waivers() }),
    ...(listener !== undefined && { listener: listener(target) }),
    ...earlier,
  });
  const results = await withHistory(ended, folder);
  await writeReports(results, folder, formats, { gate: new SecretsGate(secretsOf(target)) });
  if (results.verdict !== 'interrupted') await endJournal(journal);
  return results;
}

/** The results of a finished run whose process died before it booked them. */
export function finishedIn(folder: string): Results | null {
  try {
    const value: unknown = JSON.parse(readFileSync(path.join(folder, 'results.json'), 'utf8'));
    if (!isObject(value) || !Array.isArray(value['requirements'])) return null;
    return value['verdict'] === 'interrupted' ? null : (value as unknown as Results);
  } catch {
    return null;
  }
}

/**
 * Cost of a run from its journal, which has every request before it is sent. The whole reservation, with each key, if
 * the journal cannot be read.
 */
export async function spentBy(
  folder: string,
  { month, valid, restricted, keys }: Task,
): Promise<{ readonly spent: Spent; readonly sent: RunEntry['requests'] }> {
  const file = path.join(folder, JOURNAL_FILE);
  // Without a journal nothing was sent.
  if (!existsSync(file)) return { spent: {}, sent: { valid: 0, restricted: 0 } };
  try {
    const { known, header } = await readJournal(file);
    const of = (role: string): number => known.exchanges.filter((one) => one.role === role).length;
    const sent = { valid: of('valid'), restricted: of('restricted') };
    return { spent: spentIn(known.exchanges, header.keys, keys), sent };
  } catch {
    const all = [
      ...keys.valid.map((key) => [key, valid]),
      ...keys.restricted.map((key) => [key, restricted]),
    ];
    return { spent: { [month]: Object.fromEntries(all) }, sent: { valid, restricted } };
  }
}
