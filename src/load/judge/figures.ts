import type { LoadHealth, LoadLatency, LoadWindow } from '../../report/model/load-results.ts';
import type { LoadPlan, Row, RunSummary } from '../plan.ts';
import { groupBy, isAdmitted, isRefused, quantile, type KeyedRow } from './keyed.ts';
import { wholeNumber } from '../../../suites/8-limits/answers.ts';

const figure = (text: string | null): number | null => wholeNumber(text ?? undefined);

/** Admission by key and window, which the announced reset identifies, or the clock if none is announced. */
export function windowsOf(
  rows: readonly KeyedRow[],
  { freshAt, windowMs }: Pick<LoadPlan, 'freshAt' | 'windowMs'>,
  fingerprint: (key: number) => string,
): LoadWindow[] {
  const groups = groupBy(
    rows.filter((row) => isAdmitted(row) || isRefused(row)),
    ({ key, reset, t0 }) =>
      `${key} ${figure(reset) ?? `at ${Math.floor((t0 - freshAt) / windowMs)}`}`,
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const admitted = group.filter(isAdmitted);
    return [
      {
        key: fingerprint(first.key),
        resetAt: figure(first.reset),
        from: first.t0,
        to: group.reduce((latest, { t1 }) => Math.max(latest, t1), first.t1),
        admitted: admitted.length,
        refused: group.length - admitted.length,
        remaining: admitted.map(({ remaining }) => figure(remaining)),
      },
    ];
  });
}

/** Latency from k6, by endpoint and status. */
export function latencyOf(summary: RunSummary): LoadLatency[] {
  return summary.latency
    .map(({ endpoint, status, count, min, med, p95, p99, max }) => ({
      endpoint,
      status,
      count,
      min,
      p50: med,
      p95,
      p99,
      max,
      bucketed: false,
    }))
    .toSorted((a, b) => b.count - a.count);
}

/** Latency of several processes by status, from the recorded answers, because percentiles cannot be merged. */
export function recordedLatency(
  rows: readonly KeyedRow[],
  { byStatus }: RunSummary,
): LoadLatency[] {
  const groups = groupBy(rows, ({ status }) => String(status));
  return [...groups]
    .map(([status, answers]): LoadLatency => {
      const sorted = answers.toSorted((a, b) => a.ms - b.ms);
      const at = (share: number): number => quantile(sorted, share) ?? 0;
      return {
        endpoint: 'all',
        status,
        count: byStatus[status] ?? answers.length,
        min: at(0),
        p50: at(0.5),
        p95: at(0.95),
        p99: at(0.99),
        max: at(1),
        bucketed: false,
      };
    })
    .toSorted((a, b) => b.count - a.count);
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
  return {
    vus: plan.shape.vus,
    dropped: summary.dropped,
    iterations: summary.iterations,
    spreadMs: plan.shape.vus < 2 || spreads.length === 0 ? null : Math.max(...spreads),
    lateMs:
      plan.shape.vus < 2 || due.length === 0
        ? null
        : due.reduce((late, { t0, due: moment }) => Math.max(late, t0 - (moment ?? t0)), 0),
    recorded: rows.length,
  };
}
