import { describe, expect, it } from 'vitest';
import { budgetOf, percent } from '../../../src/report/analysis/budget.ts';
import { groupCauses } from '../../../src/report/analysis/causes.ts';
import { diffResults, withBaseline } from '../../../src/report/model/diff.ts';
import {
  earlierRun,
  historyOf,
  readHistory,
  changedSince,
} from '../../../src/report/analysis/history.ts';
import { renderView } from '../../../src/report/page/render.ts';
import type { Outcome, Results, RunSettings } from '../../../src/report/model/results.ts';
import { FirstScreen } from '../../../src/report/page/view/summary.tsx';
import { validate } from '../../../src/judge/schema/schemas.ts';
import { HOSTILE_SOME } from '../hostile.ts';
import { makeExchange, makeRequirement, makeResults } from '../fixture.ts';

const run = (day: number, ...outcomes: readonly Outcome[]): Results => ({
  ...makeResults(),
  startedAt: `2026-11-${day}T09:00:00.000Z`,
  endedAt: `2026-11-${day}T09:01:30.000Z`,
  requirements: outcomes.map((outcome, index) => makeRequirement(`4.3/r${index}`, outcome)),
});

const withRuns = (now: Results, ...earlier: readonly unknown[]): Results => {
  const history = historyOf(
    now,
    earlier.flatMap((one) => earlierRun(one) ?? []),
  );
  return history === null ? now : { ...now, history };
};

const screen = (results: Results): string =>
  renderView(() => <FirstScreen results={results} causes={groupCauses(results)} />);

describe('the runs before this one', () => {
  const now = withRuns(
    run(20, 'failed', 'passed', 'untested', 'passed'),
    run(18, 'passed', 'passed', 'passed', 'passed'),
    { ...run(19, 'passed', 'failed', 'failed', 'passed'), profile: 'smoke' },
  );

  it('are in the history with outcomes, length and profile', () => {
    expect(now.history?.runs).toMatchObject([
      { ms: 90_000, counts: { passed: 4 } },
      { ms: 90_000, profile: 'smoke', counts: { passed: 2, failed: 2 } },
    ]);
    expect(validate('results', JSON.parse(JSON.stringify(now)))).toEqual([]);
  });

  it('say what turned since the last of them', () => {
    const turned = changedSince(now)?.map(({ kind, changed }) => [
      kind,
      ...changed.map(({ id }) => id),
    ]);
    expect(turned).toEqual([
      ['new-violation', '4.3/r0'],
      ['fixed', '4.3/r1'],
      ['newly-unverified', '4.3/r2'],
    ]);
    const markup = screen(now);
    expect(markup).toContain('+ 1 new violation</a>');
    expect(markup).toContain('<a href="#history">History over 3 runs</a>');
  });

  it('say that nothing turned, when nothing did', () => {
    const same = withRuns(run(20, 'failed', 'passed'), run(19, 'failed', 'passed'));
    expect(changedSince(same)).toEqual([]);
    expect(screen(same)).toContain('No new or fixed violations.');
  });

  it('give way to a baseline, which knows more', () => {
    const before = run(19, 'passed', 'failed', 'failed', 'passed');
    const told = withBaseline(now, before);
    expect(diffResults(before, now).changes.length).toBeGreaterThan(0);
    expect(screen(told)).toContain('href="#changes-new-violation"');
    expect(screen(told)).toContain('href="#history"');
  });

  it('are one sentence when there are none, and the way to compare', () => {
    const alone = run(20, 'passed');
    expect(changedSince(alone)).toBeNull();
    const markup = screen(alone);
    expect(markup).not.toContain('href="#history"');
    expect(markup).toContain('assay run --baseline results.json');
    // A history of another form tells nothing, not that nothing turned.
    const broken = { ...alone, history: { runs: 7, outcomes: {} } } as unknown as Results;
    expect(screen(broken)).toBe(markup);
  });

  it('may be told by anyone: text stays text', () => {
    const text = HOSTILE_SOME.join(' ');
    const runs = [
      { startedAt: text, verdict: text, profile: text, ms: -1, counts: { passed: -3 } },
      {
        startedAt: text,
        verdict: '',
        ms: 'x',
        counts: { failed: Number.POSITIVE_INFINITY, [text]: 4 },
      },
      { startedAt: text, verdict: '', counts: 'x', profile: 7 },
    ];
    const hostile = { ...run(20, 'passed'), history: { runs, outcomes: {} } } as unknown as Results;
    expect(readHistory(hostile)).toBeDefined();
    expect(screen(hostile)).not.toMatch(/<(?:script|img|iframe|style)/i);
  });
});

describe('the budget', () => {
  const exchanges = [1, 2, 3].map((number) => ({
    ...makeExchange(number, { endpoint: '/news', path: '/news' }),
    key: number === 3 ? 'k:2' : 'k:1',
  }));
  const results: Results = {
    ...makeResults(),
    exchanges,
    requests: { total: 9, byRole: { valid: 3, nearQuota: 2, none: 3, expired: 1 }, waitedMs: 0 },
  };
  const settingsOf = (monthlyQuota: number, quotaLeft: number | null): RunSettings =>
    ({ limits: { requests: 20, windowMs: 60_000, monthlyQuota }, quotaLeft }) as RunSettings;

  it('counts by role, and takes the share from the key that made the most', () => {
    const { quota, told, roles, free } = budgetOf(results);
    expect([quota, told]).toEqual([100_000, false]);
    expect(roles).toMatchObject([
      { role: 'valid', requests: 3, keys: 2, busiest: 2, share: 2 / 100_000, left: null },
      { role: 'nearQuota', requests: 2, keys: 0, busiest: 2 },
    ]);
    expect(free).toEqual({ none: 3, expired: 1 });
  });

  it('takes the quota of the target, and what was left of it', () => {
    const { quota, told, roles } = budgetOf({ ...results, settings: settingsOf(50, 5) });
    expect([quota, told]).toEqual([50, true]);
    expect(roles.map(({ share, left }) => [share, left])).toEqual([
      [2 / 50, null],
      [2 / 50, 5],
    ]);
    expect(budgetOf({ ...results, settings: settingsOf(0, null) }).quota).toBe(100_000);
  });

  it('says that nothing was sent', () => {
    const none = { ...results, exchanges: [], requests: { total: 0, byRole: {}, waitedMs: 0 } };
    expect(budgetOf(none).roles).toEqual([]);
    expect(screen(none)).toContain('No request was sent.');
  });

  it.each([
    [0, '0\u00a0%'],
    [0.000_02, 'under 0.01\u00a0%'],
    [0.000_222, '0.022\u00a0%'],
    [0.123, '12\u00a0%'],
    [1.5, '150\u00a0%'],
  ])('writes %d as %s', (share, words) => {
    expect(percent(share)).toBe(words);
  });
});
