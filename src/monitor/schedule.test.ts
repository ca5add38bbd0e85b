import { describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE } from '../spec/time.ts';
import { every, jitterOf } from './schedule.ts';

const at = (text: string): number => Date.parse(text);
const shown = (ms: number | null): string => (ms === null ? 'none' : new Date(ms).toISOString());

describe('every', () => {
  const six = every(6 * HOUR);

  it('counts from midnight UTC', () => {
    expect(shown(six.previous(at('2026-11-23T11:59:59Z')))).toBe('2026-11-23T06:00:00.000Z');
    expect(shown(six.next(at('2026-11-23T11:59:59Z')))).toBe('2026-11-23T12:00:00.000Z');
  });

  it('counts the current time as the previous one, never as the next one', () => {
    const noon = at('2026-11-23T12:00:00Z');
    expect(six.previous(noon)).toBe(noon);
    expect(six.next(noon)).toBe(noon + 6 * HOUR);
  });

  it('counts the times between two', () => {
    expect(six.count(at('2026-11-23T12:00:00Z'), at('2026-11-24T12:00:00Z'))).toBe(4);
    expect(six.count(at('2026-11-23T12:00:00Z'), at('2026-11-23T17:59:59Z'))).toBe(0);
  });

  it.each([0, 1000, 29 * DAY, Number.NaN, 1.5 * MINUTE + 0.1])('refuses %d ms', (ms) => {
    expect(() => every(ms)).toThrow('between one minute');
  });
});

describe('jitter', () => {
  it('is the same for the same time and target, and differs for others', () => {
    const moments = Array.from({ length: 50 }, (_, index) => index * 6 * HOUR);
    const delays = moments.map((moment) => jitterOf(moment, 6 * HOUR, 'a'));
    expect(delays).toEqual(moments.map((moment) => jitterOf(moment, 6 * HOUR, 'a')));
    expect(delays).not.toEqual(moments.map((moment) => jitterOf(moment, 6 * HOUR, 'b')));
    expect(new Set(delays).size).toBe(50);
    expect(Math.max(...delays)).toBeLessThan(15 * MINUTE);
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(0);
  });

  it('is at most a tenth of the interval', () => {
    for (let moment = 0; moment < 100; moment += 1)
      expect(jitterOf(moment, 10 * MINUTE, 'a')).toBeLessThan(MINUTE);
  });
});
