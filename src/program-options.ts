// Options of the programmatic API. They match the flags of the commands.
import type { Profile } from './ask/profiles.ts';
import type { MonitorEvent } from './monitor/events.ts';
import type { MonitorWishes } from './monitor/settings.ts';
import type { Format } from './report/formats.ts';
import type { FailOn } from './report/model/gate.ts';
import type { RunEvent } from './run/events.ts';

/** Which target. */
export interface TargetOptions {
  /** Base URL of the service. */
  readonly baseUrl?: string;
  /** Path of a target file. */
  readonly target?: string;
  /** Valid keys. Prefer the environment (`ASSAY_API_KEY`) or the target file. */
  readonly apiKeys?: readonly string[];
  /** File with one valid key per line. */
  readonly keyFile?: string;
}

/** Common options of `run` and `check`. */
export interface JudgeOptions extends TargetOptions {
  /** Requirements to judge: ids, prefixes (`4.3`) or globs; default: all. */
  readonly only?: readonly string[];
  /** Requirements to leave out: ids, prefixes or globs. */
  readonly skip?: readonly string[];
  /** What else than violated musts sets `exitCode` to 1. */
  readonly failOn?: readonly FailOn[];
  /** Path of a waiver file. */
  readonly waivers?: string;
  /** Report folder; default: no reports. */
  readonly output?: string;
  /** Reports to write; default: all except `html-dir`. */
  readonly formats?: readonly Format[];
}

/** Options of `assay run`. */
export interface RunOptions extends JudgeOptions {
  /** Default: `standard`. */
  readonly profile?: Profile;
  /** Seed for generated values and the choice of fixtures; default: 1. */
  readonly seed?: number;
  /** Maximum number of requests with valid keys. */
  readonly maxRequests?: number;
  /** Maximum number of parallel requests; default: 6. */
  readonly concurrency?: number;
  /** Stops the run; the results are partial then. */
  readonly signal?: AbortSignal;
  /** Called with each event of `--events`, described in `schemas/tool/events.json`. An exception stops the run. */
  readonly onEvent?: (event: RunEvent) => void;
}

/** Options of `assay plan`. */
export type PlanOptions = TargetOptions &
  Pick<RunOptions, 'only' | 'skip' | 'profile' | 'seed' | 'maxRequests'>;

/** Options of `assay monitor`. */
export interface MonitorOptions
  extends MonitorWishes, TargetOptions, Pick<JudgeOptions, 'waivers'> {
  /** Stops the monitor. A run in progress is interrupted; the next monitor of the folder resumes it. */
  readonly signal?: AbortSignal;
  /** Called with each event, described in `schemas/tool/monitor-events.json`. */
  readonly onEvent?: (event: MonitorEvent) => void;
}

/** Options of `assay load`. */
export interface LoadOptions extends TargetOptions, Pick<JudgeOptions, 'output' | 'formats'> {
  /** Number of rate-limit windows; the default depends on the scenario. */
  readonly windows?: number;
  /** Requests per second, for scenarios with a rate. */
  readonly rate?: number;
  /** Duration of scenarios with a rate, ms. */
  readonly durationMs?: number;
  /** Path to k6; default: searched for, or built with Go. */
  readonly k6?: string;
  /** Allows flood scenarios, which exceed the rate limit of the keys, against a remote target. */
  readonly allowRemote?: boolean;
  /** Stops k6; what was recorded until then is judged. */
  readonly signal?: AbortSignal;
}

/** Options of `assay watch`. */
export interface WatchOptions extends Pick<
  JudgeOptions,
  'baseUrl' | 'target' | 'only' | 'skip' | 'failOn' | 'waivers' | 'formats'
> {
  /** Address for clients, `host:port`; default: `127.0.0.1:8080`. */
  readonly listen?: string;
  /** Address of the live page, `host:port`; default: none. */
  readonly page?: string | null;
  /** Server certificate for clients, PEM; default: plain HTTP. */
  readonly tls?: { readonly cert: string; readonly key: string } | null;
  /** Host header to send: that of the client (`keep`, default for http) or of the target (`target`, default for https). */
  readonly host?: 'keep' | 'target';
  /** Folder for reports and for the state that a restarted watch resumes; default: `reports/watch`. */
  readonly output?: string;
  /** Discard the state of an earlier watch in the folder. */
  readonly fresh?: boolean;
  /** How long to wait for open requests when stopping, ms; default: 5000. */
  readonly drainMs?: number;
  /** Called with each event of `--events`. */
  readonly onEvent?: (event: RunEvent) => void;
}
