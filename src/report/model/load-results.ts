import type { Level } from '../../spec/levels.ts';

/** Outcome of a load scenario. `inconclusive`: the load was not sufficient for a verdict. */
export type LoadOutcome = 'passed' | 'warned' | 'failed' | 'inconclusive';

export interface LoadFinding {
  readonly message: string;
  readonly expected: string;
  readonly actual: string;
}

/** One requirement judged by a scenario. */
export interface LoadRequirement {
  readonly id: string;
  readonly level: Level;
  readonly title: string;
  readonly outcome: 'passed' | 'warned' | 'failed' | 'observed' | 'untested';
  readonly judged: number;
  readonly findings: readonly LoadFinding[];
  readonly total: number;
}

/** One rate-limit window of one key. */
export interface LoadWindow {
  readonly key: string;
  readonly resetAt: number | null;
  readonly from: number;
  readonly to: number;
  readonly admitted: number;
  readonly refused: number;
  readonly remaining: readonly (number | null)[];
  readonly wrong?: 'more' | 'fewer';
}

/** Rate and latency over time: one value per step and series, at most 240. */
export interface LoadCourse {
  readonly from: number;
  readonly stepMs: number;
  readonly every: { readonly admitted: number; readonly refused: number };
  readonly sent: readonly number[];
  readonly answered: readonly number[];
  readonly p50: readonly (number | null)[];
  readonly p95: readonly (number | null)[];
  readonly p99: readonly (number | null)[];
}

/** Latency by endpoint and status, ms. */
export interface LoadLatency {
  readonly endpoint: string;
  readonly status: string;
  readonly count: number;
  readonly min: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
  /** True in results of earlier versions whose percentiles are upper bounds of merged buckets, about 10 % wide. */
  readonly bucketed: boolean;
}

/** Whether the load generator kept up. */
export interface LoadHealth {
  readonly vus: number;
  readonly dropped: number;
  readonly iterations: number;
  readonly spreadMs: number | null;
  readonly lateMs: number | null;
  readonly recorded: number;
}

/** One load scenario in `results.json`; `schemas/tool/results.json` describes its members. */
export interface LoadResult {
  readonly scenario: string;
  readonly title: string;
  readonly outcome: LoadOutcome;
  readonly reason: string;
  readonly command: string;
  readonly k6: { readonly version: string; readonly source: string };
  readonly startedAt: string;
  readonly endedAt: string;
  readonly limits: { readonly requests: number; readonly windowMs: number };
  readonly requests: {
    readonly sent: number;
    readonly admitted: number;
    readonly refused: number;
    readonly other: number;
    readonly failed: number;
  };
  readonly requirements: readonly LoadRequirement[];
  readonly readings: readonly { readonly question: string; readonly answer: string }[];
  readonly windows: readonly LoadWindow[];
  readonly windowsInAll?: number;
  readonly course?: LoadCourse;
  readonly latency: readonly LoadLatency[];
  readonly health: LoadHealth;
  readonly notes: readonly string[];
}
