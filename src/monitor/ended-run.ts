import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Results } from '../report/model/results.ts';
import { JOURNAL_FILE } from '../run/journal/journal.ts';
import { readJournal } from '../run/journal/read-journal.ts';
import { isObject } from '../text/json-value.ts';
import { settled, spentIn, spentInFull, type Reservation, type Spent } from './account.ts';
import type { MonitorState, RunEntry, UnderWay, Verified } from './state.ts';

/** The history entry of a finished run. */
export function entryOf(
  results: Results,
  run: Pick<UnderWay, 'kind' | 'profile' | 'seed' | 'at'> & { readonly folder: string },
  endedAt: number,
): RunEntry {
  const { requests, requirements, verdict, sentence } = results;
  const musts = requirements.filter(({ level }) => level === 'must');
  const { valid = 0, restricted = 0 } = requests.byRole;
  return {
    kind: run.kind,
    folder: run.folder,
    startedAt: new Date(run.at).toISOString(),
    endedAt: new Date(endedAt).toISOString(),
    profile: run.profile,
    seed: run.seed,
    verdict,
    sentence,
    requests: { valid, restricted },
    violated: musts.flatMap(({ id, outcome }) => (outcome === 'failed' ? [id] : [])),
    verified: musts.filter(({ outcome }) => outcome === 'passed').length,
  };
}

/** Verified requirements, including those of a finished run. */
export function verifiedWith(
  before: MonitorState['verified'],
  requirements: readonly Pick<Results['requirements'][number], 'id' | 'outcome'>[],
  at: string,
): Readonly<Record<string, Verified>> {
  const day = at.slice(0, 10);
  const passed = requirements.flatMap(({ id, outcome }) => {
    if (outcome !== 'passed') return [];
    const { first = at, days = [] } = before[id] ?? {};
    return [[id, { first, last: at, days: days.includes(day) ? days : [...days, day] }] as const];
  });
  return { ...before, ...Object.fromEntries(passed) };
}

/** The state after a run, whatever its result: with its history entry, and its cost booked. */
export const withRun = (
  state: MonitorState,
  entry: RunEntry,
  spent: Readonly<Record<string, Spent>>,
): MonitorState => ({
  ...state,
  account: settled(state.account, spent),
  underWay: null,
  runs: [...state.runs.filter(({ folder }) => folder !== entry.folder), entry],
});

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
 * Cost of a run from its journal, which has every request before it is sent. The whole reservation if the journal
 * cannot be read.
 */
export async function spentBy(
  folder: string,
  reserved: Reservation,
): Promise<{ spent: Readonly<Record<string, Spent>>; sent: RunEntry['requests'] }> {
  const file = path.join(folder, JOURNAL_FILE);
  // Without a journal nothing was sent.
  if (!existsSync(file)) return { spent: {}, sent: { valid: 0, restricted: 0 } };
  try {
    const { known, header } = await readJournal(file);
    const of = (role: string): number => known.exchanges.filter((one) => one.role === role).length;
    const sent = { valid: of('valid'), restricted: of('restricted') };
    return { spent: spentIn(known.exchanges, header.keys, reserved.keys), sent };
  } catch {
    const { valid, restricted } = reserved;
    return { spent: spentInFull(reserved), sent: { valid, restricted } };
  }
}
