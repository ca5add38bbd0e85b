import path from 'node:path';
import { leftOutBy } from '../ask/patterns.ts';
import type { Profile } from '../ask/profiles.ts';
import { groupCauses, rankOf } from '../report/analysis/causes.ts';
import type { Results } from '../report/model/results.ts';
import { historyRowsIn } from '../run/history.ts';
import { EXIT } from '../spec/exit-codes.ts';
import { seedOfDay } from '../target/rotate.ts';
import { LOOK_REQUESTS, monthEndOf, monthOf, spentIn, type Budget } from './budget.ts';
import type { MonitorClock } from './clock.ts';
import type { MonitorHappenings, Teller } from './events.ts';
import { prune, writeHistory } from './history.ts';
import type { Deliveries } from './notify/deliveries.ts';
import { notificationOf, reportOf } from './notify/notification.ts';
import { finishedIn, oneRun, spentBy, takenUp, type RunOrder, type TakenUp } from './one-run.ts';
import { SHALLOW_REQUESTS } from './pace.ts';
import type { MonitorSettings } from './settings.ts';
import { deadlineOf, dueRows, settle } from './settlement.ts';
import { begunBy, folderFor, verifiedWith, withRun } from './state.ts';
import type { RunEntry, Store, Task } from './state.ts';
import { asksAll, judged, T1_REQUIREMENT, undecided } from './status.ts';

/** What the runs of a monitor work with. */
export interface MonitorParts {
  readonly settings: MonitorSettings;
  readonly store: Store;
  readonly clock: MonitorClock;
  readonly budget: Budget;
  readonly tell: Teller;
  readonly deliveries: Deliveries | null;
}

/** A run to make. */
type Wanted = Omit<Task, 'at' | 'folder' | 'month' | 'keys'>;

const FOLLOW_UP = { whole: false, slot: null, ticker: null } as const;

/**
 * Finishes a run of an earlier process: from its results if they exist, otherwise by resuming its journal if it is
 * recent. Its cost is booked either way.
 */
export async function recover(parts: MonitorParts): Promise<void> {
  const { store, settings } = parts;
  const { reserved: task } = store.state.account;
  if (task === null) return;
  const order = orderOf(parts, task);
  const results = finishedIn(order.folder);
  if (results !== null) {
    await bookRun(parts, results, task);
    return;
  }
  const earlier = settings.signal.aborted ? null : await takenUp(order);
  if (earlier === null) await bookLost(parts, task);
  else await makeRun(parts, task, earlier);
}

/**
 * A scheduled run, and follow-ups on violations that it did not decide.
 * @returns the exit code of the run; that of a run without a verdict if the budget is used up
 */
export async function scheduledRun(
  parts: MonitorParts,
  slot: number,
  now: number,
): Promise<number> {
  const { store, settings, budget } = parts;
  const { state } = store;
  const { slot: last } = state;
  const missed = last === null || settings.once ? 0 : settings.schedule.count(last, slot) - 1;
  if (missed > 0) await tellLeftOut(parts, slot, now, 'missed', missed);
  const allowance = budget.allowance(state, now);
  if (allowance.kind === 'none') {
    await store.update((old) => ({ ...old, slot }));
    await tellLeftOut(parts, slot, now, allowance.why);
    await keepHistory(parts, now);
    return allowance.why === 'pace' ? EXIT.conforms : EXIT.incomplete;
  }
  const whole = allowance.kind === 'whole';
  const results = await newRun(parts, {
    kind: 'scheduled',
    whole,
    slot,
    profile: whole ? settings.profile : 'smoke',
    seed: settings.seed ?? seedOfDay(now),
    only: settings.only,
    skip: settings.skip,
    ticker: null,
    valid: allowance.requests,
    restricted: budget.restricted(state, now, whole),
  });
  if (results === null) {
    // It failed temporarily; the next scheduled run is soon enough.
    if (!settings.signal.aborted) await store.update((old) => ({ ...old, slot }));
    return EXIT.incomplete;
  }
  if (['conforms', 'no-violation', 'violates'].includes(results.verdict))
    await confirm(parts, results);
  return results.exitCode;
}

/** Follows up on rows that should be complete by now. */
export async function followUps(parts: MonitorParts, now: number): Promise<void> {
  const { store, settings, budget } = parts;
  if (leftOutBy(T1_REQUIREMENT, settings) !== undefined) return;
  const tickers = new Set(dueRows(store.state.pending, now).map(({ ticker }) => ticker));
  for (const ticker of tickers) {
    const valid = budget.atMost(LOOK_REQUESTS, store.state, now);
    if (settings.signal.aborted || valid < 1) return;
    await newRun(parts, {
      ...FOLLOW_UP,
      kind: 'settlement',
      profile: 'standard',
      seed: settings.seed ?? seedOfDay(now),
      only: [T1_REQUIREMENT],
      skip: [],
      ticker,
      valid,
      restricted: 0,
    });
  }
}

/**
 * A short run with the seed that found a violation, because only a pass with it counts as a fix. A full one where that
 * takes all requests.
 */
async function confirm(parts: MonitorParts, results: Results): Promise<void> {
  const { store, settings, budget, clock } = parts;
  const open = undecided(store.state.standing, results);
  for (const seed of new Set(open.map((one) => one.seed))) {
    const now = await clock.now();
    const ids = open.filter((one) => one.seed === seed).map(({ id }) => id);
    const isWhole = ids.some(asksAll);
    const most = isWhole ? budget.whole : SHALLOW_REQUESTS;
    const valid = budget.atMost(most, store.state, now);
    if (settings.signal.aborted) return;
    if (valid < (isWhole ? most : 1)) continue;
    await newRun(parts, {
      ...FOLLOW_UP,
      kind: 'confirmation',
      profile: settings.profile,
      seed,
      only: isWhole ? settings.only : ids,
      skip: settings.skip,
      valid,
      restricted: budget.restricted(store.state, now, isWhole),
    });
  }
}

/** Makes a run. Null if it was interrupted or failed temporarily. */
async function newRun(parts: MonitorParts, wanted: Wanted): Promise<Results | null> {
  const { store, clock, budget } = parts;
  const at = await clock.now();
  const folder = folderFor(store.state, at, wanted.kind);
  const task: Task = { ...wanted, at, folder, month: monthOf(at), keys: budget.keys };
  await store.update((state) => ({ ...state, account: { ...state.account, reserved: task } }));
  return makeRun(parts, task, null);
}

async function makeRun(
  parts: MonitorParts,
  task: Task,
  earlier: TakenUp | null,
): Promise<Results | null> {
  const { settings, tell } = parts;
  const { kind, folder, profile, seed, valid: maxRequests } = task;
  await tell('begin', { kind, folder, profile, seed, maxRequests, resumed: earlier !== null });
  let results: Results;
  try {
    results = await oneRun(settings, orderOf(parts, task), earlier);
  } catch (error) {
    await bookLost(parts, task);
    if (settings.once || !isPassing(error)) throw error;
    await tell('warning', { message: (error as Error).message });
    return null;
  }
  // The next process in this folder resumes its journal, or books its cost.
  if (results.verdict === 'interrupted' && settings.signal.aborted) return null;
  await bookRun(parts, results, task);
  return results;
}

function orderOf(
  parts: MonitorParts,
  { ticker, profile, folder, valid, restricted, seed, only, skip }: Task,
): RunOrder {
  const { settings, store } = parts;
  const { target, output, signal } = settings;
  const fixtures = { ...target.fixtures, ...(ticker !== null && { etfTickers: [ticker] }) };
  return {
    target: { ...target, fixtures },
    folder: path.join(output, folder),
    profile: profile as Profile,
    seed,
    only,
    skip,
    maxRequests: valid,
    maxRestricted: restricted,
    earlierRows: store.state.pending
      .filter((row) => ticker === null || row.ticker === ticker)
      .map(({ ticker: of, date, seenAt, run }) => ({ ticker: of, date, seenAt, run })),
    signal,
  };
}

/** Books a run and updates the verdict in one write, then emits the events. */
async function bookRun(parts: MonitorParts, results: Results, task: Task): Promise<void> {
  const { store, settings, clock, tell, deliveries, budget } = parts;
  const { folder, ticker } = task;
  const { publicUrl, target } = settings;
  const now = await clock.now().catch(() => task.at);
  const { verdict, sentence, exchanges } = results;
  const rank = rankOf(groupCauses(results));
  const requirements = results.requirements.toSorted((a, b) => rank(a.id) - rank(b.id));
  const { valid = 0, restricted = 0 } = results.requests.byRole;
  const musts = requirements.filter(({ level }) => level === 'must');
  const entry: RunEntry = {
    ...begunBy(task),
    endedAt: new Date(now).toISOString(),
    verdict,
    sentence,
    requests: { valid, restricted },
    violated: musts.flatMap(({ id, outcome }) => (outcome === 'failed' ? [id] : [])),
    verified: musts.filter(({ outcome }) => outcome === 'passed').length,
  };
  const rows = historyRowsIn(results);
  const settlement = settle(store.state.pending, rows, { folder, now, ticker });
  const { status, change } = judged(
    store.state.standing,
    { ...entry, at: entry.startedAt, requirements },
    settlement.pending.some((row) => row.overdue),
  );
  const body = change && notificationOf(change, entry, { baseUrl: target.baseUrl, publicUrl });
  const turn = body && {
    id: body.id,
    at: body.at,
    from: body.from,
    to: body.to,
    folder,
    violated: body.violated.map(({ id }) => id),
    mended: body.mended,
  };
  const queuedAt = Date.now();
  const isRun = task.kind === 'scheduled';
  const state = await store.update((old) => ({
    ...withRun(old, entry, spentIn(exchanges, results.target.keys, task.keys)),
    slot: task.slot ?? old.slot,
    lastRunAt: isRun ? task.at : old.lastRunAt,
    lastWholeAt: isRun && task.whole ? task.at : old.lastWholeAt,
    lastRestrictedAt: isRun && task.restricted > 0 ? task.at : old.lastRestrictedAt,
    standing: status,
    pending: settlement.pending,
    verified: verifiedWith(old.verified, requirements, entry.startedAt),
    turns: turn === null ? old.turns : [...old.turns, turn],
    notifications:
      body === null || deliveries === null
        ? old.notifications
        : [...old.notifications, { id: body.id, body, attempts: 0, queuedAt, nextAt: queuedAt }],
  }));
  const report = reportOf(folder, publicUrl);
  const spent = budget.spent(state, now);
  const { summary } = results;
  await tell('run', { ...entry, report, summary, standing: status.verdict, budget: spent });
  for (const [news, { ticker: of, date }] of settlement.news) {
    const deadline = new Date(deadlineOf({ date })).toISOString();
    await tell('settlement', { ticker: of, date, state: news, deadline, folder });
  }
  if (body !== null && turn !== null) await tell('turn', { ...turn, text: body.text, report });
  await keepHistory(parts, now);
}

/** A run with only a journal: its cost is booked, and it is due again. */
async function bookLost(parts: MonitorParts, task: Task): Promise<void> {
  const { store, settings } = parts;
  const { spent, sent } = await spentBy(path.join(settings.output, task.folder), task);
  const entry: RunEntry = {
    ...begunBy(task),
    endedAt: new Date(task.at).toISOString(),
    verdict: 'interrupted',
    sentence: 'The run was interrupted and could not be resumed.',
    requests: sent,
    violated: [],
    verified: 0,
  };
  await store.update((state) => withRun(state, entry, spent));
}

async function tellLeftOut(
  parts: MonitorParts,
  slot: number,
  now: number,
  why: MonitorHappenings['left-out']['why'],
  count = 1,
): Promise<void> {
  const { store, tell, budget } = parts;
  await tell('left-out', {
    slot: new Date(slot).toISOString(),
    why,
    count,
    until: why === 'used-up' ? new Date(monthEndOf(now)).toISOString() : null,
    budget: budget.spent(store.state, now),
  });
}

/** Deletes old runs and rewrites the history. A full disk is reported, and retried after the next run. */
async function keepHistory(parts: MonitorParts, now: number): Promise<void> {
  const { store, settings, tell, budget } = parts;
  try {
    await prune(store, settings, now);
    const { state } = store;
    const rhythm = budget.rhythm(state, now);
    await writeHistory(state, settings, { now, budget: budget.spent(state, now), rhythm });
  } catch (error) {
    if (!isPassing(error)) throw error;
    await tell('warning', { message: (error as Error).message });
  }
}

/**
 * Errors that may be temporary: a full disk, a journal or reports that cannot be written, a waiver file that is being
 * edited.
 */
function isPassing(error: unknown): boolean {
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  return (
    typeof syscall === 'string' ||
    ['ASSAY_RESUME', 'ASSAY_JOURNAL', 'ASSAY_WAIVERS', 'ASSAY_REPORT_WRITE'].includes(code)
  );
}
