// Requirements on `limit` of dated lists (§4.1, §4.3-§4.6, §8). Callers pass wording; numbers come from the series.
import { accepted } from '../../src/judge/shapes.ts';
import { BOUND_ACCEPTED, NUMBER_INVALID } from '../../src/requirements/advice.ts';
import type { Stated } from '../../src/requirements/definition.ts';
import { parameterClause } from './of-endpoint.ts';
import { describeAnswer } from '../../src/judge/errors.ts';
import type { Judge, OwnJudgement } from '../../src/judge/judge.ts';
import {
  counted,
  hasRecords,
  opensOnly,
  reactionOf,
  wholeNumber,
} from '../../src/judge/relations.ts';
import {
  requestedRange,
  largestCovering,
  datedRecords,
  type LimitedSeries,
} from '../../src/judge/series.ts';
import type { View } from '../../src/judge/view.ts';
import { judgeParts, judgeSameRecords, knownInside, mayExist, type Part } from './parts.ts';
import { judgeLeftOut } from './range.ts';

interface LimitWords {
  /** The list with its verb, such as `Klines without limit are`. */
  readonly without: string;
  /** With its article, such as `A klines limit`. */
  readonly limit: string;
  /** The clause of §8 with default and maximum. */
  readonly bounds: string;
}

/** Why the largest limit leaves records out. */
const CLAMPED = ['A smaller maximum is applied without an error.'];

export function limitOf(series: LimitedSeries, words: LimitWords) {
  const { fallback, maximum } = series.limit;
  const clause = parameterClause(series.endpoint, 'limit');
  const there = series.window === null ? 'the number of rows' : 'the number of rows in the window';
  return {
    byDefault: {
      title: `${words.without} the same as with a \`limit\` of ${fallback}`,
      clauses: [clause, words.bounds],
      shownBy:
        'a request without a `limit`, close in time to another request for records of the same list',
      rulings: [22],
      why: 'Most clients send no `limit`. A different default changes what they see without an error.',
      usually: [
        'The default comes from another endpoint or from a framework.',
        '`limit` is applied before filtering or deduplication, which leaves fewer rows.',
      ],
      judge: judgeParts(series, (part, it) => {
        if (part.view.query.has('limit') || hasTooMany(series, part, fallback, it)) return;
        // Gaps inside a range are judged with the range.
        if (requestedRange(series, part.view) === null)
          judgeCount(series, part, fallback, false, it);
      }),
    },
    exact: {
      title: `${words.limit} below ${there} returns exactly as many rows as requested`,
      clauses: [clause],
      shownBy: 'a request with a `limit`, close in time to a request that returns more records',
      rulings: [4],
      why: 'Clients that get fewer rows than requested assume that the data ends there.',
      usually: [
        'There is an off-by-one error at one end of the range (`<` instead of `<=`).',
        '`limit` counts calendar days, and weekends are removed afterwards.',
        '`limit` is ignored when it is below an internal page size.',
      ],
      judge: judgeParts(series, (part, it) => {
        const number = numberWithin(series, part.view);
        if (number === undefined || hasTooMany(series, part, number, it)) return;
        // `accepted` judges what the largest limit omits from the whole list.
        if (number === maximum && requestedRange(series, part.view) === null) return;
        judgeCount(series, part, number, true, it);
      }),
    },
    maximum: {
      title: `${words.limit} above ${maximum} is refused or clamped`,
      clauses: [clause, words.bounds],
      shownBy: 'a request for more than the maximum',
      rulings: [4],
      why: 'An unenforced maximum does not protect the service, and clients come to rely on larger values.',
      usually: [
        'The maximum of this parameter is not checked, or only in another endpoint.',
        'The service or its gateway has a larger maximum.',
      ],
      judge: outOfBounds(series, 'above'),
    },
    accepted: {
      title: `${words.limit} of ${maximum} is accepted`,
      clauses: [clause],
      rulings: [4],
      ...BOUND_ACCEPTED,
      usuallyFor: { 'records-left-out': CLAMPED, 'range-left-out': CLAMPED },
      judge: [
        accepted('largest limit'),
        judgeParts(
          series,
          (part, it) => {
            const { view } = part;
            if (numberWithin(series, view) !== maximum) return;
            if (!view.ok || !Array.isArray(view.body) || view.records.length > maximum) return;
            // Records in the answer show that the largest limit is accepted, whatever else was requested.
            if (view.records.length > 0) it.judged(view);
            if (requestedRange(series, view) === null) judgeCount(series, part, maximum, false, it);
          },
          (part, it) => {
            if (numberWithin(series, part.view) === maximum) judgeLeftOut(series, part, it);
          },
        ),
      ],
    },
    invalid: {
      title: `${words.limit} that is zero, negative or not a number returns a conforming response or a 400-class error`,
      clauses: [clause],
      rulings: [4],
      ...NUMBER_INVALID,
      judge: outOfBounds(series, 'below'),
    },
  } satisfies Readonly<Record<string, Stated>>;
}

/** Requirement that answers to different limits agree; `called` is such as `klines limit`. */
export const limitPartOf = (series: LimitedSeries, called: string): Stated => ({
  title: `A smaller ${called} returns a contiguous part of what a larger one returns`,
  clauses: [parameterClause(series.endpoint, 'limit')],
  shownBy: 'two requests for parts of the same list within a few minutes',
  rulings: [19, 22],
  why: 'Clients that send different limits would see different histories.',
  usually: [
    'Different limits are served from different caches or replicas.',
    'The order of rows with the same time is not deterministic.',
  ],
  judge: judgeParts(
    series,
    ({ view, group }, it) => {
      if (numberWithin(series, view) === undefined) return;
      // Rulings 19 and 22: the records of a smaller limit are contiguous in the answer to a
      // larger one.
      const whole = largestCovering(series, view, group);
      const own = datedRecords(series, view);
      if (!view.ok || whole === undefined || own.length < 2) return;
      const facts = { query: shown(view), record: series.record };
      const times = new Map(
        datedRecords(series, whole).map(({ identity, time }) => [identity, time]),
      );
      const all = [...times].toSorted((a, b) => a[1] - b[1]);
      const [oldest, newest] = [all[0]?.[1] ?? Infinity, all.at(-1)?.[1] ?? -Infinity];
      // Records beyond the ends of the larger answer came or went in between.
      const inside = own.filter(
        ({ time, identity }) => time >= oldest && time <= newest && mayExist(series, identity),
      );
      const unmatched = inside.find(({ identity }) => !times.has(identity));
      if (unmatched !== undefined) {
        it.found(view, {
          kind: 'record-of-no-other',
          facts,
          expected: `records of ${whole.exchange.id}`,
          against: [whole],
          actual: `a ${series.record} of ${unmatched.identity}`,
          pointer: unmatched.pointer,
        });
        return;
      }
      const kept = new Set(inside.map(({ identity }) => identity));
      if (kept.size < 2) return;
      const isKept = ([identity]: readonly [string, number]): boolean => kept.has(identity);
      const part = all.slice(all.findIndex(isKept), all.findLastIndex(isKept) + 1);
      const gap = part.find((row) => !isKept(row));
      it.expect(view, gap === undefined, () => ({
        kind: 'record-skipped',
        facts,
        expected: `${counted(kept.size, series.record)} in a row, including that of ${gap?.[0] ?? ''}`,
        actual: `${counted(kept.size, series.record)} from ${part[0]?.[0] ?? ''} to ${part.at(-1)?.[0] ?? ''}`,
        against: [whole],
        pointer: view.root,
      }));
    },
    (part, it) => {
      const ranged = requestedRange(series, part.view) !== null;
      if (!ranged && part.view.query.has('limit')) judgeSameRecords(series, part, it);
    },
  ),
});

const shown = (view: View): string => {
  const limit = view.query.get('limit');
  return limit === undefined ? 'no limit' : `limit=${limit}`;
};

/** Whether a limit is within bounds, or which one it violates. Non-numbers count as below. */
function sideOf({ limit }: LimitedSeries, view: View): 'within' | 'above' | 'below' | undefined {
  if (!view.query.has('limit')) return undefined;
  const number = wholeNumber(view.query.get('limit')) ?? 0;
  return number < 1 ? 'below' : number > limit.maximum ? 'above' : 'within';
}

const isOut = (side: ReturnType<typeof sideOf>): boolean => side === 'above' || side === 'below';

/** The limit of a request, if it is within bounds. */
const numberWithin = (series: LimitedSeries, view: View): number | undefined =>
  sideOf(series, view) === 'within' ? wholeNumber(view.query.get('limit')) : undefined;

/** Ruling 4: refused with a 400-class error, or answered within bounds. */
const outOfBounds = (series: LimitedSeries, side: 'above' | 'below'): Judge =>
  judgeParts(series, ({ view, group }, it, context) => {
    if (sideOf(series, view) !== side) return;
    const { limit, record, start, end } = series;
    // A failure or an empty list proves something only if another answer has records.
    const control = group.some((other) => other !== view && hasRecords(other));
    const reaction = reactionOf(view, context);
    const rows = view.records.length;
    if (reaction === 'answered' && rows > limit.maximum) {
      it.found(view, {
        kind: 'above-maximum',
        facts: { query: shown(view) },
        expected: `a 400-class error, or at most ${counted(limit.maximum, record)}`,
        actual: counted(rows, record),
        pointer: view.records[limit.maximum]?.pointer ?? view.root,
      });
      return;
    }
    const conclusive = reaction === 'refused' || rows > 0;
    if ((!conclusive && !control) || !opensOnly(view, context, ['limit', start, end])) return;
    // An error may be due to an invalid or unlimited range next to it (ruling 8), but a server failure only if one fails as well.
    const alone = opensOnly(view, context, ['limit']);
    const failsOtherwise = group.some((one) => one.status >= 500 && !isOut(sideOf(series, one)));
    const isDue = view.status < 400 || (view.status >= 500 && !failsOtherwise);
    if (!alone && reaction === 'broken' && !isDue) return;
    // Zero may mean no records, but a limit above the maximum cannot.
    const nothing = alone && reaction === 'answered' && rows === 0 && side === 'above';
    it.expect(view, reaction !== 'broken' && !nothing, () => ({
      kind: nothing ? 'no-records' : 'neither-records-nor-error',
      facts: { query: shown(view) },
      expected: `a 400-class error, or from 1 to ${counted(limit.maximum, record)}`,
      actual: nothing ? 'an empty list' : describeAnswer(view),
      pointer: nothing ? view.root : null,
    }));
  });

/** Reports too many records. True if there is nothing left to judge: too many, or no list at all. */
function hasTooMany(
  { record }: LimitedSeries,
  { view }: Part,
  number: number,
  it: OwnJudgement,
): boolean {
  if (!view.ok || !Array.isArray(view.body)) return true;
  const rows = view.records.length;
  if (rows <= number) return false;
  it.found(view, {
    kind: 'limit-exceeded',
    facts: { query: shown(view), limit: counted(number, record) },
    expected: `at most ${counted(number, record)}`,
    actual: counted(rows, record),
    pointer: view.records[number]?.pointer ?? view.root,
  });
  return true;
}

/**
 * As many records as the limit, or all known ones if fewer exist.
 * @param isExact whether only the number counts: what a smaller limit leaves out is its choice
 */
function judgeCount(
  series: LimitedSeries,
  part: Part,
  number: number,
  isExact: boolean,
  it: OwnJudgement,
): void {
  const { view } = part;
  const known = knownInside(series, part);
  if (known.size === 0 || (isExact && known.size < number)) return;
  const rows = view.records.length;
  const own = new Set(datedRecords(series, view).map(({ identity }) => identity));
  const missing = rows >= number ? [] : [...known].filter(([identity]) => !own.has(identity));
  const expected = counted(number, series.record);
  const actual = counted(rows, series.record);
  it.none(view, missing, ([identity, { other }]) => ({
    facts: { query: shown(view) },
    against: [other],
    pointer: view.root,
    ...(isExact
      ? { kind: 'limit-not-used', expected, actual }
      : {
          kind: 'records-left-out',
          expected: `up to ${expected}, with that of ${identity}`,
          actual: `${actual} without it`,
        }),
  }));
}
