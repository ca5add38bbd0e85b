import { describe, expect, it } from 'vitest';
import {
  findings,
  isJudged,
  judge,
  recording,
  REFUSAL,
  START,
  WINDOW,
  type Answered,
} from '../../test/judge/rate-exchanges.ts';

const refused = (answered: Answered = {}) =>
  recording()
    .countDown(19, 0, { at: 100 })
    .refused({ at: 900, ...answered });
const withDetails = (details: object) =>
  refused({ body: { ...REFUSAL, details: { ...REFUSAL.details, ...details } } });
const units = (recorded: ReturnType<typeof recording>): string[] =>
  judge(recorded)
    .readings.filter(({ requirement }) => requirement === '8/retry-after-unit')
    .map(({ answer }) => answer);

describe('the refusal', () => {
  it('holds as specified', () => {
    expect(findings(refused())).toEqual([]);
    for (const id of [
      '8/refusal-headers',
      '8/refusal-code',
      '8/refusal-message',
      '8/refusal-limit',
      '8/refusal-window',
      '8/retry-after',
      '8/retry-after-fits',
    ] as const) {
      expect(isJudged(refused(), id)).toBe(true);
    }
    expect(units(refused())).toEqual(['seconds']);
  });

  it('of a target with scaled windows may mention a minute', () => {
    const limits = { requests: 20, windowMs: 1500, monthlyQuota: 100_000 };
    const waiting = (seconds: number) => {
      const details = { ...REFUSAL.details, retry_after: seconds };
      const reset = START + 1500;
      const scaled = recording().countDown(19, 0, { at: 100, reset });
      return scaled.refused({ at: 900, reset, body: { ...REFUSAL, details } });
    };
    const fits = '8/retry-after-fits';
    // Rounded up as well, and then neither right in milliseconds nor wrong in seconds.
    for (const minute of [60, 62]) {
      expect(findings(waiting(minute), { limits })).toEqual([]);
      expect(isJudged(waiting(minute), fits, { limits })).toBe(false);
    }
    expect(isJudged(waiting(1), fits, { limits })).toBe(true);
    expect(findings(waiting(86_400), { limits })).toEqual([`${fits} x21 /details/retry_after`]);
  });

  it('may have the five-digit code', () => {
    expect(findings(refused({ body: { ...REFUSAL, code: 42901 } }))).toEqual([]);
  });

  it.each([
    [{ limit: null }, '8/refusal-headers x21'],
    [{ reset: null }, '8/refusal-headers x21'],
    [{ body: { ...REFUSAL, code: 400301 } }, '8/refusal-code x21 /code'],
    [{ body: { ...REFUSAL, code: 429 } }, '8/refusal-code x21 /code'],
    [{ body: { ...REFUSAL, message: 'rate limit exceeded' } }, '8/refusal-message x21 /message'],
  ])('with %j is reported', (answered, finding) => {
    expect(findings(refused(answered))).toEqual([finding]);
  });

  it.each([
    [{ limit: '20' }, '8/refusal-limit x21 /details/limit'],
    [{ limit: 60 }, '8/refusal-limit x21 /details/limit'],
    [{ window: '1m' }, '8/refusal-window x21 /details/window'],
    [{ window: 60 }, '8/refusal-window x21 /details/window'],
    [{ retry_after: '60' }, '8/retry-after x21 /details/retry_after'],
    [{ retry_after: 59.5 }, '8/retry-after x21 /details/retry_after'],
    [{ retry_after: null }, '8/retry-after x21 /details/retry_after'],
    [{ retry_after: 120 }, '8/retry-after-fits x21 /details/retry_after'],
    [{ retry_after: 30_000 }, '8/retry-after-fits x21 /details/retry_after'],
  ])('with details %j is reported', (details, finding) => {
    expect(findings(withDetails(details))).toEqual([finding]);
  });

  it.each([
    [58, 'seconds'],
    [59, 'seconds'],
    [60, 'seconds'],
    [59_095, 'milliseconds'],
    [58_600, 'milliseconds'],
  ])('retry_after %i is in %s', (retryAfter, unit) => {
    const recorded = withDetails({ retry_after: retryAfter });
    expect(findings(recorded)).toEqual([]);
    expect(units(recorded)).toEqual([unit]);
  });

  it('may have a retry_after for the end of the window', () => {
    const recorded = refused({
      at: WINDOW - 4000,
      body: { ...REFUSAL, details: { ...REFUSAL.details, retry_after: 4 } },
    });
    expect(findings(recorded)).toEqual([]);
  });

  it('uses the limit of a target with other limits', () => {
    const limits = { requests: 5, windowMs: WINDOW, monthlyQuota: 10 };
    const recorded = recording()
      .countDown(4, 0, { limit: 5 })
      .refused({ limit: 5, body: { ...REFUSAL, details: { ...REFUSAL.details, limit: 5 } } });
    expect(findings(recorded, { limits })).toEqual([]);
    expect(isJudged(recorded, '8/limit-not-early', { limits })).toBe(true);
  });

  it('is not that of the monthly quota', () => {
    const body = { code: 402901, message: 'Monthly quota exceeded', details: { quota: 100_000 } };
    const recorded = recording().add({ remaining: 19 }).add({ status: 429, remaining: 18, body });
    expect(findings(recorded)).toEqual([]);
    expect(isJudged(recorded, '8/refusal-window')).toBe(false);
  });

  it.each([
    '',
    'null',
    '[]',
    '"x"',
    '{"details":null}',
    '{"code":{}}',
    '<html>',
    '{"details":[1]}',
  ])('is judged with the body %s', (text) => {
    expect(findings(refused({ text }))).toContain('8/refusal-code x21 /code');
  });
});
