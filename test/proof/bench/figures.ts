/** One measurement of a pair. */
export interface Measured {
  /** Requests answered. */
  readonly requests: number;
  /** Processor time of the measured process, user and system, seconds. */
  readonly cpuSeconds: number;
  /** Requests per second of wall time, where it was not given. */
  readonly perSecond?: number;
}

/** Two things measured in turn, several times. */
export interface Comparison {
  readonly id: string;
  readonly title: string;
  readonly ours: readonly Measured[];
  readonly bare: readonly Measured[];
  /** Requests per processor second, medians. */
  readonly oursPerCpuSecond: number;
  readonly barePerCpuSecond: number;
  /** Median of the ratios of neighbours: what the machine does besides hits both. */
  readonly ratio: number;
  /** Between which figures that median lies with a certainty of 95 %; null when there are too few pairs to say. */
  readonly within: readonly [least: number, most: number] | null;
  readonly goal: number;
  readonly commands: readonly string[];
}

export function median(values: readonly number[]): number {
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

/** A measurement in words. */
export function figure(measured: Measured): string {
  const { perSecond } = measured;
  const reached = perSecond === undefined ? '' : ` (${Math.round(perSecond)}/s)`;
  return `${Math.round(perCpuSecond(measured))} requests per CPU second${reached}`;
}

/** Puts measurements that were taken in turn side by side. */
export function compare(
  facts: Pick<Comparison, 'id' | 'title' | 'goal' | 'commands'>,
  pairs: readonly (readonly [ours: Measured, bare: Measured])[],
): Comparison {
  const ours = pairs.map(([one]) => one);
  const bare = pairs.map(([, other]) => other);
  const ratios = pairs.map(([one, other]) => perCpuSecond(one) / perCpuSecond(other));
  return {
    ...facts,
    ours,
    bare,
    oursPerCpuSecond: median(ours.map(perCpuSecond)),
    barePerCpuSecond: median(bare.map(perCpuSecond)),
    ratio: median(ratios),
    within: medianWithin(ratios),
  };
}
