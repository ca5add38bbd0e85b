import { randomBytes } from 'node:crypto';
import { lstat, readFile } from 'node:fs/promises';
import path from 'node:path';
import { reasonOf } from '../http/record/journal-writer.ts';
import type { HistoryRun, MonitorHistory } from '../report/model/monitor-history.ts';
import { makeFolder } from '../fs/make-folder.ts';
import { replaceFile } from '../fs/replace-file.ts';
import { isObject } from '../text/json-value.ts';
import type { Results } from '../report/model/results.ts';
import { sumOf, type KeysSpent, type Spent } from './budget.ts';
import { MonitorError } from './errors.ts';
import type { PendingRow } from './settlement.ts';
import { NOTHING_KNOWN, type Status } from './status.ts';
import type { PendingNotification } from './notify/notification.ts';

/** A run in the state. */
export type RunEntry = Omit<HistoryRun, 'report'>;

/** When a requirement was verified. */
export interface Verified {
  /** ISO 8601. */
  readonly last: string;
  /** Days on which it was verified (`2026-11-23`), as long as they are kept. */
  readonly days: readonly string[];
}

/** A verdict change. */
export interface VerdictChangeEntry extends Omit<MonitorHistory['turns'][number], 'report'> {
  readonly folder: string;
}

/** State for the next process, in one file so that it is consistent. */
export interface MonitorState {
  readonly version: 1;
  readonly baseUrl: string;
  /** Salt of the key fingerprints in the account. Each run has a separate one. */
  readonly salt: string;
  /** When the monitor was first started, ISO 8601. */
  readonly begun: string;
  readonly account: {
    readonly months: Spent;
    /** The run in progress: its maximum cost is replaced by the actual one when it ends. */
    readonly reserved: Task | null;
  };
  /** Last scheduled time that was handled, epoch ms. */
  readonly slot: number | null;
  /** Start of the last runs, epoch ms: scheduled, full, and with the restricted key. */
  readonly lastRunAt: number | null;
  readonly lastWholeAt: number | null;
  readonly lastRestrictedAt: number | null;
  readonly standing: Status;
  readonly pending: readonly PendingRow[];
  readonly runs: readonly RunEntry[];
  readonly turns: readonly VerdictChangeEntry[];
  readonly verified: Readonly<Record<string, Verified>>;
  readonly notifications: readonly PendingNotification[];
}

/** A started run, saved so that it can be resumed or booked by the next process. */
export interface Task {
  /** Reason for it: the schedule, an open violation, or a row that should be complete. */
  readonly kind: HistoryRun['kind'];
  readonly whole: boolean;
  readonly slot: number | null;
  readonly at: number;
  /** Relative to the output folder. */
  readonly folder: string;
  readonly profile: string;
  readonly seed: number;
  readonly only: readonly string[];
  readonly skip: readonly string[];
  /** The ETF that it follows up on; null for others. */
  readonly ticker: string | null;
  /** Maximum number of requests with valid keys and with the restricted key. */
  readonly valid: number;
  readonly restricted: number;
  /** Month of the reservation, and fingerprints of the keys that the run may use. */
  readonly month: string;
  readonly keys: KeysSpent;
}

/** Private file in the output folder. It has salted fingerprints with their salt, and must not be published. */
const STATE_FILE = path.join('state', 'monitor.json');
const MOST_BYTES = 64 * 1024 * 1024;

/** The initial state of a monitor. */
export const newState = (baseUrl: string, now: number): MonitorState => ({
  version: 1,
  baseUrl,
  salt: randomBytes(16).toString('hex'),
  begun: new Date(now).toISOString(),
  account: { months: {}, reserved: null },
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

/**
 * Reads the state of the monitor of a folder; null if there is none.
 * @throws MonitorError if it cannot be read or is of another target, because its budget would be lost
 */
export async function readState(output: string, baseUrl: string): Promise<MonitorState | null> {
  const file = path.join(output, STATE_FILE);
  let state: unknown;
  try {
    const info = await lstat(file);
    if (info.isFile() && info.size <= MOST_BYTES) state = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    if (!(error instanceof SyntaxError)) throw unreadable(file, reasonOf(error));
  }
  if (!isState(state)) throw unreadable(file, 'the file does not contain the state of a monitor');
  if (state.version !== 1) {
    const version = String(state.version);
    const why = `it was written by a different version of Assay (state version ${version})`;
    throw unreadable(file, why);
  }
  if (state.baseUrl === baseUrl) return state;
  throw new MonitorError(
    `The folder ${output} belongs to a monitor of a different target.`,
    'Use a separate folder for each target with --output.',
  );
}

const isState = (value: unknown): value is MonitorState =>
  isObject(value) &&
  isObject(value['account']) &&
  [value['account']['months'], value['standing'], value['verified']].every(isObject) &&
  ['pending', 'runs', 'turns', 'notifications'].every((name) => Array.isArray(value[name])) &&
  ['baseUrl', 'salt', 'begun'].every((name) => typeof value[name] === 'string');

const unreadable = (file: string, why: string): MonitorError =>
  new MonitorError(
    `The state file ${file} cannot be used: ${why}.`,
    'Restore a copy of the file, or move the file away: the monitor then starts over and forgets the requests spent this month.',
  );

export type Store = ReturnType<typeof storeOf>;

/** The state of a monitor, on disk and in memory. Changes are sequential and atomic. */
export function storeOf(output: string, begun: MonitorState) {
  const file = path.join(output, STATE_FILE);
  let state = begun;
  let last: Promise<unknown> = Promise.resolve();
  const write = async (changed: MonitorState): Promise<MonitorState> => {
    try {
      makeFolder(path.dirname(file), 0o700);
      await replaceFile(file, `${JSON.stringify(changed)}\n`, 0o600);
    } catch (error) {
      throw new MonitorError(
        `The state file ${file} cannot be written: ${reasonOf(error)}.`,
        'Free up disk space, or choose a writable folder with --output.',
        { cause: error },
      );
    }
    state = changed;
    return state;
  };
  return {
    /** The state that is on disk, or about to be. */
    get state(): MonitorState {
      return state;
    },
    /**
     * Changes the state. The returned state is on disk.
     * @throws MonitorError if it cannot be written; the state in memory is then unchanged
     */
    async update(change: (before: MonitorState) => MonitorState): Promise<MonitorState> {
      const done = last.then(() => write(change(state)));
      last = done.catch(() => undefined);
      return done;
    },
  };
}

/**
 * Folder of a run: `runs` and its start, `runs/2026-11-23T06-00-00Z`. Follow-ups are in a separate folder, because
 * reports include the history of runs next to them.
 */
export function folderFor({ runs }: MonitorState, at: number, kind: Task['kind']): string {
  const moment = `${new Date(at).toISOString().slice(0, 19).replaceAll(':', '-')}Z`;
  const name = `${kind === 'scheduled' ? 'runs' : 'looks'}/${moment}`;
  const taken = new Set(runs.map(({ folder }) => folder));
  let folder = name;
  for (let more = 2; taken.has(folder); more += 1) folder = `${name}-${more}`;
  return folder;
}

/** What the history tells of a run from its start on. */
export const begunBy = ({ kind, folder, at, profile, seed }: Task) => ({
  kind,
  folder,
  startedAt: new Date(at).toISOString(),
  profile,
  seed,
});

/** The state after a run, whatever its result: with its history entry, and its cost booked. */
export const withRun = (state: MonitorState, entry: RunEntry, spent: Spent): MonitorState => ({
  ...state,
  account: { months: sumOf(state.account.months, spent), reserved: null },
  runs: [...state.runs.filter(({ folder }) => folder !== entry.folder), entry],
});

/** Verified requirements, including those of a finished run. */
export function verifiedWith(
  before: MonitorState['verified'],
  requirements: Results['requirements'],
  at: string,
): MonitorState['verified'] {
  const day = at.slice(0, 10);
  const passed = requirements.flatMap(({ id, outcome }): [string, Verified][] => {
    if (outcome !== 'passed') return [];
    const { days = [] } = before[id] ?? {};
    return [[id, { last: at, days: days.includes(day) ? days : [...days, day] }]];
  });
  return { ...before, ...Object.fromEntries(passed) };
}
