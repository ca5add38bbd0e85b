import { existsSync } from 'node:fs';
import path from 'node:path';
import { secretsOf } from '../http/secrets.ts';
import type { HistoryDay, MonitorHistory } from '../report/model/monitor-history.ts';
import { replaceFile } from '../fs/replace-file.ts';
import { renderMonitorPage } from '../report/page/monitor/monitor.tsx';
import { SecretsGate } from '../fs/secrets-gate.ts';
import { SecretLeak } from '../report/write.ts';
import { REQUIREMENTS } from '../requirements/catalogue.ts';
import { toolVersion } from '../run/version.ts';
import { jsonText } from '../text/json-text.ts';
import type { BudgetNow } from './events.ts';
import { reportOf } from './notify/notification.ts';
import type { Rhythm } from './pace.ts';
import type { MonitorSettings } from './settings.ts';
import { deadlineOf } from './settlement.ts';
import type { MonitorState, Store } from './state.ts';
import { isoDay } from '../spec/time.ts';
import { rm } from 'node:fs/promises';

export interface HistoryNow {
  readonly now: number;
  readonly budget: BudgetNow;
  readonly rhythm: Rhythm & { readonly runs: number };
}

/** The schedule with what is selected, whose clock it follows, and how many of its runs the budget leaves out. */
export function scheduleWords(
  { schedule, only, skip, target }: Pick<MonitorSettings, 'schedule' | 'only' | 'skip' | 'target'>,
  { runs, whole, shallow }: HistoryNow['rhythm'],
): string {
  const skipped = runs - whole - shallow;
  return [
    schedule.words,
    ...(target.clock === undefined ? [] : ["by the target's clock"]),
    ...(only.length === 0 ? [] : [`--only ${only.join(',')}`]),
    ...(skip.length === 0 ? [] : [`--skip ${skip.join(',')}`]),
    ...(skipped <= 0
      ? []
      : [`${skipped} of ${runs} runs until the end of the month are skipped to save requests`]),
  ].join('; ');
}

/** The history, from the state of a monitor. */
export function historyFrom(
  state: MonitorState,
  schedule: string,
  { now, budget }: Pick<HistoryNow, 'now' | 'budget'>,
  hasReport: (folder: string) => boolean,
): MonitorHistory {
  const musts = REQUIREMENTS.filter(({ level }) => level === 'must');
  const reportIn = (folder: string): string | null => (hasReport(folder) ? reportOf(folder) : null);
  const { standing: status } = state;
  const covered = musts.map(({ id, title }) => {
    const { last = null, days = [] } = state.verified[id] ?? {};
    return { id, title, last: days.length === 0 ? null : last, days: days.length };
  });
  return {
    version: 1,
    tool: { name: 'assay', version: toolVersion() },
    target: { baseUrl: state.baseUrl },
    writtenAt: new Date(now).toISOString(),
    begun: state.begun,
    schedule,
    verdict: status.verdict,
    since: status.since,
    open: status.open.map(({ id, title, since, judgedAt, folder }) => ({
      id,
      title,
      since,
      ...(judgedAt !== undefined && { judgedAt }),
      report: reportOf(folder),
    })),
    mended: status.mended,
    budget,
    days: daysOf(state, covered, reportIn),
    turns: state.turns
      .toReversed()
      .map(({ folder, ...change }) => ({ ...change, report: reportIn(folder) })),
    coverage: {
      musts: musts.length,
      verified: covered.filter(({ last }) => last !== null).length,
      requirements: covered,
    },
    pending: state.pending.map((row) => ({
      ticker: row.ticker,
      date: row.date,
      seenAt: new Date(row.seenAt).toISOString(),
      deadline: new Date(deadlineOf(row)).toISOString(),
      overdue: row.overdue,
    })),
  };
}

function daysOf(
  { runs, verified }: MonitorState,
  musts: readonly { readonly id: string }[],
  reportIn: (folder: string) => string | null,
): readonly HistoryDay[] {
  const soFar = new Set<string>();
  const days = [...new Set(runs.map(({ startedAt }) => startedAt.slice(0, 10)))].toSorted();
  return days
    .map((day): HistoryDay => {
      const onDay = musts.filter(({ id }) => verified[id]?.days.includes(day) === true);
      for (const { id } of onDay) soFar.add(id);
      const latestFirst = runs.filter(({ startedAt }) => startedAt.startsWith(day)).toReversed();
      return {
        day,
        runs: latestFirst.map((run) => ({ ...run, report: reportIn(run.folder) })),
        verified: onDay.length,
        verifiedSoFar: soFar.size,
      };
    })
    .toReversed();
}

/**
 * Writes `history.json` and `index.html`.
 * @throws SecretLeak if one of them would contain a secret; the file system error if they cannot be written
 */
export async function writeHistory(
  state: MonitorState,
  settings: MonitorSettings,
  now: HistoryNow,
): Promise<void> {
  const { output, target, secrets } = settings;
  const history = historyFrom(state, scheduleWords(settings, now.rhythm), now, (folder) =>
    existsSync(path.join(output, folder, 'report.html')),
  );
  const gate = new SecretsGate([...secretsOf(target), ...secrets]);
  for (const [file, text] of [
    ['history.json', `${jsonText(history)}\n`],
    ['index.html', renderMonitorPage(history)],
  ] as const) {
    const leak = gate.scan(text);
    if (leak !== null) throw new SecretLeak([{ ...leak, file }]);
    await replaceFile(path.join(output, file), text);
  }
}

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
