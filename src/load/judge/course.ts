import type { LoadCourse } from '../../report/model/load-results.ts';
import { STEADY, type LoadPlan, type Row } from '../plan.ts';
import { isRefused, quantile } from './keyed.ts';

/** Maximum number of points of a series: more do not make a chart more precise, only the file larger. */
export const MOST_POINTS = 240;
/** Preferred number of points, so that each represents many answers. */
const POINTS = 120;
const LONGEST = 300_000;
/** Round lengths of a step, ms; beyond the last one they double. */
const STEPS = [250, 500, 1000, 2000, 5000, 10_000, 15_000, 30_000, 60_000, 120_000, LONGEST];

/** Average number of samples in a step of a sampled run: with fewer, each sample would be a peak. */
const SAMPLES = 10;

/** Length of a step that divides `durationMs` into at most `points` points (about 120), ms. */
export function stepOf(durationMs: number, points = POINTS): number {
  const least = durationMs / Math.min(POINTS, Math.max(1, points));
  return STEPS.find((one) => one >= least) ?? LONGEST * 2 ** Math.ceil(Math.log2(least / LONGEST));
}

const rounded = (ms: number | null): number | null => (ms === null ? null : Number(ms.toFixed(3)));

/**
 * Rate and latency over time, from individually recorded answers; undefined without any. Requests without a key, which
 * only open connections, are ignored.
 */
export function courseOf(plan: LoadPlan, rows: readonly Row[]): LoadCourse | undefined {
  const sent = rows.filter(({ key }) => key !== null);
  if (sent.length === 0) return undefined;
  const from = sent.reduce((least, { t0 }) => Math.min(least, t0), Number.POSITIVE_INFINITY);
  const to = sent.reduce((most, { t0, t1 }) => Math.max(most, t0, t1), from);
  const every = {
    admitted: plan.recordAdmitted ? 1 : Math.max(1, plan.sampleEvery),
    refused: Math.max(1, plan.recordEvery),
  };
  const stepMs = stepOf(to - from, every.admitted > 1 ? sent.length / SAMPLES : POINTS);
  const stepAt = (time: number): number => Math.floor((Math.max(time, from) - from) / stepMs);
  const steps = Array.from({ length: Math.min(MOST_POINTS, stepAt(to) + 1) }, () => ({
    sent: 0,
    answered: 0,
    // The weight is the number of answers that one represents.
    times: [] as { readonly ms: number; readonly weight: number }[],
  }));
  for (const row of sent) {
    const isSampled = isRefused(row) && row.phase !== STEADY;
    const weight = row.status === 200 ? every.admitted : isSampled ? every.refused : 1;
    const start = steps[stepAt(row.t0)];
    if (start !== undefined) start.sent += weight;
    const end = steps[stepAt(row.t1)];
    if (end === undefined || row.status === 0) continue;
    end.answered += weight;
    end.times.push({ ms: row.ms, weight });
  }
  const sorted = steps.map(({ times }) => times.toSorted((a, b) => a.ms - b.ms));
  const at = (share: number): (number | null)[] =>
    sorted.map((times) => rounded(quantile(times, share)));
  return {
    from,
    stepMs,
    every,
    sent: steps.map((step) => step.sent),
    answered: steps.map((step) => step.answered),
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
  };
}
