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

/**
 * What one unit of the last written digit is worth: 0.01 for 12.34 and "12.30", 1 for 1200, 1000 for "1.2e4" (that is
 * its 2). A JSON number stands for its shortest decimal form. `undefined` for what is no figure.
 */
export function lastDigit(value: unknown): number | undefined {
  if (decimalOf(value) === undefined) return undefined;
  const [mantissa = '', exponent = '0'] = String(value).toLowerCase().split('e');
  const fraction = mantissa.split('.')[1] ?? '';
  return 10 ** (Number(exponent) - fraction.length);
}

/** The largest part of a figure that rounding may take or add: 1234 may stand for 1234.4, and 3 not for 3.4. */
const ROUNDED = 1e-2;

/**
 * True when two figures stand for the same amount: where one was written with fewer digits, it may be rounded or cut
 * there. Both may have gone through a double.
 */
export function sameFigure(a: unknown, b: unknown): boolean {
  const [one, other] = [decimalOf(a), decimalOf(b)];
  if (one === undefined || other === undefined) return false;
  if (agree(one, other, 1e-9)) return true;
  const coarser = Math.max(lastDigit(a) ?? 0, lastDigit(b) ?? 0);
  const size = Math.max(Math.abs(one), Math.abs(other));
  return coarser <= ROUNDED * size && Math.abs(one - other) < coarser * (1 - 1e-6);
}

/** True when `a` is not above `b` by more than the coarser of the two may have been rounded. */
export function atMostRounded(a: unknown, b: unknown): boolean {
  const [one, other] = [decimalOf(a), decimalOf(b)];
  if (one === undefined || other === undefined) return true;
  if (atMost(one, other)) return true;
  const coarser = Math.max(lastDigit(a) ?? 0, lastDigit(b) ?? 0);
  const size = Math.max(Math.abs(one), Math.abs(other));
  return (coarser < 1 || coarser <= ROUNDED * size) && one - other <= coarser * (1 + 1e-6);
}
