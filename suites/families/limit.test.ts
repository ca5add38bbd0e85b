import { describe, expect, it } from 'vitest';
import {
  candles,
  dateAgo,
  daysAgo,
  found,
  judged,
  klines,
  macro,
  refusal,
  weeks,
} from '../../test/judge/parameter-exchanges.ts';

const all = candles(90);
const plain = klines(all);
const most = klines(all, { limit: 500 });

describe('a limit out of bounds next to invalid times', () => {
  const both = { limit: 501, start_time: 'abc', end_time: '' };

  it('may fail for any of them, be cut, or be answered with nothing', () => {
    for (const status of [400, 403, 404, 422]) {
      expect(found([plain, klines(refusal, both, status)])).toEqual([]);
    }
    expect(found([plain, klines([], both)])).toEqual([]);
    expect(judged([plain, klines(all, both)])).toContain('4.1/klines-limit-max');
  });

  it('is reported if the server fails, unless it fails for the times as well', () => {
    const failed = klines(refusal, both, 500);
    expect(found([plain, failed])).toEqual(['4.1/klines-limit-max -']);
    const ofTimes = klines(refusal, { start_time: 'abc', end_time: '' }, 500);
    expect(found([plain, failed, ofTimes]).join()).not.toContain('klines-limit-max');
  });
});

describe('limit', () => {
  it('conforms when the default, the maximum and a part agree', () => {
    const part = klines(all.slice(-5), { limit: 5 });
    const exchanges = [plain, most, part];
    expect(found(exchanges)).toEqual([]);
    expect(judged(exchanges)).toEqual(
      expect.arrayContaining([
        '4.1/klines-limit-default',
        '4.1/klines-limit-max-accepted',
        '4.1/klines-limit-exact',
        '4.1/klines-limit-part',
      ]),
    );
  });

  it('may keep the oldest rows', () => {
    expect(found([plain, most, klines(all.slice(0, 5), { limit: 5 })])).toEqual([]);
  });

  it('tolerates a candle that arrives and one that leaves between two answers', () => {
    expect(found([klines(candles(90, 1)), klines(candles(89), { limit: 500 })])).toEqual([]);
  });

  it('is not confirmed by the same request', () => {
    expect(judged([klines(all.slice(-30)), klines(all.slice(-30))])).toEqual(
      judged([klines(all.slice(-30))]),
    );
    const short = (): ReturnType<typeof klines> => klines(all.slice(-30), { limit: 500 });
    expect(judged([short(), short()])).toEqual(judged([short()]));
    expect(found([klines(all.slice(-30)), klines(all.slice(-30)), most])).toEqual([
      '4.1/klines-limit-default ',
      '4.1/klines-limit-default ',
    ]);
  });

  it('is reported if it returns less than the default', () => {
    expect(found([klines(all.slice(-30)), most])).toEqual(['4.1/klines-limit-default ']);
  });

  it('is reported if the default is smaller, and the window does not explain it', () => {
    const years = klines(candles(200), { limit: 500 });
    expect(found([klines(candles(90)), years])).toEqual([]);
    expect(found([klines(candles(96)), years])).toEqual(['4.1/klines-limit-default ']);
    expect(found([klines(candles(99)), years])).toEqual([]);
    // At midnight the oldest rows leave such a list.
    const before = (days: number) => klines(candles(days), { limit: 499 });
    const after = klines(candles(196), { limit: 500 });
    expect(found([before(199), after])).toEqual([]);
    expect(found([before(200), after])).toEqual(['4.1/klines-limit-max-accepted ']);
  });

  it('is reported if the default is larger than specified', () => {
    const rows = weeks(80);
    expect(found([macro(rows)])).toEqual(['4.6/macro-limit-default /50']);
  });

  it('is reported if it returns one row too few or too many', () => {
    expect(found([plain, klines(all.slice(-4), { limit: 5 })])).toEqual([
      '4.1/klines-limit-exact ',
    ]);
    expect(found([plain, klines(all.slice(-6), { limit: 5 })])).toEqual([
      '4.1/klines-limit-exact /5',
    ]);
  });

  it('is reported if the default omits what a range end shows', () => {
    const older = klines(candles(46, 42), { end_time: daysAgo(42), limit: 5 });
    expect(found([klines(all.slice(-30)), older])).toEqual(['4.1/klines-limit-default ']);
    expect(found([plain, older])).toEqual([]);
  });

  it('is reported if the largest one omits part of a range', () => {
    const since = { start_time: daysAgo(60), limit: 500 };
    expect(found([plain, klines(candles(60), since)])).toEqual([]);
    expect(found([plain, klines(candles(29), since)])).toEqual(['4.1/klines-limit-max-accepted ']);
  });

  it('is not judged by what a range excludes', () => {
    const range = { start_time: daysAgo(60), end_time: daysAgo(57), limit: 5 };
    expect(found([plain, klines(candles(60, 57), range)])).toEqual([]);
    const exact = judged([plain, klines(candles(60, 57), range)]);
    expect(exact).not.toContain('4.1/klines-limit-exact');
  });

  it('is reported if the maximum returns less than the default', () => {
    expect(found([plain, klines(all.slice(-30), { limit: 500 })])).toEqual([
      '4.1/klines-limit-max-accepted ',
    ]);
  });

  it('is reported if a smaller limit skips rows', () => {
    const every2nd = all.filter((_row, index) => index % 2 === 0).slice(-5);
    expect(found([most, klines(every2nd, { limit: 5 })])).toEqual(['4.1/klines-limit-part ']);
  });

  it('is reported if a smaller limit has rows of its own', () => {
    const own = [...all.slice(20, 24), { timestamp: daysAgo(40) }];
    const whole = klines(
      all.filter(({ timestamp }) => timestamp !== daysAgo(40)),
      { limit: 500 },
    );
    expect(found([whole, klines(own, { limit: 5 })])).toEqual([
      '4.1/klines-limit-max-accepted ',
      '4.1/klines-limit-part /4',
    ]);
  });
});

describe('a limit out of bounds', () => {
  it.each([
    ['refused', klines(refusal(), { limit: 501 }, 400)],
    ['brought into the range', klines(all, { limit: 501 })],
  ])('may be %s', (_how, answer) => {
    expect(found([plain, answer])).toEqual([]);
    expect(judged([plain, answer])).toContain('4.1/klines-limit-max');
  });

  it.each([
    ['is refused as not found', klines(refusal(400_401), { limit: 501 }, 404), '-'],
    ['fails', klines(refusal(500_001), { limit: 501 }, 500), '-'],
    ['hides an error in a 200', klines(refusal(), { limit: 501 }), '-'],
    ['returns nothing', klines([], { limit: 501 }), ''],
  ])('is found when it %s', (_how, answer, pointer) => {
    expect(found([plain, answer])).toEqual([`4.1/klines-limit-max ${pointer}`]);
  });

  it('is reported if it is used', () => {
    expect(found([macro(weeks(101), { limit: 101 })])).toEqual(['4.6/macro-limit-max /100']);
  });

  it('is inconclusive without another answer, under rate limiting, or during maintenance', () => {
    expect(judged([klines(refusal(), { limit: 501 }, 404)])).toEqual([]);
    expect(judged([plain, klines(refusal(402_901), { limit: 501 }, 429)])).not.toContain(
      '4.1/klines-limit-max',
    );
    expect(judged([plain, klines('<html>', { limit: 501 }, 503)])).not.toContain(
      '4.1/klines-limit-max',
    );
  });

  it.each(['0', '-1', 'abc', '', '1.5'])('may be anything but a 5xx for limit=%j', (limit) => {
    expect(found([plain, klines([], { limit })])).toEqual([]);
    expect(found([plain, klines(refusal(), { limit }, 400)])).toEqual([]);
    expect(found([plain, klines('', { limit }, 500)])).toEqual(['4.1/klines-limit-invalid -']);
  });

  it('is reported if zero means everything', () => {
    expect(found([macro(weeks(160), { limit: 0 })])).toEqual(['4.6/macro-limit-invalid /100']);
  });

  it('is not compared across series', () => {
    const other = macro(weeks(100), { limit: 100 });
    const range = macro(weeks(5, 20), { limit: 5, end_date: dateAgo(140) });
    expect(found([plain, other, range])).toEqual([]);
  });
});
