import type { Hooks } from '../conduct/hooks.ts';
import type { Call } from '../core/call.ts';
import type { Defect } from './defect.ts';
import { beyond } from './klines.ts';
import {
  failure,
  field,
  HISTORY,
  ignoring,
  isOf,
  KLINES,
  MACRO,
  mild,
  one,
  plain,
  rows,
  STOCK_KLINES,
  subtle,
  SUMMARY,
  said,
} from './tools.ts';

interface Series {
  readonly name: string;
  readonly template: string;
  readonly start: string;
  readonly end: string;
  readonly time: string;
  readonly most: number;
}

const SERIES: readonly Series[] = [
  {
    name: 'klines',
    template: KLINES,
    start: 'start_time',
    end: 'end_time',
    time: 'timestamp',
    most: 500,
  },
  {
    name: 'stock-klines',
    template: STOCK_KLINES,
    start: 'start_time',
    end: 'end_time',
    time: 'timestamp',
    most: 500,
  },
  {
    name: 'summary',
    template: SUMMARY,
    start: 'start_date',
    end: 'end_date',
    time: 'date',
    most: 300,
  },
  {
    name: 'history',
    template: HISTORY,
    start: 'start_date',
    end: 'end_date',
    time: 'date',
    most: 300,
  },
  { name: 'macro', template: MACRO, start: 'start_date', end: 'end_date', time: 'date', most: 100 },
];

/** Changes the limit after it was checked. */
function limit(template: string, change: (limit: number, call: Call) => number): Hooks {
  return {
    values: (call) => {
      const value = call.values['limit'];
      if (call.template === template && typeof value === 'number' && call.query.has('limit')) {
        call.values['limit'] = change(value, call);
      }
    },
  };
}

function crash(template: string, name: string, when: (value: string) => boolean): Hooks {
  return {
    reply: (call) =>
      call.template === template && when(call.query.get(name) ?? '') && call.key !== undefined
        ? failure(500, 500001, 'Internal server error')
        : undefined,
  };
}

function of({ name, template, start, end, time, most }: Series): Defect[] {
  const id = (what: string): string => `${name}-${what}`;
  const on = `GET ${template}`;
  // One description only states the limit of ETF history.
  const limits = name === 'history' ? mild : plain;
  return [
    plain(id('start-ignored'), `${on} ignores ${start}.`, ignoring(template, start)),
    plain(id('end-ignored'), `${on} ignores ${end}.`, ignoring(template, end)),
    subtle(
      id('start-with-end'),
      `${on} ignores ${start} when ${end} is there too.`,
      ignoring(template, start, (_value, call) => call.query.has(end)),
    ),
    subtle(
      id('start-alone'),
      `${on} ignores ${start} when it stands alone.`,
      ignoring(template, start, (_value, call) => !call.query.has(end)),
    ),
    limits(
      id('limit-ignored'),
      `${on} ignores limit.`,
      ignoring(template, 'limit', (value) => Number(value) <= most),
    ),
    limits(
      id('limit-short'),
      `${on} gives one row less than limit.`,
      limit(template, (value) => Math.max(0, value - 1)),
    ),
    limits(
      id('limit-long'),
      `${on} gives one row more than limit.`,
      limit(template, (value) => value + 1),
    ),
    limits(id('limit-max-refused'), `${on} refuses limit=${most}.`, {
      reply: (call, reply) =>
        call.template === template && reply.status === 200 && call.query.get('limit') === said(most)
          ? failure(400, 400003, 'Invalid parameter: limit', { field: 'limit' })
          : undefined,
    }),
    plain(
      id('limit-text-crash'),
      `${on} answers 500 to a limit that is no number.`,
      crash(template, 'limit', (value) => /[a-z]/i.test(value)),
    ),
    subtle(
      id('limit-zero-crash'),
      `${on} answers 500 to limit=0.`,
      crash(template, 'limit', (value) => value === '0'),
    ),
    subtle(
      id('date-crash'),
      `${on} answers 500 to a ${start} that is no time.`,
      crash(template, start, (value) => /[a-z]{2}/i.test(value)),
    ),
    mild(
      id('mixed-order'),
      `${on} mixes the order of its rows.`,
      rows(template, (list) => [...list.slice(3), ...list.slice(0, 3)]),
    ),
    mild(
      id('duplicates'),
      `${on} gives its newest row twice.`,
      rows(template, (list, call) =>
        call.query.has('limit') ? list : [...list.slice(0, 1), ...list],
      ),
    ),
    plain(
      id('time-missing'),
      `${on} gives rows without ${time}.`,
      field(template, time, () => undefined),
    ),
    subtle(
      id('last-row-bare'),
      `${on} leaves the last row without ${time}.`,
      one(template, -1, (row) => delete row[time]),
    ),
    plain(id('wrapped'), `${on} wraps its rows in an object.`, {
      reply: (call, reply) =>
        call.template === template && reply.status === 200
          ? { ...reply, body: { list: reply.body, total: 1 } }
          : undefined,
    }),
  ];
}

const BOTH = [KLINES, STOCK_KLINES];

/** Ranges, limits and rows of everything that is ordered by time. */
export const RANGES: readonly Defect[] = [
  ...SERIES.flatMap(of),
  plain(
    'summary-too-far',
    'ETF totals of before the last month are given when a range asks for them.',
    beyond(SUMMARY, 'start_date'),
  ),
  subtle('klines-in-seconds', 'Start and end of klines are read as seconds.', {
    values: (call) => {
      for (const name of ['start_time', 'end_time']) {
        const value = call.values[name];
        if (isOf(call, BOTH) && typeof value === 'number') call.values[name] = value * 1000;
      }
    },
  }),
  plain('macro-default-20', 'Macro history gives 20 rows by default.', {
    values: (call) => {
      if (call.template === MACRO && !call.query.has('limit')) call.values['limit'] = 20;
    },
  }),
  plain('macro-limit-over', 'Macro history gives 101 rows when asked.', {
    query: (call) => {
      if (call.template === MACRO && Number(call.query.get('limit')) > 100)
        call.query.delete('limit');
    },
    values: (call) => {
      if (call.template === MACRO && !call.query.has('limit')) call.values['limit'] = 200;
    },
  }),
];
