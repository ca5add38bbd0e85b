import { describe, expect, it } from 'vitest';
import { DAY } from '../../spec/time.ts';
import { dayNumber, isoDate, monthsBefore, newYorkSession, tradingDays } from './calendar.ts';

const hours = (day: number): string[] => {
  const { opens, closes } = newYorkSession(day);
  return [opens, closes].map((time) => new Date(time).toISOString().slice(11, 16));
};

describe('calendar', () => {
  it.each([
    ['2026-11-21', 3, '2026-08-21'],
    ['2026-03-31', 1, '2026-02-28'],
    ['2028-03-31', 1, '2028-02-29'],
    ['2026-01-15', 1, '2025-12-15'],
    ['2026-05-31', 3, '2026-02-28'],
  ])('goes back from %s by %i months to %s', (from, months, to) => {
    expect(isoDate(monthsBefore(Date.parse(from) / DAY, months))).toBe(to);
  });

  it('knows New York hours in winter and summer', () => {
    expect(hours(dayNumber(2026, 1, 5))).toEqual(['14:30', '21:00']);
    expect(hours(dayNumber(2026, 3, 6))).toEqual(['14:30', '21:00']);
    expect(hours(dayNumber(2026, 3, 9))).toEqual(['13:30', '20:00']);
    expect(hours(dayNumber(2026, 10, 30))).toEqual(['13:30', '20:00']);
    expect(hours(dayNumber(2026, 11, 2))).toEqual(['14:30', '21:00']);
  });

  it('lists trading days without weekends and holidays', () => {
    const days = tradingDays('US', dayNumber(2026, 11, 25), dayNumber(2026, 11, 30)).map(isoDate);
    expect(days).toEqual(['2026-11-25', '2026-11-27', '2026-11-30']);
  });
});
