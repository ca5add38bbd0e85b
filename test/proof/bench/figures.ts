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
  readonly goal: number;
  readonly commands: readonly string[];
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2;
}

const perCpuSecond = ({ requests, cpuSeconds }: Measured): number => requests / cpuSeconds;

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
  return {
    ...facts,
    ours,
    bare,
    oursPerCpuSecond: median(ours.map(perCpuSecond)),
    barePerCpuSecond: median(bare.map(perCpuSecond)),
    ratio: median(pairs.map(([one, other]) => perCpuSecond(one) / perCpuSecond(other))),
  };
}
