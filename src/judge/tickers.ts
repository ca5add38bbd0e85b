/**
 * Whether two tickers name the same instrument. Letter case and an exchange before or after (`NASDAQ:IBIT`, `3042.HK`)
 * are unspecified.
 */
export function isSameTicker(a: string, b: string): boolean {
  const [one, other] = [a.trim().toUpperCase(), b.trim().toUpperCase()];
  return one === other || qualifies(one, other) || qualifies(other, one);
}

const MARK = /^[.:_\-/ ]/;

function qualifies(longer: string, shorter: string): boolean {
  if (shorter === '' || longer.length <= shorter.length + 1) return false;
  if (longer.startsWith(shorter)) return MARK.test(longer.slice(shorter.length));
  if (!longer.endsWith(shorter)) return false;
  return MARK.test(longer.slice(longer.length - shorter.length - 1));
}
