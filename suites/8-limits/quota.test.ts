import { describe, expect, it } from 'vitest';
import { newMonth } from './quota.ts';
import {
  findings,
  isJudged,
  judge,
  recording,
  type Answered,
} from '../../test/judge/rate-exchanges.ts';

const KEY: Answered = { role: 'nearQuota', key: 'k:q', limit: null, reset: null };
const BODY = { code: 402901, message: 'Monthly quota exceeded', details: { quota: 100_000 } };
const FACTS = { quotaLeft: 3 };

function quota(admitted: number, refusal?: Answered) {
  const recorded = recording();
  for (let count = 0; count < admitted; count += 1) recorded.add(KEY);
  return refusal === undefined
    ? recorded
    : recorded.add({ ...KEY, status: 429, body: BODY, ...refusal });
}

describe('the monthly quota', () => {
  it.each([
    [429, 402901],
    [403, 400301],
    [402, 402001],
  ])('may end with status %i and code %i', (status, code) => {
    const used = quota(3, { status, body: { ...BODY, code } });
    expect(findings(used, FACTS)).toEqual([]);
    expect(isJudged(used, '8/quota', FACTS)).toBe(true);
    expect(isJudged(used, '8/quota-not-early', FACTS)).toBe(true);
    expect(judge(used, FACTS).readings.at(-1)?.answer).toBe(`status ${status}, code ${code}`);
  });

  it('is not enforced if one more request is admitted', () => {
    expect(findings(quota(4), FACTS)).toEqual(['8/quota x4']);
    expect(isJudged(quota(4), '8/quota-not-early', FACTS)).toBe(false);
  });

  it('is not enforced where a request is admitted after one was refused for it', () => {
    const [found] = judge(quota(3, {}).add(KEY), FACTS).requirements.get('8/quota')?.findings ?? [];
    expect(found).toMatchObject({
      kind: 'answered-after-quota',
      exchange: 'x5',
      expected: 'a refusal, as in x4',
    });
  });

  it('ends early if the last request is refused', () => {
    expect(findings(quota(2, {}), FACTS)).toEqual(['8/quota-not-early x3']);
  });

  it('is not what a window refuses in between', () => {
    const window = { ...KEY, status: 429, body: { ...BODY, message: 'Rate limit exceeded' } };
    const used = recording().add(KEY).add(KEY).add(window).add(KEY);
    expect(findings(used.add({ ...KEY, status: 429, body: BODY }), FACTS)).toEqual([]);
    expect(isJudged(used, '8/quota-not-early', FACTS)).toBe(true);
  });

  it('may or may not count server errors', () => {
    const failing = { ...KEY, status: 503, body: { ...BODY, code: 500_301 } };
    const early = recording().add(KEY).add(failing).add(KEY);
    expect(findings(early.add({ ...KEY, status: 429, body: BODY }), FACTS)).toEqual([]);
    const late = recording().add(KEY).add(failing).add(KEY).add(KEY);
    expect(findings(late.add({ ...KEY, status: 429, body: BODY }), FACTS)).toEqual([]);
  });

  it('may or may not count what the window refused', () => {
    const window = { ...KEY, status: 429, body: { ...BODY, message: 'Rate limit exceeded' } };
    const used = recording().add(KEY).add(window).add(KEY);
    expect(findings(used.add({ ...KEY, status: 429, body: BODY }), FACTS)).toEqual([]);
    expect(findings(quota(2, {}), { quotaLeft: 4 })).toEqual(['8/quota-not-early x3']);
  });

  it.each(['"quota exceeded"', '<html>', '{}', '{"code":"402901","message":"x","details":{}}', ''])(
    'is not refused with %s',
    (text) => {
      expect(findings(quota(3, { text }), FACTS)).toEqual(['8/quota x4 ']);
    },
  );

  it('is not judged by the number of another month', () => {
    const ahead = { ...KEY, skew: 22 * 86_400_000 };
    const next = recording().add(ahead).add(ahead).add(ahead).add(ahead);
    expect(newMonth(next.exchanges)).toBe('2026-09');
    expect(findings(next, FACTS)).toEqual([]);
    const over = recording()
      .add(KEY)
      .add(KEY)
      .add(KEY)
      .add({ ...KEY, at: 22 * 86_400_000 });
    expect(findings(over, FACTS)).toEqual([]);
    // A test target may start in the past.
    const behind = { ...KEY, skew: -90 * 86_400_000 };
    const past = recording().add(behind).add(behind).add(behind).add(behind);
    expect(findings(past, FACTS)).toEqual(['8/quota x4']);
  });

  it('is not judged for a key that was already used up, or without a configured remainder', () => {
    expect(isJudged(quota(0, {}), '8/quota', FACTS)).toBe(false);
    expect(isJudged(quota(2), '8/quota', FACTS)).toBe(false);
    expect(isJudged(quota(4), '8/quota')).toBe(false);
  });
});
