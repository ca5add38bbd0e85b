/** A chart scale: maps values to positions from 0 to 1, with tick marks. */
export interface Scale {
  readonly kind: 'linear' | 'logarithmic';
  readonly at: (value: number) => number;
  readonly marks: readonly number[];
}

/** Ratio of largest to smallest above which a linear scale would flatten small values. */
const WIDE = 20;
/** Larger values are clamped: anyone may write a results file. */
const MOST = 1e12;

const bounded = (value: number): number =>
  Number.isFinite(value) ? Math.min(MOST, Math.max(0, value)) : MOST;

/** The least of 1, 2, 5, 10, 20, … that is not below `value`; `value` above 0. */
function niceAbove(value: number): number {
  const decade = 10 ** Math.floor(Math.log10(value) + 1e-9);
  return [1, 2, 5, 10].map((one) => one * decade).find((one) => one >= value * (1 - 1e-9)) ?? value;
}

/** A scale from 0 to the first mark that no value exceeds, with at most `steps` steps. */
export function linearScale(most: number, steps = 4): Scale {
  const upper = bounded(most) || 1;
  const step = niceAbove(upper / steps);
  const count = Math.ceil(upper / step - 1e-9);
  const marks = Array.from({ length: count + 1 }, (_, index) =>
    Number((index * step).toPrecision(6)),
  );
  return { kind: 'linear', at: (value) => bounded(value) / (count * step), marks };
}

/** A scale for times: logarithmic when the largest is at least 20 times the smallest, otherwise linear. */
export function timesScale(values: readonly number[]): Scale {
  let [least, most] = [MOST, 0];
  for (const value of values) {
    // Differences below a tenth of a millisecond are noise.
    const one = Math.max(0.1, bounded(value));
    least = Math.min(least, one);
    most = Math.max(most, one);
  }
  if (most < least * WIDE) return linearScale(most);
  const low = Math.floor(Math.log10(least) + 1e-9);
  const high = Math.max(low + 1, Math.ceil(Math.log10(most) - 1e-9));
  return {
    kind: 'logarithmic',
    at: (value) => {
      const exponent = Math.log10(Math.max(bounded(value), 10 ** low));
      return Math.min(1, (exponent - low) / (high - low));
    },
    marks: Array.from({ length: high - low + 1 }, (_, index) =>
      Number((10 ** (low + index)).toPrecision(6)),
    ),
  };
}

/** Positions at which labels do not overlap: as near to `wanted` as `gap` allows, within `least` and `most`. */
export function apart(
  wanted: readonly number[],
  gap: number,
  [least, most]: readonly [least: number, most: number],
): number[] {
  const order = wanted
    .map((_, index) => index)
    .toSorted((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0));
  const positions = [...wanted];
  let before = least - gap;
  for (const index of order) {
    before = Math.max(wanted[index] ?? 0, before + gap);
    positions[index] = before;
  }
  // Push labels beyond the end back, together with those in their way.
  let after = most + gap;
  for (const index of order.toReversed()) {
    after = Math.min(positions[index] ?? 0, after - gap);
    positions[index] = after;
  }
  return positions;
}
