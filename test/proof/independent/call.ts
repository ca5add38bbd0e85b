import { isDay, minusMonths, startOf, utcDay } from './calendar.ts';
import { DAY, MINUTE } from './core.ts';
import type { Ticket } from './limiter.ts';
import { Refusal, wrong } from './refusals.ts';
import type { World } from './world.ts';

/** One request as the transport takes it in. */
export interface Incoming {
  readonly method: string;
  /** Path without the query, still percent-encoded. */
  readonly pathname: string;
  readonly query: URLSearchParams;
  readonly key: string | undefined;
  /** Time of the server's clock, epoch ms. */
  readonly now: number;
  /** Running number of the request, from 1. */
  readonly count: number;
}

/** One request on its way through the service. */
export interface Call extends Incoming {
  readonly world: World;
  /** Path template of the endpoint; empty when no endpoint has this path. */
  template: string;
  /** Values of the path's placeholders. */
  path: Record<string, string>;
  /** The parameters once they are checked. */
  values: Values;
  /** What the limiter said, once it was asked. */
  ticket?: Ticket;
}

/** Checked parameters; what was left out and has no default is undefined. Times and dates are epoch ms. */
export interface Values {
  page: number;
  page_size: number;
  limit: number;
  start_time?: number;
  end_time?: number;
  start_date?: number;
  end_date?: number;
  symbol: string;
  country_code: string;
  language: string;
  category?: readonly number[];
  order_by?: string;
  exchange?: string;
  keyword?: string;
  currency_id?: string;
  project_id?: string;
}

type Value = number | string | readonly number[] | undefined;

interface Sent {
  readonly name: string;
  readonly text: string;
  readonly world: World;
}

/** One parameter of an endpoint. */
export interface Param {
  /** Its value; undefined for the default. Throws a Refusal. */
  readonly read: (sent: Sent) => Value;
  readonly otherwise?: Value;
  readonly required?: boolean;
}

/** The parameters of an endpoint by name. */
export type Params = Readonly<Record<string, Param>>;

/** Any text. */
export const text: Param = { read: (sent) => sent.text };

/** A point in time, or a day. */
export const ms: Param = {
  read({ name, text: sent }) {
    if (/^\d{10,14}$/.test(sent)) return Number(sent);
    if (isDay(sent)) return startOf(sent);
    throw wrong('format', name, sent, 'must be a timestamp in ms');
  },
};

/** A day; `dayOf` reads those of a world that writes them in its own way. */
export const day = (
  dayOf: (text: string, world: World) => string | undefined = () => undefined,
): Param => ({
  read({ name, text: sent, world }) {
    const found = dayOf(sent, world) ?? (isDay(sent) ? sent : undefined);
    if (found === undefined) throw wrong('format', name, sent, 'must be a date');
    return startOf(found);
  },
});

/** An integer. A minimum above one is stated for the size of a page only. */
export const integer = (
  otherwise: number,
  { most = Infinity, least = 1, required = false } = {},
): Param => ({
  otherwise,
  required,
  read({ name, text: sent, world }) {
    if (!/^[+-]?\d{1,15}$/.test(sent)) {
      if (world.is('not-a-number', 'default') && !required) return undefined;
      throw wrong('format', name, sent, 'must be an integer');
    }
    const value = Number(sent);
    if (value < least) {
      if (value > 0 && world.is('below-minimum', 'bring-in')) return least;
      if (value <= 0 && world.is('zero-or-less', 'default')) return otherwise;
      throw wrong('value', name, sent, `must be at least ${least}`, `>= ${least}`);
    }
    if (value <= most) return value;
    if (world.is('over-maximum', 'bring-in')) return most;
    const reason = world.is('over-code', 'value') ? 'value' : 'format';
    throw wrong(reason, name, sent, `must be at most ${most}`, `<= ${most}`);
  },
});

/** Whether two texts are the same, with or without regard to letter case. */
export const same = (one: string, other: string, folded: boolean): boolean =>
  folded ? one.toLowerCase() === other.toLowerCase() : one === other;

/** One text of a list. `unknown` is what another is taken for: undefined for the default, false to refuse it. */
export function oneOf(
  allowed: readonly string[],
  unknown: (world: World, text: string) => string | undefined | false = () => false,
  anyCase = false,
): { read: (sent: Sent) => string | undefined } {
  return {
    read({ name, text: sent, world }) {
      const folded = anyCase || world.is('folding', 'folded');
      const found = allowed.find((one) => same(one, sent, folded)) ?? unknown(world, sent);
      if (found === false) throw wrong('value', name, sent, 'not in the list', allowed);
      return found;
    },
  };
}

/** page and page_size of the usual kind. */
export const paging = (most = 100): Params => ({
  page: integer(1),
  page_size: integer(20, { most }),
});

/** Checks all parameters of a request, missing ones first. Throws a Refusal for the first that is wrong. */
export function readParams({ world, query }: Call, params: Params): Values {
  const sent = (name: string): string | undefined => {
    const plain = query.get(name) ?? undefined;
    const trimmed = world.is('trimming', 'yes') ? plain?.trim() : plain;
    return trimmed === '' && world.is('empty-values', 'left-out') ? undefined : trimmed;
  };
  const names = Object.keys(params);
  const fields = names.filter((name) => params[name]?.required && sent(name) === undefined);
  if (fields.length > 0) throw new Refusal('missing', { fields });
  const stranger = [...query.keys()].find((name) => !names.includes(name));
  if (stranger !== undefined && world.is('unknown-parameters', 'refuse'))
    throw wrong('format', stranger, query.get(stranger) ?? '', 'unknown');
  const values = Object.entries(params).map(([name, { read, otherwise }]) => {
    const own = sent(name);
    const value = own === undefined ? undefined : read({ name, text: own, world });
    return [name, value ?? otherwise];
  });
  return Object.fromEntries(values) as Values;
}

/** What a request asks for in time: all inclusive, epoch ms. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Whether a time is in a range. */
export const within = ({ from, to }: Range, time: number): boolean => time >= from && time <= to;

/**
 * The range of a request: within its window of days or months, or refused, cut or empty as the world has it. `plainFrom`
 * is where it begins when neither end was sent, if that is not where the window begins.
 */
export function rangeOf(
  { world, now, values }: Call,
  unit: 'time' | 'date',
  window: '7 days' | '1 month' | '3 months' | 'all',
  plainFrom?: number,
): Range {
  const nothing = { from: Infinity, to: -Infinity };
  const [start, end] = [`start_${unit}`, `end_${unit}`] as const;
  const { [start]: from, [end]: to } = values;
  if (from !== undefined && to !== undefined && from > to) {
    if (world.is('reversed', 'empty')) return nothing;
    throw new Refusal('range', { fields: [start], issue: 'must not be after the end' });
  }
  const monthsAgo = (months: number): number =>
    world.is('month-is', 'days')
      ? startOf(utcDay(now - months * 30 * DAY))
      : startOf(minusMonths(utcDay(now), months));
  const first = {
    all: -Infinity,
    '7 days': now - 7 * DAY,
    '1 month': monthsAgo(1),
    '3 months': monthsAgo(3),
  }[window];
  // Clients compute the edge of the window a moment before the server does.
  const outside = [start, end].find((name) => (values[name] ?? Infinity) < first - 5 * MINUTE);
  if (outside !== undefined) {
    if (world.is('beyond', 'empty')) return nothing;
    if (!world.is('beyond', 'cut'))
      throw new Refusal('range', { fields: [outside], issue: 'beyond the window' });
  }
  const lowest = from === undefined && to === undefined ? (plainFrom ?? first) : first;
  return { from: Math.max(from ?? lowest, lowest), to: to ?? Infinity };
}

/** The rows that the limit lets through; `rows` are newest first. */
export function limited<T>({ world, query, values }: Call, rows: readonly T[]): readonly T[] {
  return world.is('limit-keeps', 'newest') || !query.has('limit')
    ? rows.slice(0, values.limit)
    : rows.slice(Math.max(0, rows.length - values.limit));
}
