// Requests for dated series: a list, another one, and parts of both by range and limit. Each series supplies its own
// way to find lists.
import {
  Untested,
  type Answer,
  type CheckContext,
  type GetOptions,
  type Query,
} from '../../src/ask/index.ts';
import { identifierOf, type EndpointPath } from '../../src/spec/endpoints.ts';
import { DAY, isoDay } from '../../src/spec/time.ts';
import { datedRecords, type LimitedSeries, type SeriesFacts } from '../../src/judge/series.ts';
import { viewOf } from '../../src/judge/view.ts';

/** Path and query parameters that identify a list. */
interface Named {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Query;
}

/** A list and the answer to the plain request for it. */
export interface List extends Named {
  readonly answer: Answer;
}

/** How many identifiers to try until one has enough records. */
const MAX_TRIED = 3;
const MIN_RECORDS = 6;

/** The first list with enough records, otherwise the longest. Sends one request after the other. */
export async function richestOf(
  path: EndpointPath,
  lists: readonly Named[],
  { api }: CheckContext,
): Promise<List> {
  let best: List | undefined;
  for (const list of lists) {
    const answer = await api.get(path, list.query, { path: list.path });
    const isLonger = best === undefined || answer.records.length > best.answer.records.length;
    if (isLonger) best = { ...list, answer };
    if (answer.records.length >= MIN_RECORDS) break;
  }
  if (best === undefined) throw new Untested(`there is no identifier for ${path}`);
  return best;
}

/** The richest list of the first identifiers. */
export async function richList(
  path: EndpointPath,
  query: Query,
  context: CheckContext,
): Promise<List> {
  const { name, kind } = identifierOf(path);
  const ids = (await context.api.fixtures(kind)).slice(0, MAX_TRIED);
  return richestOf(
    path,
    ids.map((id) => ({ path: { [name]: id }, query })),
    context,
  );
}

/** An end of a range as sent: a date, or milliseconds. */
const sent = ({ start }: SeriesFacts, time: number): string | number =>
  start === 'start_date' ? isoDay(time) : time;

const rangeQuery = (series: SeriesFacts, start: number, end: number): Query => ({
  [series.start]: sent(series, start),
  [series.end]: sent(series, end),
});

/** Days back to ask for. */
interface DaysBack {
  /** How far back records certainly exist, and how far back uncut lists usually reach. */
  readonly certain: number;
  readonly usual: number;
  /** A range with records inside and outside in every list. Its ends are moved to Wednesdays, between trading days. */
  readonly big: readonly [number, number];
  /** From well before the window to inside it. */
  readonly beyond: readonly [number, number];
}

const KLINES: DaysBack = { certain: 87, usual: 80, big: [58, 23], beyond: [150, 20] };
const ETF: DaysBack = { certain: 26, usual: 21, big: [19, 9], beyond: [75, 10] };
/** Without a window: few enough rows of a monthly or weekly event for the largest limit to show all. */
const YEARS = { certain: Infinity, usual: Infinity, big: [760, 400] } as const;

const daysOf = ({ window }: SeriesFacts): Omit<DaysBack, 'beyond'> =>
  window === 'klines' ? KLINES : window === 'etf' ? ETF : YEARS;

/** Records of the latest days may still appear or change during a run. */
const UNSETTLED_DAYS = 4;
/** How far beyond the oldest record to look, in days. */
const LOOK_BACK_DAYS = 400;

/**
 * A range with a limit that cuts it, inside what the plain answer shows: a day after its oldest record to a day before
 * its newest, so that records exist just outside. If a limit may have cut the plain answer, requests what came before
 * its oldest records instead, which a larger limit should then show.
 * @throws Untested if the answer has too few dated records
 */
export function smallPart(series: SeriesFacts, answer: Answer, context: CheckContext): Query {
  const now = context.session.http.targetAtStart();
  const { certain, usual } = daysOf(series);
  const [oldest = 0, , third] = timesOf(series, answer, context);
  const fallback = series.limit?.fallback ?? 0;
  const rows = answer.records.length;
  const cut = rows < fallback || (rows === fallback && series.window === null);
  if (cut && third !== undefined && oldest > now - usual * DAY) {
    const start = Math.max(midnight(now - certain * DAY) + DAY, oldest - LOOK_BACK_DAYS * DAY);
    return { ...rangeQuery(series, start, third), limit: 5 };
  }
  return innerPart(series, answer, context, now - certain * DAY);
}

/**
 * A range inside an answer, with records just outside both ends.
 * @throws Untested if the answer has too few dated records
 */
export function innerPart(
  series: SeriesFacts,
  answer: Answer,
  context: CheckContext,
  since = Number.NEGATIVE_INFINITY,
): Query {
  const times = timesOf(series, answer, context);
  const until = context.session.http.targetAtStart() - UNSETTLED_DAYS * DAY;
  const inside = times.filter((time) => time >= since && time <= until);
  const [first, last] = [inside[0], inside.at(-1)];
  if (first === undefined || last === undefined || inside.length < 6) {
    throw new Untested(
      `the answer has ${times.length} records with a time, too few to request a part of them`,
    );
  }
  return { ...rangeQuery(series, first + DAY, last - DAY), limit: inside.length < 10 ? 2 : 5 };
}

function timesOf(series: SeriesFacts, answer: Answer, { session }: CheckContext): number[] {
  const view = viewOf(answer.exchange, session.facts);
  const rows = view === undefined ? [] : datedRecords(series, view);
  return [...new Set(rows.map(({ time }) => time))].toSorted((a, b) => a - b);
}

const midnight = (time: number): number => Math.floor(time / DAY) * DAY;

/** A range with records inside and outside in every list, and the largest limit. */
export function bigPart(series: SeriesFacts, { session }: CheckContext): Query {
  const [from, to] = daysOf(series).big;
  const now = session.http.targetAtStart();
  const query = rangeQuery(series, wednesday(now - from * DAY), wednesday(now - to * DAY));
  return { ...query, limit: series.limit?.maximum };
}

/** The latest Wednesday up to a time, UTC. */
function wednesday(time: number): number {
  const day = midnight(time);
  return day - ((new Date(day).getUTCDay() + 4) % 7) * DAY;
}

/** A range relative to the start of the run, so that all checks share the same times. */
function daysBack(
  series: SeriesFacts,
  [from, to]: readonly [number, number],
  { session }: CheckContext,
): Query {
  const today = midnight(session.http.targetAtStart());
  return rangeQuery(series, today - from * DAY, today - to * DAY);
}

/** A recent range that ends before it starts. */
export const invertedRange = (series: SeriesFacts, context: CheckContext): Query =>
  daysBack(series, [1, 3], context);

/**
 * Invalid range ends, each with an empty one. A value sent with them shows only that the server does not crash (ruling
 * 8), so values to be judged are also sent alone.
 */
export function badRanges({ start, end }: SeriesFacts): readonly [Query, Query] {
  return [
    { [start]: 'abc', [end]: '' },
    { [start]: '', [end]: 'abc' },
  ];
}

/** An answer and its control. */
export const withControl = (answer: Answer): Answer[] =>
  answer.control === null ? [answer] : [answer, answer.control];

export type Request = (context: CheckContext) => Promise<Answer>;
type Requests = (context: CheckContext) => Promise<Answer | readonly Answer[]>;

/** Accepts server failures as answers. */
export const ANY_ANSWER = { anyAnswer: true } as const;

/** Sends several requests in turn. */
export const together =
  (...requests: readonly Requests[]) =>
  async (context: CheckContext): Promise<readonly Answer[]> => {
    const answers: Answer[] = [];
    for (const request of requests) answers.push(...[await request(context)].flat());
    return answers;
  };

/**
 * The last of `ranged` has the largest limit in a range. Unexpected date formats may be refused; then the limit is sent
 * alone.
 */
export const rangedOrAlone =
  (ranged: Requests, alone: Requests): Requests =>
  async (context) => {
    const answers = await together(ranged)(context);
    return answers.at(-1)?.status === 200 ? answers : alone(context);
  };

type Find<Of extends Named> = (context: CheckContext) => Promise<Of>;

/** Requests for the list that `find` returns. */
export const requestFor =
  ({ endpoint: path }: LimitedSeries, find: Find<Named>) =>
  async (query: Query, context: CheckContext, options?: GetOptions): Promise<Answer> => {
    const named = await find(context);
    return context.api.get(path, { ...named.query, ...query }, { ...options, path: named.path });
  };

/** How to find the lists of a series. */
export interface ListFinder {
  readonly find: Find<List>;
  /** Another list to request large parts of, for coverage (default: the same). */
  readonly other?: Find<Named>;
  /** Converts a range to the unit that the service reads. */
  readonly inUnit?: (query: Query, context: CheckContext) => Promise<Query>;
}

/** Another list than the main one, if there is one. */
export const anotherThan =
  ({ endpoint: path }: LimitedSeries, find: Find<List>): Find<Named> =>
  async (context) => {
    const list = await find(context);
    const { name, kind } = identifierOf(path);
    const other = (await context.api.fixtures(kind)).find((id) => id !== list.path[name]);
    return other === undefined ? list : { path: { [name]: other }, query: list.query };
  };

export function partsOf(
  series: LimitedSeries,
  { find, other = find, inUnit = (query) => Promise.resolve(query) }: ListFinder,
) {
  const again = requestFor(series, find);
  const ofOther = requestFor(series, other);
  const { beyond } = series.window === 'klines' ? KLINES : ETF;
  const plain: Request = async (context) => (await find(context)).answer;
  const { maximum } = series.limit;
  const none = { limit: undefined, [series.start]: undefined, [series.end]: undefined };
  /** The plain list, and the same with a limit and further parameters. */
  const withLimit = (limit: string | number, more: Query = {}) =>
    together(plain, (context) => again({ limit, ...more }, context, ANY_ANSWER));
  /** A range of another list with the largest limit. */
  const big: Request = async (context) =>
    ofOther(await inUnit(bigPart(series, context), context), context);

  return {
    /** The plain request for the first list with enough records. */
    plain,
    again,
    ofOther,
    /** A range with a limit that cuts it. */
    small: async (context: CheckContext): Promise<Answer> =>
      again(await inUnit(smallPart(series, await plain(context), context), context), context),
    big,
    /** A range of another list that starts before the window. */
    beyond: async (context: CheckContext): Promise<Answer> =>
      ofOther(await inUnit(daysBack(series, beyond, context), context), context, ANY_ANSWER),
    /** The largest limit without a range. */
    everything: (context: CheckContext): Promise<Answer> => again({ limit: maximum }, context),
    withLimit,
    /** A limit out of bounds, alone or with an invalid range, and its control. */
    outOfBounds: async (query: Query, context: CheckContext): Promise<readonly Answer[]> =>
      withControl(await again(query, context, { control: { query: none }, ...ANY_ANSWER })),
  };
}
