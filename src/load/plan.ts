/**
 * Data exchanged between Assay and the k6 scripts: the plan and the observations. Plain JSON and types only, because k6
 * has neither Node's modules nor a URL class. Keys are never part of it: a script gets `key0`, `key1`, … from k6's
 * secret source.
 */

import type { LoadLatency } from '../report/model/load-results.ts';
import type { EndpointPath } from '../spec/endpoints.ts';
import type { ScenarioName } from '../spec/scenarios.ts';

/** A request that a script may send. */
export interface PlannedRequest {
  readonly endpoint: EndpointPath;
  /** Path relative to the base URL with the query, encoded. */
  readonly path: string;
  /** How often it is selected, relative to the others. */
  readonly weight: number;
}

/** Parameters of a scenario. Each script reads some of them. */
export interface Shape {
  /** Virtual users, which is the number of concurrent requests in a burst. */
  readonly vus: number;
  /** Number of rate-limit windows. */
  readonly windows: number;
  /** Requests per second at the peak, for open models. */
  readonly rate: number;
  /** Time under load, ms, for open models. */
  readonly durationMs: number;
  /** Remaining quota at the start; 0 if the scenario does not use it. */
  readonly quotaLeft: number;
}

/** What a script records. */
export interface Recorded {
  /** One refusal in this many is recorded, of the phase `STEADY` all. */
  readonly recordEvery: number;
  /** One successful answer in this many is recorded with its body, for the rules; 0 for none. */
  readonly sampleEvery: number;
  /** True if other successful answers are also recorded, without their bodies. */
  readonly recordAdmitted: boolean;
}

/** The plan for a script. */
export interface LoadPlan extends Recorded {
  /** Part of every observation and of the summary, so that those of another run are detected. */
  readonly runId: string;
  readonly scenario: ScenarioName;
  readonly baseUrl: string;
  readonly keyHeader: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly insecure: boolean;
  /** Requests per key per window (§8). */
  readonly limit: number;
  /** Length of the window, ms (§8). */
  readonly windowMs: number;
  /** Number of keys in the secret source. */
  readonly keys: number;
  /** A time at which a window ends or ended, epoch ms of the local clock. */
  readonly freshAt: number;
  /** From this time on every key has a new window, epoch ms of the local clock. */
  readonly notBefore: number;
  /** Common start of several machines, epoch ms; null starts when the script is ready. */
  readonly startAt: number | null;
  readonly requests: readonly PlannedRequest[];
  readonly shape: Shape;
}

/** An answer as one line of the observations. Short names: there may be a hundred thousand of them. */
export interface Row {
  /** `runId` of the plan. */
  readonly run: string;
  /** `warm`: opens the connection, without a key. Scenarios name the others. */
  readonly phase: string;
  /** Burst or step within the phase, from 0. */
  readonly step: number;
  readonly vu: number;
  /** Index of the key; null without one. */
  readonly key: number | null;
  readonly endpoint: EndpointPath;
  /** Scheduled time of the request, epoch ms; null without one. */
  readonly due: number | null;
  /** Local times of sending and of the complete answer, epoch ms. */
  readonly t0: number;
  readonly t1: number;
  /** Duration of the request measured by k6, ms. */
  readonly ms: number;
  /** 0 without an answer. */
  readonly status: number;
  readonly error: string | null;
  /** The three rate-limit headers as sent (§8); null if missing. */
  readonly limit: string | null;
  readonly remaining: string | null;
  readonly reset: string | null;
  /** Body of answers other than 2xx, cut. */
  readonly body: string | null;
  /** A complete answer, for the rules. */
  readonly sample: {
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly text: string;
  } | null;
}

/** Latency of the answers of one endpoint with one status, ms. */
export type MeasuredLatency = Omit<LoadLatency, 'bucketed'>;

/** Output of a script at its end. */
export interface RunSummary {
  readonly runId: string;
  readonly scenario: ScenarioName;
  /** Requests sent and answers by status, as k6 counted them; `"0"` counts those without an answer. */
  readonly sent: number;
  readonly byStatus: Readonly<Record<string, number>>;
  readonly iterations: number;
  readonly dropped: number;
  /** Exceptions in iterations; k6 exits with 0 anyway. */
  readonly harnessErrors: number;
  readonly latency: readonly MeasuredLatency[];
}

/** Phase of a key within its limit during a flood on another key: all of its answers are recorded. */
export const STEADY = 'steady';

/** Marks the summary in the log of an instance, whose files are not accessible. */
export const SUMMARY_MARK = '@@ASSAY-SUMMARY@@';
