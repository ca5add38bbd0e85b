import type { Profile } from '../ask/profiles.ts';
import type { Target } from '../target/target.ts';
import type { MonitorEvent } from './events.ts';
import type { RunFrame } from './one-run.ts';
import type { Schedule } from './schedule.ts';
import type { Receiver } from './notify/webhook.ts';

/** Where metrics go. */
export interface MetricsOptions {
  /** Address that Prometheus scrapes, `127.0.0.1:9464`; null for none. */
  readonly listen: string | null;
  /** Address that metrics are sent to by OTLP over HTTP, such as `http://127.0.0.1:4318/v1/metrics`; null for none. */
  readonly otlp: string | null;
}

/** What a monitor is asked to do, everything filled in. */
export interface MonitorSettings extends RunFrame {
  readonly target: Target;
  readonly profile: Profile;
  readonly only: readonly string[];
  readonly skip: readonly string[];
  /** Bound of the user on every run; null for none. */
  readonly maxRequests: number | null;
  /** Null: the day says which seed a run has, so that it looks at other things. */
  readonly seed: number | null;
  /** Part of the monthly quota of each key that may be spent, above 0 and up to 1. */
  readonly share: number;
  readonly schedule: Schedule;
  /** False to begin on the moment of the schedule. */
  readonly jitter: boolean;
  readonly output: string;
  /** How long runs are kept, ms. */
  readonly keepMs: number;
  readonly receiver: Receiver | null;
  /** Texts of the receiver that must be written nowhere. */
  readonly secrets: readonly string[];
  /** Where the output folder is published, for links; null for none. */
  readonly publicUrl: string | null;
  readonly metrics: MetricsOptions;
  /** True for one run now, by whoever has a schedule of their own. */
  readonly once: boolean;
  /** How long it goes on, ms; null for ever. */
  readonly forMs: number | null;
  readonly signal: AbortSignal;
  /** Takes what happens as it happens. */
  readonly tell: (event: MonitorEvent) => void;
}

/** How a monitor ended. */
export interface MonitorEnd {
  readonly why: 'signal' | 'once' | 'for';
  /** Runs of this process. */
  readonly runs: number;
  /** With `once`, the exit code of its run; else 0. */
  readonly exitCode: number;
}
