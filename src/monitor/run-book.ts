import path from 'node:path';
import type { Profile } from '../ask/profiles.ts';
import type { Results } from '../report/model/results.ts';
import { historyRowsIn } from '../run/history.ts';
import { monthOf, spentIn, type Reservation } from './account.ts';
import type { MonitorClock } from './clock.ts';
import type { Deliveries } from './notify/deliveries.ts';
import { entryOf, finishedIn, spentBy, verifiedWith, withRun } from './ended-run.ts';
import type { Teller } from './events.ts';
import { writeHistory } from './history.ts';
import type { Budget } from './budget.ts';
import { notificationOf, reportOf } from './notify/notification.ts';
import { oneRun, takenUp, type RunOrder, type TakenUp } from './one-run.ts';
import { prune } from './prune.ts';
import type { MonitorSettings } from './settings.ts';
import { deadlineOf, settle, type Settlement } from './settlement.ts';
import { judged } from './status.ts';
import type { RunEntry, Store, UnderWay } from './state.ts';

/** Dependencies of a monitor. */
export interface BookOptions {
  readonly settings: MonitorSettings;
  readonly store: Store;
  readonly clock: MonitorClock;
  readonly budget: Budget;
  readonly tell: Teller;
  readonly deliveries: Deliveries | null;
}

/** Task of a run, before it has a folder. */
export type Wanted = Omit<UnderWay, 'at'> & Pick<Reservation, 'valid' | 'restricted'>;

/** A finished run. */
export interface Ended {
  readonly results: Results;
  readonly entry: RunEntry;
}

/** Makes runs: reserves the budget before a run, and books its cost and results afterwards. */
export class RunBook {
  readonly options: BookOptions;
  /** Number of runs of this process. */
  count = 0;

  constructor(options: BookOptions) {
    this.options = options;
  }

  /**
   * Finishes a run of an earlier process: from its results if they exist, otherwise by resuming its journal if it is
   * recent. Its cost is booked either way.
   */
  async recover(): Promise<void> {
    const { store, settings } = this.options;
    const { underWay, account } = store.state;
    const { reserved } = account;
    if (reserved === null) return;
    const folder = path.join(settings.output, reserved.folder);
    if (underWay !== null) {
      const results = finishedIn(folder);
      if (results !== null) {
        await this.#end(results, underWay, reserved);
        return;
      }
      const order = this.#order(underWay, reserved);
      const earlier = settings.signal.aborted ? null : await takenUp(order, Date.now());
      if (earlier !== null) {
        await this.#go(order, underWay, reserved, earlier);
        return;
      }
    }
    await this.#lost(folder, reserved, underWay);
  }

  /** Makes a run. Null if it was interrupted or failed temporarily. */
  async run(wanted: Wanted): Promise<Ended | null> {
    const { store, clock, budget } = this.options;
    const at = await clock.now();
    const { valid, restricted, ...run } = wanted;
    const { keys } = budget;
    const underWay: UnderWay = { ...run, at };
    const reserved = {
      folder: this.#nameFor(at, run.kind),
      month: monthOf(at),
      valid,
      restricted,
      keys,
    };
    await store.update((state) => ({
      ...state,
      underWay,
      account: { ...state.account, reserved },
    }));
    return this.#go(this.#order(underWay, reserved), underWay, reserved, null);
  }

  async #go(
    order: RunOrder,
    underWay: UnderWay,
    reserved: Reservation,
    earlier: TakenUp | null,
  ): Promise<Ended | null> {
    const { settings, tell } = this.options;
    this.count += 1;
    const { folder, valid: maxRequests } = reserved;
    const { kind, profile, seed } = underWay;
    const resumed = earlier !== null;
    await tell('begin', { kind, folder, profile, seed, maxRequests, resumed });
    let results: Results;
    try {
      results = await oneRun(settings, order, earlier);
    } catch (error) {
      await this.#lost(order.folder, reserved, underWay);
      if (settings.once || !isPassing(error)) throw error;
      await tell('warning', { message: (error as Error).message });
      return null;
    }
    // The next process in this folder resumes its journal, or books its cost.
    if (results.verdict === 'interrupted' && settings.signal.aborted) return null;
    return { results, entry: await this.#end(results, underWay, reserved) };
  }

  #order(
    { ticker, profile, seed, only, skip }: UnderWay,
    { folder, valid, restricted }: Reservation,
  ): RunOrder {
    const { settings, store } = this.options;
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

  /**
   * Folder of a run: `runs` and its start, `runs/2026-11-23T06-00-00Z`. Follow-ups are in a separate folder, because
   * reports include the history of runs next to them.
   */
  #nameFor(at: number, kind: RunEntry['kind']): string {
    const { store } = this.options;
    const moment = `${new Date(at).toISOString().slice(0, 19).replaceAll(':', '-')}Z`;
    const name = `${kind === 'scheduled' ? 'runs' : 'looks'}/${moment}`;
    const taken = new Set(store.state.runs.map(({ folder }) => folder));
    for (let more = 1; ; more += 1) {
      const folder = more === 1 ? name : `${name}-${more}`;
      if (!taken.has(folder)) return folder;
    }
  }

  /** Books a run and updates the verdict in one write, then emits the events. */
  async #end(results: Results, underWay: UnderWay, reserved: Reservation): Promise<RunEntry> {
    const { store, settings, clock, tell, deliveries, budget } = this.options;
    const now = await clock.now().catch(() => underWay.at);
    const { folder } = reserved;
    const entry = entryOf(results, { ...underWay, folder }, now);
    const { pending, standing: before } = store.state;
    const settlement = settle(pending, historyRowsIn(results), {
      folder,
      now,
      ticker: underWay.ticker,
    });
    const overdue = settlement.pending.some((row) => row.overdue);
    const { status, change } = judged(
      before,
      { ...entry, at: entry.startedAt, requirements: results.requirements },
      overdue,
    );
    const { publicUrl } = settings;
    const { baseUrl } = settings.target;
    const body = change && notificationOf(change, entry, { baseUrl, publicUrl });
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
    const queued = body !== null && deliveries !== null;
    const isRun = underWay.kind === 'scheduled';
    const state = await store.update((old) => ({
      ...withRun(old, entry, spentIn(results.exchanges, results.target.keys, reserved.keys)),
      slot: underWay.slot ?? old.slot,
      lastRunAt: isRun ? underWay.at : old.lastRunAt,
      lastWholeAt: isRun && underWay.whole ? underWay.at : old.lastWholeAt,
      lastRestrictedAt: isRun && reserved.restricted > 0 ? underWay.at : old.lastRestrictedAt,
      standing: status,
      pending: settlement.pending,
      verified: verifiedWith(old.verified, results.requirements, entry.startedAt),
      turns: turn === null ? old.turns : [...old.turns, turn],
      notifications: queued
        ? [...old.notifications, { id: body.id, body, attempts: 0, queuedAt, nextAt: queuedAt }]
        : old.notifications,
    }));
    const report = reportOf(folder, publicUrl);
    const { summary } = results;
    await tell('run', {
      ...entry,
      report,
      summary,
      standing: status.verdict,
      budget: budget.spent(state, now),
    });
    await this.#tellRows(settlement, folder);
    if (body !== null && turn !== null) {
      await tell('turn', { ...turn, text: body.text, report });
      deliveries?.wake();
    }
    await this.keep(now);
    return entry;
  }

  /** A run with only a journal: its cost is booked, and it is due again. */
  async #lost(folder: string, reserved: Reservation, underWay: UnderWay | null): Promise<void> {
    const { store, settings, clock } = this.options;
    const { spent, sent } = await spentBy(folder, reserved);
    const at = underWay?.at ?? (await clock.now());
    const moment = new Date(at).toISOString();
    const entry: RunEntry = {
      kind: underWay?.kind ?? 'scheduled',
      folder: reserved.folder,
      startedAt: moment,
      endedAt: moment,
      profile: underWay?.profile ?? settings.profile,
      seed: underWay?.seed ?? 0,
      verdict: 'interrupted',
      sentence: 'The run was interrupted and could not be resumed.',
      requests: sent,
      violated: [],
      verified: 0,
    };
    await store.update((state) => withRun(state, entry, spent));
  }

  async #tellRows(settlement: Settlement, folder: string): Promise<void> {
    for (const state of ['waiting', 'complete', 'overdue', 'lost'] as const) {
      for (const { ticker, date } of settlement[state]) {
        const deadline = new Date(deadlineOf({ date })).toISOString();
        await this.options.tell('settlement', { ticker, date, state, deadline, folder });
      }
    }
  }

  /** Deletes old runs and rewrites the history. A full disk is reported, and retried after the next run. */
  async keep(now: number): Promise<void> {
    const { store, settings, tell, budget } = this.options;
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
