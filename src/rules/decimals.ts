const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** True for a text that is a plain decimal: no separators, units or spaces. */
export function isDecimalText(value: unknown): value is string {
  return typeof value === 'string' && DECIMAL.test(value);
}

/**
 * The number that a JSON number or decimal string stands for (ruling 1); `undefined` for anything else. Strings lose
 * digits beyond those of a double: compare with a tolerance.
 */
export function decimalOf(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (!isDecimalText(value)) return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

/** True when `a` is not above `b`, give or take a share of the larger of the two. */
export function atMost(a: number, b: number, tolerance = 1e-9): boolean {
  return a <= b + tolerance * Math.max(Math.abs(a), Math.abs(b));
}

/** True when two figures are equal, give or take a share of the larger one or an absolute amount. */
export function agree(a: number, b: number, relative: number, absolute = 0): boolean {
  return Math.abs(a - b) <= absolute + relative * Math.max(Math.abs(a), Math.abs(b));
}
