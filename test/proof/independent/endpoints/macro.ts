import { textValue, type Call } from '../core/call.ts';
import type { Json, JsonObject } from '../core/json.ts';
import { isDay, startOf, utcDay, type Day } from '../data/calendar.ts';
import { charts, macroEvents, releases, type Release } from '../data/others.ts';
import type { World } from '../worlds/world.ts';
import { readParams, type Param } from './params.ts';
import { limited, rangeOf } from './ranges.ts';
import { notFound } from './stocks.ts';
import { figure } from './write.ts';

/** A date of a macro row. */
function dateOf(world: World, time: number): string {
  const day = utcDay(time);
  return world.of('macro-dates', {
    dashes: () => day,
    compact: () => day.replaceAll('-', ''),
    iso: () => new Date(time).toISOString(),
    'ms-text': () => String(time),
    words: () =>
      new Date(time).toLocaleDateString('en-US', { timeZone: 'UTC', dateStyle: 'medium' }),
  })();
}

/** The day that a text of a range means; undefined when it is none. */
function readDay(world: World, text: string): Day | undefined {
  const choice = world.choice('macro-dates');
  const dashes = isDay(text);
  if (dashes && (choice === 'dashes' || world.choice('macro-range') === 'dashes-too')) return text;
  if (choice === 'compact' && /^\d{8}$/.test(text))
    return text.replace(/(....)(..)(..)/, '$1-$2-$3');
  if (choice === 'ms-text' && /^\d{13}$/.test(text)) return utcDay(Number(text));
  const time = ['iso', 'words'].includes(choice) && !dashes ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : utcDay(time + (choice === 'words' ? 43_200_000 : 0));
}

/** Parameters of GET /macro/events/{event}/history. */
export const MACRO_PARAMS: readonly Param[] = [
  { name: 'start_date', kind: 'day', readDay },
  { name: 'end_date', kind: 'day', readDay },
  { name: 'limit', kind: 'integer', otherwise: 50, most: 100 },
];

function row(world: World, one: Release): JsonObject {
  const number = (value: number | null): Json => (value === null ? null : figure(world, value));
  return {
    date: dateOf(world, one.time),
    actual: number(one.actual),
    forecast: number(one.forecast),
    previous: number(one.previous),
  };
}

/** GET /macro/events/{event}/history */
export function macroHistory(call: Call): Json {
  const { world } = call;
  const name = call.path['event'] ?? '';
  const event = macroEvents(world).find((one) => one.name === name);
  if (event === undefined) throw notFound(call, 'Event', 'event', name);
  const from = textValue(call, 'start_date');
  const to = textValue(call, 'end_date');
  const range = rangeOf(
    call,
    ['start_date', 'end_date'],
    {
      from: from === undefined ? undefined : startOf(from),
      to: to === undefined ? undefined : startOf(to),
    },
    'any',
  );
  const all = releases(world, event, call.now);
  const kept = all.filter(
    ({ day }) => range !== undefined && startOf(day) >= range.from && startOf(day) <= range.to,
  );
  const rows = limited(call, kept, 50).map((one) => row(world, one));
  return world.choice('macro-order') === 'newest' ? rows : rows.toReversed();
}

/** GET /macro/events */
export function eventList(call: Call): Json {
  const { world, now } = call;
  const choice = world.choice('event-list');
  if (choice === 'needs-parameter')
    readParams(call, [{ name: 'date', kind: 'day', required: true }]);
  const events = world.choice('purpose-empty') === 'empty' ? [] : macroEvents(world);
  const today = utcDay(now);
  if (choice === 'texts') return events.map(({ name }) => name);
  if (choice === 'by-date') {
    const half = Math.ceil(events.length / 2);
    return [
      { date: today, events: events.slice(0, half).map(({ name }) => name) },
      { date: utcDay(now - 86_400_000), events: events.slice(half).map(({ name }) => name) },
    ];
  }
  const rows = events.map(({ name, title, index }): JsonObject =>
    choice === 'display-and-path'
      ? { id: 300 + index, title: `${title} (US)`, event: name, date: today }
      : { event: name, country: 'US', date: today },
  );
  return choice === 'list-object' ? { list: rows, total: rows.length } : rows;
}

const FIELDS: readonly (readonly [string, string])[] = [
  ['value', 'number'],
  ['price', 'number'],
  ['label', 'string'],
];

/** GET /analyses */
export function chartList(call: Call): Json {
  return charts(call.world).map((name, index) => {
    const time = index % 2 === 0 ? 'timestamp' : 'date';
    const own = FIELDS.slice(0, 1 + (index % 3)).map(([field, type]) => ({ name: field, type }));
    const withTime = call.world.choice('chart-fields') === 'with-time';
    const fields = withTime
      ? [{ name: time, type: index % 2 === 0 ? 'number' : 'string' }, ...own]
      : own;
    return { chart_name: name, time_field: time, fields };
  });
}

/** GET /analyses/{chart_name} */
export function chartData(call: Call): Json {
  const { world, now } = call;
  const name = call.path['chart_name'] ?? '';
  const index = charts(world).indexOf(name);
  if (index === -1) throw notFound(call, 'Chart', 'chart_name', name);
  const choice = world.choice('chart-data');
  if (choice === 'needs-parameter')
    readParams(call, [{ name: 'start_time', kind: 'ms', required: true }]);
  if (choice === 'empty' || world.choice('purpose-empty') === 'empty') return [];
  const rows = Array.from({ length: 30 }, (_, n): JsonObject => {
    const time = now - (now % 86_400_000) - n * 86_400_000;
    return {
      [index % 2 === 0 ? 'timestamp' : 'date']: index % 2 === 0 ? time : utcDay(time),
      ...Object.fromEntries(
        FIELDS.slice(0, 1 + (index % 3)).map(([field, type]) => [
          field,
          type === 'number' ? n + 0.5 : `day ${n}`,
        ]),
      ),
    };
  });
  if (choice === 'columns')
    return {
      columns: Object.keys(rows[0] ?? {}),
      rows: rows.map((one) => Object.values(one) as Json[]),
    };
  return choice === 'list-object' ? { list: rows } : rows;
}
