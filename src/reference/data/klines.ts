import { DAY } from '../../spec/time.ts';
import type { JsonObject } from '../world.ts';
import { dayOf, minuteOf, monthsBefore, newYorkSession, startOf, tradesOn } from './calendar.ts';
import { latest } from './memo.ts';
import type { PricePath } from './paths.ts';
import { round } from './prng.ts';

/** Calendar months that klines reach back (§4.1, §8). */
const MONTHS = 3;

/** What candles are made of. */
export interface KlineSource {
  readonly path: PricePath;
  /** Volume of a full day in units of the instrument. */
  volume(day: number): number;
  /** Whether it trades round the clock or in New York hours. */
  readonly hours: 'always' | 'new-york';
}

export interface Klines {
  /** Candles of the recent window, oldest first; the last one may still be open (§2.4). */
  at(now: number): readonly JsonObject[];
}

/** Trading hours of a day; `undefined` when there is no trading. */
function sessionOf(
  hours: KlineSource['hours'],
  day: number,
): { opens: number; closes: number } | undefined {
  if (hours === 'always') return { opens: startOf(day), closes: startOf(day + 1) };
  return tradesOn('US', day) ? newYorkSession(day) : undefined;
}

function candle(source: KlineSource, day: number, now: number): JsonObject | undefined {
  const session = sessionOf(source.hours, day);
  if (session === undefined || now < session.opens) return undefined;
  const end = Math.min(now, session.closes);
  const { high, low } = source.path.range(session.opens, end);
  const elapsed = (end - session.opens) / (session.closes - session.opens);
  return {
    timestamp: startOf(day),
    open: source.path.at(session.opens),
    high,
    low,
    close: source.path.at(end),
    volume: round(source.volume(day) * elapsed, 4),
  };
}

/** Daily candles of one instrument. Closed candles are built once a day, the open one once a minute. */
export function createKlines(source: KlineSource): Klines {
  const closed = latest<readonly JsonObject[]>();
  const all = latest<readonly JsonObject[]>();
  return {
    at(now) {
      const time = minuteOf(now);
      return all.get('', time, () => {
        const today = dayOf(time);
        const past = closed.get('', today, () => {
          const candles: JsonObject[] = [];
          for (let day = monthsBefore(today, MONTHS); day < today; day += 1) {
            const row = candle(source, day, startOf(day) + 2 * DAY);
            if (row !== undefined) candles.push(row);
          }
          return candles;
        });
        const open = candle(source, today, time);
        return open === undefined ? past : [...past, open];
      });
    },
  };
}

/** The last instant at or before `now` at which a price was made, epoch ms. */
export function lastTradeTime(hours: KlineSource['hours'], now: number): number {
  const time = minuteOf(now);
  for (let day = dayOf(time); ; day -= 1) {
    const session = sessionOf(hours, day);
    if (session !== undefined && time >= session.opens) return Math.min(time, session.closes);
  }
}
