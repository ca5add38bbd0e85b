// Requirements on ranges of dated lists, and on the window that limits them (§4.1-§4.6, §8). Callers pass wording;
// numbers come from the series.
import { WINDOWS, type WindowName } from '../../src/spec/limits.ts';
import { DAY, isoDay } from '../../src/spec/time.ts';
import type { Stated } from '../../src/requirements/definition.ts';
import { datedBy, parameterClause } from './of-endpoint.ts';
import { isJudgeable, type Context } from '../../src/judge/context.ts';
import { codeOf, describeAnswer, hasErrorShape } from '../../src/judge/errors.ts';
import { isInvalidRequestStatus } from '../../src/judge/expectation.ts';
import { show } from '../../src/judge/judgement.ts';
import { judgeAll, judgeEach, type Judge, type OwnJudgement } from '../../src/judge/judge.ts';
import {
  counted,
  hasRecords,
  hasStatedKind,
  isSameRequest,
  opensOnly,
  sameList,
  wholeNumber,
} from '../../src/judge/relations.ts';
import {
  requestedRange,
  isOutside,
  oldestAllowed,
  PART_PARAMETERS,
  SERIES,
  datedRecords,
  type Asked,
  type SeriesFacts,
} from '../../src/judge/series.ts';
import { isMaintenance } from '../../src/judge/transport.ts';
import { totalOf, type View } from '../../src/judge/view.ts';
import { readableTime } from '../../src/text/time.ts';
import { judgeParts, judgeSameRecords, knownInside, type Part } from './parts.ts';

/** Requirement on the ends of a range; `called` is such as `candles`. */
export const rangeOf = (series: SeriesFacts, called: string): Stated => ({
  title: `\`${series.start}\` and \`${series.end}\` select the ${called} between them`,
  clauses: [
    parameterClause(series.endpoint, series.start),
    parameterClause(series.endpoint, series.end),
  ],
  rulings: [22],
  shownBy: 'a response with dated records to a request with a start or an end',
  why: 'Clients that get the wrong days compute wrong sums without noticing.',
  usually: [
    'The bounds are interpreted in local time, which loses or adds a day.',
    'One of the two parameters is ignored.',
  ],
  usuallyFor: {
    'part-differs': [
      'Requests with and without a range read different tables, caches or replicas.',
    ],
  },
  ...datedBy(series.endpoint),
  judge: selects(series),
});

interface WindowedSeries extends SeriesFacts {
  readonly window: WindowName;
}

interface WindowWords {
  /** Records with their verb, such as `No currency candle is`. */
  readonly none: string;
  /** With its article, such as `A klines range`. */
  readonly range: string;
  /** What a range reaches beyond (default: the length of the window). */
  readonly beyond?: string;
  /** The clauses that give the list a window. */
  readonly stated: readonly string[];
  /** The clause of §8 with its length. */
  readonly bounds: string;
}

/** Requirements on a window: no older records, and the answer to a range beyond it. */
export function windowOf(series: WindowedSeries, words: WindowWords) {
  const { length } = WINDOWS[series.window];
  const common = {
    shownBy: 'a request that reaches beyond the window',
    rulings: [5],
    ...datedBy(series.endpoint),
  };
  return {
    older: {
      ...common,
      title: `${words.none} older than ${length}`,
      clauses: [...words.stated, words.bounds],
      why: 'Older records are not promised: clients that rely on them break when they disappear.',
      usually: [
        'The window is enforced only for the default range, or only for requests with a range.',
        'The window is counted from the last record instead of from today.',
        'The window is enforced only for the start or only for the end.',
      ],
      judge: judgeEach((view, context, it) => {
        if (view.exchange.endpoint !== series.endpoint) return;
        if (!view.ok || view.wrapped || !isJudgeable(view, context)) return;
        const rows = datedRecords(series, view);
        if (rows.length === 0) return;
        const oldest = oldestAllowed(series, series.window, view.now);
        const asked = requestedRange(series, view);
        if (series.windowOnRangeOnly && !boundsThePast(asked, oldest)) {
          if (
            asked === null &&
            series.window !== 'news' &&
            rows.some(({ time }) => time < oldest)
          ) {
            it.note(
              `How far back responses without a range reach: ${series.name}`,
              'beyond the window',
              view,
            );
          }
          return;
        }
        const older = rows.filter(({ time }) => time < oldest);
        it.none(view, older, ({ time, pointer }) => ({
          kind: 'beyond-window',
          facts: { records: counted(older.length, series.record) },
          // A row counts as midnight, so if the limit falls within a day, the next day is the first one allowed.
          expected: `nothing before ${timeOf(series, oldest + (series.start === 'start_date' ? DAY - 1 : 0))} (${WINDOWS[series.window].text} and a day)`,
          actual: timeOf(series, time),
          pointer,
        }));
      }),
    },
    answer: {
      ...common,
      title: `${words.range} beyond ${words.beyond ?? length} is refused with an error body, or its result is truncated or empty`,
      clauses: [...words.stated, '8 beyond the window'],
      why: 'The specification leaves the response to such a range open, but not its shape.',
      usually: [
        'A gateway refuses the range with HTML or plain text.',
        'The range reaches the database and causes a 500.',
      ],
      judge: judgeAll((views, context, it) => {
        for (const { view, holds } of beyondWindow(series, views, context)) {
          it.expect(view, holds, () => ({
            kind: 'old-range',
            expected:
              'a 4xx error with code, message and details, the records inside the window, or none',
            actual: isRefused(view) || !view.ok ? describeAnswer(view) : show(view.body),
            pointer: isRefused(view) || view.ok ? view.root : null,
          }));
        }
      }),
    },
  } satisfies Readonly<Record<string, Stated>>;
}

const timeOf = ({ start }: SeriesFacts, time: number): string => {
  if (!Number.isFinite(time)) return 'open';
  return start === 'start_date' ? isoDay(time) : readableTime(time);
};

/** §4: a range selects all records between its ends, unless a limit cuts. */
export const selects = (series: SeriesFacts): Judge =>
  judgeParts(
    series,
    (part, it, context) => {
      const { view } = part;
      const asked = requestedRange(series, view);
      if (asked === null || asked === undefined) return;
      judgeRefusedInside(series, view, asked, context, it);
      if (!view.ok || !hasStatedKind(view)) return;
      const rows = datedRecords(series, view);
      const outside = rows.filter((row) => isOutside(row, asked));
      if (rows.length > 0) {
        it.none(view, outside, ({ time, pointer }) => ({
          kind: 'outside-range',
          facts: { records: counted(outside.length, series.record) },
          expected: `from ${timeOf(series, asked.from)} to ${timeOf(series, asked.to)}`,
          actual: timeOf(series, time),
          pointer,
          parameter: time < asked.from ? series.start : series.end,
        }));
      }
      // What the largest limit omits is judged as a fault of the limit.
      const number = wholeNumber(view.query.get('limit'));
      if (series.limit === null || number !== series.limit.maximum) judgeLeftOut(series, part, it);
    },
    (part, it) => {
      const asked = requestedRange(series, part.view);
      // News texts and counts keep changing.
      if (series.window === 'news' || asked === null || asked === undefined) return;
      judgeSameRecords(series, part, it);
    },
  );

/** News this recent must be reachable by a range. */
export const SURELY_RECENT_MS = 6 * DAY;

/** §4.2 rule 3: ranges within the recent days are supported. Other series may refuse dates for other reasons. */
function judgeRefusedInside(
  series: SeriesFacts,
  view: View,
  asked: Asked,
  context: Context,
  it: OwnJudgement,
): void {
  if (series.window !== 'news' || !isInvalidRequestStatus(view.status)) return;
  if (!(asked.from > view.now - SURELY_RECENT_MS) || asked.from > view.now) return;
  if (!opensOnly(view, context, [series.start, series.end])) return;
  it.found(view, {
    kind: 'recent-range-refused',
    expected: `the ${series.record}s from ${timeOf(series, asked.from)} to ${timeOf(series, asked.to)}`,
    actual: describeAnswer(view),
  });
}

/** Records of other answers well inside the range must be present. */
export function judgeLeftOut(series: SeriesFacts, { view, group }: Part, it: OwnJudgement): void {
  const asked = requestedRange(series, view);
  if (asked === null || !view.ok || !hasStatedKind(view) || isCut(series, view, group)) return;
  const own = new Set(datedRecords(series, view).map(({ identity }) => identity));
  const known = knownInside(series, { view, group });
  if (known.size === 0) return;
  const missing = [...known].filter(([identity]) => !own.has(identity));
  // A news item may be withdrawn between two requests; a day of a history may not.
  const tolerated = series.window === 'news' ? 1 + Math.floor(known.size / 10) : 0;
  it.expect(view, missing.length <= tolerated, () => ({
    kind: 'range-left-out',
    facts: { records: counted(missing.length, series.record) },
    against: missing.slice(0, 1).map(([, { other }]) => other),
    expected: `the ${series.record} of ${timeOf(series, missing[0]?.[1].time ?? 0)}`,
    actual: `${counted(own.size, series.record)} without it`,
    pointer: view.root,
  }));
}

/** Whether a limit or a page may have cut the answer, so that missing records prove nothing. */
function isCut({ limit }: SeriesFacts, view: View, group: readonly View[]): boolean {
  const rows = view.records.length;
  if (limit !== null) {
    // A limit may explain missing records, unless it is the largest one.
    if (view.query.has('limit')) {
      // Any limit leaves at least one record.
      if (rows === 0 && (wholeNumber(view.query.get('limit')) ?? 0) >= 1) return false;
      return wholeNumber(view.query.get('limit')) !== limit.maximum || rows >= limit.maximum;
    }
    // Different requests with answers of the same length suggest a default limit.
    const cuts = group.some(
      (other) =>
        other.ok &&
        !other.query.has('limit') &&
        other.records.length === rows &&
        !isSameRequest(other, view),
    );
    return rows >= limit.fallback || cuts;
  }
  const page = wholeNumber(view.query.get('page') ?? '1');
  const size = wholeNumber(view.query.get('page_size') ?? '20');
  if (page !== 1 || size === undefined || rows >= size) return true;
  return (totalOf(view) ?? 0) > rows;
}

/** Whether a range bounds the past: by its start, or by an end that is itself beyond the window. */
const boundsThePast = (asked: Asked | null | undefined, oldest: number): boolean =>
  asked !== null && asked !== undefined && (Number.isFinite(asked.from) || asked.to < oldest);

interface Beyond {
  readonly view: View;
  readonly asked: Asked;
  /** One day more than the window, so that the request is beyond it in any time zone. */
  readonly edge: number;
  /** §8, ruling 5: refused in the error shape, cut, or empty. */
  readonly holds: boolean;
}

/** Answers to ranges beyond the window that are otherwise valid. */
function beyondWindow(
  series: WindowedSeries,
  views: readonly View[],
  context: Context,
): readonly Beyond[] {
  // A service may refuse the range with 403, as missing permission for old data.
  const groups = sameList(views, series.endpoint, PART_PARAMETERS, context, { forbidden: true });
  return groups.flatMap((group) => {
    // Without another answer that has records, a failure says nothing about the range. For news, any language counts.
    const lists =
      series.window === 'news'
        ? views.filter(({ exchange }) => exchange.endpoint === series.endpoint)
        : group;
    const control = lists.some(hasRecords);
    return group.flatMap((view) => {
      const conclusive = hasRecords(view) || (view.status < 500 && hasErrorShape(view));
      const asked = requestedRange(series, view);
      if ((!control && !conclusive) || asked === null || asked === undefined) return [];
      const edge = oldestAllowed(series, series.window, view.now) - DAY;
      if (!Number.isFinite(asked.from) ? asked.to >= edge : asked.from >= edge) return [];
      if (!opensOnly(view, context, [series.start, series.end])) return [];
      if (view.status === 429 || isMaintenance(view)) return [];
      const holds = isRefused(view) ? hasErrorShape(view) : view.ok && hasStatedKind(view);
      return [{ view, asked, edge, holds }];
    });
  });
}

const isRefused = ({ status }: View): boolean => status >= 400 && status < 500;

const isWindowed = (series: SeriesFacts): series is WindowedSeries => series.window !== null;

/** Records how conforming services answer ranges beyond the window. */
export const readBeyondWindow = judgeAll((views, context, it) => {
  for (const series of SERIES.filter(isWindowed)) {
    for (const beyond of beyondWindow(series, views, context)) {
      const answer = beyond.holds ? describeBeyond(series, beyond) : null;
      const question = `A range that starts beyond the recent window: ${series.name}`;
      if (answer !== null) it.read(question, answer, beyond.view);
    }
  }
});

/** Null if inconclusive: a range entirely beyond the window is empty in any case. */
function describeBeyond(series: SeriesFacts, { view, asked, edge }: Beyond): string | null {
  if (!view.ok) return `refused with status ${view.status} and code ${codeOf(view) ?? 'none'}`;
  if (datedRecords(series, view).some(({ time }) => time < edge + DAY)) return null;
  if (view.records.length > 0) return 'cut to the window';
  return asked.to < edge + 3 * DAY ? null : 'empty';
}
