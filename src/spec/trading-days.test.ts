import { describe, expect, it } from 'vitest';
import { DAY } from './time.ts';
import { exchangeHoliday, isTradingDay, isWeekend } from './trading-days.ts';
import type { Country } from './values.ts';

/** Weekdays of a year on which the exchange is closed. */
function closures(country: Country, year: number): string[] {
  const days: string[] = [];
  for (let time = Date.UTC(year, 0, 1); time < Date.UTC(year + 1, 0, 1); time += DAY) {
    const date = new Date(time).toISOString().slice(0, 10);
    if (exchangeHoliday(country, date) !== undefined) days.push(date.slice(5));
  }
  return days;
}

describe('exchangeHoliday', () => {
  it.each<[Country, number, string]>([
    ['US', 2024, '01-01 01-15 02-19 03-29 05-27 06-19 07-04 09-02 11-28 12-25'],
    ['US', 2025, '01-01 01-09 01-20 02-17 04-18 05-26 06-19 07-04 09-01 11-27 12-25'],
    ['US', 2026, '01-01 01-19 02-16 04-03 05-25 06-19 07-03 09-07 11-26 12-25'],
    ['US', 2027, '01-01 01-18 02-15 03-26 05-31 06-18 07-05 09-06 11-25 12-24'],
    ['US', 2028, '01-17 02-21 04-14 05-29 06-19 07-04 09-04 11-23 12-25'],
    [
      'HK',
      2023,
      '01-02 01-23 01-24 01-25 04-05 04-07 04-10 05-01 05-26 06-22 10-02 10-23 12-25 12-26',
    ],
    [
      'HK',
      2024,
      '01-01 02-12 02-13 03-29 04-01 04-04 05-01 05-15 06-10 07-01 09-18 10-01 10-11 12-25 12-26',
    ],
    [
      'HK',
      2025,
      '01-01 01-29 01-30 01-31 04-04 04-18 04-21 05-01 05-05 07-01 10-01 10-07 10-29 12-25 12-26',
    ],
    [
      'HK',
      2026,
      '01-01 02-17 02-18 02-19 04-03 04-06 04-07 05-01 05-25 06-19 07-01 10-01 10-19 12-25',
    ],
  ])('knows the closures of %s in %i', (country, year, days) => {
    expect(closures(country, year).join(' ')).toBe(days);
  });

  it('closes New York on Thanksgiving Thursday only', () => {
    expect(exchangeHoliday('US', '2026-11-26')).toBe('Thanksgiving Day');
    expect(isTradingDay('US', '2026-11-27')).toBe(true);
  });

  it('names no holiday on weekends or for invalid dates', () => {
    expect(exchangeHoliday('US', '2026-07-04')).toBeUndefined();
    expect(exchangeHoliday('US', '2026-13-01')).toBeUndefined();
    expect(exchangeHoliday('HK', 'yesterday')).toBeUndefined();
  });

  it('keeps lunar holidays in step with the Chinese calendar', () => {
    const lunar = new Intl.DateTimeFormat('en-u-ca-chinese', {
      timeZone: 'UTC',
      month: 'numeric',
      day: 'numeric',
    });
    // Maximum number of days between the lunar date and the holiday, which moves off Sundays.
    const expected: Record<string, readonly string[]> = {
      "Buddha's Birthday": ['4/8'],
      'Tuen Ng Festival': ['5/5'],
      'Day after Mid-Autumn Festival': ['8/16'],
      'Chung Yeung Festival': ['9/9'],
    };
    let seen = 0;
    for (let time = Date.UTC(2020, 0, 1); time < Date.UTC(2036, 0, 1); time += DAY) {
      const name = exchangeHoliday('HK', new Date(time).toISOString().slice(0, 10));
      const wanted = name === undefined ? undefined : expected[name];
      if (wanted === undefined) continue;
      seen += 1;
      const near = [0, 1, 2].map((back) => lunar.format(time - back * DAY));
      expect(near).toEqual(expect.arrayContaining([...wanted]));
    }
    expect(seen).toBeGreaterThan(48);
  });
});

describe('isWeekend and isTradingDay', () => {
  it('tell weekends from weekdays', () => {
    expect(isWeekend('2026-11-21')).toBe(true);
    expect(isWeekend('2026-11-22')).toBe(true);
    expect(isWeekend('2026-11-23')).toBe(false);
    expect(isTradingDay('US', '2026-11-21')).toBe(false);
    expect(isTradingDay('US', '2026-11-23')).toBe(true);
  });

  it.each(['2026-02-30', '2026-1-5', '0026-01-05', '', '2026-11-23T00:00:00Z'])(
    'say no to %j',
    (text) => {
      expect(isWeekend(text)).toBe(false);
      expect(isTradingDay('US', text)).toBe(false);
    },
  );
});
