import type { Profile } from '../ask/profiles.ts';
import type { Format } from '../report/formats.ts';
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

/** Options of a monitor, with defaults. */
export interface MonitorWishes {
  readonly profile?: Profile | undefined;
  readonly only?: readonly string[] | undefined;
  readonly skip?: readonly string[] | undefined;
  readonly maxRequests?: number | undefined;
  /** Seed of every run; the day's seed by default, so that runs rotate. */
  readonly seed?: number | undefined;
  /** Share of the monthly quota of each key, above 0 and up to 1; 0.05 by default. */
  readonly share?: number | undefined;
  /** Interval of runs, ms; six hours by default. */
  readonly everyMs?: number | undefined;
  /** The schedule as a cron expression in UTC, instead of `everyMs`. */
  readonly cron?: string | undefined;
  /** False to start exactly on schedule. */
  readonly jitter?: boolean | undefined;
  /** Folder of state, history and runs; `reports/monitor` by default. */
  readonly output?: string | undefined;
  /** How long to keep runs, ms; 30 days by default. */
  readonly keepMs?: number | undefined;
  readonly formats?: readonly Format[] | undefined;
  readonly concurrency?: number | undefined;
  /** Receiver of verdict changes, and its signing secret. */
  readonly webhook?: { readonly url: string; readonly secret?: string | undefined } | undefined;
  /** URL of the published output folder, for links in notifications. */
  readonly publicUrl?: string | undefined;
  readonly metrics?:
    { readonly listen?: string | undefined; readonly otlp?: string | undefined } | undefined;
  readonly once?: boolean | undefined;
  /** Duration, ms; until the signal by default. */
  readonly forMs?: number | undefined;
}

type Filled<Name extends keyof MonitorWishes> = {
  readonly [One in Name]: NonNullable<MonitorWishes[One]>;
};
/** Null where {@link MonitorWishes} has no value. */
type OrNull<Name extends keyof MonitorWishes> = {
  readonly [One in Name]: NonNullable<MonitorWishes[One]> | null;
};

/** Complete settings of a monitor. */
export interface MonitorSettings
  extends
    RunFrame,
    Filled<'profile' | 'only' | 'skip' | 'share' | 'jitter' | 'output' | 'keepMs' | 'once'>,
    OrNull<'maxRequests' | 'seed' | 'publicUrl' | 'forMs'> {
  readonly target: Target;
  readonly schedule: Schedule;
  readonly receiver: Receiver | null;
  /** Texts of the receiver that must not be written anywhere. */
  readonly secrets: readonly string[];
  readonly metrics: MetricsOptions;
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
