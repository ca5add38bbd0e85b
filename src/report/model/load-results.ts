import type { Level } from '../../spec/levels.ts';

/**
 * What became of a load scenario. `failed`: a must is violated. `warned`: only a should is. `inconclusive`: the load
 * was not what the scenario needs for a verdict.
 */
export type LoadOutcome = 'passed' | 'warned' | 'failed' | 'inconclusive';

export interface LoadFinding {
  readonly message: string;
  readonly expected: string;
  readonly actual: string;
}

/** One requirement as a scenario judged it. */
export interface LoadRequirement {
  readonly id: string;
  readonly level: Level;
  readonly title: string;
  readonly outcome: 'passed' | 'warned' | 'failed' | 'observed' | 'untested';
  /** Answers, windows or bursts that it was judged on. */
  readonly judged: number;
  /** Findings; the first 20 of `total`. */
  readonly findings: readonly LoadFinding[];
  readonly total: number;
}

/** One rate-limit window of one key as the answers show it. */
export interface LoadWindow {
  /** Fingerprint of the key. */
  readonly key: string;
  /** Announced end, epoch ms; null when no answer announced it. */
  readonly resetAt: number | null;
  /** First request and last answer, epoch ms. */
  readonly from: number;
  readonly to: number;
  readonly admitted: number;
  readonly refused: number;
  /** `X-RateLimit-Remaining` of the admitted answers in the order sent; null where missing. */
  readonly remaining: readonly (number | null)[];
  /** Set when it admitted more or fewer requests than the limit and a violated requirement is about that (§8). */
  readonly wrong?: 'more' | 'fewer';
}

/** Rate and latency over time: series of one length, a number for each step; at most 240. */
export interface LoadCourse {
  /** Begin of the first step, epoch ms. */
  readonly from: number;
  /** Length of a step, ms. */
  readonly stepMs: number;
  /** One recorded answer stands for so many: above 1 the counts of the course and of the windows are estimates. */
  readonly every: { readonly admitted: number; readonly refused: number };
  /** Requests sent in the step, without those that only open connections. */
  readonly sent: readonly number[];
  /** Answers that came in the step. */
  readonly answered: readonly number[];
  /** Percentiles of the times of the answers that came in the step, ms; null without any. */
  readonly p50: readonly (number | null)[];
  readonly p95: readonly (number | null)[];
  readonly p99: readonly (number | null)[];
}

/** Latency of the answers of an endpoint with one status, ms. */
export interface LoadLatency {
  readonly endpoint: string;
  readonly status: string;
  readonly count: number;
  readonly min: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
  /** True when the percentiles come from merged buckets and are upper edges, about 10 % wide. */
  readonly bucketed: boolean;
}

/** Whether the generator did what it was to do. */
export interface LoadHealth {
  readonly vus: number;
  /** Iterations that an open model could not start in time. */
  readonly dropped: number;
  readonly iterations: number;
  /** Largest time between the first and the last request of a burst, ms; null without bursts. */
  readonly spreadMs: number | null;
  /** Largest delay of a request behind its moment, ms; null where none is due at a moment. */
  readonly lateMs: number | null;
  /** Answers recorded one by one. */
  readonly recorded: number;
}

/** One load scenario in `results.json`. */
export interface LoadResult {
  readonly scenario: string;
  readonly title: string;
  readonly outcome: LoadOutcome;
  /** The outcome in one sentence. */
  readonly reason: string;
  /** Command that runs it again; without keys. */
  readonly command: string;
  readonly k6: { readonly version: string; readonly source: string };
  readonly startedAt: string;
  readonly endedAt: string;
  readonly limits: { readonly requests: number; readonly windowMs: number };
  readonly requests: {
    readonly sent: number;
    readonly admitted: number;
    readonly refused: number;
    /** Answers of other statuses, among them those to requests without a key. */
    readonly other: number;
    /** Requests without an answer. */
    readonly failed: number;
  };
  readonly requirements: readonly LoadRequirement[];
  readonly readings: readonly { readonly question: string; readonly answer: string }[];
  /** At most 60; all that are wrong, as far as they fit. */
  readonly windows: readonly LoadWindow[];
  /** How many windows there were. */
  readonly windowsInAll?: number;
  readonly course?: LoadCourse;
  readonly latency: readonly LoadLatency[];
  readonly health: LoadHealth;
  readonly notes: readonly string[];
}
