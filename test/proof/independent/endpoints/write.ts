import { NumberText, type Json, type JsonObject } from '../core/json.ts';
import { hashOf } from '../core/random.ts';
import { utcDay } from '../data/calendar.ts';
import type { World } from '../worlds/world.ts';

/** Digits of a number without an exponent. */
export function digits(value: number): string {
  if (Number.isInteger(value)) return BigInt(value).toString();
  const text = String(value);
  return text.includes('e') ? value.toFixed(15).replace(/0+$/, '') : text;
}

/** A figure of type Number, as this world writes numbers. */
export function figure(world: World, value: number): Json {
  switch (world.choice('numbers')) {
    case 'plain':
      return value;
    case 'point-zero':
      return Number.isInteger(value) ? new NumberText(`${digits(value)}.0`) : value;
    case 'exponent':
      return new NumberText(value.toExponential());
    default:
      return Number.isInteger(value) ? value : new NumberText(value.toFixed(14));
  }
}

/** A figure of type BigDecimal. */
export function decimal(world: World, field: string, value: number): Json {
  const choice = world.choice('decimals');
  if (choice === 'text' || (choice === 'by-field' && hashOf(field) % 2 === 0)) return digits(value);
  if (choice === 'long-text')
    return Number.isInteger(value) ? `${digits(value)}.00000000` : value.toFixed(12);
  return figure(world, value);
}

/** A percentage that is a text. */
export function percentText(world: World, value: number): string {
  const choice = world.choice('percent');
  if (choice === 'empty') return '';
  return choice === 'sign' ? `${value.toFixed(2)}%` : value.toFixed(4);
}

/** A time that is a text. */
export function timeText(world: World, time: number): string {
  const iso = new Date(time).toISOString();
  switch (world.choice('text-times')) {
    case 'iso':
      return iso;
    case 'ms':
      return String(time);
    case 'seconds':
      return String(Math.floor(time / 1000));
    case 'date':
      return utcDay(time);
    case 'words':
      return new Date(time).toUTCString();
    default:
      return iso.replace('Z', '+00:00');
  }
}

/** A time that is a Long without a stated unit. */
export function timeLong(world: World, time: number): number {
  return world.choice('long-times') === 'ms' ? time : Math.floor(time / 1000);
}

/** A page of a list in its envelope. */
export function envelope(rows: readonly Json[], page: number, size: number): JsonObject {
  return {
    list: rows.slice((page - 1) * size, page * size),
    page,
    page_size: size,
    total: rows.length,
  };
}
