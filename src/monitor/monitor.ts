import { EXIT } from '../spec/exit-codes.ts';
import { HOUR } from '../spec/time.ts';
import { holdFolder } from '../run/journal/output-lock.ts';
import { toolVersion } from '../run/version.ts';
import type { Target } from '../target/target.ts';
import { clockFor, type MonitorClock } from './clock.ts';
import { deliveriesOf, type Deliveries } from './notify/deliveries.ts';
import { type MonitorEvent, type MonitorHappenings, type Teller } from './events.ts';
import { keysSpent, budgetOf, type Budget } from './budget.ts';
import { openMetrics, type Metrics } from './metrics.ts';
import { SHALLOW_REQUESTS } from './pace.ts';
import { jitterOf } from './schedule.ts';
import { followUps, recover, scheduledRun, type MonitorParts } from './runs.ts';
import type { MonitorEnd, MonitorSettings } from './settings.ts';
import { lookAt } from './settlement.ts';
import { newState, readState, storeOf, type MonitorState } from './state.ts';
import { deliver } from './notify/webhook.ts';

/** How long a due follow-up waits for a scheduled run to join, ms. */
const LOOK_WAITS_MS = 6 * HOUR;
/** How long a monitor waits at its end for notifications to be delivered, ms. */
const DRAIN_MS = 30_000;

/**
 * Monitors a target: runs on a schedule within a share of the monthly quota, keeps a history, follows unsettled rows,
 * and notifies about verdict changes. Ends with the signal, after `forMs`, or after one run (`once`). The next process
 * in the same folder continues, however this one ends.
 *
 * @throws OptionError, FolderInUse, MonitorError, TargetError; every request sent is booked
 */
export async function monitor(settings: MonitorSettings): Promise<MonitorEnd> {
  const { output, signal } = settings;
  const held = await holdFolder(output, 'assay monitor');
  const target = monitored(settings.target);
  const clock = clockFor(target);
  let metrics: Metrics | null = null;
  let deliveries: Deliveries | null = null;
  try {
    metrics = await openMetrics(settings.metrics);
    let runs = 0;
    const here: MonitorSettings = {
      ...settings,
      target,
      tell(event) {
        if (event.type === 'begin') runs += 1;
        metrics?.take(event);
        settings.tell(event);
      },
    };
    const now = await clock.now();
    const known = await readState(output, target.baseUrl);
    const store = storeOf(output, known ?? newState(target.baseUrl, now));
    const tell = teller(here, clock);
    for (const message of held.said) await tell('warning', { message });
    const budget = budgetOf(here, keysSpent(target, store.state.salt));
    await tell('started', startedOf(here, budget, store.state, now));
    const { receiver } = here;
    if (receiver !== null) {
      deliveries = deliveriesOf({
        store,
        send: (notification, stopped) => deliver(receiver, notification, { signal: stopped }),
        tell: (note) => void tell('delivery', note),
      });
    }
    const { why, exitCode } = await keep(
      { settings: here, store, clock, budget, tell, deliveries },
      now,
    );
    if (why !== 'signal') await deliveries?.drained(DRAIN_MS, signal);
    const { verdict } = store.state.standing;
    await tell('stopped', { why, runs, verdict });
    return { why, runs, exitCode };
  } finally {
    await deliveries?.stop();
    await metrics?.close();
    await clock.close();
    held.release();
  }
}

/**
 * The target of the runs: without the key near its quota, which the first run would use up, and without the time
 * control, because only the monitor advances the clock.
 */
function monitored(target: Target): Target {
  const { nearQuota: _, ...keys } = target.keys;
  return {
    ...target,
    keys,
    sparesNearQuota: true,
    ...(target.clock !== undefined && { clock: { ...target.clock, forChecks: false } }),
  };
}

function teller({ tell }: MonitorSettings, clock: MonitorClock): Teller {
  return async (type, content) => {
    // A test target that has stopped returns no time.
    const at = await clock.now().catch(() => Date.now());
    tell({ type, at: new Date(at).toISOString(), [type]: content } as unknown as MonitorEvent);
  };
}

function startedOf(
  { target, schedule, profile, share }: MonitorSettings,
  budget: Budget,
  state: MonitorState,
  now: number,
): MonitorHappenings['started'] {
  const { runs, whole, shallow } = budget.rhythm(state, now);
  return {
    version: 1,
    tool: { name: 'assay', version: toolVersion() },
    target: { baseUrl: target.baseUrl },
    schedule: schedule.words,
    profile,
    share,
    budget: budget.spent(state, now),
    plan: { runs, whole, wholeRequests: budget.whole, shallow, shallowRequests: SHALLOW_REQUESTS },
    verdict: state.standing.verdict,
  };
}

/** Waits for due work, and does it. @param begun start of the monitor, epoch ms */
async function keep(parts: MonitorParts, begun: number): Promise<Omit<MonitorEnd, 'runs'>> {
  const { settings, store, clock, tell } = parts;
  const { signal, once, forMs, schedule } = settings;
  const end = begun + (forMs ?? Number.POSITIVE_INFINITY);
  await recover(parts);
  while (!signal.aborted) {
    const now = await clock.now();
    if (once) {
      const exitCode = await scheduledRun(parts, schedule.previous(now), now);
      if (!signal.aborted) await followUps(parts, await clock.now());
      return signal.aborted
        ? { why: 'signal', exitCode: EXIT.interrupted }
        : { why: 'once', exitCode };
    }
    const { slot } = store.state;
    // A clock that was set back must not delay the monitor.
    if (slot !== null && slot > now + 2 * schedule.intervalMs) {
      await store.update((state) => ({ ...state, slot: schedule.previous(now) }));
      await tell('warning', {
        message: `The clock was set back: the last run was at ${new Date(slot).toISOString()}. The schedule continues from now.`,
      });
    }
    const due = dueAt(settings, store.state, now);
    const wake = Math.min(due.at, due.look, end);
    if (wake > now) await clock.until(wake, signal);
    else if (end <= now) return { why: 'for', exitCode: EXIT.conforms };
    else {
      if (due.at <= now) await scheduledRun(parts, due.slot, now);
      if (!signal.aborted) await followUps(parts, await clock.now());
    }
  }
  return { why: 'signal', exitCode: EXIT.conforms };
}

/** Time of the next scheduled run, and of a due follow-up without one. */
function dueAt(
  { schedule, jitter, target }: MonitorSettings,
  { slot: last, pending }: MonitorState,
  now: number,
): { readonly at: number; readonly slot: number; readonly look: number } {
  const before = schedule.previous(now);
  const slot = last === null || before > last ? before : schedule.next(now);
  const late = jitter ? jitterOf(slot, schedule.intervalMs, target.baseUrl) : 0;
  const at = last === null ? now : slot + late;
  const owed = Math.min(...pending.map(lookAt));
  return {
    at,
    slot,
    look: owed <= at && at <= owed + LOOK_WAITS_MS ? at : owed,
  };
}
