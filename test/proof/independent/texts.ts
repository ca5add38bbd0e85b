import { utcDay } from './calendar.ts';
import { at, hashOf, numeral, type Body } from './core.ts';
import NAMES from './names.json' with { type: 'json' };
import type { World } from './world.ts';

/** Name and symbol of a currency by its index in the list. */
export function nameOf(index: number): { name: string; symbol: string } {
  const [head, tail] = [at(NAMES.heads, index), at(NAMES.tails, Math.floor(index / 10))];
  const symbol = `${head.slice(0, 2)}${tail.slice(0, 1)}${index}`.toUpperCase();
  return NAMES.currencies[index] ?? { name: `${head}${tail} ${index}`, symbol };
}

/** A name as the texts of this world are written. */
export const written = (world: World, name: string): string =>
  world.of('names', {
    plain: name,
    emoji: `${name} 🚀👩‍👩‍👧`,
    rtl: `${name} – عملة رقمية`,
    markup: `${name} <b>&amp; "Co"</b> \\ ' #{x} {{y}}`,
    long: `${name} ${'of the decentralised association for open finance '.repeat(12).trim()}`,
    controls: `${name}\u2028\u0001\u007f\tend`,
  });

/** An address whose form tells nothing. */
export const picture = (kind: string, id: string): string =>
  `https://static.example.org/${kind}/${hashOf(id).toString(16)}.png`;

/** Up to 32 hexadecimal digits that belong to a text. */
export const hexOf = (seed: string, length: number): string =>
  [1, 2, 3, 4]
    .map((n) => hashOf(`${seed} ${n}`).toString(16).padStart(8, '0'))
    .join('')
    .slice(0, length);

/** A name as part of an address: lower case, hyphens. */
export const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');

/** Digits of a number without an exponent. */
export function digits(value: number): string {
  const plain = String(value);
  return plain.includes('e') ? value.toFixed(15).replace(/0+$/, '') : plain;
}

/** A figure of type Number, as this world writes numbers. */
export function figure(world: World, value: number | null): unknown {
  if (value === null) return null;
  const isWhole = Number.isInteger(value);
  return world.of('numbers', {
    plain: value,
    'point-zero': isWhole ? numeral(`${digits(value)}.0`) : value,
    exponent: numeral(value.toExponential()),
    'many-digits': isWhole ? value : numeral(value.toFixed(14)),
  });
}

/** Members of a body that are all of type Number, or null. */
export const figures = (world: World, members: Readonly<Record<string, number | null>>): Body =>
  Object.fromEntries(Object.entries(members).map(([name, one]) => [name, figure(world, one)]));

/** Members of a body that are all of type BigDecimal; in some worlds the name decides how it is written. */
export function decimals(world: World, members: Readonly<Record<string, number>>): Body {
  const entries = Object.entries(members).map(([name, value]) => {
    const plain = digits(value);
    const decimal = world.of('decimals', {
      number: figure(world, value),
      text: plain,
      'long-text': Number.isInteger(value) ? `${plain}.00000000` : value.toFixed(12),
      'by-field': hashOf(name) % 2 === 0 ? plain : figure(world, value),
    });
    return [name, decimal];
  });
  return Object.fromEntries(entries) as Body;
}

/** A percentage that is a text. */
export const percentText = (world: World, value: number): string =>
  world.of('percent', { number: value.toFixed(4), sign: `${value.toFixed(2)}%`, empty: '' });

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
export const timeLong = (world: World, time: number): number =>
  world.is('long-times', 'ms') ? time : Math.floor(time / 1000);

/** A page of a list in its envelope; only its own rows are made. */
export const envelope = <T>(
  rows: readonly T[],
  { page, page_size }: { readonly page: number; readonly page_size: number },
  make: (row: T) => unknown = (row) => row,
): Body => ({
  list: rows.slice((page - 1) * page_size, page * page_size).map((row) => make(row)),
  page,
  page_size,
  total: rows.length,
});
