import type { Context } from './context.ts';
import type { Criterion } from './criterion.ts';
import { describeAnswer } from './errors.ts';
import type { Judgement, Rule } from './judgement.ts';
import {
  counted,
  hasRecords,
  isSameRequest,
  opensOnly,
  reactionOf,
  sameList,
  wholeNumber,
} from './relations.ts';
import {
  askedRange,
  isInside,
  isSettledIn,
  mayReachBeyond,
  PART_PARAMETERS,
  SERIES,
  timedRecords,
  type LimitedSeries,
  type SeriesFacts,
} from './series.ts';
import { place } from './transport.ts';
import type { View } from './view.ts';

/** Answers further apart than this are not compared by number of records, ms. */
const COMPARABLE_MS = 12 * 3_600_000;

/** The series themselves and no copies: what is read of an answer is remembered by series. */
const LIMITED = SERIES.filter((series): series is LimitedSeries => series.limit !== null);

/** §8, rulings 4 and 22: what a `limit` does, inside and outside of its bounds. */
const limits: Rule = {
  name: 'limits',
  judges: LIMITED.flatMap(({ limit }) => Object.values(limit.judges)),
  all(views, context, into) {
    for (const series of LIMITED) {
      for (const group of sameList(views, series.endpoint, PART_PARAMETERS, context)) {
        for (const view of group) judgeLimit(series, view, group, context, into);
      }
    }
  },
};

function judgeLimit(
  series: LimitedSeries,
  view: View,
  group: readonly View[],
  context: Context,
  into: Judgement,
): void {
  const { limit } = series;
  const asked = view.query.get('limit');
  const number = wholeNumber(asked);
  if (asked === undefined) {
    judgeCount(series, view, group, limit.fallback, into);
  } else if (number === undefined || number < 1) {
    judgeOutOfBounds(series, view, group, limit.judges.invalid, context, into);
  } else if (number > limit.maximum) {
    judgeOutOfBounds(series, view, group, limit.judges.over, context, into);
  } else {
    judgeCount(series, view, group, number, into);
    judgePart(series, view, group, into);
  }
}

/**
 * Ruling 4: refused with a 400-class error, or answered within the bounds. A failure or an empty list proves something
 * only beside another answer that has records.
 */
function judgeOutOfBounds(
  { limit, record, start, end }: LimitedSeries,
  view: View,
  group: readonly View[],
  criterion: Criterion,
  context: Context,
  into: Judgement,
): void {
  const control = group.some((other) => other !== view && hasRecords(other));
  const reaction = reactionOf(view, context);
  const rows = view.records.length;
  if (reaction === 'answered' && rows > limit.maximum) {
    into.found(criterion, view, {
      message: `${place(view)} with ${shown(view)} answered with more than the maximum`,
      expected: `a 400-class error, or at most ${counted(limit.maximum, record)}`,
      actual: counted(rows, record),
      pointer: view.records[limit.maximum]?.pointer ?? view.root,
    });
    return;
  }
  const telling = reaction === 'refused' || rows > 0;
  if ((!telling && !control) || !opensOnly(view, context, ['limit', start, end])) return;
  // Beside a range that is none or may lie anywhere, only a failure counts (ruling 8).
  const alone = opensOnly(view, context, ['limit']);
  if (!alone && reaction === 'broken' && view.status >= 400 && view.status < 500) return;
  // A zero may mean no records at all; too much cannot.
  const nothing = alone && reaction === 'answered' && rows === 0 && criterion === limit.judges.over;
  into.expect(criterion, view, reaction !== 'broken' && !nothing, () => ({
    message: nothing
      ? `${place(view)} with ${shown(view)} answered with nothing, although there are records`
      : `${place(view)} with ${shown(view)} answered neither with records nor with a 400-class error`,
    expected: `a 400-class error, or from 1 to ${counted(limit.maximum, record)}`,
    actual: nothing ? 'an empty list' : describeAnswer(view),
    pointer: nothing ? view.root : null,
  }));
}

const shown = (view: View): string => `limit=${view.query.get('limit') ?? ''}`;

/**
 * As many records as the limit allows, or as there are. How many there are is known from other answers of the same
 * series; records at the edges of the window, which come and go, are not counted on.
 */
function judgeCount(
  series: LimitedSeries,
  view: View,
  group: readonly View[],
  number: number,
  into: Judgement,
): void {
  const { limit, record } = series;
  if (!view.ok || !Array.isArray(view.body)) return;
  const rows = view.records.length;
  const given = view.query.has('limit');
  const criterion = given ? limit.judges.exact : limit.judges.byDefault;
  const what = given ? shown(view) : 'no limit';
  if (rows > number) {
    into.found(criterion, view, {
      message: `${place(view)} with ${what} answered with more than ${counted(number, record)}`,
      expected: `at most ${counted(number, record)}`,
      actual: counted(rows, record),
      pointer: view.records[number]?.pointer ?? view.root,
    });
    return;
  }
  // Records in answer to it say that the largest limit is accepted, whatever else is asked for.
  if (number === limit.maximum && rows > 0) into.judged(limit.judges.accepted, view);
  const known = knownInside(series, view, group);
  if (known.size === 0) return;
  // What is missing in the middle of a range is judged with the range.
  const ranged = askedRange(series, view) !== null;
  if (ranged || (given && number < limit.maximum)) {
    if (given && known.size < number) return;
    const least = Math.min(number, known.size);
    into.expect(criterion, view, rows >= least, () => ({
      message: `${place(view)} with ${what} gives less, although other answers have more`,
      expected: least < number ? `at least ${counted(least, record)}` : counted(number, record),
      actual: counted(rows, record),
      pointer: view.root,
    }));
    return;
  }
  // Nothing was cut, so everything that there is has to be here.
  const own = new Set(timedRecords(series, view).map(({ identity }) => identity));
  const missing = rows >= number ? undefined : [...known].find((identity) => !own.has(identity));
  into.expect(given ? limit.judges.accepted : criterion, view, missing === undefined, () => ({
    message: `${place(view)} with ${what} leaves out records that other answers have`,
    expected: `up to ${counted(number, record)}, with that of ${missing ?? ''}`,
    actual: `${counted(rows, record)} without it`,
    pointer: view.root,
  }));
}

/** Records of other answers that this one could show: inside its range, and not at an edge of the window. */
function knownInside(series: SeriesFacts, view: View, group: readonly View[]): ReadonlySet<string> {
  const known = new Set<string>();
  const range = askedRange(series, view);
  if (range === undefined || (range !== null && mayReachBeyond(series, range, view))) return known;
  for (const other of group) {
    if (!other.ok || Math.abs(other.now - view.now) > COMPARABLE_MS) continue;
    if (isSameRequest(other, view)) continue;
    for (const row of timedRecords(series, other)) {
      const inside = range === null || isInside(row, range);
      if (inside && isSettledIn(series, row.time, view.now)) known.add(row.identity);
    }
  }
  return known;
}

/** Rulings 19 and 22: the records of a smaller limit follow each other in the answer to a larger one. */
function judgePart(
  series: LimitedSeries,
  view: View,
  group: readonly View[],
  into: Judgement,
): void {
  const criterion = series.limit.judges.part;
  if (criterion === undefined || !view.ok || view.records.length < 2) return;
  const own = timedRecords(series, view);
  const whole = largerAnswer(series, view, group);
  if (whole === undefined || own.length < 2) return;
  const all = [
    ...new Map(timedRecords(series, whole).map((row) => [row.identity, row.time])),
  ].toSorted((a, b) => a[1] - b[1]);
  const places = new Map(all.map(([identity], index) => [identity, index]));
  const oldest = all[0]?.[1] ?? Number.POSITIVE_INFINITY;
  const newest = all.at(-1)?.[1] ?? Number.NEGATIVE_INFINITY;
  // Records beyond the ends of the larger answer came or went in between.
  const inside = own.filter(({ time }) => time >= oldest && time <= newest);
  const stranger = inside.find(({ identity }) => !places.has(identity));
  if (stranger !== undefined) {
    into.found(criterion, view, {
      message: `${place(view)} with ${shown(view)} has a ${series.record} that the answer to a larger limit does not have`,
      expected: `records of ${whole.exchange.id}`,
      actual: `a ${series.record} of ${stranger.identity}`,
      pointer: stranger.pointer,
    });
    return;
  }
  const indices = new Set(inside.map(({ identity }) => places.get(identity) ?? 0));
  if (indices.size < 2) return;
  const from = Math.min(...indices);
  const to = Math.max(...indices);
  const gap = all.findIndex((_row, index) => index > from && index < to && !indices.has(index));
  into.expect(criterion, view, gap === -1, () => ({
    message: `${place(view)} with ${shown(view)} leaves out a ${series.record} from the middle of the answer to a larger limit`,
    expected: `${counted(indices.size, series.record)} in a row, with that of ${all[gap]?.[0] ?? ''}`,
    actual: `${counted(indices.size, series.record)} from ${all[from]?.[0] ?? ''} to ${all[to]?.[0] ?? ''}`,
    pointer: view.root,
  }));
}

/** The answer with the most records that covers the range of `view` and was not cut to its size. */
export function largerAnswer(
  series: SeriesFacts,
  view: View,
  group: readonly View[],
): View | undefined {
  const range = askedRange(series, view);
  if (range === undefined) return undefined;
  const candidates = group.filter((other) => {
    if (other === view || !other.ok || other.records.length <= view.records.length) return false;
    if (Math.abs(other.now - view.now) > COMPARABLE_MS) return false;
    const covered = askedRange(series, other);
    if (covered === undefined) return false;
    if (covered === null) return true;
    return range !== null && covered.from <= range.from && covered.to >= range.to;
  });
  return candidates.toSorted((a, b) => b.records.length - a.records.length)[0];
}

export const BOUND_RULES: readonly Rule[] = [limits];
