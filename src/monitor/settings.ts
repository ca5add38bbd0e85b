import type { Profile } from '../ask/profiles.ts';
import type { Target } from '../target/target.ts';
import type { MonitorEvent } from './events.ts';
import type { RunFrame } from './one-run.ts';
import type { Schedule } from './schedule.ts';
import type { Receiver } from './notify/webhook.ts';

/** Where metrics go. */
export interface MetricsOptions {
  /** Address for Prometheus, `127.0.0.1:9464`; null for none. */
  readonly listen: string | null;
  /** URL for OTLP over HTTP, such as `http://127.0.0.1:4318/v1/metrics`; null for none. */
  readonly otlp: string | null;
}

/** Complete settings of a monitor. */
export interface MonitorSettings extends RunFrame {
  readonly target: Target;
  readonly profile: Profile;
  readonly only: readonly string[];
  readonly skip: readonly string[];
  /** The user's limit for every run; null for none. */
  readonly maxRequests: number | null;
  /** Null: the day determines the seed, so that runs rotate. */
  readonly seed: number | null;
  /** Share of the monthly quota of each key, above 0 and up to 1. */
  readonly share: number;
  readonly schedule: Schedule;
  /** False to start exactly on schedule. */
  readonly jitter: boolean;
  readonly output: string;
  /** How long to keep runs, ms. */
  readonly keepMs: number;
  readonly receiver: Receiver | null;
  /** Texts of the receiver that must not be written anywhere. */
  readonly secrets: readonly string[];
  /** URL of the published output folder, for links; null for none. */
  readonly publicUrl: string | null;
  readonly metrics: MetricsOptions;
  /** True for one run now, for external schedules. */
  readonly once: boolean;
  /** Duration, ms; null for unlimited. */
  readonly forMs: number | null;
  readonly signal: AbortSignal;
  /** Receives events. */
  readonly tell: (event: MonitorEvent) => void;
}

/** Result of a monitor. */
export interface MonitorEnd {
  readonly why: 'signal' | 'once' | 'for';
  /** Number of runs of this process. */
  readonly runs: number;
  /** With `once`, the exit code of its run; otherwise 0. */
  readonly exitCode: number;
}
