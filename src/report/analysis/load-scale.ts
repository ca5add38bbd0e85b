/** A scale of a chart: where a value stands between its lower end (0) and its upper one (1), and the marks on it. */
export interface Scale {
  readonly kind: 'linear' | 'logarithmic';
  readonly at: (value: number) => number;
  readonly marks: readonly number[];
}

/** From here on, a linear scale would press what is small onto its lower end. */
const WIDE = 20;
/** Beyond this no chart is drawn true to scale: results are a file that anyone may write. */
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

/**
 * A scale for times: linear where the largest is less than 20 times the smallest, logarithmic beyond that, so that small
 * ones can be read beside large ones.
 */
export function timesScale(values: readonly number[]): Scale {
  let [least, most] = [MOST, 0];
  for (const value of values) {
    // Below a tenth of a millisecond nothing can be told apart.
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

/**
 * Heights at which labels do not touch: as near to `wanted` as `gap` allows, within `least` and `most`. In the order given.
 */
export function apart(
  wanted: readonly number[],
  gap: number,
  [least, most]: readonly [least: number, most: number],
): number[] {
  const order = wanted
    .map((_, index) => index)
    .toSorted((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0));
  const placed = [...wanted];
  let before = least - gap;
  for (const index of order) {
    before = Math.max(wanted[index] ?? 0, before + gap);
    placed[index] = before;
  }
  // What was pushed over the end comes back, and takes along what is in its way.
  let after = most + gap;
  for (const index of order.toReversed()) {
    after = Math.min(placed[index] ?? 0, after - gap);
    placed[index] = after;
  }
  return placed;
}
