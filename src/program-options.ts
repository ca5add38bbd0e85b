// Settings of the functions that a program calls, as the commands take them by flag.
import type { Profile } from './ask/profiles.ts';
import type { MonitorEvent } from './monitor/events.ts';
import type { MonitorWishes } from './monitor/prepare.ts';
import type { Format } from './report/formats.ts';
import type { FailOn } from './report/model/gate.ts';
import type { RunEvent } from './run/events.ts';

/** What `run` and `check` have in common. */
export interface JudgeOptions {
  /** Base URL of the service. */
  readonly baseUrl?: string;
  /** Path of a target file. */
  readonly target?: string;
  /** Keys that are valid; better left to the environment (`ASSAY_API_KEY`) or the target file. */
  readonly apiKeys?: readonly string[];
  /** File with one valid key a line. */
  readonly keyFile?: string;
  /** Ids, prefixes (`4.3`) or globs of the requirements to judge; all by default. */
  readonly only?: readonly string[];
  /** The same, left out. */
  readonly skip?: readonly string[];
  /** What makes `exitCode` 1 beyond violated musts. */
  readonly failOn?: readonly FailOn[];
  /** Path of a waiver file. */
  readonly waivers?: string;
  /** Folder that the reports are written to; none by default. */
  readonly output?: string;
  /** Reports to write; all that fit into one folder by default. */
  readonly formats?: readonly Format[];
}

/** Settings of a run, as `assay run` takes them by flag. */
export interface RunOptions extends JudgeOptions {
  /** `standard` by default. */
  readonly profile?: Profile;
  /** Seed of everything drawn by chance; 1 by default. */
  readonly seed?: number;
  /** Bound on requests with valid keys. */
  readonly maxRequests?: number;
  /** Most requests at a time; 6 by default. With 1, each waits for the answer to the one before. */
  readonly concurrency?: number;
  /** Stops the run; what was judged by then is in the results. */
  readonly signal?: AbortSignal;
  /**
   * Takes what happens as it happens, as `--events` writes it; `schemas/tool/events.json` describes it. What it throws ends the
   * run.
   */
  readonly onEvent?: (event: RunEvent) => void;
}

/** Settings of a plan. */
export type PlanOptions = Pick<
  RunOptions,
  | 'baseUrl'
  | 'target'
  | 'apiKeys'
  | 'keyFile'
  | 'only'
  | 'skip'
  | 'profile'
  | 'seed'
  | 'maxRequests'
>;

/** Settings of a monitor, as `assay monitor` takes them by flag. */
export interface MonitorOptions
  extends
    MonitorWishes,
    Pick<JudgeOptions, 'baseUrl' | 'target' | 'apiKeys' | 'keyFile' | 'waivers'> {
  /** Ends it. A run under way is stopped, and taken up by the next monitor of the folder. */
  readonly signal?: AbortSignal;
  /** Takes what happens as it happens; `schemas/tool/monitor-events.json` describes it. */
  readonly onEvent?: (event: MonitorEvent) => void;
}

/** Settings of a load scenario, as `assay load` takes them by flag. */
export interface LoadOptions extends Pick<
  JudgeOptions,
  'baseUrl' | 'target' | 'apiKeys' | 'keyFile' | 'output' | 'formats'
> {
  /** Windows of the rate limit to fill; the scenario's own number by default. */
  readonly windows?: number;
  /** Requests a second, for scenarios with a rate. */
  readonly rate?: number;
  /** Length of scenarios with a rate, ms. */
  readonly durationMs?: number;
  /** Path of k6; looked for, or built where Go is there, by default. */
  readonly k6?: string;
  /** Lets a scenario that sends more than the keys are entitled to leave this machine. */
  readonly allowRemote?: boolean;
  /** Stops k6; what was recorded by then is judged. */
  readonly signal?: AbortSignal;
}

/** Settings of a watch, as `assay watch` takes them by flag. */
export interface WatchOptions extends Pick<
  JudgeOptions,
  'baseUrl' | 'target' | 'only' | 'skip' | 'failOn' | 'waivers' | 'formats'
> {
  /** Where clients are served, `host:port`; `127.0.0.1:8080` by default. */
  readonly listen?: string;
  /** Where the live page is, `host:port`; none by default. */
  readonly page?: string | null;
  /** What clients are shown when they speak TLS, PEM; plain HTTP by default. */
  readonly tls?: { readonly cert: string; readonly key: string } | null;
  /** Whose `Host` the target gets: that of the client (`keep`, by default for http) or its own (`target`, for https). */
  readonly host?: 'keep' | 'target';
  /** Folder of the reports, and of what a watch that is started again takes up; `reports/watch` by default. */
  readonly output?: string;
  /** True forgets what an earlier watch left in the folder. */
  readonly fresh?: boolean;
  /** How long what is under way may take to end when the watch is stopped, ms; 5000 by default. */
  readonly drainMs?: number;
  /** Takes what happens as it happens, as `--events` writes it. */
  readonly onEvent?: (event: RunEvent) => void;
}
