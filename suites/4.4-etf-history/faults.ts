import type { EndpointPath } from '../../src/spec/endpoints.ts';
import { T1_FIELDS } from '../../src/spec/resources.ts';
import { DAY, isoDay } from '../../src/spec/time.ts';
import { faultsOf, type Fault } from '../../src/reference/faults/fault.ts';
import type { Hooks } from '../../src/reference/hooks.ts';
import { isObject } from '../../src/reference/json.ts';
import {
  all,
  asked,
  edit,
  editOneIn,
  endpointIs,
  notAsked,
  oneRowIn,
  onMembers,
  onRecord,
  onRows,
  put,
  type Condition,
} from '../../src/reference/vocabulary.ts';
import type { Json, JsonObject } from '../../src/reference/world.ts';
import { bothHistories, unsettled, withOlder } from '../families/trading-days-faults.ts';

const HISTORY: EndpointPath = '/etfs/{ticker}/history';
const history = endpointIs(HISTORY);
const NULLS: JsonObject = Object.fromEntries(T1_FIELDS.map((field) => [field, null]));
const ZEROS: JsonObject = Object.fromEntries(T1_FIELDS.map((field) => [field, 0]));

/** The Friday before a weekend day; other days unchanged. */
function weekdayBefore(time: number): string {
  const day = new Date(time).getUTCDay();
  const back = day === 6 ? 1 : day === 0 ? 2 : 0;
  return isoDay(time - back * DAY);
}

const unsettleFirst = ([first, ...rows]: readonly Json[]): readonly Json[] =>
  first === undefined || !isObject(first) ? [] : [{ ...first, ...NULLS }, ...rows];

/** A row with the previous day's figures and the inflow added again. */
function guessed(row: Json, before: Json | undefined): Json {
  if (!isObject(row) || before === undefined || !isObject(before)) return row;
  const figures = Object.fromEntries(T1_FIELDS.map((field) => [field, before[field] ?? null]));
  const total = Number(before['cum_inflow']) + Number(before['net_inflow']);
  return { ...row, ...figures, cum_inflow: total };
}

/** Sets figures of unsettled rows. */
const onUnsettled = (figures: JsonObject): Hooks =>
  onRecord('etf-history-row', (row) => (unsettled(row) ? { ...row, ...figures } : row));

const snapshot = endpointIs('/etfs/{ticker}/market-snapshot');

/** Few tickers contain a dot. */
const dotted: Condition = ({ path }) => path['ticker']?.includes('.') === true;

/** Faults in §4.4. */
export const ETF_HISTORY_FAULTS: readonly Fault[] = faultsOf({
  ...bothHistories('4.4', 'history', history),
  'history-five-weeks': {
    title: 'Without a range, the list goes back five weeks',
    kills: ['4.4/window'],
    hooks: onRows(all(history, notAsked('start_date'), notAsked('limit')), (rows, { now }) =>
      withOlder(rows, weekdayBefore(now - 36 * DAY)),
    ),
  },
  'history-one-etf': {
    title: 'Every ticker returns the rows of the second ETF under its own ticker',
    kills: ['4.4/own-rows'],
    hooks: {
      world: (world) => ({
        etfHistory(ticker, now) {
          const second = world.etfs[1]?.ticker ?? ticker;
          const known = world.etfHistory(ticker, now) !== undefined;
          return known
            ? world.etfHistory(second, now)?.map((row) => ({ ...row, ticker }))
            : undefined;
        },
      }),
    },
  },
  'history-unsettled-all-zero': {
    title: 'The unsettled row has 0 for its five figures instead of null',
    kills: ['4.4/t1-not-zero'],
    hooks: onUnsettled(ZEROS),
  },
  'history-volume-number-turnover': {
    title: '`volume` is a number that holds the turnover',
    kills: ['4.4/volume-of-shares'],
    hooks: onRecord(
      'etf-history-row',
      edit('/volume', (_value, row) => Number(row['value_traded'])),
    ),
  },
  'history-ticker-one-in-ten': {
    title: "One row in ten has the fund's name as its ticker",
    kills: ['2.8/ticker-echo'],
    hooks: onRecord('etf-history-row', oneRowIn(10, put('/ticker', 'Bitcoin Trust'))),
  },
  'history-second-unsettled': {
    title: 'A row from last week is still unsettled',
    kills: ['4.4/t1-newest-only'],
    hooks: onRows(all(history, notAsked('start_date')), (rows) =>
      rows.map((row, index) => (index === 5 && isObject(row) ? { ...row, ...NULLS } : row)),
    ),
  },
  'history-unsettled-no-volume': {
    title: 'The unsettled row has no volume',
    kills: ['4.4/t1-filled', '2.8/history-volume'],
    hooks: onUnsettled({ volume: null }),
  },
  'history-today-settled': {
    title: 'The row of the current trading day already has figures',
    kills: ['4.4/t1-today-null'],
    hooks: onRows(history, (rows) =>
      rows.map((row, index) => (index === 0 && unsettled(row) ? guessed(row, rows[1]) : row)),
    ),
  },
  'history-lags': {
    title: 'ETF history ends three days ago, with that day still unsettled',
    kills: ['4.4/t1-current-day'],
    hooks: onRows(history, (rows) => (rows.some(unsettled) ? unsettleFirst(rows.slice(3)) : rows)),
  },
  'history-range-unsettled': {
    title: 'The newest row of a range in the past is shown as unsettled',
    kills: ['4.4/t1-newest-only', '4.4/t1-current-day'],
    hooks: onRows(all(history, asked('end_date')), unsettleFirst),
  },
  'history-never-settles': {
    title: 'ETF history is frozen after the first request, so rows never settle',
    kills: ['4.4/t1-completes', '4.4/t1-current-day'],
    profile: 'full',
    hooks: {
      world(world) {
        let first: number | undefined;
        return {
          etfHistory(ticker, now) {
            first ??= now;
            return world.etfHistory(ticker, first);
          },
        };
      },
    },
  },
  'history-settled-row-lost': {
    title: "A day's row is missing on the next day",
    kills: ['4.4/t1-completes'],
    profile: 'full',
    hooks: {
      world(world) {
        let first: number | undefined;
        return {
          etfHistory(ticker, now) {
            first ??= now;
            const lost = world.etfHistory(ticker, first)?.find(unsettled)?.['date'];
            const rows = world.etfHistory(ticker, now);
            return rows?.filter((row) => unsettled(row) || row['date'] !== lost);
          },
        };
      },
    },
  },
  'etf-snapshot-null-premium': {
    title: 'The snapshot of an ETF has no premium yet',
    kills: ['4.4/snapshot-settled'],
    hooks: onMembers(snapshot, () => ({ prem_dsc: null })),
  },
  'etf-snapshot-volume-turnover': {
    title: '`volume` in the snapshot of an ETF is the turnover',
    kills: ['4.4/snapshot-volume'],
    hooks: onMembers(snapshot, (value) => ({
      volume: value['value_traded'] ?? null,
    })),
  },
  'history-volume-other-string': {
    title: '`volume` is a string that differs from `value_traded` in one row in seven',
    kills: ['4.4/volume-equals-turnover'],
    hooks: onRecord(
      'etf-history-row',
      editOneIn(7, '/volume', (value) => String(Number(value) + 1)),
    ),
  },
  'history-dotted-unsettled': {
    title: 'ETFs with a dot in their ticker never settle',
    kills: ['4.4/t1-newest-only'],
    hooks: onRecord('etf-history-row', (row) => ({ ...row, ...NULLS }), dotted),
  },
  'history-dotted-not-found': {
    title: 'The history of an ETF with a dot in its ticker is not found; its snapshot is',
    kills: ['4.4/history'],
    profile: 'full',
    hooks: {
      world: (world) => ({
        etfHistory: (ticker, now) =>
          ticker.includes('.') ? undefined : world.etfHistory(ticker, now),
      }),
    },
  },
});
