/**
 * What passes between Assay and the k6 scripts: the plan that goes in, the observations that come out. Plain JSON and
 * types only, since k6 has neither Node's modules nor a URL class. Keys are never part of it: a script asks k6's
 * secret source for `key0`, `key1`, …
 */

import type { EndpointPath } from '../spec/endpoints.ts';
import type { ScenarioName } from '../spec/scenarios.ts';
import type { StatusBuckets } from './buckets.ts';

/** A request that a script may send. */
export interface PlannedRequest {
  readonly endpoint: EndpointPath;
  /** Path relative to the base URL with the query, encoded. */
  readonly path: string;
  /** How often it is drawn, relative to the others. */
  readonly weight: number;
}

/** Numbers that shape a scenario. Which of them a scenario reads is up to its script. */
export interface Shape {
  /** Virtual users, which is the number of requests at the same moment in a burst. */
  readonly vus: number;
  /** Rate-limit windows that the scenario goes through. */
  readonly windows: number;
  /** Requests per second at the peak, for open models. */
  readonly rate: number;
  /** Time under load, ms, for open models. */
  readonly durationMs: number;
  /** Admissions that the quota has left at the start; 0 where the quota plays no part. */
  readonly quotaLeft: number;
}

/** Everything that a script is told. */
export interface LoadPlan {
  /** Stands in every observation and in the summary, so that those of another run are never taken for this one's. */
  readonly runId: string;
  readonly scenario: ScenarioName;
  readonly baseUrl: string;
  readonly keyHeader: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly insecure: boolean;
  /** Requests per window and key (§8). */
  readonly limit: number;
  /** Length of the window, ms (§8). */
  readonly windowMs: number;
  /** Number of keys in the secret source. */
  readonly keys: number;
  /** A moment at which a window ends or ended, epoch ms of the local clock. */
  readonly freshAt: number;
  /** From here on every key has a fresh window, epoch ms of the local clock. */
  readonly notBefore: number;
  /** Common start of several machines, epoch ms; null lets the script choose when it is ready. */
  readonly startAt: number | null;
  /** One refusal in so many is recorded. */
  readonly recordEvery: number;
  /** One successful answer in so many is recorded with its body, for the rules; 0 for none. */
  readonly sampleEvery: number;
  /** True when other successful answers are recorded too, without their bodies. */
  readonly recordAdmitted: boolean;
  /** True when latency is counted in buckets, to be merged over several processes. */
  readonly buckets: boolean;
  readonly requests: readonly PlannedRequest[];
  readonly shape: Shape;
}

/** An answer as one line of the observations. Short names: there may be a hundred thousand of them. */
export interface Row {
  /** `runId` of the plan. */
  readonly run: string;
  /** `warm`: opens the connection, without a key. Others are named by the scenario. */
  readonly phase: string;
  /** Burst or step within the phase, from 0. */
  readonly step: number;
  readonly vu: number;
  /** Index of the key; null when none was sent. */
  readonly key: number | null;
  readonly endpoint: EndpointPath;
  /** When the request should have been sent, epoch ms; null when at no moment in particular. */
  readonly due: number | null;
  /** Local time of sending and of the complete answer, epoch ms. */
  readonly t0: number;
  readonly t1: number;
  /** Time of the request as k6 measures it, ms. */
  readonly ms: number;
  /** 0 when no answer arrived. */
  readonly status: number;
  readonly error: string | null;
  /** The three rate-limit headers as sent (§8); null when missing. */
  readonly limit: string | null;
  readonly remaining: string | null;
  readonly reset: string | null;
  /** Body of answers other than 2xx, cut. */
  readonly body: string | null;
  /** A whole answer, for the rules. */
  readonly sample: {
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly text: string;
  } | null;
}

/** Latency of the answers of one endpoint with one status, ms. */
export interface LatencyCount {
  readonly endpoint: string;
  readonly status: string;
  readonly count: number;
  readonly avg: number;
  readonly min: number;
  readonly med: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

/** What a script writes at its end. */
export interface RunSummary {
  readonly runId: string;
  readonly scenario: ScenarioName;
  /** Requests sent and answers by status, as k6 counted them; `"0"` counts those without an answer. */
  readonly sent: number;
  readonly byStatus: Readonly<Record<string, number>>;
  readonly iterations: number;
  readonly dropped: number;
  /** Exceptions inside iterations: k6 ends with 0 all the same. */
  readonly harnessErrors: number;
  readonly latency: readonly LatencyCount[];
  /** Logarithmic latency buckets by status: exponent to count, see `buckets.ts`. Merges exactly. */
  readonly buckets: StatusBuckets;
}

/** Marks the summary in the log of an instance whose files cannot be fetched. */
export const SUMMARY_MARK = '@@ASSAY-SUMMARY@@';
