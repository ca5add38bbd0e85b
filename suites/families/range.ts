// The range of a list of dated records, and the window that bounds it (§4.1-§4.6, §8). What a list is called is handed in;
// numbers come from its facts.
import { WINDOWS, type WindowName } from '../../src/spec/limits.ts';
import { DAY } from '../../src/spec/time.ts';
import type { Stated } from '../../src/requirements/definition.ts';
import { drawnFor, needsOf, parameterClause } from './of-endpoint.ts';
import { isJudgeable, type Context } from '../../src/judge/context.ts';
import { codeOf, describeAnswer } from '../../src/judge/errors.ts';
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
} from '../../src/judge/series.ts';
import { isMaintenance, place } from '../../src/judge/transport.ts';
import { isObject, type View } from '../../src/judge/view.ts';
import { moment } from '../../src/text/moment.ts';
import { judgeParts, judgeSameRecords, type Part } from './parts.ts';

/** The requirement on the two ends of a range, which select records called as in `candles`. */
export const rangeOf = (series: SeriesFacts, called: string): Stated => ({
  title: `${series.start} and ${series.end} select the ${called} between them`,
  clauses: [
    parameterClause(series.endpoint, series.start),
    parameterClause(series.endpoint, series.end),
  ],
  rulings: [22],
  ...needsOf(series.endpoint),
  shownBy: 'a request with a start or an end',
  why: 'Clients that get other days compute wrong sums without noticing.',
  usually: [
    'The bounds are interpreted in local time, which loses or adds a day.',
    'One of the two parameters is ignored.',
  ],
  ...drawnFor(series.endpoint),
  judge: selects(series),
});

/** A series of which only a recent window can be reached. */
interface WindowedSeries extends SeriesFacts {
  readonly window: WindowName;
}

/** What is said of the window of a list. */
interface WindowWords {
  /** Records with their verb, such as `No candle of a currency is`. */
  readonly none: string;
  /** With its article, such as `A klines range`. */
  readonly range: string;
  /** What a range reaches beyond; the length of the window by default. */
  readonly beyond?: string;
  /** The clauses that state that the list has a window. */
  readonly stated: readonly string[];
  /** The clause of §8 that states its length. */
  readonly bounds: string;
}

/** Requirements of a window: what is beyond it does not come, and how a range beyond it is answered. */
export function windowOf(series: WindowedSeries, words: WindowWords) {
  const { length } = WINDOWS[series.window];
  const common = {
    shownBy: 'a request that reaches beyond the window',
    rulings: [5],
    ...needsOf(series.endpoint),
    ...drawnFor(series.endpoint),
  };
  return {
    older: {
      ...common,
      title: `${words.none} older than ${length}`,
      clauses: [...words.stated, words.bounds],
      why: 'Older records are not promised: clients that rely on them break when they disappear.',
      usually: [
        'The limit is applied to requests with a range, but not to the default one.',
        'The window is counted from the last record instead of today.',
        'The limit is only applied to the start or the end.',
      ],
      judge: judgeEach((view, context, it) => judgeOldest(series, view, context, it)),
    },
    answer: {
      ...common,
      title: `${words.range} beyond ${words.beyond ?? length} is refused with an error body, truncated or empty`,
      clauses: [...words.stated, '8 beyond the window'],
      why: 'The specification leaves the response to such a range open, but not its shape.',
      usually: [
        'The refusal of a gateway is HTML or plain text.',
        'The range reaches the database and ends in a 500.',
      ],
      judge: judgeAll((views, context, it) => {
        for (const { view, holds } of beyondWindow(series, views, context)) {
          it.expect(view, holds, () => ({
            message: `${place(view)} with a range that starts beyond the window answered in another way than the specification leaves room for`,
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
  return start === 'start_date' ? isoDay(time) : moment(time);
};

/** §4: the ends of a range select the records between them, all of them unless a limit cuts. */
export const selects = (series: SeriesFacts): Judge =>
  judgeParts(
    series,
    (part, it, context) => {
      const { view } = part;
      const asked = askedRange(series, view);
      if (asked === null || asked === undefined) return;
      judgeRefusedInside(series, view, asked, context, it);
      if (!view.ok || !hasStatedKind(view)) return;
      judgeInside(series, view, asked, it);
      // What even the largest limit leaves out is judged as the limit's fault.
      const number = wholeNumber(view.query.get('limit'));
      if (series.limit === null || number !== series.limit.maximum) judgeLeftOut(series, part, it);
      readEnds(series, part, asked, it);
    },
    (part, it) => {
      const asked = askedRange(series, part.view);
      // Texts and counts of news go on changing.
      if (series.window === 'news' || asked === null || asked === undefined) return;
      judgeSameRecords(series, part, it);
    },
  );

/** News of so many days must be in reach of a range. */
export const SURELY_RECENT_MS = 6 * DAY;

/** §4.2 rule 3: a range inside of the recent days is supported. Dates of other series may be refused for other reasons. */
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
    message: `${place(view)} refuses a range inside of the recent days`,
    expected: `the ${series.record}s from ${timeOf(series, asked.from)} to ${timeOf(series, asked.to)}`,
    actual: describeAnswer(view),
  });
}

function judgeInside(series: SeriesFacts, view: View, asked: Asked, it: OwnJudgement): void {
  const rows = timedRecords(series, view);
  if (rows.length === 0) return;
  const outside = rows.filter((row) => isOutside(row, asked));
  const [first] = outside;
  it.expect(view, first === undefined, () => ({
    message: `${place(view)} answered with ${counted(outside.length, series.record)} outside of the range asked for`,
    expected: `from ${timeOf(series, asked.from)} to ${timeOf(series, asked.to)}`,
    actual: timeOf(series, first?.time ?? 0),
    pointer: first?.pointer ?? view.root,
  }));
}

/** Whether the ends of a range belong to it is not said: records that lie just there tell how a list takes them. */
function readEnds(
  series: SeriesFacts,
  { view, group }: Part,
  asked: Asked,
  it: OwnJudgement,
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
    it.note(question, isPart ? 'yes' : 'no', view);
  }
}

/** Records of other answers that lie well inside the range of an answer are there. */
export function judgeLeftOut(series: SeriesFacts, { view, group }: Part, it: OwnJudgement): void {
  const asked = askedRange(series, view);
  if (asked === null || asked === undefined || !view.ok || !hasStatedKind(view)) return;
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
  it.expect(view, missing.length <= tolerated, () => ({
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
function judgeOldest(series: WindowedSeries, view: View, context: Context, it: OwnJudgement): void {
  if (view.exchange.endpoint !== series.endpoint) return;
  if (!view.ok || view.wrapped || !isJudgeable(view, context)) return;
  const rows = timedRecords(series, view);
  if (rows.length === 0) return;
  const oldest = oldestAllowed(series, series.window, view.now);
  const asked = askedRange(series, view);
  if (series.windowOnRangeOnly && !boundsThePast(asked, oldest)) {
    if (asked === null && series.window !== 'news' && rows.some(({ time }) => time < oldest)) {
      it.note(`How far back ${series.name} reach without a range`, 'beyond the window', view);
    }
    return;
  }
  const older = rows.filter(({ time }) => time < oldest);
  const [first] = older;
  it.expect(view, first === undefined, () => ({
    message: `${place(view)} reaches back further than the window: ${counted(older.length, series.record)}`,
    // Of a day that is cut in two the row lies at its beginning: the next day is the first one allowed.
    expected: `nothing before ${timeOf(series, oldest + (series.start === 'start_date' ? DAY - 1 : 0))} (${WINDOWS[series.window].text} and a day)`,
    actual: timeOf(series, first?.time ?? 0),
    pointer: first?.pointer ?? view.root,
  }));
}

/** An answer to a range that reaches beyond the window. */
interface Beyond {
  readonly view: View;
  readonly asked: Asked;
  /** One day more than the window allows, so that the request is beyond it whatever the target takes for a day. */
  readonly edge: number;
  /** §8, ruling 5: refused in the error shape, cut, or empty. */
  readonly holds: boolean;
}

/** Answers to ranges that reach beyond the window and are wrong in nothing else. */
function beyondWindow(
  series: WindowedSeries,
  views: readonly View[],
  context: Context,
): readonly Beyond[] {
  // A service may refuse the range with 403, as a lack of rights to old data.
  const groups = sameList(views, series.endpoint, PART_PARAMETERS, context, { forbidden: true });
  return groups.flatMap((group) => {
    // Without an answer that has records, a failure says nothing about the range. News in one language is a sign that
    // there is news at all.
    const lists =
      series.window === 'news'
        ? views.filter(({ exchange }) => exchange.endpoint === series.endpoint)
        : group;
    const control = lists.some(hasRecords);
    return group.flatMap((view) => {
      const telling = hasRecords(view) || (view.status < 500 && hasErrorShape(view));
      const asked = askedRange(series, view);
      if ((!control && !telling) || asked === null || asked === undefined) return [];
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

/** How ranges beyond the window are answered where the answer holds. */
export const readBeyondWindow = judgeAll((views, context, it) => {
  for (const series of SERIES.filter(isWindowed)) {
    for (const beyond of beyondWindow(series, views, context)) {
      const answer = beyond.holds ? answerInWords(series, beyond) : null;
      if (answer === null) continue;
      const question = `A range that starts beyond the recent window: ${series.name}`;
      it.read(question, answer, beyond.view);
    }
  }
});

/** Null when it cannot be told: a range that lies wholly beyond the window is empty in any case. */
function answerInWords(series: SeriesFacts, { view, asked, edge }: Beyond): string | null {
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
