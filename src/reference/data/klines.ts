import { DAY } from '../../spec/time.ts';
import type { JsonObject } from '../world.ts';
import {
  dayOf,
  daysFrom,
  minuteOf,
  monthsBefore,
  newYorkSession,
  startOf,
  tradesOn,
  type Session,
} from './calendar.ts';
import { daily } from './memo.ts';
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

/** Trading hours of a day; `undefined` when there is no trading. */
function sessionOf(hours: KlineSource['hours'], day: number): Session | undefined {
  if (hours === 'always') return { opens: startOf(day), closes: startOf(day + 1) };
  return tradesOn('US', day) ? newYorkSession(day) : undefined;
}

/** The candle of a day, if there is one yet. */
function candle(source: KlineSource, day: number, now: number): readonly JsonObject[] {
  const session = sessionOf(source.hours, day);
  if (session === undefined || now < session.opens) return [];
  const end = Math.min(now, session.closes);
  const { high, low } = source.path.range(session.opens, end);
  const elapsed = (end - session.opens) / (session.closes - session.opens);
  return [
    {
      timestamp: startOf(day),
      open: source.path.at(session.opens),
      high,
      low,
      close: source.path.at(end),
      volume: round(source.volume(day) * elapsed, 4),
    },
  ];
}

/** Daily candles of one instrument at a time: those of the recent window, oldest first; the last one may still be open (§2.4). */
export function createKlines(source: KlineSource): (time: number) => readonly JsonObject[] {
  const closed = daily((_key, today) =>
    daysFrom(monthsBefore(today, MONTHS), today - 1).flatMap((day) =>
      candle(source, day, startOf(day) + 2 * DAY),
    ),
  );
  return (time) => [...closed('', time), ...candle(source, dayOf(time), time)];
}

/** The last instant at or before `now` at which a price was made, epoch ms. */
export function lastTradeTime(hours: KlineSource['hours'], now: number): number {
  const time = minuteOf(now);
  for (let day = dayOf(time); ; day -= 1) {
    const session = sessionOf(hours, day);
    if (session !== undefined && time >= session.opens) return Math.min(time, session.closes);
  }
}
