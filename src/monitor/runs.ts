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
import { writeHistory } from './history.ts';
import type { Deliveries } from './notify/deliveries.ts';
import { notificationOf, reportOf } from './notify/notification.ts';
import { finishedIn, oneRun, spentBy, takenUp, type RunOrder, type TakenUp } from './one-run.ts';
import { SHALLOW_REQUESTS } from './pace.ts';
import { prune } from './prune.ts';
import type { MonitorSettings } from './settings.ts';
import { deadlineOf, dueRows, settle } from './settlement.ts';
import { begunBy, folderFor, verifiedWith, withRun } from './state.ts';
import type { RunEntry, Store, Task } from './state.ts';
import { asksAll, judged, T1_REQUIREMENT, undecided } from './status.ts';

/** Dependencies of the runs. */
export interface RunsOptions {
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
 * Makes the runs that are due: scheduled ones and follow-ups. Reserves the budget before a run, and books its cost and
 * results afterwards.
 */
export class Runs {
  readonly #options: RunsOptions;
  /** Number of runs of this process. */
  count = 0;

  constructor(options: RunsOptions) {
    this.#options = options;
  }

  /**
   * Finishes a run of an earlier process: from its results if they exist, otherwise by resuming its journal if it is
   * recent. Its cost is booked either way.
   */
  async recover(): Promise<void> {
    const { store, settings } = this.#options;
    const { reserved: task } = store.state.account;
    if (task === null) return;
    const order = this.#order(task);
    const results = finishedIn(order.folder);
    if (results !== null) {
      await this.#end(results, task);
      return;
    }
    const earlier = settings.signal.aborted ? null : await takenUp(order);
    if (earlier === null) await this.#lost(task);
    else await this.#go(task, earlier);
  }

  /**
   * A scheduled run, and follow-ups on violations that it did not decide.
   * @returns the exit code of the run; that of a run without a verdict if the budget is used up
   */
  async scheduled(slot: number, now: number): Promise<number> {
    const { store, settings, budget } = this.#options;
    await this.#tellMissed(slot);
    const { state } = store;
    const allowance = budget.allowance(state, now);
    if (allowance.kind === 'none') {
      await store.update((old) => ({ ...old, slot }));
      await this.#tellLeftOut(slot, now, allowance.why);
      await this.#keep(now);
      return allowance.why === 'pace' ? EXIT.conforms : EXIT.incomplete;
    }
    const whole = allowance.kind === 'whole';
    const results = await this.#run({
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
      await this.#confirm(results);
    return results.exitCode;
  }

  /** Follows up on rows that should be complete by now. */
  async looks(now: number): Promise<void> {
    const { store, settings, budget } = this.#options;
    if (leftOutBy(T1_REQUIREMENT, settings) !== undefined) return;
    const tickers = new Set(dueRows(store.state.pending, now).map(({ ticker }) => ticker));
    for (const ticker of tickers) {
      const valid = budget.atMost(LOOK_REQUESTS, store.state, now);
      if (settings.signal.aborted || valid < 1) return;
      await this.#run({
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
  async #confirm(results: Results): Promise<void> {
    const { store, settings, budget, clock } = this.#options;
    const open = undecided(store.state.standing, results);
    for (const seed of new Set(open.map((one) => one.seed))) {
      const now = await clock.now();
      const ids = open.filter((one) => one.seed === seed).map(({ id }) => id);
      const isWhole = ids.some(asksAll);
      const most = isWhole ? budget.bounds.whole : SHALLOW_REQUESTS;
      const valid = budget.atMost(most, store.state, now);
      if (settings.signal.aborted) return;
      if (valid < (isWhole ? most : 1)) continue;
      await this.#run({
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
  async #run(wanted: Wanted): Promise<Results | null> {
    const { store, clock, budget } = this.#options;
    const at = await clock.now();
    const folder = folderFor(store.state, at, wanted.kind);
    const task: Task = { ...wanted, at, folder, month: monthOf(at), keys: budget.keys };
    await store.update((state) => ({ ...state, account: { ...state.account, reserved: task } }));
    return this.#go(task, null);
  }

  async #go(task: Task, earlier: TakenUp | null): Promise<Results | null> {
    const { settings, tell } = this.#options;
    const { kind, folder, profile, seed, valid: maxRequests } = task;
    this.count += 1;
    await tell('begin', { kind, folder, profile, seed, maxRequests, resumed: earlier !== null });
    let results: Results;
    try {
      results = await oneRun(settings, this.#order(task), earlier);
    } catch (error) {
      await this.#lost(task);
      if (settings.once || !isPassing(error)) throw error;
      await tell('warning', { message: (error as Error).message });
      return null;
    }
    // The next process in this folder resumes its journal, or books its cost.
    if (results.verdict === 'interrupted' && settings.signal.aborted) return null;
    await this.#end(results, task);
    return results;
  }

  #order({ ticker, profile, folder, valid, restricted, seed, only, skip }: Task): RunOrder {
    const { settings, store } = this.#options;
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
  async #end(results: Results, task: Task): Promise<void> {
    const { store, settings, clock, tell, deliveries, budget } = this.#options;
    const { folder, ticker } = task;
    const { publicUrl, target } = settings;
    const now = await clock.now().catch(() => task.at);
    const { requests, verdict, sentence, exchanges } = results;
    const rank = rankOf(groupCauses(results));
    const requirements = results.requirements.toSorted((a, b) => rank(a.id) - rank(b.id));
    const { valid = 0, restricted = 0 } = requests.byRole;
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
    await tell('run', {
      ...entry,
      report,
      summary: results.summary,
      standing: status.verdict,
      budget: budget.spent(state, now),
    });
    for (const [news, { ticker: of, date }] of settlement.news) {
      const deadline = new Date(deadlineOf({ date })).toISOString();
      await tell('settlement', { ticker: of, date, state: news, deadline, folder });
    }
    if (body !== null && turn !== null) await tell('turn', { ...turn, text: body.text, report });
    await this.#keep(now);
  }

  /** A run with only a journal: its cost is booked, and it is due again. */
  async #lost(task: Task): Promise<void> {
    const { store, settings } = this.#options;
    const { spent, sent } = await spentBy(path.join(settings.output, task.folder), task);
    const begun = begunBy(task);
    const entry: RunEntry = {
      ...begun,
      endedAt: begun.startedAt,
      verdict: 'interrupted',
      sentence: 'The run was interrupted and could not be resumed.',
      requests: sent,
      violated: [],
      verified: 0,
    };
    await store.update((state) => withRun(state, entry, spent));
  }

  async #tellMissed(slot: number): Promise<void> {
    const { store, settings, clock } = this.#options;
    const { slot: last } = store.state;
    if (last === null || settings.once) return;
    const missed = settings.schedule.count(last, slot) - 1;
    if (missed > 0) await this.#tellLeftOut(slot, await clock.now(), 'missed', missed);
  }

  async #tellLeftOut(
    slot: number,
    now: number,
    why: MonitorHappenings['left-out']['why'],
    count = 1,
  ): Promise<void> {
    const { store, tell, budget } = this.#options;
    await tell('left-out', {
      slot: new Date(slot).toISOString(),
      why,
      count,
      until: why === 'used-up' ? new Date(monthEndOf(now)).toISOString() : null,
      budget: budget.spent(store.state, now),
    });
  }

  /** Deletes old runs and rewrites the history. A full disk is reported, and retried after the next run. */
  async #keep(now: number): Promise<void> {
    const { store, settings, tell, budget } = this.#options;
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
