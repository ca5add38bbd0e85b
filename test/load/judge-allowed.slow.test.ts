import { describe, expect, it } from 'vitest';
import { judgeScenario } from '../../src/load/judge/judge.ts';
import type { ScenarioName } from '../../src/spec/scenarios.ts';
import type { LoadPlan, Row } from '../../src/load/plan.ts';
import { anchoredWindow, fixedWindow, slidingWindow } from '../../src/reference/limiter.ts';
import type { Limiter } from '../../src/reference/limiter.ts';
import { LIMITER_FAULTS } from '../../suites/8-limits/faults/limiter-faults.ts';
import { loggingAll, tokenBucket, weightedCounter } from '../../src/reference/other-limiters.ts';
import type { LoadResult } from '../../src/report/model/load-results.ts';
import { DEFAULT_FACTS } from '../../src/judge/facts.ts';
import { admitted, EDGE, LIMIT, refusalBody, refused, summaryOf, WINDOW } from './rows.ts';

const SETTINGS = { limit: LIMIT, windowMs: WINDOW };

interface Traffic {
  readonly limiter: Limiter;
  /** When each request is sent, ms after the edge of a window. */
  readonly times: readonly number[];
  readonly keys?: number;
  /** What the target announces instead of the reset. */
  readonly announce?: (reset: number, now: number, index: number) => number;
  readonly change?: Partial<Row>;
}

/** The answers of a limiter to requests, some of which are under way at once. */
function answersOf({
  limiter,
  times,
  keys = 1,
  announce,
  change = { phase: 'recovery' },
}: Traffic): Row[] {
  return times.map((at, index) => {
    const key = index % keys;
    const now = EDGE + at;
    const admission = limiter.take(`key ${key}`, now);
    const reset = announce?.(admission.resetAt, now, index) ?? admission.resetAt;
    const figures = {
      key,
      vu: index % 60,
      reset: String(reset),
      t1: now + 1 + (index % 5),
      ...change,
    };
    if (admission.admitted) return admitted(at, admission.remaining, figures);
    const wait = Math.max(1, Math.ceil((reset - now) / 1000));
    return refused(at, { ...figures, body: refusalBody(at, { retry_after: wait }) });
  });
}

function judge(rows: readonly Row[], scenario: ScenarioName, skewMs = 0): LoadResult {
  const plan = {
    runId: 'run',
    scenario,
    baseUrl: 'http://127.0.0.1:1/v1',
    limit: LIMIT,
    windowMs: WINDOW,
    freshAt: EDGE,
    notBefore: EDGE,
    recordEvery: 1,
    sampleEvery: 0,
    recordAdmitted: true,
    shape: { vus: 60, windows: 3, rate: 0, durationMs: 0, quotaLeft: 0 },
  } as unknown as LoadPlan;
  return judgeScenario({
    plan,
    recording: {
      rows,
      summary: summaryOf(rows),
      startedAt: EDGE,
      endedAt: EDGE + 5000,
      interrupted: false,
    },
    toleranceMs: 15,
    skewMs,
    facts: DEFAULT_FACTS,
    fingerprint: (key) => `k:${key}`,
    redact: (text) => text,
    command: 'assay load',
    k6: { version: 'v2.2.0', source: 'cache' },
    notes: [],
  });
}

const hit = (result: LoadResult): string[] =>
  result.requirements
    .filter(({ outcome }) => outcome === 'failed' || outcome === 'warned')
    .map(({ id }) => id);

/** Three times the limit in each window, evenly. */
const EVENLY = Array.from({ length: 9 * LIMIT }, (_, index) =>
  Math.round((index * WINDOW) / (3 * LIMIT)),
);
/** Three times the limit at once, twice, a little more than a window apart. */
const BURSTS = [400, 400 + Math.round(1.15 * WINDOW)].flatMap((at) =>
  Array.from({ length: 3 * LIMIT }, (_, index) => at + Math.floor(index / 20)),
);

describe('what ruling 12 and 13 allow', () => {
  const limiters: readonly (readonly [string, () => Limiter])[] = [
    ['fixed windows', () => fixedWindow(SETTINGS)],
    ["windows that start with a key's first request", () => anchoredWindow(SETTINGS)],
    ['a sliding log', () => slidingWindow(SETTINGS)],
    ['a log of all requests', () => loggingAll(SETTINGS)],
    ['a bucket', () => tokenBucket(SETTINGS)],
    ['a weighted counter', () => weightedCounter(SETTINGS)],
  ];

  it.each(limiters)('%s passes under an even load', (_, limiter) => {
    expect(hit(judge(answersOf({ limiter: limiter(), times: EVENLY }), 'rl-recovery'))).toEqual([]);
  });

  it.each(limiters)('%s passes in bursts', (_, limiter) => {
    const rows = answersOf({ limiter: limiter(), times: BURSTS }).map((row, index) => ({
      ...row,
      phase: 'burst',
      step: index < 3 * LIMIT ? 0 : 1,
    }));
    expect(hit(judge(rows, 'rl-exact'))).toEqual([]);
  });

  it.each<readonly [string, NonNullable<Traffic['announce']>]>([
    ['another clock measures', (reset, _now, index) => reset + ((index * 7) % 4) - 1],
    ['is told in whole seconds', (reset, now) => now + Math.floor((reset - now - 1) / 1000) * 1000],
  ])('a reset made of a rest of time that %s passes', (_, announce) => {
    const limiter = fixedWindow(SETTINGS);
    const rows = answersOf({ limiter, times: EVENLY, announce });
    expect(hit(judge(rows, 'rl-recovery'))).toEqual([]);
  });

  it.each([-30_000, 30_000])('a Date that is %i ms off is no measure', (skew) => {
    const limiter = fixedWindow(SETTINGS);
    expect(hit(judge(answersOf({ limiter, times: EVENLY }), 'rl-recovery', skew))).toEqual([]);
  });
});

describe('what they do not allow', () => {
  it('is a whole window of refusals after the reset, which is named', () => {
    const hooks = LIMITER_FAULTS.find(({ id }) => id === 'limit-wait-doubled')?.hooks;
    const limiter = [hooks].flat()[0]?.limiter?.(SETTINGS, fixedWindow(SETTINGS));
    if (limiter === undefined) throw new Error('the fault is gone');
    const result = judge(answersOf({ limiter, times: EVENLY }), 'rl-recovery');
    const violated = result.requirements.filter(({ outcome }) => outcome === 'failed');
    expect(violated.map(({ id }) => id)).toEqual(['8/limit-not-early', '8/reset']);
    // Requests from before the reset are in no window together with those after it.
    expect(violated[0]?.findings.map(({ actual }) => actual)).toEqual(
      violated[0]?.findings.map(() => '0 requests'),
    );
    expect(result.windows.map(({ admitted: of, wrong }) => [of, wrong])).toEqual([
      [20, undefined],
      [0, 'fewer'],
      [20, undefined],
    ]);
  });
});

describe('what was not recorded', () => {
  const refusals = (body: string | null): LoadResult => {
    const times = Array.from({ length: LIMIT + 2 }, (_, index) => 400 + 10 * index);
    const rows = answersOf({ limiter: fixedWindow(SETTINGS), times });
    return judge(
      rows.map((row) => (row.status === 429 ? { ...row, body } : row)),
      'rl-headers',
    );
  };
  const judged = ({ requirements }: LoadResult, id: string): number =>
    requirements.find((one) => one.id === id)?.judged ?? 0;

  it('is not judged: a refusal without its body', () => {
    const result = refusals(null);
    expect(hit(result)).toEqual([]);
    expect(judged(result, '8/refusal-code')).toBe(0);
    expect(judged(result, '8/refusal-headers')).toBe(2);
  });

  it('is not taken for an empty body', () => {
    expect(hit(refusals('{}'))).toContain('8/refusal-code');
  });
});

describe('thirty thousand answers', () => {
  const times = Array.from({ length: 30_000 }, (_, index) => Math.floor(index / 4));

  // Every answer held against every other would take many minutes, which no test has.
  it.each([1, 50])('are judged before the test gives up, on %i keys', (keys) => {
    const limiter = fixedWindow(SETTINGS);
    const result = judge(answersOf({ limiter, times, keys }), 'rl-recovery');
    expect(hit(result)).toEqual([]);
  });
});
