import type { Hooks } from '../conduct/hooks.ts';
import { isList, isObject, type Json, type JsonObject } from '../core/json.ts';
import { plusDays } from '../data/calendar.ts';
import type { Defect } from './defect.ts';
import {
  each,
  failure,
  field,
  good,
  HISTORY,
  mild,
  one,
  plain,
  recordsOf,
  rows,
  subtle,
  SUMMARY,
  said,
} from './tools.ts';

const PENDING = ['net_inflow', 'cum_inflow', 'net_assets', 'currency_share', 'prem_dsc'];

const unsettled = (record: JsonObject): boolean => PENDING.some((name) => record[name] === null);

/** Defects of the rows of both histories. */
export const ETF_ROWS: readonly Defect[] = [
  ...[
    'date',
    'total_net_inflow',
    'total_value_traded',
    'total_net_assets',
    'cum_net_inflow',
  ].flatMap((name) => [
    plain(
      `summary-no-${name.replaceAll('_', '-')}`,
      `ETF totals have no ${name}.`,
      field(SUMMARY, name, () => undefined),
    ),
    subtle(
      `summary-null-${name.replaceAll('_', '-')}`,
      `${name} of the oldest total is null.`,
      one(SUMMARY, -1, (record) => {
        record[name] = null;
      }),
    ),
  ]),
  ...['ticker', ...PENDING, 'value_traded', 'volume'].map((name) =>
    plain(
      `history-no-${name.replaceAll('_', '-')}`,
      `Rows of ETF history have no ${name}.`,
      field(HISTORY, name, () => undefined),
    ),
  ),
  ...PENDING.map((name) =>
    subtle(
      `history-text-${name.replaceAll('_', '-')}`,
      `${name} of ETF history is a text.`,
      field(HISTORY, name, (was) => (was === null ? null : said(was))),
    ),
  ),
  plain(
    'summary-order',
    'ETF totals come oldest first.',
    rows(SUMMARY, (list) => list.toReversed()),
  ),
  plain(
    'history-order',
    'ETF history comes oldest first.',
    rows(HISTORY, (list) => list.toReversed()),
  ),
  subtle(
    'history-order-one',
    'Two rows of ETF history have changed places.',
    rows(HISTORY, ([first, second, third, fourth, ...rest]) =>
      [first, second, fourth, third, ...rest].filter((row): row is Json => row !== undefined),
    ),
  ),
  plain(
    'summary-date-compact',
    'Dates of ETF totals are yyyyMMdd.',
    field(SUMMARY, 'date', (was) => said(was).replaceAll('-', '')),
  ),
  plain(
    'summary-date-slashes',
    'Dates of ETF totals have slashes.',
    field(SUMMARY, 'date', (was) => said(was).replaceAll('-', '/')),
  ),
  plain(
    'history-date-number',
    'Dates of ETF history are timestamps.',
    field(HISTORY, 'date', (was) => Date.parse(said(was))),
  ),
  subtle(
    'history-date-time',
    'Dates of ETF history have a time.',
    field(HISTORY, 'date', (was) => `${said(was)}T00:00:00Z`),
  ),
  plain('summary-weekend', 'ETF totals have a row for Saturdays.', weekend(SUMMARY)),
  plain('history-weekend', 'ETF history has a row for Saturdays.', weekend(HISTORY)),
  mild(
    'summary-duplicate-day',
    'The newest day of ETF totals comes twice.',
    rows(SUMMARY, (list) => (list.length > 9 ? [...list.slice(0, 1), ...list] : list)),
  ),
  mild(
    'history-old',
    'The newest row of ETF history is three weeks old.',
    rows(HISTORY, (list) => list.slice(14)),
  ),
  mild(
    'summary-old',
    'The newest row of ETF totals is three weeks old.',
    rows(SUMMARY, (list) => list.slice(14)),
  ),
  mild(
    'summary-cumulative',
    'Cumulative inflow of ETF totals does not follow the daily one.',
    each(SUMMARY, (record, index) => {
      record['cum_net_inflow'] = Number(record['cum_net_inflow']) + index * 5_000_000;
    }),
  ),
  mild(
    'history-cumulative',
    'Cumulative inflow of ETF history does not follow the daily one.',
    each(HISTORY, (record, index) => {
      if (record['cum_inflow'] !== null)
        record['cum_inflow'] = Number(record['cum_inflow']) + index * 5_000_000;
    }),
  ),
  plain(
    'history-unsettled-zero',
    'Unsettled figures are 0 instead of null.',
    each(HISTORY, (record) => {
      if (unsettled(record)) for (const name of PENDING) record[name] = 0;
    }),
  ),
  plain(
    'history-unsettled-one',
    'One of the unsettled figures is there already.',
    each(HISTORY, (record) => {
      if (unsettled(record)) record['prem_dsc'] = 0.001;
    }),
  ),
  subtle(
    'history-unsettled-value',
    'The unsettled row has no value_traded yet.',
    each(HISTORY, (record) => {
      if (unsettled(record)) record['value_traded'] = null;
    }),
  ),
  subtle(
    'history-unsettled-volume',
    'The unsettled row has an empty volume.',
    each(HISTORY, (record) => {
      if (unsettled(record)) record['volume'] = '';
    }),
  ),
  plain(
    'history-old-null',
    'The figures of the fifth row are null though its deadline is long over.',
    one(HISTORY, 4, (record) => {
      for (const name of PENDING) record[name] = null;
    }),
  ),
  subtle(
    'history-last-null',
    'The oldest row lacks net_assets.',
    one(HISTORY, -1, (record) => {
      record['net_assets'] = null;
    }),
  ),
  plain(
    'history-volume-text',
    'volume is a text other than value_traded.',
    field(HISTORY, 'volume', () => '123456'),
  ),
  subtle(
    'history-volume-text-one',
    'volume of one row is a text other than value_traded.',
    one(HISTORY, 3, (record) => {
      record['volume'] = '123456.5';
    }),
  ),
  plain(
    'history-volume-null',
    'volume is null.',
    field(HISTORY, 'volume', () => null),
  ),
  mild(
    'history-volume-number',
    'volume is a number that equals value_traded.',
    each(HISTORY, (record) => {
      record['volume'] = record['value_traded'];
    }),
  ),
  plain(
    'history-other-ticker',
    'Rows carry the ticker of another ETF.',
    field(HISTORY, 'ticker', () => 'QQQ'),
  ),
  subtle(
    'history-other-ticker-one',
    'One row carries the ticker of another ETF.',
    one(HISTORY, 2, (record) => {
      record['ticker'] = 'QQQ';
    }),
  ),
  subtle('history-first-etf', 'The history of every other ETF is that of the first.', {
    query: (call) => {
      if (call.template === HISTORY)
        call.path['ticker'] =
          call.path['ticker'] === 'BTCW' || call.path['ticker'] === 'nope'
            ? call.path['ticker']
            : known(call.path['ticker'] ?? '');
    },
  }),
  plain(
    'history-two-months',
    'ETF history reaches back two months without a range.',
    good(HISTORY, (body, call) =>
      isList(body) && !call.query.has('start_date') && !call.query.has('limit')
        ? [...body, ...older(recordsOf(body))]
        : undefined,
    ),
  ),
  plain('history-unknown', 'An ETF that does not exist gives an empty list.', {
    reply: (call, reply) =>
      call.template === HISTORY && reply.status === 404
        ? {
            status: 200,
            headers: {},
            body: [
              {
                date: '2026-11-20',
                ticker: call.path['ticker'],
                net_inflow: 1,
                cum_inflow: 1,
                net_assets: 1,
                currency_share: 1,
                prem_dsc: 1,
                value_traded: 1,
                volume: 1,
              },
            ],
          }
        : undefined,
  }),
  plain('history-unknown-crash', 'An ETF that does not exist is answered with 500.', {
    reply: (call, reply) =>
      call.template === HISTORY && reply.status === 404
        ? failure(500, 500001, 'Internal server error')
        : undefined,
  }),
];

/** A ticker of the default world stays what it is unless it has the form of one. */
function known(ticker: string): string {
  return /^[A-Z]{3,4}[WXYZ]$|^\d{4}\.HK$/.test(ticker) ? 'BTCW' : ticker;
}

function older(records: readonly JsonObject[]): Json[] {
  return records.map((record) => ({ ...record, date: plusDays(said(record['date']), -35) }));
}

function weekend(template: string): Hooks {
  return rows(template, (list) => {
    const place = list.findIndex(
      (row) => isObject(row) && new Date(`${said(row['date'])}T00:00:00Z`).getUTCDay() === 5,
    );
    const friday = list[place];
    if (place < 1 || !isObject(friday)) return list;
    const saturday = { ...friday, date: plusDays(said(friday['date']), 1) };
    return [...list.slice(0, place), saturday, ...list.slice(place)];
  });
}
