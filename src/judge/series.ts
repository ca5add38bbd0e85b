import { boundsOf, type EndpointPath } from '../spec/endpoints.ts';
import { WINDOWS, WINDOW_TOLERANCE_MS, type WindowName } from '../spec/limits.ts';
import { DAY, HOUR, isoDay } from '../spec/time.ts';
import { perObject } from '../text/remembered.ts';
import { isObject, type View } from './view.ts';

/** The only endpoint of §4 whose range timestamps have no specified unit; the others use milliseconds or dates. */
export const UNIT_OPEN: EndpointPath = '/currencies/{currency_id}/klines';

interface LimitFacts {
  readonly fallback: number;
  readonly maximum: number;
}

function limitOf(path: EndpointPath): LimitFacts {
  const { fallback, maximum } = boundsOf(path, 'limit');
  if (fallback === null) throw new RangeError(`${path} states no default for limit`);
  return { fallback, maximum };
}

/** An endpoint whose records have a time and can be requested by range. */
export interface SeriesFacts {
  readonly endpoint: EndpointPath;
  /** What readings call the list. */
  readonly name: string;
  /** What findings call a record. */
  readonly record: string;
  readonly start: 'start_time' | 'start_date';
  readonly end: 'end_time' | 'end_date';
  /** Time of a record, epoch ms; undefined if it cannot be read. */
  readonly timeOf: (record: unknown) => number | undefined;
  /** Identifies a record across answers; undefined if unknown. */
  readonly identityOf: (record: unknown) => string | undefined;
  /** Duration of a record, ms. A candle that overlaps an end of the range may be in or out. */
  readonly durationMsOf: (record: unknown) => number;
  readonly window: WindowName | null;
  /** Set if the window applies only to requests with a range. */
  readonly windowOnRangeOnly: boolean;
  readonly limit: LimitFacts | null;
}

/** A series with a `limit` parameter. */
export interface LimitedSeries extends SeriesFacts {
  readonly limit: LimitFacts;
}

const field = (record: unknown, name: string): unknown =>
  isObject(record) ? record[name] : undefined;

/** A timestamp in milliseconds (ruling 2); the field's own requirement judges other units. */
function milliseconds(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 1e12 && value < 1e14 ? value : undefined;
}

/** UTC midnight of a date, which a time of day may follow. */
function dayTime(value: unknown): number | undefined {
  if (typeof value === 'number') return milliseconds(value);
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}(?!\d)/.test(value)) return undefined;
  const time = Date.parse(`${value.slice(0, 10)}T00:00:00Z`);
  return Number.isNaN(time) ? undefined : time;
}

/** Date of a macro row, whose format is not specified (ruling 2); undefined if it is ambiguous. */
function anyDayTime(value: unknown): number | undefined {
  const usual = dayTime(value);
  if (usual !== undefined || typeof value !== 'string') return usual;
  const text = value.trim();
  const ymd = /^(\d{4})[/.]?(\d{2})[/.]?(\d{2})(?!\d)/.exec(text);
  if (ymd !== null) return dayTime(ymd.slice(1).join('-'));
  if (/^\d{13}$/.test(text)) return milliseconds(Number(text));
  if (/^\d{10}$/.test(text)) return milliseconds(Number(text) * 1000);
  // A month in letters is unambiguous.
  if (!/[a-z]{3}/i.test(text) || !/\d{4}/.test(text)) return undefined;
  const time = Date.parse(`${text} UTC`);
  return milliseconds(time - (time % DAY));
}

const byTimestamp = (record: unknown): number | undefined =>
  milliseconds(field(record, 'timestamp'));
const byDate = (record: unknown): number | undefined => dayTime(field(record, 'date'));
const byDay = (record: unknown): number | undefined => anyDayTime(field(record, 'date'));

/** Daily records are identified by their UTC day. */
const ofDay =
  (timeOf: (record: unknown) => number | undefined) =>
  (record: unknown): string | undefined => {
    const time = timeOf(record);
    return time === undefined ? undefined : isoDay(time);
  };

const klines = (endpoint: EndpointPath, name: string) =>
  ({
    endpoint,
    name,
    record: 'candle',
    start: 'start_time',
    end: 'end_time',
    timeOf: byTimestamp,
    identityOf: ofDay(byTimestamp),
    durationMsOf: () => DAY,
    window: 'klines',
    windowOnRangeOnly: true,
    limit: limitOf(endpoint),
  }) satisfies LimitedSeries;

const etf = (endpoint: EndpointPath, name: string, windowOnRangeOnly: boolean) =>
  ({
    endpoint,
    name,
    record: 'row',
    start: 'start_date',
    end: 'end_date',
    timeOf: byDate,
    identityOf: ofDay(byDate),
    durationMsOf: () => 0,
    window: 'etf',
    windowOnRangeOnly,
    limit: limitOf(endpoint),
  }) satisfies LimitedSeries;

export const CURRENCY_CANDLES = klines('/currencies/{currency_id}/klines', 'candles of a currency');
export const STOCK_CANDLES = klines('/crypto-stocks/{stock_ticker}/klines', 'candles of a stock');
// §4.4 limits the rows returned, §4.3 only the dates that may be requested.
export const SUMMARY_DAYS = etf('/etfs/summary-history', 'ETF summary', true);
export const HISTORY_DAYS = etf('/etfs/{ticker}/history', 'ETF history', false);
export const MACRO_RELEASES = {
  endpoint: '/macro/events/{event}/history',
  name: 'macro history',
  record: 'row',
  start: 'start_date',
  end: 'end_date',
  timeOf: byDay,
  identityOf: ofDay(byDay),
  // Otherwise the day of a release depends on the time zone.
  durationMsOf: (record) => (/^\d{4}-\d{2}-\d{2}$/.test(String(field(record, 'date'))) ? 0 : DAY),
  window: null,
  windowOnRangeOnly: true,
  limit: limitOf('/macro/events/{event}/history'),
} satisfies LimitedSeries;
export const NEWS_BY_TIME = {
  endpoint: '/news',
  name: 'news',
  record: 'news item',
  start: 'start_time',
  end: 'end_time',
  timeOf: (record) => milliseconds(field(record, 'release_time')),
  identityOf: (record) => {
    const id = field(record, 'id');
    return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
  },
  // A service that stores seconds truncates the requested range.
  durationMsOf: () => 1000,
  window: 'news',
  windowOnRangeOnly: true,
  limit: null,
} satisfies SeriesFacts;

/** All endpoints with a time range (§4.1-§4.6, §8). */
export const SERIES: readonly SeriesFacts[] = [
  CURRENCY_CANDLES,
  STOCK_CANDLES,
  SUMMARY_DAYS,
  HISTORY_DAYS,
  MACRO_RELEASES,
  NEWS_BY_TIME,
];

/** Query parameters that select a part of a series; all others identify the series. */
export const PART_PARAMETERS = [
  'limit',
  'start_time',
  'end_time',
  'start_date',
  'end_date',
  'page',
  'page_size',
] as const;

/** A requested range, epoch ms; infinite where an end was not sent. */
export interface Asked {
  readonly from: number;
  readonly to: number;
}

/**
 * The requested range; `null` if there is none, undefined if it is unreadable or ends before it starts, which is
 * unspecified.
 */
export function requestedRange(series: SeriesFacts, view: View): Asked | null | undefined {
  const start = view.query.get(series.start);
  const end = view.query.get(series.end);
  if (start === undefined && end === undefined) return null;
  const from = start === undefined ? Number.NEGATIVE_INFINITY : endOf(series, start);
  const to = end === undefined ? Number.POSITIVE_INFINITY : endOf(series, end);
  return from === undefined || to === undefined || from > to ? undefined : { from, to };
}

function endOf({ start, endpoint }: SeriesFacts, text: string): number | undefined {
  if (start === 'start_date') return /^\d{4}-\d{2}-\d{2}$/.test(text) ? dayTime(text) : undefined;
  if (endpoint === UNIT_OPEN && /^\d{10}$/.test(text)) return Number(text) * 1000;
  return /^\d{13}$/.test(text) ? Number(text) : undefined;
}

const MILLISECONDS = /^\d{13}$/;
const SECONDS = /^\d{10}$/;

/**
 * Drops answers to ranges in a unit that the service does not read. A service reads seconds if it returns records for a
 * closed range in seconds, and none for a start in milliseconds (a service that reads milliseconds puts both ends of
 * the former in 1970).
 */
export function inTheirUnit(views: readonly View[]): readonly View[] {
  const own = views.filter(({ exchange }) => exchange.endpoint === UNIT_OPEN);
  const has = ({ query }: View, name: string, form: RegExp): boolean =>
    form.test(query.get(name) ?? '');
  const full = own.filter(({ ok, records }) => ok && records.length > 0);
  const readsSeconds =
    full.some((view) => has(view, 'start_time', SECONDS) && has(view, 'end_time', SECONDS)) &&
    !full.some((view) => has(view, 'start_time', MILLISECONDS));
  const other = readsSeconds ? MILLISECONDS : SECONDS;
  const dropped = own.filter(
    (view) => view.status < 500 && (has(view, 'start_time', other) || has(view, 'end_time', other)),
  );
  return dropped.length === 0 ? views : views.filter((view) => !dropped.includes(view));
}

/**
 * The oldest time allowed in an answer (§8, ruling 5). A date covers a whole day, and the target's day may not be the
 * UTC day.
 */
export function oldestAllowed(series: SeriesFacts, window: WindowName, now: number): number {
  const day = series.start === 'start_date' ? DAY : 0;
  return now - WINDOWS[window].maxMs - WINDOW_TOLERANCE_MS - day;
}

/**
 * Whether an answer to the range must contain the record. Either end may be inclusive or exclusive, and candles may be
 * stamped at their start or end.
 */
export function isInside({ time, durationMs }: Timed, { from, to }: Asked): boolean {
  return durationMs === 0
    ? time > from && time < to
    : time - durationMs >= from && time + durationMs <= to;
}

/** Whether an answer to the range must not contain the record. */
export function isOutside({ time, durationMs }: Timed, { from, to }: Asked): boolean {
  return durationMs === 0
    ? time < from || time > to
    : time <= from - durationMs || time >= to + durationMs;
}

/** Records within this distance of an edge of the window may come and go during a run. */
const NEW_EDGE_MS = 4 * DAY;
const OLD_EDGE_MS: Readonly<Record<WindowName, number>> = {
  // Months have 28 to 31 days: anything younger is inside under every reading.
  klines: 88 * DAY,
  etf: 27 * DAY,
  news: 6 * DAY,
};
/** News arrives all the time, but rarely backdated by hours. */
const NEWS_EDGE_MS = 2 * 3_600_000;

/** Whether a record once seen must still be there at `now`, because it is not near an edge of the window. */
export function isSettledIn(series: SeriesFacts, time: number, now: number): boolean {
  const newest = now - (series.window === 'news' ? NEWS_EDGE_MS : NEW_EDGE_MS);
  const oldest =
    series.window === null ? Number.NEGATIVE_INFINITY : now - OLD_EDGE_MS[series.window];
  return time >= oldest && time <= newest;
}

/**
 * Whether a range may reach beyond the recent window. The answer may then be empty (ruling 5), and missing records
 * prove nothing.
 */
export function mayReachBeyond(series: SeriesFacts, { from, to }: Asked, view: View): boolean {
  if (series.window === null) return false;
  const earliest = Number.isFinite(from) ? from : to;
  return earliest < view.now - OLD_EDGE_MS[series.window];
}

export interface Timed {
  readonly time: number;
  readonly durationMs: number;
  readonly identity: string;
  readonly pointer: string;
  readonly value: unknown;
}

/** Records with a readable time, in the order sent. */
export const datedRecords = (series: SeriesFacts, view: View): readonly Timed[] =>
  timesIn(series)(view);

const timesIn = perObject((series: SeriesFacts) =>
  perObject((view: View): readonly Timed[] =>
    view.records.flatMap(({ value, pointer }) => {
      const time = series.timeOf(value);
      const identity = series.identityOf(value);
      if (time === undefined || identity === undefined) return [];
      return [{ time, durationMs: series.durationMsOf(value), identity, pointer, value }];
    }),
  ),
);

/** Answers further apart than this are not compared by number of records, ms. */
export const COMPARABLE_MS = 12 * HOUR;

/** The largest answer that covers the range of `view` and has more records. */
export function largestCovering(
  series: SeriesFacts,
  view: View,
  group: readonly View[],
): View | undefined {
  const range = requestedRange(series, view);
  if (range === undefined) return undefined;
  const candidates = group.filter((other) => {
    if (other === view || !other.ok || other.records.length <= view.records.length) return false;
    if (Math.abs(other.now - view.now) > COMPARABLE_MS) return false;
    const covered = requestedRange(series, other);
    if (covered === undefined) return false;
    if (covered === null) return true;
    return range !== null && covered.from <= range.from && covered.to >= range.to;
  });
  return candidates.toSorted((a, b) => b.records.length - a.records.length)[0];
}
