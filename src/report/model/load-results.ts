import type { Finding } from '../../spec/finding.ts';
import type { RequirementResult } from './results.ts';

/** Outcome of a load scenario. `inconclusive`: the load was not sufficient for a verdict. */
export type LoadOutcome = 'passed' | 'warned' | 'failed' | 'inconclusive';

/** One requirement judged by a scenario. */
export interface LoadRequirement extends Pick<RequirementResult, 'id' | 'level' | 'title'> {
  readonly outcome: 'passed' | 'warned' | 'failed' | 'observed' | 'untested';
  /** Judged responses, windows or bursts. */
  readonly judged: number;
  /** Findings; the first 20 of `total`. */
  readonly findings: readonly Pick<Finding, 'message' | 'expected' | 'actual'>[];
  readonly total: number;
}

/** One rate-limit window of one key. */
export interface LoadWindow {
  readonly key: string;
  /** Announced end, epoch ms; null when not announced. */
  readonly resetAt: number | null;
  /** First request and last response, epoch ms. */
  readonly from: number;
  readonly to: number;
  readonly admitted: number;
  readonly refused: number;
  /** `X-RateLimit-Remaining` of admitted responses in the order sent; null where missing. */
  readonly remaining: readonly (number | null)[];
  /** Set when it admitted more or fewer requests than the limit and that violates a requirement (§8). */
  readonly wrong?: 'more' | 'fewer';
}

/** Rate and latency over time: one value per step and series, at most 240. */
export interface LoadCourse {
  readonly from: number;
  readonly stepMs: number;
  /** Sampling rate: one in `admitted` or `refused` responses was recorded. Above 1, counts are estimates. */
  readonly every: { readonly admitted: number; readonly refused: number };
  /** Requests sent in the step, except those that only open connections. */
  readonly sent: readonly number[];
  readonly answered: readonly number[];
  /** Percentiles of the latency of these responses, ms; null without any. */
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
  /** Iterations that an open model could not start in time. */
  readonly dropped: number;
  readonly iterations: number;
  /** Largest time between the first and the last request of a burst, ms; null without bursts. */
  readonly spreadMs: number | null;
  /** Largest delay behind schedule, ms; null without a schedule. */
  readonly lateMs: number | null;
  /** Responses recorded one by one. */
  readonly recorded: number;
}

/** One load scenario in `results.json`. */
export interface LoadResult {
  readonly scenario: string;
  readonly title: string;
  readonly outcome: LoadOutcome;
  readonly reason: string;
  /** Command that reruns it, without keys. */
  readonly command: string;
  readonly k6: { readonly version: string; readonly source: string };
  readonly startedAt: string;
  readonly endedAt: string;
  readonly limits: { readonly requests: number; readonly windowMs: number };
  readonly requests: {
    readonly sent: number;
    readonly admitted: number;
    /** Refusals by the rate limiter with any status. */
    readonly refused: number;
    /** Those with a status other than 429; left out when there are none. */
    readonly wrongStatus?: number;
    /** Responses with other statuses, including those to requests without a key. */
    readonly other: number;
    readonly failed: number;
  };
  readonly requirements: readonly LoadRequirement[];
  readonly readings: readonly { readonly question: string; readonly answer: string }[];
  /** At most 60, wrong ones first. */
  readonly windows: readonly LoadWindow[];
  readonly windowsInAll?: number;
  readonly course?: LoadCourse;
  readonly latency: readonly LoadLatency[];
  readonly health: LoadHealth;
  readonly notes: readonly string[];
}
