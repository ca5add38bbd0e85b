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
  const isWhole = Number.isInteger(value);
  return world.of('numbers', {
    plain: value,
    'point-zero': isWhole ? new NumberText(`${digits(value)}.0`) : value,
    exponent: new NumberText(value.toExponential()),
    'many-digits': isWhole ? value : new NumberText(value.toFixed(14)),
  });
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
  return world.of('percent', { number: value.toFixed(4), sign: `${value.toFixed(2)}%`, empty: '' });
}

/** A time that is a text. */
export function timeText(world: World, time: number): string {
  const iso = new Date(time).toISOString();
  return world.of('text-times', {
    iso,
    ms: String(time),
    seconds: String(Math.floor(time / 1000)),
    date: utcDay(time),
    words: new Date(time).toUTCString(),
    'iso-offset': iso.replace('Z', '+00:00'),
  });
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
