import { isoDay } from '../spec/time.ts';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { MonitorSettings } from './settings.ts';
import type { MonitorState, Store } from './state.ts';

/**
 * Folders of runs that are kept at any age: of the last run, of open violations and pending rows, and of the last
 * verdict change.
 */
function wanted(state: MonitorState): ReadonlySet<string> {
  const { runs, standing, pending, turns, account } = state;
  return new Set(
    [
      runs.findLast(({ kind }) => kind === 'scheduled')?.folder,
      runs.at(-1)?.folder,
      turns.at(-1)?.folder,
      account.reserved?.folder,
      ...standing.open.map(({ folder }) => folder),
      ...pending.map(({ folder }) => folder),
    ].filter((folder) => folder !== undefined),
  );
}

/**
 * Deletes the folders and history of old runs. Only touches folders of this monitor. The state is written first, so
 * that it never refers to a deleted folder.
 */
export async function prune(
  store: Store,
  { output, keepMs }: Pick<MonitorSettings, 'output' | 'keepMs'>,
  now: number,
): Promise<void> {
  const oldest = now - keepMs;
  const keep = wanted(store.state);
  const { runs } = store.state;
  const old = runs.filter(
    ({ folder, startedAt }, index) =>
      (Date.parse(startedAt) < oldest || index < runs.length - MOST_RUNS) && !keep.has(folder),
  );
  const firstDay = isoDay(oldest);
  const gone = new Set(old.map(({ folder }) => folder));
  await store.update((state) => ({
    ...state,
    runs: state.runs.filter(({ folder }) => !gone.has(folder)),
    turns: state.turns.filter(
      ({ at }, index) => Date.parse(at) >= oldest || index === state.turns.length - 1,
    ),
    verified: Object.fromEntries(
      Object.entries(state.verified).map(([id, one]) => [
        id,
        { ...one, days: one.days.filter((day) => day >= firstDay) },
      ]),
    ),
  }));
  for (const folder of gone) {
    // The state file may have been edited.
    if (!OWN.test(folder)) continue;
    await rm(path.join(output, folder), { recursive: true, force: true });
  }
}

/** Maximum number of runs that are kept, because the history is one file and one page. */
const MOST_RUNS = 3000;

const OWN = /^(?:runs|looks)\/[\dTZ-]+$/;
