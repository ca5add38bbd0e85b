import { DAY, HOUR } from '../spec/time.ts';
import { isTradingDay } from '../spec/trading-days.ts';
import { COUNTRIES } from '../spec/values.ts';
import { daysAfter, isoDate, settledBy } from '../judge/etf-rows.ts';
import type { EarlierRow } from '../judge/facts.ts';
import { MOST_AGE_MS, type SeenRow } from '../run/history.ts';

/** A row of an ETF history that was seen unsettled, and has to be complete on the next day (§4.4 rule 1, ruling 17). */
export interface PendingRow extends EarlierRow {
  /** Folder of the run that saw it first. */
  readonly folder: string;
  /** Looks that were taken at it since. */
  readonly looks: number;
  /** When the last one was, epoch ms; null before the first. */
  readonly lookedAt: number | null;
  /** True when it was seen unsettled after its deadline. */
  readonly overdue: boolean;
}

/** What became of the rows that were pending. */
export interface Settlement {
  readonly pending: readonly PendingRow[];
  /** Seen complete. */
  readonly complete: readonly PendingRow[];
  /** Seen unsettled, or gone, after the deadline; told once a row. */
  readonly overdue: readonly PendingRow[];
  /** Too old to be seen any more. */
  readonly lost: readonly PendingRow[];
}

/** ETFs whose rows of one day are followed: a few say what a service does, and each costs a request a look. */
const MOST_TICKERS = 2;

/** Between looks at a row that is overdue, ms. */
const AGAIN_MS = DAY;

/** A deadline is passed when a whole minute of it is: clocks need not agree to the second. */
const AFTER_MS = 60_000;

const keyOf = ({ ticker, date }: EarlierRow): string => `${ticker} ${date}`;

/** When a row must be complete at the latest, epoch ms. Which country an ETF trades in is not asked: it is the later one. */
export const deadlineOf = ({ date }: Pick<EarlierRow, 'date'>): number =>
  settledBy(date, COUNTRIES) + AFTER_MS;

/**
 * When a row is to be looked at next, epoch ms: at noon (UTC) of the next trading day, at the end of that day, and when its
 * deadline is over; then once a day.
 */
export function lookAt(row: PendingRow): number {
  let next = daysAfter(row.date, 1);
  while (!COUNTRIES.every((country) => isTradingDay(country, next))) next = daysAfter(next, 1);
  const midnight = Date.parse(next);
  const moments = [midnight + 12 * HOUR, midnight + DAY, deadlineOf(row)];
  const { lookedAt } = row;
  if (lookedAt === null) return moments[0] ?? 0;
  return moments.find((moment) => moment > lookedAt) ?? lookedAt + AGAIN_MS;
}

/** The rows that want a look now. */
export const dueRows = (pending: readonly PendingRow[], now: number): readonly PendingRow[] =>
  pending.filter((row) => lookAt(row) <= now);

/**
 * What the answers of a run make of the rows that are pending, and the rows that become so.
 *
 * @param rows what the run saw, in the order seen
 * @param looked the ticker that the run was a look at; null for another run
 */
export function settle(
  pending: readonly PendingRow[],
  rows: readonly SeenRow[],
  run: { readonly folder: string; readonly now: number; readonly looked: string | null },
): Settlement {
  const last = new Map(rows.map((row) => [keyOf(row), row]));
  const asked = new Set(rows.map(({ ticker }) => ticker));
  const complete: PendingRow[] = [];
  const overdue: PendingRow[] = [];
  const lost: PendingRow[] = [];
  const kept: PendingRow[] = [];
  for (const row of pending) {
    const seen = last.get(keyOf(row));
    if (seen?.settled === true) complete.push(row);
    else if (row.date < isoDate(run.now - MOST_AGE_MS)) lost.push(row);
    else if (asked.has(row.ticker) || run.looked === row.ticker) {
      const late = (seen?.seenAt ?? run.now) >= deadlineOf(row) && asked.has(row.ticker);
      if (late && !row.overdue) overdue.push(row);
      const looks = row.looks + (lookAt(row) <= run.now ? 1 : 0);
      kept.push({ ...row, looks, lookedAt: run.now, overdue: row.overdue || late });
    } else kept.push(row);
  }
  // A look at a row would see that of the next day as well, and the same ETF would be followed for ever.
  const fresh = run.looked === null ? added(kept, rows, run) : [];
  return { pending: [...kept, ...fresh], complete, overdue, lost };
}

/** Rows that were seen unsettled for the first time, and that are not too old to be judged. */
function added(
  kept: readonly PendingRow[],
  rows: readonly SeenRow[],
  { folder, now }: { readonly folder: string; readonly now: number },
): PendingRow[] {
  const last = new Map(rows.map((row) => [keyOf(row), row]));
  const known = new Set(kept.map(keyOf));
  const perDay = new Map<string, number>();
  for (const { date } of kept) perDay.set(date, (perDay.get(date) ?? 0) + 1);
  return [...last.values()].flatMap(({ settled, ...row }): PendingRow[] => {
    const many = perDay.get(row.date) ?? 0;
    if (settled || known.has(keyOf(row)) || many >= MOST_TICKERS) return [];
    // A row that is overdue when it is first seen is judged by the run that sees it, as one before the newest.
    if (row.seenAt >= deadlineOf(row) || row.date < isoDate(now - MOST_AGE_MS)) return [];
    perDay.set(row.date, many + 1);
    return [{ ...row, folder, looks: 0, lookedAt: null, overdue: false }];
  });
}
