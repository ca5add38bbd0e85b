import { describe, expect, it, vi } from 'vitest';
import type { Row } from '../../src/load/plan.ts';
import { OwnJudgement } from '../../src/judge/judgement.ts';
import { admitted, burst, EDGE, hit, judge, LIMIT, refusalBody, refused, WINDOW } from './rows.ts';

const changed = (rows: readonly Row[], index: number, change: Partial<Row>): Row[] =>
  rows.map((row, at) => (at === index ? { ...row, ...change } : row));

it('reports a request without a key that is answered', () => {
  const warm = (status: number): Row => admitted(0, 0, { key: null, status });
  const open = judge([warm(200), ...burst(10)]);
  expect(hit(open)).toEqual(['5/key-required']);
  // It is none of those that the limit of a key admits.
  expect(open.requests).toMatchObject({ admitted: 20, refused: 40, other: 1 });
  expect(hit(judge([warm(401), ...burst(10)]))).toEqual([]);
});

describe('a correct limiter', () => {
  it('passes bursts into new windows', () => {
    const result = judge([...burst(400), ...burst(WINDOW + 900, { step: 1 })]);
    expect(hit(result)).toEqual([]);
    expect(result.outcome).toBe('passed');
    expect(result.windows.map((window) => [window.admitted, window.refused])).toEqual([
      [20, 40],
      [20, 40],
    ]);
    expect(result.readings).toContainEqual({ question: 'Unit of retry_after', answer: 'seconds' });
  });

  it('passes without headers on admitted answers', () => {
    const rows = burst(400).map((row) =>
      row.status === 200 ? { ...row, limit: null, remaining: null, reset: null } : row,
    );
    const result = judge(rows);
    expect(result.outcome).toBe('passed');
    expect(result.readings).toContainEqual({
      question: 'Do successful answers carry the X-RateLimit headers?',
      answer: 'no',
    });
  });

  it('passes with retry_after in milliseconds, and says so', () => {
    const rows = burst(400).map((row) =>
      row.status === 429 ? { ...row, body: refusalBody(400, { retry_after: 3600 }) } : row,
    );
    const result = judge(rows);
    expect(result.outcome).toBe('passed');
    expect(result.readings).toContainEqual({
      question: 'Unit of retry_after',
      answer: 'milliseconds',
    });
  });

  it('passes when the window before counts by its share, and a burst takes so long that places come back', () => {
    const at = WINDOW + 900;
    const held = (took: number): Row[] =>
      burst(at, { step: 1 }).map((row, index) => ({
        ...row,
        ...(index >= 9 && { status: 429, body: refusalBody(at) }),
        t1: row.t0 + took,
      }));
    const early = (rows: readonly Row[]): boolean => hit(judge(rows)).includes('8/limit-not-early');
    // 20 * 0.225 places are free when the burst begins, 4 more when 800 ms have passed.
    expect(early([...burst(400), ...held(800)])).toBe(false);
    expect(early([...burst(400), ...held(2)])).toBe(true);
  });

  it('passes with windows that slide: nothing is free in the next fixed window', () => {
    const slid = (at: number, reset: number): Partial<Row> => ({
      step: 0,
      phase: 'edge',
      reset: String(EDGE + reset),
      body: at === 4100 ? refusalBody(at, { retry_after: 4 }) : null,
    });
    const before = Array.from({ length: 20 }, (_, index) =>
      admitted(3900, 19 - index, slid(3900, 3900 + WINDOW)),
    );
    const after = Array.from({ length: 20 }, () => refused(4100, slid(4100, 3900 + WINDOW)));
    expect(hit(judge([...before, ...after], 'rl-boundary'))).toEqual([]);
  });
});

/** A sliding log of the last requests, refused ones among them, asked `count` times every `every` ms. */
function loggingAll(count: number, every: number): Row[] {
  const log: number[] = [];
  return Array.from({ length: count }, (_, index) => {
    const at = 400 + index * every;
    const held = log.filter((time) => time > at - WINDOW);
    const open = held.length < LIMIT;
    log.push(at);
    const all = [...held, at];
    const reset = (all[Math.max(0, all.length - LIMIT)] ?? at) + WINDOW;
    const change = { phase: 'recovery', reset: String(EDGE + reset) };
    if (open) return admitted(at, LIMIT - all.length, change);
    const body = refusalBody(at, { retry_after: Math.ceil((reset - at) / 1000) });
    return refused(at, { ...change, body });
  });
}

describe('a limiter that counts refused requests', () => {
  it('passes, and the reading says so', () => {
    const result = judge(loggingAll(150, 66), 'rl-recovery');
    expect(hit(result)).toEqual([]);
    expect(result.readings).toContainEqual({
      question: 'Requests refused with 429 count against the limit',
      answer: 'yes',
    });
  });
});

describe('a sliding window that announces a whole window from now', () => {
  it('passes, though no announced window holds the limit', () => {
    const later = (at: number): string => String(EDGE + at + WINDOW);
    const spend = Array.from({ length: LIMIT }, (_, index) => {
      const at = 400 + 10 * index;
      return admitted(at, LIMIT - 1 - index, { phase: 'spend', reset: later(at) });
    });
    const no = (at: number): Row =>
      refused(at, {
        phase: 'refused',
        reset: later(at),
        body: refusalBody(at, { retry_after: WINDOW / 1000 }),
      });
    const again = admitted(3000 + WINDOW + 100, 19, { phase: 'again', reset: later(7100) });
    expect(hit(judge([...spend, no(1500), no(3000), again], 'rl-retry-after'))).toEqual([]);
  });
});

describe('a burst at a limiter that counts refused requests', () => {
  it('passes, though refusals of one burst overlap and announce different resets', () => {
    // Sent over 60 ms and answered late, so that no order of the refusals shows.
    const rows = loggingAll(60, 1).map((row) => ({ ...row, t1: EDGE + 520, phase: 'burst' }));
    expect(hit(judge(rows))).toEqual([]);
  });
});

describe('a faulty limiter', () => {
  it('is caught admitting one more', () => {
    const rows = changed(burst(400), 20, { status: 200, body: null });
    // The first in this window was sent after another.
    const overtaken = changed(burst(WINDOW + 900), 20, { status: 200, body: null });
    const swapped = changed(changed(overtaken, 0, { remaining: '18' }), 1, { remaining: '19' });
    const judged = judge([...rows, ...swapped]);
    expect(hit(judged)).toEqual(['8/limit-enforced']);
    const limit = judged.requirements.find(({ id }) => id === '8/limit-enforced');
    // The two admitted, and the 78 refused.
    expect(limit).toMatchObject({ judged: 80, total: 2 });
  });

  it('is caught admitting one more without headers', () => {
    const rows = changed(burst(400), 20, { status: 200, body: null }).map((row) =>
      row.status === 200 ? { ...row, limit: null, remaining: null, reset: null } : row,
    );
    expect(hit(judge(rows))).toContain('8/limit-enforced');
  });

  it('is caught refusing one too early', () => {
    const rows = changed(burst(400), 19, { status: 429, body: refusalBody(400) });
    expect(hit(judge(rows))).toEqual(['8/limit-not-early']);
  });

  it('is caught giving a value of Remaining twice', () => {
    const rows = changed(burst(400), 5, { remaining: '15' });
    const judged = judge(rows);
    expect(hit(judged)).toEqual(['8/remaining-decrements']);
    // The exchanges of a load are not kept: a finding names the other request by its time.
    const [finding] = judged.requirements.flatMap(({ findings }) => findings);
    expect(finding?.message).toMatch(/ the other request is GET \S+ sent at \d{4}-\d\d-\d\dT/);
  });

  it('is caught moving the reset back by more than two announcements of a window may differ', () => {
    const rows = [admitted(400, 19), admitted(500, 18, { reset: String(EDGE + WINDOW - 1500) })];
    expect(hit(judge(rows, 'rl-headers'))).toEqual(['8/reset-steady']);
  });

  it.each([
    ['in seconds', String(Math.floor((EDGE + WINDOW) / 1000))],
    ['in the past', String(EDGE - WINDOW)],
    ['too far ahead', String(EDGE + 5 * WINDOW)],
    ['as text', 'soon'],
  ])('is caught announcing the reset %s', (_, reset) => {
    expect(hit(judge([admitted(400, 19, { reset })], 'rl-headers'))).toEqual(['8/header-reset']);
  });

  it('is caught refusing after the announced reset', () => {
    const late = refused(WINDOW + 1200, { phase: 'again', reset: String(EDGE + 2 * WINDOW) });
    expect(hit(judge([...burst(400), late]))).toEqual(['8/limit-not-early', '8/reset']);
  });

  it('is caught refusing for longer than an announcement may be off, as rl-retry-after asks', () => {
    const spent = Array.from({ length: LIMIT }, (_, index) => admitted(index * 10, 19 - index));
    const held = [300, 1200, 2400, 3600].map((at) => refused(at));
    const again = (at: number): Row => refused(WINDOW + at, { phase: 'again' });
    const asked = (...late: readonly Row[]): string[] =>
      hit(judge([...spent, ...held, ...late], 'rl-retry-after', { shape: { vus: 1 } }));
    expect(asked(again(200), again(1400))).toEqual(['8/limit-not-early', '8/reset']);
    expect(asked(again(200), admitted(WINDOW + 1400, 19))).not.toContain('8/reset');
    expect(asked(admitted(WINDOW + 200, 19))).toEqual([]);
  });

  it('is caught restarting the count before the reset', () => {
    const again = Array.from({ length: 3 }, (_, index) =>
      admitted(3700, 19 - index, { phase: 'again' }),
    );
    expect(hit(judge([...burst(400), ...again]))).toContain('8/limit-enforced');
  });

  it.each<[string, Partial<Row>, string]>([
    ['headers', { reset: null }, '8/refusal-headers'],
    ['code', { body: refusalBody(400, {}, { code: 400301 }) }, '8/refusal-code'],
    ['message', { body: refusalBody(400, {}, { message: 'No' }) }, '8/refusal-message'],
    ['limit', { body: refusalBody(400, { limit: 60 }) }, '8/refusal-limit'],
    ['window', { body: refusalBody(400, { window: '1m' }) }, '8/refusal-window'],
    ['retry_after', { body: refusalBody(400, { retry_after: '4' }) }, '8/retry-after'],
    ['wait', { body: refusalBody(400, { retry_after: 120 }) }, '8/retry-after-fits'],
    ['Remaining', { remaining: '1' }, '8/header-remaining'],
    ['Limit', { limit: '60' }, '8/header-limit'],
  ])('is caught with a wrong %s in one refusal of forty', (_, change, requirement) => {
    expect(hit(judge(changed(burst(400), 40, change)))).toEqual([requirement]);
  });

  it('is caught counting keys together', () => {
    const other = burst(400, { key: 1 }).map((row, index) =>
      index < 20 ? { ...refused(400, { key: 1 }) } : row,
    );
    expect(hit(judge([...burst(400), ...other], 'rl-exact-multi'))).toEqual(['8/per-key']);
  });

  it('is caught refusing a steady key during a flood', () => {
    // Two before the flood, and two during it.
    const steady = [admitted(200, 19), admitted(300, 18), admitted(400, 17), refused(450)].map(
      (row) => ({ ...row, key: 1, phase: 'steady' }),
    );
    const judged = judge([...burst(400, { phase: 'flood' }), ...steady], 'rl-isolation');
    const perKey = judged.requirements.find(({ id }) => id === '8/per-key');
    expect(perKey?.findings.at(-1)?.actual).toBe('1 of 2 refused');
  });

  it('is not caught refusing a steady key that a late load generator sent beyond its limit', () => {
    const steady = Array.from({ length: LIMIT + 1 }, (_, index) =>
      index < LIMIT ? admitted(400 + index, LIMIT - 1 - index) : refused(450),
    ).map((row) => ({ ...row, key: 1, phase: 'steady' }));
    expect(hit(judge([...burst(400, { phase: 'flood' }), ...steady], 'rl-isolation'))).toEqual([]);
  });

  it('is caught refusing with another status', () => {
    const judged = judge(changed(burst(400), 40, { status: 403 }));
    expect(hit(judged)).toEqual(['8/limit-enforced']);
    // Once, though a rule of the suites and one of the load find it.
    expect(judged.requirements.find(({ id }) => id === '8/limit-enforced')?.total).toBe(1);
    expect(judged.requests).toMatchObject({ refused: 40, wrongStatus: 1, other: 0 });
    expect(judged.windows).toMatchObject([{ admitted: 20, refused: 40 }]);
  });

  it('is caught failing under load', () => {
    const rows = changed(burst(400), 40, { status: 500, body: '{}' });
    const judged = judge(rows);
    expect(hit(judged)).toContain('4/no-5xx');
    // Every answer counts, not only the one that is shown.
    const noServerError = judged.requirements.find(({ id }) => id === '4/no-5xx');
    expect(noServerError?.judged).toBe(rows.length);
    // Named as it was sent, whatever was recorded before it.
    const sample = { path: '/news', headers: {}, text: '{}' };
    const sampled = judge(changed(rows, 40, { sample })).requirements;
    expect(sampled.find(({ id }) => id === '4/no-5xx')).toMatchObject({
      total: 1,
      findings: [{ message: 'GET /news answered with a server error' }],
    });
  });
});

describe('the quota', () => {
  const exhausted = (at: number, change: Partial<Row> = {}): Row =>
    refused(at, {
      phase: 'quota',
      step: 2,
      remaining: '12',
      body: JSON.stringify({ code: 402901, message: 'Quota exceeded', details: {} }),
      ...change,
    });
  const spent = (count: number): Row[] =>
    Array.from({ length: count }, (_, index) => admitted(400, 19 - index, { phase: 'quota' }));

  it('passes when exactly what is left is admitted', () => {
    const result = judge([...spent(8), exhausted(9000)], 'quota', { shape: { quotaLeft: 8 } });
    expect(result.outcome).toBe('passed');
    expect(result.readings).toContainEqual({
      question: 'Answer when the monthly quota is used up',
      answer: 'status 429, code 402901',
    });
  });

  it('is violated by one admission more, or one less', () => {
    const quota = (count: number): string[] =>
      hit(judge([...spent(count), exhausted(9000)], 'quota', { shape: { quotaLeft: 8 } }));
    expect(quota(9)).toContain('8/quota');
    expect(quota(7)).toContain('8/quota-not-early');
  });

  it('passes when refusals of the window and of the quota were sent before the last admission', () => {
    const window = refused(400, { phase: 'quota' });
    const early = exhausted(400, { status: 402 });
    const rows = [window, ...spent(7), early, ...spent(1), exhausted(9000)];
    const result = judge(rows, 'quota', { shape: { quotaLeft: 8 } });
    expect([result.outcome, hit(result)]).toEqual(['passed', []]);
  });

  it('is violated by a refusal that is not in the error shape', () => {
    const window = refused(400, { phase: 'quota' });
    const rows = [...spent(8), window, exhausted(9000, { body: '"quota exceeded"' })];
    expect(hit(judge(rows, 'quota', { shape: { quotaLeft: 8 } }))).toEqual(['8/quota']);
  });
});

describe('no verdict', () => {
  it('is reached when requests got no answer', () => {
    const lost = refused(400, { status: 0, error: 'reset', body: null });
    const result = judge([...burst(400), lost]);
    expect(result.outcome).toBe('inconclusive');
    expect(result.reason).toContain('1 requests got no response');
  });

  it('is reached when nothing was judged', () => {
    const result = judge([]);
    expect(result.outcome).toBe('inconclusive');
    expect(result.reason).toContain('8/limit-enforced');
  });

  it('is reached when a judgement throws', () => {
    vi.spyOn(OwnJudgement.prototype, 'read').mockImplementationOnce(() => {
      throw new Error('oops');
    });
    const result = judge(burst(400));
    expect(result.outcome).toBe('inconclusive');
    expect(result.reason).toMatch(/the judgement of 8\/[\w-]+ failed.*: oops/);
  });

  it('is reached when a burst touched the edge of a window', () => {
    const result = judge(burst(WINDOW - 5, { reset: null, limit: null, remaining: null }));
    expect(result.outcome).not.toBe('passed');
  });

  it('is reached when the rate could not be kept', () => {
    const result = judge(burst(400), 'rl-recovery', { summary: { dropped: 30 } });
    expect(result.outcome).toBe('inconclusive');
  });

  it('is no excuse when answers were lost on the way to the judge', () => {
    expect(() =>
      judge(burst(400), 'rl-exact', { summary: { byStatus: { 200: 21, 429: 39 } } }),
    ).toThrow('k6 counted 21 responses with status 200, but 20 were recorded');
  });
});
