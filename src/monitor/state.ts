import { randomBytes } from 'node:crypto';
import { lstat, readFile } from 'node:fs/promises';
import path from 'node:path';
import { reasonOf } from '../http/record/journal-writer.ts';
import type { HistoryRun } from '../report/model/monitor-history.ts';
import { makeFolder } from '../fs/make-folder.ts';
import { replaceFile } from '../report/replace-file.ts';
import { isObject } from '../text/json-value.ts';
import type { Account } from './account.ts';
import { MonitorError } from './errors.ts';
import type { PendingRow } from './settlement.ts';
import { NOTHING_KNOWN, type Standing } from './standing.ts';
import type { PendingNotification } from './notify/notification.ts';

/** Why a run was made: the schedule, an open violation, or a row that has to be complete by now. */
export type RunKind = HistoryRun['kind'];

/** A run as the state keeps it; whether its report is still there, is looked up. */
export interface RunEntry extends Omit<HistoryRun, 'report'> {
  /** True when the run was cut short, so that no report may be there. */
  readonly interrupted?: true;
}

/** When a requirement was verified last, and first; ISO 8601. */
export interface Verified {
  readonly first: string;
  readonly last: string;
  /** Days on which it was, `2026-11-23`, as long as they are kept. */
  readonly days: readonly string[];
}

/** The verdict was another one from here on. */
export interface TurnEntry {
  readonly id: string;
  readonly at: string;
  readonly from: string | null;
  readonly to: string;
  readonly folder: string;
  readonly violated: readonly string[];
  readonly mended: readonly string[];
}

/** All that a monitor has to know when it goes on. It is in one file, so that no part of it is older than another. */
export interface MonitorState {
  readonly version: 1;
  readonly baseUrl: string;
  /** Salt of the fingerprints of keys in the account. Runs have one of their own each. */
  readonly salt: string;
  /** When it was begun, ISO 8601. */
  readonly begun: string;
  readonly account: Account;
  /** What the reserved run was asked to do, so that it can be taken up. */
  readonly underWay: UnderWay | null;
  /** Moment of the schedule that was dealt with last, epoch ms. */
  readonly slot: number | null;
  /** Begin of the last runs, epoch ms: of the schedule, of the whole profile, and with the restricted key. */
  readonly lastRunAt: number | null;
  readonly lastWholeAt: number | null;
  readonly lastRestrictedAt: number | null;
  readonly standing: Standing;
  readonly pending: readonly PendingRow[];
  readonly runs: readonly RunEntry[];
  readonly turns: readonly TurnEntry[];
  readonly verified: Readonly<Record<string, Verified>>;
  readonly notifications: readonly PendingNotification[];
}

/** A run that was begun. */
export interface UnderWay {
  readonly kind: RunKind;
  readonly whole: boolean;
  readonly slot: number | null;
  readonly at: number;
  readonly profile: string;
  readonly seed: number;
  readonly only: readonly string[];
  readonly skip: readonly string[];
  /** The ETF that it is a look at; null for others. */
  readonly ticker: string | null;
}

/** Folder of what is for the monitor alone, in its output folder. It holds salted fingerprints with their salt: not for publishing. */
export const STATE_FOLDER = 'state';
const STATE_FILE = 'monitor.json';
/** Larger files were not written by a monitor, bytes. */
const MOST_BYTES = 64 * 1024 * 1024;

/** The state of a monitor that begins. */
export const newState = (baseUrl: string, now: number): MonitorState => ({
  version: 1,
  baseUrl,
  salt: randomBytes(16).toString('hex'),
  begun: new Date(now).toISOString(),
  account: { months: {}, reserved: null },
  underWay: null,
  slot: null,
  lastRunAt: null,
  lastWholeAt: null,
  lastRestrictedAt: null,
  standing: NOTHING_KNOWN,
  pending: [],
  runs: [],
  turns: [],
  verified: {},
  notifications: [],
});

const fileIn = (output: string): string => path.join(output, STATE_FOLDER, STATE_FILE);

/**
 * Reads the state of the monitor of a folder; null when none has been there.
 * @throws MonitorError when it cannot be read, or is that of another target: what was spent would be forgotten
 */
export async function readState(output: string, baseUrl: string): Promise<MonitorState | null> {
  const file = fileIn(output);
  let text: string;
  try {
    const info = await lstat(file);
    if (!info.isFile() || info.size > MOST_BYTES) throw new Error('it is no file of a monitor');
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw unreadable(file, reasonOf(error));
  }
  const state = stateIn(text);
  if (state === undefined) throw unreadable(file, 'it is not the state of a monitor');
  if (state.version !== 1) {
    throw unreadable(file, `it was written by another version of Assay (${String(state.version)})`);
  }
  if (state.baseUrl !== baseUrl) {
    throw new MonitorError(
      `The folder ${output} belongs to a monitor of another target.`,
      'Name a folder of its own for each target with --output.',
    );
  }
  return state;
}

function stateIn(text: string): MonitorState | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value) || !isObject(value['account']) || !isObject(value['standing']))
      return undefined;
    const lists = ['pending', 'runs', 'turns', 'notifications'];
    if (lists.some((name) => !Array.isArray(value[name]))) return undefined;
    const texts = ['baseUrl', 'salt', 'begun'];
    if (texts.some((name) => typeof value[name] !== 'string')) return undefined;
    if (!isObject(value['account']['months']) || !isObject(value['verified'])) return undefined;
    return value as unknown as MonitorState;
  } catch {
    return undefined;
  }
}

const unreadable = (file: string, why: string): MonitorError =>
  new MonitorError(
    `The state ${file} cannot be used: ${why}.`,
    'Put back a copy, or move it away: the monitor then begins anew, and what was spent this month is forgotten.',
  );

/**
 * Writes the state: whole, or not at all, and onto the disk before anything goes on.
 * @throws MonitorError when it cannot be written
 */
export async function writeState(output: string, state: MonitorState): Promise<void> {
  const file = fileIn(output);
  try {
    makeFolder(path.dirname(file), 0o700);
    await replaceFile(file, `${JSON.stringify(state)}\n`, 0o600);
  } catch (error) {
    throw new MonitorError(
      `The state ${file} cannot be written: ${reasonOf(error)}.`,
      'Make room on the disk, or name a folder that can be written with --output.',
      { cause: error },
    );
  }
}
