// What a run asks of series of dated records: the list that it looks at, another one, and parts of both, by a range and a
// limit. How its lists are found is the series' own.
import {
  Untested,
  type Answer,
  type CheckContext,
  type GetOptions,
  type Query,
} from '../../src/ask/index.ts';
import { endpoint, type EndpointPath } from '../../src/spec/endpoints.ts';
import { DAY } from '../../src/spec/time.ts';
import {
  isoDay,
  timedRecords,
  type LimitedSeries,
  type SeriesFacts,
} from '../../src/judge/series.ts';
import { viewOf } from '../../src/judge/view.ts';

/** What names a list of records in a request: parameters of the path and of the query. */
export interface Named {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Query;
}

/** A list of records: how it is named, and the answer to the plain request for it. */
export interface List extends Named {
  readonly answer: Answer;
}

/** How many identifiers are tried until one shows enough records, and how many records are enough. */
const MOST_TRIED = 3;
const ENOUGH = 6;

/** The list of the first identifier that shows enough records; of the first three the longest. */
export async function richList(
  path: EndpointPath,
  query: Query,
  { api }: CheckContext,
): Promise<List> {
  const [name, ids] = await identifiers(path, api);
  let best: List | undefined;
  for (const id of ids.slice(0, MOST_TRIED)) {
    const answer = await api.get(path, query, { path: { [name]: id } });
    if (best === undefined || answer.records.length > best.answer.records.length) {
      best = { path: { [name]: id }, query, answer };
    }
    if (answer.records.length >= ENOUGH) break;
  }
  if (best === undefined) throw new Untested(`there is no identifier for ${path}`);
  return best;
}

/** Another list than this one; this one where there is no other. */
export async function otherList(
  path: EndpointPath,
  list: List,
  { api }: CheckContext,
): Promise<Named> {
  const [name, ids] = await identifiers(path, api);
  const other = ids.find((id) => id !== list.path[name]);
  return other === undefined ? list : { path: { [name]: other }, query: list.query };
}

async function identifiers(
  path: EndpointPath,
  api: CheckContext['api'],
): Promise<readonly [string, readonly string[]]> {
  const [[name, kind] = []] = Object.entries(endpoint(path).path);
  if (name === undefined || kind === undefined) throw new TypeError(`${path} has no identifier`);
  return [name, await api.fixtures(kind)];
}

/** What an end of a range is sent as: a date, or milliseconds. */
const sent = ({ start }: SeriesFacts, time: number): string | number =>
  start === 'start_date' ? isoDay(time) : time;

const rangeQuery = (series: SeriesFacts, start: number, end: number): Query => ({
  [series.start]: sent(series, start),
  [series.end]: sent(series, end),
});

/** How far back records are there for sure, and how far back they are seen where nothing cuts the list, days. */
const REACH: Readonly<Partial<Record<string, { certain: number; usual: number }>>> = {
  klines: { certain: 87, usual: 80 },
  etf: { certain: 26, usual: 21 },
};
/** Days at the end of a list in which records may come and change while a run lasts. */
const MOVING = 4;
/** Days that a list of which nothing older was seen is asked for beyond that. */
const BEYOND_SHOWN = 400;

/**
 * A range inside of what a plain answer shows with a limit that cuts it. Both ends are chosen so that there is a record
 * just outside: the day before the one and the day after the other. A list that ends where nobody can tell whether a
 * limit cut it or its history is young is asked for what came before its oldest records, and so is one that fills its default
 * and that no window bounds: what lies before has its place in the answer to a larger limit.
 * @throws Untested when the answer holds too few records with a time
 */
export function smallPart(series: SeriesFacts, answer: Answer, context: CheckContext): Query {
  const times = timesOf(series, answer, context);
  const now = context.session.http.targetAtStart();
  const reach = series.window === null ? undefined : REACH[series.window];
  const certain = reach === undefined ? Number.NEGATIVE_INFINITY : now - reach.certain * DAY;
  const [oldest] = times;
  const fallback = series.limit?.fallback ?? 0;
  const rows = answer.records.length;
  const cut = rows < fallback || (rows === fallback && series.window === null);
  const usual = reach === undefined ? Number.NEGATIVE_INFINITY : now - reach.usual * DAY;
  if (cut && oldest !== undefined && oldest > usual && times.length >= 3) {
    const start = Math.max(midnight(certain) + DAY, oldest - BEYOND_SHOWN * DAY);
    return { ...rangeQuery(series, start, times[2] ?? oldest), limit: 5 };
  }
  return inner(series, times, certain, now);
}

/**
 * A range inside of what an answer shows, with records just outside of both ends.
 * @throws Untested when the answer holds too few records with a time
 */
export function innerPart(series: SeriesFacts, answer: Answer, context: CheckContext): Query {
  const now = context.session.http.targetAtStart();
  return inner(series, timesOf(series, answer, context), Number.NEGATIVE_INFINITY, now);
}

function inner(series: SeriesFacts, times: readonly number[], since: number, now: number): Query {
  const inside = times.filter((time) => time >= since && time <= now - MOVING * DAY);
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
  const rows = view === undefined ? [] : timedRecords(series, view);
  return [...new Set(rows.map(({ time }) => time))].toSorted((a, b) => a - b);
}

const midnight = (time: number): number => Math.floor(time / DAY) * DAY;

/** Wednesdays between which a range lies, days back at least: days of trade with days of trade beside them. */
const BIG: Readonly<Record<string, readonly [number, number]>> = {
  klines: [58, 23],
  etf: [19, 9],
  // Few enough rows of a monthly or weekly event that the largest limit does not hide what lies before.
  years: [760, 400],
};

/** A range of which every list of the kind has records inside and outside, with the largest limit, which cuts nothing. */
export function bigPart(series: SeriesFacts, { session }: CheckContext): Query {
  const [from, to] = BIG[series.window ?? 'years'] ?? [0, 0];
  const now = session.http.targetAtStart();
  const query = rangeQuery(series, wednesday(now - from * DAY), wednesday(now - to * DAY));
  return { ...query, limit: series.limit?.maximum };
}

/** The latest Wednesday up to a time, UTC. */
function wednesday(time: number): number {
  const day = midnight(time);
  return day - ((new Date(day).getUTCDay() + 4) % 7) * DAY;
}

/** A range between two days back from the start of this one: every check of a run asks for the same moments. */
function daysBack(
  series: SeriesFacts,
  [from, to]: readonly [number, number],
  { session }: CheckContext,
): Query {
  const today = midnight(session.http.targetAtStart());
  return rangeQuery(series, today - from * DAY, today - to * DAY);
}

/** A range of recent days that ends before it begins. */
export const turnedRound = (series: SeriesFacts, context: CheckContext): Query =>
  daysBack(series, [1, 3], context);

/** Days back between which a range lies that begins well before the window and ends inside of it. */
const BEYOND: Readonly<Partial<Record<string, readonly [number, number]>>> = {
  klines: [150, 20],
  etf: [75, 10],
};

/**
 * A range from well before the window to inside of it.
 * @throws TypeError for a series that no such window bounds
 */
export function beyondPart(series: SeriesFacts, context: CheckContext): Query {
  const days = BEYOND[series.window ?? ''];
  if (days === undefined) throw new TypeError(`nothing is known to lie beyond ${series.name}`);
  return daysBack(series, days, context);
}

/**
 * Ends of a range that are no times, each beside an empty one. What is sent with them shows no more than that a server
 * does not stumble over it (ruling 8), so a value that has to be judged by itself is sent alone, too.
 */
export function badRanges({ start, end }: SeriesFacts): readonly [Query, Query] {
  return [
    { [start]: 'abc', [end]: '' },
    { [start]: '', [end]: 'abc' },
  ];
}

/** An answer and the answer to its control, which shows that there was something to answer with. */
export function withControl(answer: Answer): Answer[] {
  return answer.control === null ? [answer] : [answer, answer.control];
}

/** A request that is answered once. */
export type Request = (context: CheckContext) => Promise<Answer>;
/** The same, with parameters. */
export type RequestWith = (
  query: Query,
  context: CheckContext,
  options?: GetOptions,
) => Promise<Answer>;
/** Requests that belong together. */
export type Requests = (context: CheckContext) => Promise<readonly Answer[]>;

/** A failure of the server is an answer to a request out of bounds. */
export const whatever = { anyAnswer: true } as const;

/** Several requests, one after the other. */
export const together =
  (...requests: readonly (Request | Requests)[]): Requests =>
  async (context) => {
    const answers: Answer[] = [];
    for (const request of requests) answers.push(...[await request(context)].flat());
    return answers;
  };

/**
 * The largest limit in a range, which is what the last request asks for. Dates of another form than expected may be
 * refused; then the limit is asked for alone.
 */
export const rangedOrAlone =
  (ranged: Request | Requests, alone: Request | Requests): Requests =>
  async (context) => {
    const answers = await together(ranged)(context);
    return answers.at(-1)?.status === 200 ? answers : together(alone)(context);
  };

/** A bad request has the one without range and limit as its control. */
export const badPart = ({ start, end }: LimitedSeries): GetOptions => ({
  control: { query: { limit: undefined, [start]: undefined, [end]: undefined } },
  ...whatever,
});

/** Requests for a list that some way finds. */
export const requestFor =
  (
    { endpoint: path }: LimitedSeries,
    find: (context: CheckContext) => Promise<Named>,
  ): RequestWith =>
  async (query, context, options) => {
    const named = await find(context);
    return context.api.get(path, { ...named.query, ...query }, { ...options, path: named.path });
  };

/** How the lists of a series are asked for. */
export interface Ways {
  /** The list that is looked at. */
  readonly find: (context: CheckContext) => Promise<List>;
  /** What else is asked for big parts of its list, so that more than one is seen; the same one by default. */
  readonly other?: (context: CheckContext) => Promise<Named>;
  /** A range in the unit that the service reads; as it is by default. */
  readonly inUnit?: (query: Query, context: CheckContext) => Promise<Query>;
}

/** A list of the series with another path than the one found. */
export const anotherThan =
  ({ endpoint: path }: LimitedSeries, find: Ways['find']): NonNullable<Ways['other']> =>
  async (context) =>
    otherList(path, await find(context), context);

/** The requests for parts of a series. */
export function partsOf(
  series: LimitedSeries,
  { find, other = find, inUnit = (query) => Promise.resolve(query) }: Ways,
) {
  const again = requestFor(series, find);
  const ofOther = requestFor(series, other);
  const ranged: RequestWith = async (query, context, options) =>
    again(await inUnit(query, context), context, options);
  const otherRanged: RequestWith = async (query, context, options) =>
    ofOther(await inUnit(query, context), context, options);
  const plain: Request = async (context) => (await find(context)).answer;

  return {
    /** The plain request: the first list that has enough records. */
    plain,
    /** The same list, with more parameters. */
    again,
    /** A range with a limit that cuts it. */
    small: async (context: CheckContext): Promise<Answer> =>
      ranged(smallPart(series, await plain(context), context), context),
    /** A range of another list with the largest limit, which cuts nothing. */
    big: async (context: CheckContext): Promise<Answer> =>
      otherRanged(bigPart(series, context), context),
    /** A range of another list that begins before the window. */
    beyond: async (context: CheckContext): Promise<Answer> =>
      otherRanged(beyondPart(series, context), context, whatever),
    /** The largest limit and no range. */
    everything: (context: CheckContext): Promise<Answer> =>
      again({ limit: series.limit.maximum }, context),
    /** A limit out of bounds, alone or with an invalid range, and the answer to its control. */
    outOfBounds: async (query: Query, context: CheckContext): Promise<readonly Answer[]> =>
      withControl(await again(query, context, badPart(series))),
  };
}
