import { WINDOWS } from '../contract/limits.ts';
import { DAY } from '../contract/time.ts';
import { isJudgeable, type Context } from './context.ts';
import { codeOf, describeAnswer } from './errors.ts';
import { isInvalidRequestStatus } from './expectation.ts';
import { show, type Judgement, type Rule } from './judgement.ts';
import {
  counted,
  hasRecords,
  hasStatedKind,
  isSameRequest,
  opensOnly,
  sameList,
  wholeNumber,
} from './relations.ts';
import { isMaintenance, place } from './transport.ts';
import {
  askedRange,
  isExact,
  isInside,
  isoDay,
  isOutside,
  isSettledIn,
  mayReachBeyond,
  oldestAllowed,
  PART_PARAMETERS,
  SERIES,
  timedRecords,
  type Asked,
  type SeriesFacts,
} from './series.ts';
import { isObject, type View } from './view.ts';
import { moment } from '../text/moment.ts';
import { criteria, type Criterion } from './criterion.ts';

/** What this file decides. */
export const RANGES = criteria('beyondWindow');

const timeOf = ({ start }: SeriesFacts, time: number): string => {
  if (!Number.isFinite(time)) return 'open';
  return start === 'start_date' ? isoDay(time) : moment(time);
};

/** §4: the ends of a range select the records between them, all of them unless a limit cuts. */
const range: Rule = {
  name: 'range',
  judges: SERIES.map(({ judges }) => judges.range),
  all(views, context, into) {
    for (const series of SERIES) {
      for (const group of sameList(views, series.endpoint, PART_PARAMETERS, context)) {
        for (const view of group) {
          const asked = askedRange(series, view);
          if (asked === null || asked === undefined) continue;
          judgeRefusedInside(series, view, asked, context, into);
          if (!view.ok || !hasStatedKind(view)) continue;
          judgeInside(series, view, asked, into);
          judgeComplete(series, view, asked, group, into);
          readEnds(series, view, asked, group, into);
        }
      }
    }
  },
};

/** §4.2 rule 3: a range inside of the recent days is supported. Dates of other series may be refused for other reasons. */
function judgeRefusedInside(
  series: SeriesFacts,
  view: View,
  asked: Asked,
  context: Context,
  into: Judgement,
): void {
  if (series.window !== 'news' || !isInvalidRequestStatus(view.status)) return;
  if (!(asked.from > view.now - SURELY_RECENT_MS) || asked.from > view.now) return;
  if (!opensOnly(view, context, [series.start, series.end])) return;
  into.found(series.judges.range, view, {
    message: `${place(view)} refuses a range inside of the recent days`,
    expected: `the ${series.record}s from ${timeOf(series, asked.from)} to ${timeOf(series, asked.to)}`,
    actual: describeAnswer(view),
  });
}

/** News of so many days must be in reach of a range. */
const SURELY_RECENT_MS = 6 * DAY;

function judgeInside(series: SeriesFacts, view: View, asked: Asked, into: Judgement): void {
  const rows = timedRecords(series, view);
  if (rows.length === 0) return;
  const outside = rows.filter((row) => isOutside(row, asked));
  const [first] = outside;
  into.expect(series.judges.range, view, first === undefined, () => ({
    message: `${place(view)} answered with ${counted(outside.length, series.record)} outside of the range asked for`,
    expected: `from ${timeOf(series, asked.from)} to ${timeOf(series, asked.to)}`,
    actual: timeOf(series, first?.time ?? 0),
    pointer: first?.pointer ?? view.root,
  }));
}

/** Whether the ends of a range belong to it is not said: records that lie just there tell how a list takes them. */
function readEnds(
  series: SeriesFacts,
  view: View,
  asked: Asked,
  group: readonly View[],
  into: Judgement,
): void {
  const own = timedRecords(series, view);
  // News may come in late or be taken back, so that one that is missing says nothing.
  if (series.window === 'news' || own.length === 0) return;
  const others = group.filter((other) => other.ok && !isSameRequest(other, view));
  const mayLack = mayReachBeyond(series, asked, view) || isCut(series, view, group);
  const hasOneAt = (time: number) => (other: View) =>
    timedRecords(series, other).some((row) => row.time === time && isExact(series, row));
  for (const [name, end] of [
    [series.start, asked.from],
    [series.end, asked.to],
  ] as const) {
    const isPart = hasOneAt(end)(view);
    const isLeftOut = !mayLack && isSettledIn(series, end, view.now) && others.some(hasOneAt(end));
    if (!isPart && !isLeftOut) continue;
    const question = `Whether ${name} is part of a range of ${series.name}`;
    into.read(question, isPart ? 'yes' : 'no', view);
  }
}

/** Records of other answers that lie well inside the range are there. */
function judgeComplete(
  series: SeriesFacts,
  view: View,
  asked: Asked,
  group: readonly View[],
  into: Judgement,
): void {
  if (mayReachBeyond(series, asked, view) || isCut(series, view, group)) return;
  const own = new Set(timedRecords(series, view).map(({ identity }) => identity));
  const known = new Map<string, number>();
  for (const other of group) {
    if (!other.ok || isSameRequest(other, view)) continue;
    // News come in late, with the time at which they were released elsewhere; what was shown before must be there.
    const after = other.exchange.receivedAt > view.exchange.sentAt;
    if (series.window === 'news' && after) continue;
    for (const row of timedRecords(series, other)) {
      if (isInside(row, asked) && isSettledIn(series, row.time, view.now)) {
        known.set(row.identity, row.time);
      }
    }
  }
  if (known.size === 0) return;
  const missing = [...known].filter(([identity]) => !own.has(identity));
  // A news item may be taken back between two requests; a day of a history is not.
  const tolerated = series.window === 'news' ? 1 + Math.floor(known.size / 10) : 0;
  // What even the largest limit leaves out is judged as the limit's fault.
  const number = wholeNumber(view.query.get('limit'));
  const most = series.limit !== null && number === series.limit.maximum;
  const criterion = most ? series.limit.judges.accepted : series.judges.range;
  into.expect(criterion, view, missing.length <= tolerated, () => ({
    message: `${place(view)} left ${counted(missing.length, series.record)} of the range out that other answers have`,
    expected: `the ${series.record} of ${timeOf(series, missing[0]?.[1] ?? 0)}`,
    actual: `${counted(own.size, series.record)} without it`,
    pointer: view.root,
  }));
}

/** True when a limit or a page may have cut the answer, so that what is missing proves nothing. */
function isCut({ limit }: SeriesFacts, view: View, group: readonly View[]): boolean {
  const rows = view.records.length;
  if (limit !== null) {
    // What is missing may have been left out by the limit that was sent, but the largest one leaves nothing out.
    if (view.query.has('limit')) {
      // A limit leaves one record at least.
      if (rows === 0 && (wholeNumber(view.query.get('limit')) ?? 0) >= 1) return false;
      return wholeNumber(view.query.get('limit')) !== limit.maximum || rows >= limit.maximum;
    }
    // Answers of the same length to different requests look like a default that cuts.
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
  const total = isObject(view.body) ? view.body['total'] : undefined;
  return typeof total === 'number' && total > rows;
}

/** True for a range that says how far back to go: by its start, or by an end that lies beyond the window itself. */
const boundsThePast = (asked: Asked | null | undefined, oldest: number): boolean =>
  asked !== null && asked !== undefined && (Number.isFinite(asked.from) || asked.to < oldest);

/** §8, ruling 5: no record is older than the recent window. */
const recentWindow: Rule = {
  name: 'window',
  judges: SERIES.flatMap(({ judges }) => (judges.window === null ? [] : [judges.window])),
  each(view, context, into) {
    const series = SERIES.find(({ endpoint }) => endpoint === view.exchange.endpoint);
    if (series === undefined || series.window === null || series.judges.window === null) return;
    if (!view.ok || view.wrapped || !isJudgeable(view, context)) return;
    const rows = timedRecords(series, view);
    if (rows.length === 0) return;
    const oldest = oldestAllowed(series, series.window, view.now);
    const asked = askedRange(series, view);
    if (series.windowOnRangeOnly && !boundsThePast(asked, oldest)) {
      if (asked === null && series.window !== 'news' && rows.some(({ time }) => time < oldest)) {
        into.read(`How far back ${series.name} reach without a range`, 'beyond the window', view);
      }
      return;
    }
    const older = rows.filter(({ time }) => time < oldest);
    const [first] = older;
    into.expect(series.judges.window, view, first === undefined, () => ({
      message: `${place(view)} reaches back further than the window: ${counted(older.length, series.record)}`,
      // Of a day that is cut in two the row lies at its beginning: the next day is the first one allowed.
      expected: `nothing before ${timeOf(series, oldest + (series.start === 'start_date' ? DAY - 1 : 0))} (${series.window === null ? '' : WINDOWS[series.window].text} and a day)`,
      actual: timeOf(series, first?.time ?? 0),
      pointer: first?.pointer ?? view.root,
    }));
  },
};

/** §8, ruling 5: a range that reaches beyond the window is refused in the error shape, cut, or empty. */
const beyondWindow: Rule = {
  name: 'beyond-window',
  judges: [
    ...SERIES.flatMap(({ judges }) => (judges.windowAnswer === null ? [] : [judges.windowAnswer])),
    RANGES.beyondWindow,
  ],
  all(views, context, into) {
    for (const series of SERIES) {
      const { windowAnswer } = series.judges;
      if (windowAnswer === null) continue;
      // A service may refuse the range with 403, as a lack of rights to old data.
      const kept = { forbidden: true };
      const lists = views.filter(({ exchange }) => exchange.endpoint === series.endpoint);
      for (const group of sameList(views, series.endpoint, PART_PARAMETERS, context, kept)) {
        // Without an answer that has records, a failure says nothing about the range. News in one language is a sign
        // that there is news at all.
        const control = (series.window === 'news' ? lists : group).some(hasRecords);
        for (const view of group) {
          const telling = hasRecords(view) || (view.status < 500 && hasErrorShape(view));
          if (control || telling) judgeBeyond(series, windowAnswer, view, context, into);
        }
      }
    }
  },
};

function judgeBeyond(
  series: SeriesFacts,
  criterion: Criterion,
  view: View,
  context: Context,
  into: Judgement,
): void {
  const asked = askedRange(series, view);
  if (asked === null || asked === undefined || series.window === null) return;
  // One more day, so that the request is beyond the window whatever the target takes for a day.
  const edge = oldestAllowed(series, series.window, view.now) - DAY;
  if (!Number.isFinite(asked.from) ? asked.to >= edge : asked.from >= edge) return;
  if (!opensOnly(view, context, [series.start, series.end])) return;
  if (view.status === 429 || isMaintenance(view)) return;
  const refused = view.status >= 400 && view.status < 500;
  const holds = refused ? hasErrorShape(view) : view.ok && hasStatedKind(view);
  into.expect(criterion, view, holds, () => ({
    message: `${place(view)} with a range that starts beyond the window answered in another way than the specification leaves room for`,
    expected: 'a 4xx error with code, message and details, the records inside the window, or none',
    actual: refused || !view.ok ? describeAnswer(view) : show(view.body),
    pointer: refused || view.ok ? view.root : null,
  }));
  if (!holds) return;
  const answer = answerInWords(series, view, asked, edge);
  if (answer !== null) {
    into.read(
      `A range that starts beyond the recent window: ${series.name}`,
      answer,
      view,
      RANGES.beyondWindow,
    );
  }
}

/** Null when it cannot be told: a range that lies wholly beyond the window is empty in any case. */
function answerInWords(series: SeriesFacts, view: View, asked: Asked, edge: number): string | null {
  if (!view.ok) return `refused with status ${view.status} and code ${codeOf(view) ?? 'none'}`;
  if (timedRecords(series, view).some(({ time }) => time < edge + DAY)) return null;
  if (view.records.length > 0) return 'cut to the window';
  return asked.to < edge + 3 * DAY ? null : 'empty';
}

function hasErrorShape({ body }: View): boolean {
  return (
    isObject(body) &&
    typeof body['code'] === 'number' &&
    typeof body['message'] === 'string' &&
    isObject(body['details'])
  );
}

export const RANGE_RULES: readonly Rule[] = [range, recentWindow, beyondWindow];
