import { DAY } from '../../spec/time.ts';
import { isTradingDay } from '../../spec/trading-days.ts';
import { textOf } from '../json.ts';
import { byDate } from '../ranges.ts';
import type { JsonObject } from '../world.ts';
import { data, dimension, series, type Dimension, type Rows } from './choice.ts';

const CANDLES = ['currencyKlines', 'stockKlines'] as const;

const timeOf = (row: JsonObject): number => Number(row['timestamp']);

/** Older candles in front: what a plain request shows may reach back further than a range. */
function olderCandles(rows: Rows): Rows {
  const [first] = rows;
  if (first === undefined) return rows;
  // No more than a plain request shows, whichever end its limit keeps.
  const more = Math.max(0, 100 - rows.length);
  const older = Array.from({ length: more }, (_, index) => ({
    ...rows[index % rows.length],
    timestamp: timeOf(first) - (more - index) * DAY,
  }));
  const weekdays = rows.every((row) => ![0, 6].includes(new Date(timeOf(row)).getUTCDay()));
  const open = older.filter(
    ({ timestamp }) => !weekdays || ![0, 6].includes(new Date(timestamp).getUTCDay()),
  );
  return [...open, ...rows];
}

/** Older rows behind, back from what was accumulated until then. */
function olderSummary(rows: Rows, country: 'US' | 'HK'): Rows {
  const last = rows.at(-1);
  if (last === undefined) return rows;
  const older: JsonObject[] = [];
  let after = last;
  for (let time = byDate(last) - DAY; older.length + rows.length < 50; time -= DAY) {
    const date = new Date(time).toISOString().slice(0, 10);
    if (!isTradingDay(country, date)) continue;
    const flow = Math.round(Number(last['total_net_inflow']) * (1 + older.length / 7)) / 10;
    after = {
      ...after,
      date,
      total_net_inflow: flow,
      cum_net_inflow:
        Math.round((Number(after['cum_net_inflow']) - Number(after['total_net_inflow'])) * 100) /
        100,
    };
    older.push(after);
  }
  return [...rows, ...older];
}

/** How far back there is something to see (§8, ruling 5). */
export const WINDOWS: readonly Dimension[] = [
  dimension('reach-of-candles', 'three-months', {
    '90-days': series(CANDLES, (rows, { now }) =>
      rows.filter((row) => timeOf(row) > now - 90 * DAY),
    ),
    'longer-without-a-range': series(CANDLES, olderCandles),
    'closed-days-only': series(CANDLES, (rows, { now }) =>
      rows.filter((row) => timeOf(row) < now - DAY),
    ),
  }),
  dimension('reach-of-etf-rows', 'a-month', {
    '30-days': data((world) => {
      const recent = (rows: Rows | undefined, now: number): Rows | undefined =>
        rows?.filter((row) => Date.parse(textOf(row['date'])) > now - 30 * DAY);
      return {
        etfSummary: (symbol, country, now) => recent(world.etfSummary(symbol, country, now), now),
        etfHistory: (ticker, now) => recent(world.etfHistory(ticker, now), now),
      };
    }),
    'longer-summary-without-a-range': data((world) => ({
      etfSummary(symbol, country, now) {
        const rows = world.etfSummary(symbol, country, now);
        return rows && olderSummary(rows, country);
      },
    })),
  }),
];
