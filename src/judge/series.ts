import { boundsOf, type EndpointPath } from '../spec/endpoints.ts';
import { WINDOWS, WINDOW_TOLERANCE_MS, type WindowName } from '../spec/limits.ts';
import { DAY, HOUR } from '../spec/time.ts';
import { UNIT_OPEN } from './range-unit.ts';
import { isObject, type View } from './view.ts';

/** The `limit` of an endpoint, as its table states it. */
export interface LimitFacts {
  readonly fallback: number;
  readonly maximum: number;
}

function limitOf(path: EndpointPath): LimitFacts {
  const { fallback, maximum } = boundsOf(path, 'limit');
  if (fallback === null) throw new RangeError(`${path} states no default for limit`);
  return { fallback, maximum };
}

/** An endpoint whose records have a time and can be asked for by a range of it. */
export interface SeriesFacts {
  readonly endpoint: EndpointPath;
  /** What the list is called in readings. */
  readonly name: string;
  /** What a record is called in findings. */
  readonly record: string;
  readonly start: 'start_time' | 'start_date';
  readonly end: 'end_time' | 'end_date';
  /** Time of a record, epoch ms; undefined when it has none that can be read. */
  readonly timeOf: (record: unknown) => number | undefined;
  /** What stands for the record in another answer; undefined when it cannot be told. */
  readonly identityOf: (record: unknown) => string | undefined;
  /** How long a record lasts, ms: a candle that overlaps an end of the range may be in or out. */
  readonly lastsOf: (record: unknown) => number;
  readonly window: WindowName | null;
  /** True when the window bounds only requests with a range. */
  readonly windowOnRangeOnly: boolean;
  readonly limit: LimitFacts | null;
}

/** A series that a limit cuts. */
export interface LimitedSeries extends SeriesFacts {
  readonly limit: LimitFacts;
}

const field = (record: unknown, name: string): unknown =>
  isObject(record) ? record[name] : undefined;

/** A timestamp in milliseconds (ruling 2). The field's own requirement judges other units. */
function milliseconds(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 1e12 && value < 1e14 ? value : undefined;
}

/** The UTC midnight of a date text; dates may carry a time after the day. */
export function dayTime(value: unknown): number | undefined {
  if (typeof value === 'number') return milliseconds(value);
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}(?!\d)/.test(value)) return undefined;
  const time = Date.parse(`${value.slice(0, 10)}T00:00:00Z`);
  return Number.isNaN(time) ? undefined : time;
}

/** Dates of macro rows, whose format is not stated (ruling 2); undefined for a format that could mean several days. */
function anyDayTime(value: unknown): number | undefined {
  const usual = dayTime(value);
  if (usual !== undefined || typeof value !== 'string') return usual;
  const text = value.trim();
  const ymd = /^(\d{4})[/.]?(\d{2})[/.]?(\d{2})(?!\d)/.exec(text);
  if (ymd !== null) return dayTime(ymd.slice(1).join('-'));
  if (/^\d{13}$/.test(text)) return milliseconds(Number(text));
  if (/^\d{10}$/.test(text)) return milliseconds(Number(text) * 1000);
  // A month in letters cannot be taken for a day.
  return /[a-z]{3}/i.test(text) && /\d{4}/.test(text)
    ? utcDay(Date.parse(`${text} UTC`))
    : undefined;
}

const utcDay = (time: number): number | undefined =>
  Number.isNaN(time) ? undefined : milliseconds(time - (time % DAY));

const byTimestamp = (record: unknown): number | undefined =>
  milliseconds(field(record, 'timestamp'));
const byDate = (record: unknown): number | undefined => dayTime(field(record, 'date'));
const byDay = (record: unknown): number | undefined => anyDayTime(field(record, 'date'));
const byRelease = (record: unknown): number | undefined =>
  milliseconds(field(record, 'release_time'));

/** Daily records are the same when they stand for the same day (UTC). */
const ofDay =
  (timeOf: (record: unknown) => number | undefined) =>
  (record: unknown): string | undefined => {
    const time = timeOf(record);
    return time === undefined ? undefined : isoDay(time);
  };

/** `yyyy-MM-dd` of a time, UTC. */
export function isoDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** A series in which a smaller limit must give a part of a larger one. */
const aDay = (): number => DAY;
const aMoment = (): number => 0;

const klines = (endpoint: EndpointPath, name: string) =>
  ({
    endpoint,
    name,
    record: 'candle',
    start: 'start_time',
    end: 'end_time',
    timeOf: byTimestamp,
    identityOf: ofDay(byTimestamp),
    lastsOf: aDay,
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
    lastsOf: aMoment,
    window: 'etf',
    windowOnRangeOnly,
    limit: limitOf(endpoint),
  }) satisfies LimitedSeries;

export const CURRENCY_CANDLES = klines('/currencies/{currency_id}/klines', 'candles of a currency');
export const STOCK_CANDLES = klines('/crypto-stocks/{stock_ticker}/klines', 'candles of a stock');
// §4.4 limits what its answer holds, §4.3 only the dates that may be asked for.
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
  // With a time of day, or in another form, the day of a release depends on where its date is taken.
  lastsOf: (record) => (/^\d{4}-\d{2}-\d{2}$/.test(String(field(record, 'date'))) ? 0 : DAY),
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
  timeOf: byRelease,
  identityOf: (record) => {
    const id = field(record, 'id');
    return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
  },
  // A service that keeps times in seconds cuts what it is asked for.
  lastsOf: () => 1000,
  window: 'news',
  windowOnRangeOnly: true,
  limit: null,
} satisfies SeriesFacts;

/** All endpoints with a range of time (§4.1-§4.6, §8). */
export const SERIES: readonly SeriesFacts[] = [
  CURRENCY_CANDLES,
  STOCK_CANDLES,
  SUMMARY_DAYS,
  HISTORY_DAYS,
  MACRO_RELEASES,
  NEWS_BY_TIME,
];

/** Query parameters that choose a part of a series; the others name the series. */
export const PART_PARAMETERS = [
  'limit',
  'start_time',
  'end_time',
  'start_date',
  'end_date',
  'page',
  'page_size',
] as const;

/** The range that a request asks for, epoch ms; an end that was not sent is infinite. */
export interface Asked {
  readonly from: number;
  readonly to: number;
}

/**
 * The range of a request; `null` when it asks for none, undefined when an end cannot be read, or when it ends before it
 * begins: what that asks for is not stated.
 */
export function askedRange(series: SeriesFacts, view: View): Asked | null | undefined {
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

/**
 * The oldest time that a record may have in an answer (§8, ruling 5). A date stands for a whole day, and the day of the
 * target may not be that of UTC.
 */
export function oldestAllowed(series: SeriesFacts, window: WindowName, now: number): number {
  const day = series.start === 'start_date' ? DAY : 0;
  return now - WINDOWS[window].maxMs - WINDOW_TOLERANCE_MS - day;
}

/**
 * True when a record of this time has to be in an answer to the range. The ends themselves may be in or out, and a candle
 * may be stamped at its beginning or at its end.
 */
export function isInside({ time, lasts }: Timed, { from, to }: Asked): boolean {
  return lasts === 0 ? time > from && time < to : time - lasts >= from && time + lasts <= to;
}

/** True when a record of this time has no place in an answer to the range. */
export function isOutside({ time, lasts }: Timed, { from, to }: Asked): boolean {
  return lasts === 0 ? time < from || time > to : time <= from - lasts || time >= to + lasts;
}

/** True when the time of a record is the one that a range is compared with, whatever zone a date is taken in. */
export const isExact = ({ record }: SeriesFacts, { lasts }: Timed): boolean =>
  record === 'candle' || lasts === 0;

/** Days at the edges of a window in which records come and go while a run lasts. */
const NEW_EDGE_MS = 4 * DAY;
const OLD_EDGE_MS: Readonly<Record<WindowName, number>> = {
  // A month has 28 to 31 days; what is younger than the shortest window is in it for sure.
  klines: 88 * DAY,
  etf: 27 * DAY,
  news: 6 * DAY,
};
/** News comes in all the time, but hardly with a date of hours ago while a run lasts. */
const NEWS_EDGE_MS = 2 * 3_600_000;

/** True when a record of this time is there for sure at `now`, once it was seen: no edge of the window is near. */
export function isSettledIn(series: SeriesFacts, time: number, now: number): boolean {
  const newest = now - (series.window === 'news' ? NEWS_EDGE_MS : NEW_EDGE_MS);
  const oldest =
    series.window === null ? Number.NEGATIVE_INFINITY : now - OLD_EDGE_MS[series.window];
  return time >= oldest && time <= newest;
}

/**
 * True when a range may reach beyond the recent window, so that the answer may be empty (ruling 5) and what it leaves
 * out proves nothing, whatever a request without a range shows.
 */
export function mayReachBeyond(series: SeriesFacts, { from, to }: Asked, view: View): boolean {
  if (series.window === null) return false;
  const earliest = Number.isFinite(from) ? from : to;
  return earliest < view.now - OLD_EDGE_MS[series.window];
}

/** A record with its time, and what stands for it in other answers. */
export interface Timed {
  readonly time: number;
  readonly lasts: number;
  readonly identity: string;
  readonly pointer: string;
}

const timed = new WeakMap<View, { series: SeriesFacts; records: readonly Timed[] }>();

/** Records of an answer with their times, in the order of the answer. Records without a readable time are left out. */
export function timedRecords(series: SeriesFacts, view: View): readonly Timed[] {
  const known = timed.get(view);
  if (known?.series === series) return known.records;
  const records = readTimes(series, view);
  timed.set(view, { series, records });
  return records;
}

function readTimes(series: SeriesFacts, view: View): readonly Timed[] {
  return view.records.flatMap(({ value, pointer }) => {
    const time = series.timeOf(value);
    const identity = series.identityOf(value);
    if (time === undefined || identity === undefined) return [];
    return [{ time, lasts: series.lastsOf(value), identity, pointer }];
  });
}

/** Answers further apart than this are not compared by number of records, ms. */
export const COMPARABLE_MS = 12 * HOUR;

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
