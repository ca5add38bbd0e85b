import { DAY, HOUR, isoDay } from '../spec/time.ts';
import { isTradingDay } from '../spec/trading-days.ts';
import { COUNTRIES } from '../spec/values.ts';
import { daysAfter, settledBy } from '../judge/etf-rows.ts';
import type { EarlierRow } from '../judge/facts.ts';
import { MOST_AGE_MS, type SeenRow } from '../run/history.ts';

/** An unsettled row of an ETF history, which must be complete on the next day (§4.4 rule 1, ruling 17). */
export interface PendingRow extends EarlierRow {
  /** Folder of the run that saw it first. */
  readonly folder: string;
  /** Time of the last one, epoch ms; null before the first. */
  readonly lookedAt: number | null;
  /** True if it was unsettled after its deadline. */
  readonly overdue: boolean;
}

/**
 * News of a row: unsettled for the first time, complete, unsettled or missing after the deadline (reported once per row),
 * or too old to be requested.
 */
export type RowNews = 'waiting' | 'complete' | 'overdue' | 'lost';

/** Number of ETFs that are followed per day: a few suffice, and each follow-up costs a request. */
const MOST_TICKERS = 2;

/** Interval of follow-ups on an overdue row, ms. */
const AGAIN_MS = DAY;

/** Grace period after a deadline, because clocks may differ. */
const AFTER_MS = 60_000;

const keyOf = ({ ticker, date }: EarlierRow): string => `${ticker} ${date}`;

/** Deadline of a row, epoch ms: the latest of all countries, because the country of an ETF is unknown. */
export const deadlineOf = ({ date }: Pick<EarlierRow, 'date'>): number =>
  settledBy(date, COUNTRIES) + AFTER_MS;

/**
 * Time of the next follow-up on a row, epoch ms: noon (UTC) of the next trading day, the end of that day, and after its
 * deadline; then once a day.
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

/** The rows that are due for a follow-up. */
export const dueRows = (pending: readonly PendingRow[], now: number): readonly PendingRow[] =>
  pending.filter((row) => lookAt(row) <= now);

/**
 * Updates the pending rows with the answers of a run, and adds new ones.
 *
 * @param rows the rows of the run, in order
 * @param run `ticker`: the ticker that the run followed up on; null for another run
 */
export function settle(
  pending: readonly PendingRow[],
  rows: readonly SeenRow[],
  run: { readonly folder: string; readonly now: number; readonly ticker: string | null },
) {
  const last = new Map(rows.map((row) => [keyOf(row), row]));
  const asked = new Set(rows.map(({ ticker }) => ticker));
  const news: [RowNews, PendingRow][] = [];
  const kept: PendingRow[] = [];
  for (const row of pending) {
    const seen = last.get(keyOf(row));
    if (seen?.settled === true) news.push(['complete', row]);
    else if (row.date < isoDay(run.now - MOST_AGE_MS)) news.push(['lost', row]);
    else if (asked.has(row.ticker) || run.ticker === row.ticker) {
      const late = (seen?.seenAt ?? run.now) >= deadlineOf(row) && asked.has(row.ticker);
      if (late && !row.overdue) news.push(['overdue', row]);
      kept.push({ ...row, lookedAt: run.now, overdue: row.overdue || late });
    } else kept.push(row);
  }
  // A follow-up also sees the row of the next day, and would follow the same ETF forever.
  if (run.ticker !== null) return { pending: kept, news };
  for (const { settled, ...row } of last.values()) {
    const isKnown = pending.some((one) => keyOf(one) === keyOf(row));
    const many = kept.filter(({ date }) => date === row.date).length;
    if (settled || isKnown || many >= MOST_TICKERS) continue;
    // A row that is already overdue is judged by the run that sees it, as a row before the newest.
    if (row.seenAt >= deadlineOf(row) || row.date < isoDay(run.now - MOST_AGE_MS)) continue;
    const fresh = { ...row, folder: run.folder, lookedAt: null, overdue: false };
    kept.push(fresh);
    news.push(['waiting', fresh]);
  }
  return { pending: kept, news };
}
