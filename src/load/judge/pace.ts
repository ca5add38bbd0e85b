import { STEADY, type LoadPlan, type Row } from '../plan.ts';
import { quantile } from './keyed.ts';

/** Minimum number of answers for a percentile. */
const ENOUGH = 8;

const p95 = (answers: readonly Row[]): number =>
  quantile(
    answers.toSorted((a, b) => a.ms - b.ms),
    0.95,
  ) ?? 0;

const earliest = (rows: readonly Row[]): number =>
  rows.reduce((least, { t0 }) => Math.min(least, t0), Number.POSITIVE_INFINITY);

/** One second of a rising load, from sampled answers. */
export interface Second {
  /** Requests per second, scheduled and sent. */
  readonly due: number;
  readonly sent: number;
  readonly p95: number;
}

/** Rate and latency per second; each sample represents `sampleEvery` answers. */
export function secondsOf(plan: LoadPlan, rows: readonly Row[]): Second[] {
  const answers = rows.filter(({ status, phase }) => status === 200 && phase === 'mix');
  const start = earliest(answers);
  const { rate, durationMs } = plan.shape;
  const seconds: Second[] = [];
  for (let second = 0; (second + 1) * 1000 <= durationMs; second += 1) {
    const from = start + second * 1000;
    const own = answers.filter(({ t0 }) => t0 >= from && t0 < from + 1000);
    const progress = ((second + 0.5) * 1000) / durationMs;
    seconds.push({
      due: rate * (1 / 20 + (19 / 20) * progress),
      sent: own.length * plan.sampleEvery,
      p95: own.length < ENOUGH ? 0 : p95(own),
    });
  }
  return seconds;
}

/** The knee: slower than this factor compared with the first seconds, and than this many ms. */
const SLOWER = 5;
const SLOW_MS = 50;

/**
 * The highest rate before answers got slow or requests could not be sent in time; null if the load never reached it.
 */
export function kneeOf(seconds: readonly Second[]): number | null {
  const [, calm = 0] = seconds
    .slice(0, 3)
    .map((second) => second.p95)
    .toSorted((a, b) => a - b);
  const bound = Math.max(SLOW_MS, SLOWER * calm);
  const at = seconds.findIndex(
    ({ due, sent, p95: slow }, index) => index > 0 && (slow > bound || sent < 0.8 * due),
  );
  return at === -1 ? null : Math.round(seconds[at - 1]?.due ?? 0);
}

/** Notes on latency under load. Latency is not specified, so it fails nothing. */
export function paceOf(plan: LoadPlan, rows: readonly Row[]): string[] {
  const { rate, durationMs } = plan.shape;
  switch (plan.scenario) {
    case 'capacity': {
      const knee = kneeOf(secondsOf(plan, rows));
      return knee === null
        ? [`No slowdown up to ${Math.round(rate)} requests/s.`]
        : [`Responses slowed down, or requests could not be sent, above about ${knee} requests/s.`];
    }
    case 'rl-isolation':
      return neighbourOf(rows);
    case 'spike':
    case 'soak': {
      const answers = rows.filter(({ status }) => status === 200);
      const start = earliest(answers);
      const thirds = [0, 1, 2].map((third) =>
        answers.filter(
          ({ t0 }) => Math.min(2, Math.floor((3 * (t0 - start)) / durationMs)) === third,
        ),
      );
      if (thirds.some((part) => part.length < ENOUGH)) return [];
      const parts = plan.scenario === 'spike' ? 'before, during and after the spike' : 'by thirds';
      return [`p95 ${parts}: ${thirds.map((part) => p95(part).toFixed(1)).join(', ')} ms.`];
    }
    default:
      return [];
  }
}

/** Slowdown during the flood that is noted, as a factor and in ms. */
const NOTABLY = 1.25;
const NOTABLE_MS = 5;

/** How a flood slows another key, compared with the same key alone minutes before on the same machines. */
function neighbourOf(rows: readonly Row[]): string[] {
  const began = earliest(rows.filter(({ phase }) => phase === 'flood'));
  const steady = rows.filter(({ phase, status }) => phase === STEADY && status === 200);
  const alone = steady.filter(({ t1 }) => t1 < began);
  const concurrent = steady.filter(({ t0 }) => t0 >= began);
  if (alone.length < ENOUGH || concurrent.length < ENOUGH) return [];
  const [before, during] = [p95(alone), p95(concurrent)];
  const times = during / before;
  const slower = times > NOTABLY && during - before > NOTABLE_MS;
  return [
    `p95 for the key during the flood: ${during.toFixed(1)} ms; without the flood: ${before.toFixed(1)} ms${slower ? ` (${times.toFixed(1)} times slower)` : ''}.`,
  ];
}
