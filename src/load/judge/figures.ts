import { groupBy } from '../../text/group-by.ts';
import type { LoadHealth, LoadLatency } from '../../report/model/load-results.ts';
import type { LoadPlan, MeasuredLatency, Row, RunSummary } from '../plan.ts';
import { quantile, type KeyedRow } from './keyed.ts';

/**
 * Latency by endpoint and status as k6 measured it; for several processes by status only and from the recorded answers,
 * because percentiles cannot be merged.
 */
export function latencyOf(rows: readonly KeyedRow[], summary: RunSummary): LoadLatency[] {
  const all = summary.latency.length > 0 ? summary.latency : recorded(rows, summary);
  return all.map((one) => ({ ...one, bucketed: false })).toSorted((a, b) => b.count - a.count);
}

function recorded(rows: readonly KeyedRow[], { byStatus }: RunSummary): MeasuredLatency[] {
  const groups = groupBy(rows, ({ status }) => String(status));
  return [...groups].map(([status, answers]) => {
    const sorted = answers.toSorted((a, b) => a.ms - b.ms);
    const [min = 0, p50 = 0, p95 = 0, p99 = 0, max = 0] = [0, 0.5, 0.95, 0.99, 1].map(
      (share) => quantile(sorted, share) ?? 0,
    );
    const count = byStatus[status] ?? answers.length;
    return { endpoint: 'all', status, count, min, p50, p95, p99, max };
  });
}

/** How well the load generator kept to the plan. */
export function healthOf(plan: LoadPlan, summary: RunSummary, rows: readonly Row[]): LoadHealth {
  const due = rows.filter((row) => row.due !== null && row.phase !== 'warm');
  const bursts = groupBy(
    due.filter(({ phase }) => phase === 'burst' || phase === 'quota' || phase === 'edge'),
    ({ due: moment }) => moment,
  );
  const spreads = [...bursts.values()].map((group) => {
    const times = group.map(({ t0 }) => t0);
    return Math.max(...times) - Math.min(...times);
  });
  const { vus } = plan.shape;
  const { dropped, iterations } = summary;
  const lateMs = due.reduce((late, { t0, due: moment }) => Math.max(late, t0 - (moment ?? t0)), 0);
  return {
    vus,
    dropped,
    iterations,
    spreadMs: vus < 2 || spreads.length === 0 ? null : Math.max(...spreads),
    lateMs: vus < 2 || due.length === 0 ? null : lateMs,
    recorded: rows.length,
  };
}
