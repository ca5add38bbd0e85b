// Compares answers that show parts of one series; the basis of the rules on limits and ranges.
import { LOST_ITEMS, SAME_MINUTES_MS } from '../numbers.ts';
import type { Context } from '../../src/judge/context.ts';
import { decimalOf, sameFigure } from '../../src/judge/text/decimals.ts';
import { show } from '../../src/judge/judgement.ts';
import { judgeAll, type Judge, type OwnJudgement } from '../../src/judge/judge.ts';
import { isSameRequest, sameList } from '../../src/judge/relations.ts';
import {
  COMPARABLE_MS,
  datedRecords,
  isInside,
  isSettledIn,
  mayReachBeyond,
  oldestAllowed,
  PART_PARAMETERS,
  requestedRange,
  type SeriesFacts,
} from '../../src/judge/series.ts';
import { isObject, type View } from '../../src/judge/view.ts';
import { isWeekend } from '../../src/spec/trading-days.ts';
import { perObject } from '../../src/text/remembered.ts';

/** An answer, and all answers that show parts of the same list, itself included. */
export interface Part {
  readonly view: View;
  readonly group: readonly View[];
}

/** The answers of each list of a series. */
const groupsOf = perObject(({ endpoint }: SeriesFacts) =>
  perObject((context: Context) =>
    perObject((views: readonly View[]) => sameList(views, endpoint, PART_PARAMETERS, context)),
  ),
);

/** Judges each answer of a series together with the others of its list. */
export const judgeParts = (
  series: SeriesFacts,
  ...judges: readonly ((part: Part, it: OwnJudgement, context: Context) => void)[]
): Judge =>
  judgeAll((views, context, it) => {
    const groups = groupsOf(series)(context)(views);
    for (const judge of judges) {
      for (const group of groups) {
        for (const view of group) judge({ view, group }, it, context);
      }
    }
  });

/** False for a record of a day without trading (§4.3, §4.4): it must not exist, so no answer has to contain it. */
export const mayExist = ({ window }: SeriesFacts, identity: string): boolean =>
  window !== 'etf' || !isWeekend(identity);

/** A record that another answer contains. */
interface Known {
  readonly time: number;
  /** The answer that contains it. */
  readonly other: View;
}

/**
 * Records that this answer should contain, since other answers do, by identity: inside its range and not near an edge of
 * the window. The window cuts no answer without a range that reaches beyond it, so older records count as well.
 */
export function knownInside(
  series: SeriesFacts,
  { view, group }: Part,
): ReadonlyMap<string, Known> {
  const known = new Map<string, Known>();
  const range = requestedRange(series, view);
  if (range === undefined || (range !== null && mayReachBeyond(series, range, view))) return known;
  const oldest =
    range === null && reachesBeyond(series, view)
      ? Math.min(...datedRecords(series, view).map(({ time }) => time))
      : null;
  const uncut = oldest === null ? series : { ...series, window: null };
  for (const other of group) {
    if (!other.ok || Math.abs(other.now - view.now) > COMPARABLE_MS) continue;
    if (isSameRequest(other, view)) continue;
    // News may be added later with an earlier release time, so only items seen before count.
    const after = other.exchange.receivedAt > view.exchange.sentAt;
    if (series.window === 'news' && after) continue;
    for (const row of datedRecords(series, other)) {
      if (!mayExist(series, row.identity)) continue;
      const inside = range === null || isInside(row, range);
      if (inside && isSettledIn(uncut, row.time, view.now))
        known.set(row.identity, { time: row.time, other });
    }
  }
  // A few rows may have left the list at midnight, however far it reaches.
  const older = [...known].filter(([, { time }]) => oldest !== null && time < oldest);
  if (older.length <= LOST_ITEMS) for (const [identity] of older) known.delete(identity);
  return known;
}

/** Whether a dated list has records that are older than its window. News is paged, so a page tells nothing of it. */
function reachesBeyond(series: SeriesFacts, view: View): boolean {
  const { window } = series;
  if (window === null || window === 'news') return false;
  const oldest = oldestAllowed(series, window, view.now);
  return datedRecords(series, view).some(({ time }) => time < oldest);
}

interface Row {
  readonly pointer: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Records that can no longer change, by identity. Ambiguous identities are dropped. */
function settledRows(series: SeriesFacts, view: View): ReadonlyMap<string, Row> {
  const rows = new Map<string, Row>();
  const twice = new Set<string>();
  for (const { value, pointer, identity, time } of datedRecords(series, view)) {
    if (!isObject(value) || !isSettledIn(series, time, view.now)) continue;
    if (rows.has(identity)) twice.add(identity);
    rows.set(identity, { pointer, fields: value });
  }
  for (const identity of twice) rows.delete(identity);
  return rows;
}

/**
 * Ruling 22: a part of a series has the same records as the series. Compares only past days, with the plain answer
 * closest in time.
 */
export function judgeSameRecords(
  series: SeriesFacts,
  { view, group }: Part,
  it: OwnJudgement,
): void {
  const [whole] = group
    .filter((other) => other.ok && !PART_PARAMETERS.some((name) => other.query.has(name)))
    .filter((other) => Math.abs(other.now - view.now) <= SAME_MINUTES_MS)
    .toSorted((a, b) => Math.abs(a.now - view.now) - Math.abs(b.now - view.now));
  if (whole === undefined || !view.ok) return;
  const rows = settledRows(series, view);
  for (const [identity, known] of settledRows(series, whole)) {
    const row = rows.get(identity);
    if (row === undefined || contradictsItself(known.fields)) continue;
    it.judged(view);
    // That a record repeats what it was asked for by is judged on its own.
    const field = Object.keys(known.fields).find(
      (name) =>
        !Object.hasOwn(view.exchange.pathParameters, name) &&
        differs(known.fields[name], row.fields[name]),
    );
    if (field === undefined) continue;
    it.found(view, {
      kind: 'part-differs',
      facts: { field, record: series.record, identity },
      expected: `${show(known.fields[field])}, as in ${whole.exchange.id}`,
      against: [whole],
      actual: show(row.fields[field]),
      pointer: `${row.pointer}/${field}`,
    });
    return;
  }
}

/** A candle that does not hold its own close or open (§2.4) says nothing of what is right elsewhere. */
function contradictsItself({ open, high, low, close }: Readonly<Record<string, unknown>>): boolean {
  const [least = -Infinity, most = Infinity] = [decimalOf(low), decimalOf(high)];
  return [open, close].some((one) => {
    const figure = decimalOf(one);
    return figure !== undefined && (figure < least || figure > most);
  });
}

/** Whether two figures or texts differ. A null may have been settled in between. */
function differs(a: unknown, b: unknown): boolean {
  const [one, other] = [decimalOf(a), decimalOf(b)];
  if (one !== undefined && other !== undefined) return !sameFigure(a, b);
  return typeof a === 'string' && typeof b === 'string' && a !== b;
}
