const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** A plain decimal string: no separators, units or spaces. */
export function isDecimalText(value: unknown): value is string {
  return typeof value === 'string' && DECIMAL.test(value);
}

/**
 * The value of a JSON number or decimal string (ruling 1). Strings lose digits beyond a double, so compare with a
 * tolerance.
 */
export function decimalOf(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (!isDecimalText(value)) return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

/** `a <= b` within a relative tolerance. */
export function atMost(a: number, b: number, tolerance = 1e-9): boolean {
  return a <= b + tolerance * Math.max(Math.abs(a), Math.abs(b));
}

/** Equality within a relative or absolute tolerance. */
export function agree(a: number, b: number, relative: number, absolute = 0): boolean {
  return Math.abs(a - b) <= absolute + relative * Math.max(Math.abs(a), Math.abs(b));
}

/**
 * Value of one unit in the last written digit: 0.01 for 12.34 and "12.30", 1 for 1200, 1000 for "1.2e4". A JSON number
 * counts in its shortest decimal form.
 */
export function lastDigit(value: unknown): number | undefined {
  if (decimalOf(value) === undefined) return undefined;
  const [mantissa = '', exponent = '0'] = String(value).toLowerCase().split('e');
  const fraction = mantissa.split('.')[1] ?? '';
  return 10 ** (Number(exponent) - fraction.length);
}

/** Largest share of a figure that rounding may change: 1234 may stand for 1234.4, but 3 not for 3.4. */
const ROUNDED = 1e-2;

/**
 * Whether two figures show the same amount, if the one with fewer digits was rounded or truncated. Either may have
 * passed through a double.
 */
export function sameFigure(a: unknown, b: unknown): boolean {
  const [one, other] = [decimalOf(a), decimalOf(b)];
  if (one === undefined || other === undefined) return false;
  if (agree(one, other, 1e-9)) return true;
  const coarser = Math.max(lastDigit(a) ?? 0, lastDigit(b) ?? 0);
  const size = Math.max(Math.abs(one), Math.abs(other));
  return coarser <= ROUNDED * size && Math.abs(one - other) < coarser * (1 - 1e-6);
}

/** Whether `a` exceeds `b` by no more than the coarser of the two may have been rounded. */
export function atMostRounded(a: unknown, b: unknown): boolean {
  const [one, other] = [decimalOf(a), decimalOf(b)];
  if (one === undefined || other === undefined) return true;
  if (atMost(one, other)) return true;
  const coarser = Math.max(lastDigit(a) ?? 0, lastDigit(b) ?? 0);
  const size = Math.max(Math.abs(one), Math.abs(other));
  return (coarser < 1 || coarser <= ROUNDED * size) && one - other <= coarser * (1 + 1e-6);
}
