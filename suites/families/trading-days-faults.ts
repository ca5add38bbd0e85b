import { DAY, isoDay } from '../../src/spec/time.ts';
import { exchangeHoliday } from '../../src/spec/trading-days.ts';
import type { Context } from '../../src/reference/hooks.ts';
import { isObject, textOf } from '../../src/reference/json.ts';
import { monthsBefore } from '../../src/reference/ranges.ts';
import {
  all,
  asked,
  crashing,
  edit,
  ignoring,
  notAsked,
  onAnswer,
  onBody,
  oneRowIn,
  onRecord,
  onRows,
  scaled,
  setting,
  type Condition,
} from '../../src/reference/vocabulary.ts';
import type { Json } from '../../src/reference/world.ts';
import type { FaultEntry } from '../../src/reference/faults/fault.ts';

/** An ETF history row without settlement figures (§4.4 rule 1). */
export const unsettled = (row: Json): boolean => isObject(row) && row['net_inflow'] === null;

const hugeLimit: Condition = ({ query }) => Number(query.get('limit') ?? 0) >= 2 ** 31;

/** Appends a copy of the oldest row with another date. */
export const withOlder = (rows: readonly Json[], date: string): readonly Json[] => {
  const last = rows.at(-1);
  return last !== undefined && isObject(last) ? [...rows, { ...last, date }] : rows;
};

/** Faults shared by both ETF histories. */
export function bothHistories(
  section: '4.3' | '4.4',
  name: 'summary' | 'history',
  here: Condition,
): Readonly<Record<string, FaultEntry>> {
  const cumulative = section === '4.3' ? '/cum_net_inflow' : '/cum_inflow';
  const inflow = section === '4.3' ? '/total_net_inflow' : '/net_inflow';
  const resource = section === '4.3' ? 'etf-summary-row' : 'etf-history-row';
  return {
    [`etf-${name}-in-object`]: {
      title: 'The rows are wrapped in an object',
      kills: section === '4.3' ? ['4.3/summary-history'] : ['4.4/history'],
      hooks: onBody(here, (value) => ({ rows: value })),
    },
    [`etf-${name}-oldest-first`]: {
      title: 'Rows are sorted oldest first',
      kills: [`${section}/order`],
      hooks: onRows(here, (rows) => rows.toReversed()),
    },
    [`etf-${name}-two-swapped`]: {
      title: 'Two of the older rows are in the wrong order',
      kills: [`${section}/order`],
      hooks: onRows(here, (rows) => {
        const [last, previous] = [rows.at(-1), rows.at(-2)];
        if (rows.length < 4 || last === undefined || previous === undefined) return rows;
        return [...rows.slice(0, -2), last, previous];
      }),
    },
    [`etf-${name}-sunday`]: {
      title: 'There is a row for a Sunday',
      kills: [`${section}/weekends`],
      hooks: onRows(here, inLimit(withSunday)),
    },
    [`etf-${name}-holiday`]: {
      title: 'There is a row for an exchange holiday',
      kills: [`${section}/holidays`],
      ...(name === 'history' && { needsData: true }),
      hooks: onRows(here, inLimit(withHoliday)),
    },
    [`etf-${name}-day-twice`]: {
      title: 'The oldest day has two rows',
      kills: [`${section}/date-unique`],
      hooks: onRows(all(here, notAsked('limit')), (rows) => [...rows, ...rows.slice(-1)]),
    },
    [`etf-${name}-cumulative-jump`]: {
      title: 'One cumulative figure in five does not fit the inflow of its day',
      kills: [`${section}/cumulative`],
      hooks: onRecord(resource, oneRowIn(5, scaled(cumulative, 1.07))),
    },
    [`etf-${name}-outflow-unsigned`]: {
      title: 'A net outflow is shown without its sign',
      kills: [`${section}/cumulative`],
      hooks: onRecord(
        resource,
        edit(inflow, (value) => (typeof value === 'number' ? Math.abs(value) : value)),
      ),
    },
    [`etf-${name}-three-weeks-late`]: {
      title: 'All rows are older than three weeks',
      kills: [`${section}/recent`],
      hooks: onRows(here, (rows, { now }) =>
        rows.filter((row) => isObject(row) && textOf(row['date']) < isoDay(now - 21 * DAY)),
      ),
    },
    [`etf-${name}-start-ignored`]: {
      title: 'start_date is ignored',
      kills: [`${section}/range`],
      hooks: ignoring('start_date', here),
    },
    [`etf-${name}-too-old`]: {
      title: 'A range that starts two months ago returns a row from two months ago',
      kills: [`${section}/window`],
      hooks: onRows(all(here, asked('start_date')), (rows, { query, now }) => {
        const old = isoDay(monthsBefore(now, 2));
        return String(query.get('start_date')) <= old ? withOlder(rows, old) : rows;
      }),
    },
    [`etf-${name}-old-range-crash`]: {
      title: 'A range beyond the month causes an internal error',
      kills: [`${section}/window-answer`],
      hooks: crashing(
        all(here, ({ query, now }) => (query.get('start_date') ?? '9') < isoDay(now - 34 * DAY)),
      ),
    },
    [`etf-${name}-beyond-plain-error`]: {
      title: 'A range beyond the month is refused with an error body in a different shape',
      kills: [`${section}/window-answer`, '7/error-shape'],
      hooks: onAnswer(
        (_answer, context) =>
          here(context) &&
          (context.query.get('start_date') ?? '9') < isoDay(context.now - 34 * DAY),
        (answer) => ({ ...answer, status: 400, value: { error: 'range too long' } }),
      ),
    },
    [`etf-${name}-one-short`]: {
      title: 'A limit returns one row too few',
      kills: [`${section}/limit-exact`],
      hooks: onRows(all(here, asked('limit')), (rows) => rows.slice(0, -1)),
    },
    [`etf-${name}-negative-crash`]: {
      title: 'A negative limit causes an internal error',
      kills: [`${section}/limit-invalid`],
      profile: 'full',
      hooks: crashing(all(here, ({ query }) => Number(query.get('limit') ?? 1) < 0)),
    },
    [`etf-${name}-huge-limit-empty`]: {
      title: 'A limit beyond 31 bits returns an empty list',
      kills: [`${section}/limit-max`],
      profile: 'full',
      hooks: [
        setting('limit', '300', all(here, hugeLimit)),
        onRows(all(here, hugeLimit), () => []),
      ],
    },
  };
}

type RowsChange = (rows: readonly Json[], context: Context) => readonly Json[];

/** Applies a change, then the limit. */
const inLimit =
  (change: RowsChange): RowsChange =>
  (rows, context) => {
    const limit = context.query.get('limit');
    const changed = change(rows, context);
    return limit === undefined ? changed : changed.slice(0, Number(limit));
  };

/** Copies the row before an exchange holiday to the holiday. Nothing changes in a month without holidays. */
function withHoliday(rows: readonly Json[], context: Context): readonly Json[] {
  const { query, path } = context;
  const listing =
    'ticker' in path && context.world.etfs.find((one) => one.ticker === path['ticker']);
  const country = query.get('country_code')?.toUpperCase() === 'HK' ? 'HK' : 'US';
  for (const [index, row] of rows.entries()) {
    if (!isObject(row) || unsettled(row)) continue;
    // Next to a weekend, a holiday may be four days after the row before it.
    const holiday = [1, 2, 3, 4]
      .map((days) => isoDay(Date.parse(textOf(row['date'])) + days * DAY))
      .find((date) => exchangeHoliday(listing ? listing.country : country, date) !== undefined);
    const next = rows[index - 1];
    if (holiday === undefined || !isObject(next) || textOf(next['date']) <= holiday) continue;
    return [...rows.slice(0, index), { ...row, date: holiday }, ...rows.slice(index)];
  }
  return rows;
}

/** Copies the newest settled Monday row to the Sunday before it. */
export function withSunday(rows: readonly Json[]): readonly Json[] {
  const index = rows.findIndex(
    (row) => isObject(row) && !unsettled(row) && new Date(textOf(row['date'])).getUTCDay() === 1,
  );
  const monday = rows[index];
  if (monday === undefined || !isObject(monday)) return rows;
  const sunday = { ...monday, date: isoDay(Date.parse(textOf(monday['date'])) - DAY) };
  return [...rows.slice(0, index + 1), sunday, ...rows.slice(index + 1)];
}
