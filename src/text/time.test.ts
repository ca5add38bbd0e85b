import { describe, expect, it } from 'vitest';
import { isoTime, readableTime } from './time.ts';

describe('readableTime', () => {
  it('shows the number as sent and its time', () => {
    expect(readableTime(1_750_000_000_000)).toBe('1750000000000 (2025-06-15T15:06:40.000Z)');
  });

  it('says none for a missing value', () => {
    expect(readableTime(null)).toBe('none');
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 8.64e15 + 1, -1e300])(
    'does not throw on %s, which no clock shows',
    (time) => expect(isoTime(time)).toBe('no time'),
  );
});
