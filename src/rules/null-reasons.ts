import type { View } from './view.ts';
import { isObject } from './view.ts';

/** A release of today may take until the end of its day anywhere on earth. */
const RELEASE_SLACK_MS = 48 * 3_600_000;

/**
 * Whether a null stands for a figure that plainly does not exist (ruling 3): the trailing P/E of a company that loses
 * money, a macro figure that is not released yet or that nobody forecast, an amount that was not disclosed.
 * `place` is the JSON pointer from the body without its envelope.
 */
export function isPlainlyAbsent(view: View, place: string): boolean {
  const pattern = place.replace(/^\/\d+/, '/*').replaceAll(/\/\d+(?=\/|$)/g, '/*');
  switch (view.resource) {
    case 'stock-snapshot':
      return pattern === '/pe_ttm';
    case 'fundraising':
      return pattern === '/fundraising_rounds/*/amount';
    case 'macro-history-row':
      return pattern === '/*/forecast' || (pattern === '/*/actual' && isUnreleased(view, place));
    default:
      return false;
  }
}

/** The row is of a day that is not over yet; of a date that cannot be read, it is the newest row at either end. */
function isUnreleased({ body, now }: View, place: string): boolean {
  const index = Number(/^\/(\d+)/.exec(place)?.[1]);
  if (!Array.isArray(body)) return false;
  const row: unknown = body[index];
  const released = isObject(row) ? epochMs(row['date']) : undefined;
  if (released !== undefined) return released > now - RELEASE_SLACK_MS;
  return index === 0 || index === body.length - 1;
}

/** The instant that a date text stands for, epoch ms: a calendar date in any usual form, or a timestamp. */
function epochMs(text: unknown): number | undefined {
  if (typeof text !== 'string') return undefined;
  const digits = text.trim();
  if (/^\d{13}$/.test(digits)) return Number(digits);
  if (/^\d{10}$/.test(digits)) return Number(digits) * 1000;
  const plain = /^(\d{4})(\d{2})(\d{2})$/.exec(digits);
  const time = Date.parse(plain === null ? digits : `${plain[1]}-${plain[2]}-${plain[3]}`);
  return Number.isNaN(time) ? undefined : time;
}
