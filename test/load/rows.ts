import { ERRORS } from '../../src/spec/error-codes.ts';
import { DEFAULT_FACTS } from '../../src/judge/facts.ts';
import { judgeScenario } from '../../src/load/judge/judge.ts';
import type { LoadPlan, Row, RunSummary } from '../../src/load/plan.ts';
import type { LoadResult } from '../../src/report/model/load-results.ts';
import type { ScenarioName } from '../../src/spec/scenarios.ts';

/** End of a window in the made-up observations. */
export const EDGE = 1_800_000_000_000;
export const WINDOW = 4000;
export const LIMIT = 20;

type Change = Partial<Row>;

/** An admitted answer `at` ms after the edge. */
export function admitted(at: number, remaining: number, change: Change = {}): Row {
  return {
    run: 'run',
    phase: 'burst',
    step: 0,
    vu: 1,
    key: 0,
    endpoint: '/analyses',
    due: EDGE + at,
    t0: EDGE + at,
    t1: EDGE + at + 2,
    ms: 2,
    status: 200,
    error: null,
    limit: String(LIMIT),
    remaining: String(remaining),
    reset: String(endOf(at)),
    body: null,
    sample: null,
    ...change,
  };
}

const endOf = (at: number): number => EDGE + (Math.floor(at / WINDOW) + 1) * WINDOW;

/** The body of a refusal that comes `at` ms after the edge. */
export function refusalBody(at: number, details: object = {}, body: object = {}): string {
  return JSON.stringify({
    code: ERRORS.tooManyRequests.code,
    message: 'Rate limit exceeded',
    details: {
      limit: LIMIT,
      window: '60s',
      retry_after: Math.max(1, Math.ceil((endOf(at) - EDGE - at) / 1000)),
      ...details,
    },
    ...body,
  });
}

/** A refusal `at` ms after the edge. */
export function refused(at: number, change: Change = {}): Row {
  return { ...admitted(at, 0), status: 429, body: refusalBody(at), ...change };
}

/** A burst of 3 times the limit on a fresh key that a correct limiter answers. */
export function burst(at: number, change: Change = {}): Row[] {
  return Array.from({ length: 3 * LIMIT }, (_, index) =>
    index < LIMIT ? admitted(at, LIMIT - 1 - index, change) : refused(at, change),
  );
}

/** The summary that goes with rows when nothing was left out. */
export function summaryOf(rows: readonly Row[], change: Partial<RunSummary> = {}): RunSummary {
  const byStatus: Record<string, number> = {};
  for (const { status } of rows) byStatus[String(status)] = (byStatus[String(status)] ?? 0) + 1;
  return {
    runId: 'run',
    scenario: 'rl-exact',
    sent: rows.length,
    byStatus,
    iterations: rows.length,
    dropped: 0,
    harnessErrors: 0,
    latency: [],
    ...change,
  };
}

/** Judges rows as those of a scenario. */
export function judge(
  rows: readonly Row[],
  scenario: ScenarioName = 'rl-exact',
  change: { summary?: Partial<RunSummary>; shape?: Partial<LoadPlan['shape']> } = {},
): LoadResult {
  const plan: LoadPlan = {
    runId: 'run',
    scenario,
    baseUrl: 'http://127.0.0.1:1/v1',
    keyHeader: 'X-API-KEY',
    headers: {},
    timeoutMs: 1000,
    insecure: false,
    limit: LIMIT,
    windowMs: WINDOW,
    keys: 1,
    freshAt: EDGE,
    notBefore: EDGE,
    startAt: null,
    recordEvery: 1,
    sampleEvery: 0,
    recordAdmitted: true,
    requests: [{ endpoint: '/analyses', path: '/analyses', weight: 1 }],
    shape: { vus: 60, windows: 1, rate: 0, durationMs: 0, quotaLeft: 0, ...change.shape },
  };
  const sorted = rows.toSorted((a, b) => a.t0 - b.t0);
  return judgeScenario({
    plan,
    recording: {
      rows: sorted,
      summary: summaryOf(rows, change.summary),
      startedAt: EDGE,
      endedAt: EDGE + 5000,
      interrupted: false,
    },
    toleranceMs: 15,
    skewMs: 0,
    facts: DEFAULT_FACTS,
    fingerprint: (key) => `k:${key}`,
    redact: (text) => text,
    command: 'assay load rl-exact',
    k6: { version: 'v2.2.0', source: 'cache' },
    notes: [],
  });
}

/** Ids of the requirements that were violated or warned about. */
export const hit = (result: LoadResult): string[] =>
  result.requirements
    .filter(({ outcome }) => outcome === 'failed' || outcome === 'warned')
    .map(({ id }) => id)
    .toSorted();
