/** One measurement of a pair. */
export interface Measured {
  /** Requests answered. */
  readonly requests: number;
  /** Processor time of the measured process, user and system, seconds. */
  readonly cpuSeconds: number;
}

/** Two scripts measured in turn, several times. */
export interface Comparison {
  readonly title: string;
  /** Requests per processor second, medians. */
  readonly ours: number;
  readonly lean: number;
  /** Median of the ratios of neighbours: whatever else the machine does hits both. */
  readonly ratio: number;
  /** Between which figures that median lies with a certainty of 95 %; null when there are too few pairs to say. */
  readonly within: readonly [least: number, most: number] | null;
  readonly goal: number;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2;
}

const CERTAINTY = 0.95;

/**
 * Interval for the median of what some values were drawn from: the innermost two of them, in order of size, between which
 * it lies with a certainty of 95 %, whatever their distribution. Null for fewer than six values.
 */
export function medianWithin(
  values: readonly number[],
): readonly [least: number, most: number] | null {
  const sorted = values.toSorted((a, b) => a - b);
  const count = sorted.length;
  // Each value is as likely above the median as below it, so the number below it follows the binomial distribution of one half.
  let below = 0;
  let chance = 0.5 ** count;
  let depth = 0;
  while (below + chance <= (1 - CERTAINTY) / 2) {
    below += chance;
    depth += 1;
    chance *= (count - depth + 1) / depth;
  }
  const [least, most] = [sorted[depth - 1], sorted[count - depth]];
  return least === undefined || most === undefined ? null : [least, most];
}

const perCpuSecond = ({ requests, cpuSeconds }: Measured): number => requests / cpuSeconds;

/** What a longer run has beyond a shorter one: what is spent once, at the start of both, is not in it. */
export const further = (longer: Measured, shorter: Measured): Measured => ({
  requests: longer.requests - shorter.requests,
  cpuSeconds: longer.cpuSeconds - shorter.cpuSeconds,
});

/** Puts measurements that were taken in turn side by side. */
export function compare(
  title: string,
  goal: number,
  pairs: readonly (readonly [ours: Measured, lean: Measured])[],
): Comparison {
  const ratios = pairs.map(([ours, lean]) => perCpuSecond(ours) / perCpuSecond(lean));
  return {
    title,
    ours: median(pairs.map(([ours]) => perCpuSecond(ours))),
    lean: median(pairs.map(([, lean]) => perCpuSecond(lean))),
    ratio: median(ratios),
    within: medianWithin(ratios),
    goal,
  };
}

/** The row of a comparison in the table of `docs/bench.md`. */
export function rowOf({ title, ours, lean, ratio, within, goal }: Comparison): string {
  const interval = within?.map((end) => end.toFixed(2)).join(' to ') ?? 'too few pairs';
  return `| ${title} | ${Math.round(ours)} | ${Math.round(lean)} | **${ratio.toFixed(2)}** | ${interval} | ${goal} |`;
}

/**
 * User and system time of the children, from the second line of what the shell's `times` prints: `0m1.23s 0m0.45s`.
 * @throws Error when it is not there
 */
export function childrenSeconds(times: string): number {
  const line = times.trim().split('\n')[1] ?? '';
  const parts = [...line.matchAll(/(\d+)m([\d.]+)s/g)];
  if (parts.length !== 2) throw new Error(`The shell measured nothing: ${times}`);
  return parts.reduce(
    (sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds),
    0,
  );
}
