import type { UntestedCause } from '../../spec/cause.ts';
import type { Exchange, KeyRole } from '../../spec/exchange.ts';
import type { Finding } from '../../spec/finding.ts';
import type { Basis, Level } from '../../spec/levels.ts';
import type { LoadResult } from './load-results.ts';
import type { Diff } from './diff.ts';

/** What became of one requirement (design: words). */
export const OUTCOMES = [
  'passed',
  'failed',
  'warned',
  'observed',
  'inconclusive',
  'untested',
  'waived',
  'error',
] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** `no-violation`: nothing is violated, but a part of the musts was not looked at. */
export type Verdict =
  'conforms' | 'no-violation' | 'violates' | 'incomplete' | 'interrupted' | 'error';

/** Why a requirement makes the exit code other than 0. */
export type FailingWhy =
  'violated' | 'warned' | 'untested' | 'inconclusive' | 'error' | 'waiver' | 'baseline';

/** One thing that makes the exit code other than 0. */
export interface Failing {
  readonly id: string;
  readonly why: FailingWhy;
}

type Stated = 'message' | 'expected' | 'actual' | 'pointer';

/** A violation as results keep it. Results of earlier versions, and bare assertions, lack some fields. */
export interface ResultFinding
  extends
    Pick<Finding, Stated>,
    Partial<Omit<Finding, Stated | 'requirement' | 'exchange' | 'replay'>> {
  readonly exchange: string | null;
  /** Case of a property that shows it again, as `--path` takes it; null when the request was no drawn one. */
  readonly replay?: string | null;
}

/** One check (Vitest test) bound to the requirement. */
export interface CheckResult {
  readonly title: string;
  readonly outcome: Outcome;
  readonly reason: string | null;
  readonly cause?: UntestedCause;
  readonly exchanges: readonly string[];
  readonly ms: number;
}

export interface RequirementResult {
  readonly id: string;
  readonly level: Level;
  readonly basis: Basis;
  readonly section: string;
  readonly title: string;
  readonly outcome: Outcome;
  /** Why it is inconclusive, untested, waived or an error; for observed ones, what was seen. */
  readonly reason: string | null;
  /** Why it is untested, for programs; null otherwise. Results of earlier versions do not have it. */
  readonly cause: UntestedCause | null;
  readonly follows?: readonly string[];
  readonly reading: string | null;
  readonly findings: readonly ResultFinding[];
  readonly total?: number;
  readonly unrecorded?: readonly string[];
  readonly checks: readonly CheckResult[];
  readonly exchanges: readonly string[];
  /** What a waiver set aside, with the reason it had; left out when nothing was. */
  readonly waived?: { readonly outcome: Outcome; readonly reason: string | null };
  /** Fingerprint of the evidence; null when there is nothing to waive. Results of version 1 do not have it. */
  readonly fingerprint?: string | null;
  readonly since?: string;
}

/** What became of one entry of the waiver file. */
export interface WaiverResult {
  readonly id: string;
  readonly owner: string;
  readonly reason: string;
  readonly ticket: string | null;
  readonly outcome?: 'inconclusive' | 'untested';
  readonly expires: string;
  /**
   * `applied`: what it was made for was set aside. `idle`: its requirement was not judged in this run, or passes without
   * some of its checks, or was judged where the waiver is about what could not be. The others fail the run: `expired`; `unmatched`: nothing violates the
   * requirement, or there is none; `drifted`: the evidence is another one.
   */
  readonly state: 'applied' | 'idle' | 'expired' | 'unmatched' | 'drifted';
  readonly detail: string;
}

/** Which behaviour the target was seen to choose where the specification allows several. */
export interface ReadingResult {
  readonly question: string;
  readonly about?: { readonly topic: string; readonly subject: string };
  readonly answer: string;
  readonly mixed: boolean;
  readonly exchanges: readonly string[];
  readonly forms?: readonly { readonly answer: string; readonly count: number | null }[];
}

export type LevelSummary = Readonly<Record<Outcome, number>>;

/** The data that a run covered, of what there was. */
export interface DataCoverage {
  readonly at: readonly string[];
  readonly of: readonly string[];
}

/** How requirements came out in earlier runs of the same target, as far as their results are next to this one. */
export interface OutcomeHistory {
  /** Earlier runs, the oldest first, without this one. What their files did not say is left out. */
  readonly runs: readonly {
    readonly startedAt: string;
    readonly verdict: string;
    readonly profile?: string;
    readonly ms?: number;
    /** Set when its checks sent the same requests: same profile, seed and fixtures, and neither run was narrowed. */
    readonly comparable?: true;
    readonly counts?: Readonly<Partial<Record<Outcome, number>>>;
  }[];
  /** Outcomes by requirement in the order of `runs`, null where a run lacks it; of those in `historyOf`. */
  readonly outcomes: Readonly<Record<string, readonly (Outcome | null)[]>>;
  readonly looked?: Readonly<Record<string, readonly string[]>>;
}

/** Settings that decide what a run sends. No keys: their fingerprints are in `target.keys`. */
export interface RunSettings {
  readonly only: readonly string[];
  readonly skip: readonly string[];
  readonly maxRequests: number | null;
  readonly path: string | null;
  readonly keyHeader: string;
  readonly limits: {
    readonly requests: number;
    readonly windowMs: number;
    readonly monthlyQuota: number;
  };
  readonly fixtures: Readonly<Record<string, string | readonly string[]>>;
  readonly forbidden: readonly string[];
  readonly quotaLeft: number | null;
  readonly clockControl: boolean;
}

/** What a run belongs to: told by the environment of a CI service, or with `--label`. Nothing is judged by it. */
export interface RunContext {
  readonly ci?: string;
  readonly commit?: string;
  readonly branch?: string;
  readonly job?: string;
  readonly url?: string;
  readonly labels?: Readonly<Record<string, string>>;
}

/** Where the answers of a run that sent nothing came from. */
export interface ReplayedRun {
  readonly file: string;
  readonly recordedAt: string;
  readonly unasked: number;
}

/** How a run stands to the violations of its baseline. Ids of requirements. */
export interface BaselineGate {
  readonly regressions: readonly string[];
  readonly known: readonly string[];
  readonly unexpectedPasses: readonly string[];
  readonly stale: readonly string[];
  readonly unmatched: readonly string[];
}

/** The target file of a run, as the user named it; empty when none was named. */
export type NamedFile = Pick<Results['target'], 'file' | 'baseUrlGiven'>;

/** The content of `results.json`; other programs read it. `schemas/tool/results.json` describes its members. */
export interface Results {
  readonly schemaVersion: 1 | 2;
  readonly tool: {
    readonly name: 'assay';
    readonly version: string;
    readonly command?: string;
  };
  readonly spec: { readonly sha256: string };
  readonly target: {
    readonly baseUrl: string;
    readonly envelope: string | null;
    readonly keys: Readonly<Partial<Record<KeyRole, readonly string[]>>>;
    readonly keyVariables?: Readonly<Record<string, string>>;
    readonly reference: boolean;
    readonly file?: string;
    readonly baseUrlGiven?: true;
  };
  readonly profile: string;
  readonly seed: number;
  readonly startedAt: string;
  readonly endedAt: string;
  readonly verdict: Verdict;
  readonly sentence: string;
  readonly exitCode: number;
  readonly failing?: readonly Failing[];
  readonly requests: {
    readonly total: number;
    readonly byRole: Readonly<Partial<Record<KeyRole, number>>>;
    readonly waitedMs: number;
  };
  readonly summary: Readonly<Record<Level, LevelSummary>>;
  readonly requirements: readonly RequirementResult[];
  readonly readings: readonly ReadingResult[];
  readonly notes: readonly string[];
  readonly facts?: {
    readonly limits?: { readonly requests: number; readonly windowMs: number };
    readonly earlierRows?: unknown;
    readonly forbidden?: readonly string[];
  };
  readonly exchanges: readonly Exchange[];
  readonly load: readonly LoadResult[];
  readonly settings?: RunSettings;
  readonly context?: RunContext;
  /** How often it was resumed, and the requests with known answers, and those that were sent again. */
  readonly resumed?: { readonly times: number; readonly known: number; readonly again: number };
  readonly replayed?: ReplayedRun;
  readonly waivers?: readonly WaiverResult[];
  /** How to resume a run that can be resumed, as its reports say it; not part of results.json. */
  readonly resume?: { readonly words: string; readonly command: string };
  readonly stoppedEarly?: true;
  readonly changes?: Diff;
  readonly gate?: BaselineGate;
  readonly looked?: Readonly<Record<string, DataCoverage>>;
  readonly history?: OutcomeHistory;
  readonly proof?: Readonly<Record<string, readonly string[]>>;
}
