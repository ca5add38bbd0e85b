import { isDay, minusMonths, startOf, utcDay } from './calendar.ts';
import { DAY, MINUTE } from './core.ts';
import { Refusal, wrong } from './refusals.ts';
import type { World } from './world.ts';

/** One request on its way through the service. */
export interface Call {
  readonly world: World;
  readonly method: string;
  /** Path without the query, still percent-encoded. */
  readonly pathname: string;
  readonly query: URLSearchParams;
  readonly key: string | undefined;
  /** Time of the server's clock, epoch ms. */
  readonly now: number;
  /** Running number of the request, from 1. */
  readonly count: number;
  /** Path template of the endpoint; empty when no endpoint has this path. */
  template: string;
  /** Values of the path's placeholders. */
  path: Record<string, string>;
  /** The parameters once they are checked. */
  values: Values;
}

/** Endpoints by path template. */
export type Endpoints = Readonly<Record<string, Endpoint>>;

/** What one endpoint does. All of it throws a Refusal where it cannot answer. */
export interface Endpoint {
  /** Left out where no parameters are stated, so that none are checked beforehand. */
  readonly params?: Params | ((world: World) => Params);
  readonly answer: (call: Call) => unknown;
}

/** Checked parameters; what was left out and has no default is undefined. Times and dates are epoch ms. */
export type Values = Record<'page' | 'page_size' | 'limit', number> &
  Record<'symbol' | 'country_code' | 'language', string> &
  Partial<Record<'start_time' | 'end_time' | 'start_date' | 'end_date', number>> &
  Partial<Record<'order_by' | 'exchange' | 'currency_id' | 'project_id', string>> & {
    category?: readonly number[];
  };

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
export const TEXT: Param = { read: (sent) => sent.text };

/** A point in time, or a day. */
export const MS: Param = {
  read({ name, text }) {
    if (/^\d{10,14}$/.test(text)) return Number(text);
    if (isDay(text)) return startOf(text);
    throw wrong('format', name, text, 'must be a timestamp in ms');
  },
};

/** A day; `dayOf` reads those of a world that writes them in its own way. */
export const dayParam = (
  dayOf = (text: string, _world: World) => (isDay(text) ? text : undefined),
): Param => ({
  read({ name, text, world }) {
    const found = dayOf(text, world);
    if (found === undefined) throw wrong('format', name, text, 'must be a date');
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
  read({ name, text, world }) {
    if (!/^[+-]?\d{1,15}$/.test(text)) {
      if (world.is('not-a-number', 'default') && !required) return undefined;
      throw wrong('format', name, text, 'must be an integer');
    }
    const value = Number(text);
    if (value < least) {
      if (value > 0 && world.is('below-minimum', 'bring-in')) return least;
      if (value <= 0 && world.is('zero-or-less', 'default')) return otherwise;
      throw wrong('value', name, text, `must be at least ${least}`, `>= ${least}`);
    }
    if (value <= most) return value;
    if (world.is('over-maximum', 'bring-in')) return most;
    const reason = world.is('over-code', 'value') ? 'value' : 'format';
    throw wrong(reason, name, text, `must be at most ${most}`, `<= ${most}`);
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
    read({ name, text, world }) {
      const folded = anyCase || world.is('folding', 'folded');
      const found = allowed.find((one) => same(one, text, folded)) ?? unknown(world, text);
      if (found === false) throw wrong('value', name, text, 'not in the list', allowed);
      return found;
    },
  };
}

/** The one of a list that a placeholder of the path names. Throws a Refusal when none of them has this name. */
export function named<T>(
  { world, path }: Call,
  kind: string,
  field: string,
  list: readonly T[],
  hasName: (one: T, name: string) => boolean = Object.is,
): T {
  const name = path[field] ?? '';
  const found = list.find((one) => hasName(one, name));
  if (found !== undefined) return found;
  const message = world.of('unknown-message', {
    named: `${kind} not found`,
    generic: 'Not found',
    resource: `Resource not found: ${name}`,
  });
  throw new Refusal('resource', {
    message,
    details: { [field]: name, suggestion: 'See the list.' },
  });
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
  if (fields.length > 0) throw new Refusal('missing', { fields, issue: 'missing' });
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

/**
 * Whether a time is in the range of a request: within its window of days or months, or refused, cut or empty as the world
 * has it. Without either end some series may reach back further, as far as the default limit does.
 */
export function rangeOf(
  { world, now, values }: Call,
  unit: 'time' | 'date',
  window: '7 days' | '1 month' | '3 months' | 'all',
  reachesBack = false,
): (time: number) => boolean {
  const [start, end] = [`start_${unit}`, `end_${unit}`] as const;
  const { [start]: from = -Infinity, [end]: to = Infinity } = values;
  if (from > to) {
    if (world.is('reversed', 'empty')) return () => false;
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
    if (world.is('beyond', 'empty')) return () => false;
    if (!world.is('beyond', 'cut'))
      throw new Refusal('range', { fields: [outside], issue: 'beyond the window' });
  }
  const plain = values[start] === undefined && values[end] === undefined;
  const back = reachesBack && plain && world.is('plain-reach', 'default-rows');
  return (time) => (back || time >= Math.max(from, first)) && time <= to;
}

/** The rows that the limit lets through; `rows` are newest first. */
export function limited<T>({ world, query, values }: Call, rows: readonly T[]): readonly T[] {
  return world.is('limit-keeps', 'newest') || !query.has('limit')
    ? rows.slice(0, values.limit)
    : rows.slice(Math.max(0, rows.length - values.limit));
}
