import type { UntestedCause } from '../../spec/cause.ts';
import type { Exchange, KeyRole } from '../../spec/exchange.ts';
import type { Finding } from '../../spec/finding.ts';
import type { Basis, Level } from '../../spec/levels.ts';
import type { LoadResult } from './load-results.ts';
import type { Diff } from './diff.ts';

/** What became of one requirement (design: words), each with its icon: an outcome is never shown by colour alone. */
export const ICONS = {
  passed: '✓',
  failed: '✗',
  warned: '!',
  observed: '○',
  inconclusive: '?',
  untested: '–',
  waived: '~',
  error: '‼',
} as const;
export type Outcome = keyof typeof ICONS;
/** All of them, in the order in which they are listed. */
export const OUTCOMES = Object.keys(ICONS) as readonly Outcome[];

/** Verdicts with their banner words. `no-violation`: nothing is violated, but a part of the musts was not looked at. */
export const VERDICT_WORDS = {
  conforms: 'CONFORMS',
  'no-violation': 'NO VIOLATION FOUND',
  violates: 'VIOLATES',
  incomplete: 'INCOMPLETE',
  interrupted: 'INTERRUPTED',
  error: 'ERROR',
} as const;
export type Verdict = keyof typeof VERDICT_WORDS;

/** A requirement that makes the exit code other than 0. */
export interface Failing {
  readonly id: string;
  readonly why:
    | 'violated'
    | 'warned'
    | 'untested'
    | 'inconclusive'
    | 'error'
    | 'waiver'
    | 'baseline';
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
  /** Title, unique within its requirement. */
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
  /** Why it is untested, or the setting without which it is inconclusive, for programs; null otherwise. Results of earlier versions do not have it. */
  readonly cause: UntestedCause | null;
  /** Violated requirements that keep it from being judged; left out when none are known. */
  readonly follows?: readonly string[];
  /** Which allowed reading was seen, when the requirement has several. */
  readonly reading: string | null;
  readonly findings: readonly ResultFinding[];
  /** Number of findings; left out when all are recorded. */
  readonly total?: number;
  /** Exchanges that violate it and whose findings are not recorded; left out when all are. */
  readonly unrecorded?: readonly string[];
  readonly checks: readonly CheckResult[];
  /** Exchanges that were judged for it: evidence for passes too. */
  readonly exchanges: readonly string[];
  /** What a waiver set aside, with the reason it had; left out when nothing was. */
  readonly waived?: { readonly outcome: Outcome; readonly reason: string | null };
  /** Fingerprint of the evidence; null when there is nothing to waive. Results of version 1 do not have it. */
  readonly fingerprint?: string | null;
  /** Start of the run in which the violation was first seen, ISO 8601; known when a baseline was given. */
  readonly since?: string;
}

/** What became of one entry of the waiver file. */
export interface WaiverResult {
  readonly id: string;
  readonly owner: string;
  readonly reason: string;
  readonly ticket: string | null;
  /** What it sets aside when that is no violation. */
  readonly outcome?: 'inconclusive' | 'untested';
  /** Last day on which it holds, yyyy-MM-dd. */
  readonly expires: string;
  /**
   * `applied`: what it was made for was set aside. `idle`: its requirement was not judged in this run, or passes without
   * some of its checks, or was judged where the waiver is about what could not be. The others fail the run: `expired`; `unmatched`: nothing violates the
   * requirement, or there is none; `drifted`: the evidence is another one.
   */
  readonly state: 'applied' | 'idle' | 'expired' | 'unmatched' | 'drifted';
  /** The state in one sentence, with what to do. */
  readonly detail: string;
}

/** Which behaviour the target was seen to choose where the specification allows several. */
export interface ReadingResult {
  readonly question: string;
  /** The two parts of a question that is asked of several subjects. */
  readonly about?: { readonly topic: string; readonly subject: string };
  readonly answer: string;
  readonly mixed: boolean;
  readonly exchanges: readonly string[];
  /** Each answer of a target that mixes them, with how many exchanges gave it; null where not all were counted. */
  readonly forms?: readonly { readonly answer: string; readonly count: number | null }[];
}

export type LevelSummary = Readonly<Record<Outcome, number>>;

/** The data that a run covered, of what there was. */
export interface DataCoverage {
  /** Values that a good answer was given to, in the order asked. */
  readonly at: readonly string[];
  /** All that the lists of the target, its target file or the specification name; empty where nothing names them. */
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
    /** How many requirements came out in each way; outcomes that none had are left out. */
    readonly counts?: Readonly<Partial<Record<Outcome, number>>>;
  }[];
  /** Outcomes by requirement in the order of `runs`, null where a run lacks it; of those in `historyOf`. */
  readonly outcomes: Readonly<Record<string, readonly (Outcome | null)[]>>;
  /** The data that those runs covered, all together, by kind. */
  readonly looked?: Readonly<Record<string, readonly string[]>>;
}

/** Settings that decide what a run sends. No keys: their fingerprints are in `target.keys`. */
export interface RunSettings {
  readonly only: readonly string[];
  readonly skip: readonly string[];
  readonly maxRequests: number | null;
  /** Case of a property that was tried again, and no other; null for all. */
  readonly path: string | null;
  readonly keyHeader: string;
  readonly limits: LoadResult['limits'] & { readonly monthlyQuota: number };
  readonly fixtures: Readonly<Record<string, string | readonly string[]>>;
  readonly forbidden: readonly string[];
  /** Requests that the key near its quota had left; null without such a key. */
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
  /** What `--label` gave besides. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** How a run stands to the violations of its baseline. Ids of requirements. */
export interface BaselineGate {
  readonly regressions: readonly string[];
  readonly known: readonly string[];
  /** Violated in the baseline and shown to be fixed. */
  readonly unexpectedPasses: readonly string[];
  /** Violated in the baseline; not all that failed was judged again. */
  readonly stale: readonly string[];
  /** The same, because a server error is in the way. Earlier versions did not tell these apart. */
  readonly hidden?: readonly string[];
  /** Violated in the baseline and no requirement of this version. */
  readonly unmatched: readonly string[];
}

/** The target file of a run, as the user named it; empty when none was named. */
export type NamedFile = Pick<Results['target'], 'file' | 'baseUrlGiven'>;

/** The content of `results.json`; other programs read it. Schema: `schemas/tool/results.json`. */
export interface Results {
  readonly schemaVersion: 1 | 2;
  readonly tool: {
    readonly name: 'assay';
    readonly version: string;
    /** How it was called, where that is not `assay`, as in commands that repeat something. */
    readonly command?: string;
  };
  readonly spec: { readonly sha256: string };
  readonly target: {
    readonly baseUrl: string;
    /** Envelope unwrapped before judging, or null. */
    readonly envelope: string | null;
    readonly keys: Readonly<Partial<Record<KeyRole, readonly string[]>>>;
    /** Environment variables that held the keys, by fingerprint; keys that none held are left out. */
    readonly keyVariables?: Readonly<Record<string, string>>;
    readonly reference: boolean;
    /** Path of the target file as the user gave it; left out when none was named. */
    readonly file?: string;
    /** Set when the base URL was given besides the target file, and stands in for the one in it. */
    readonly baseUrlGiven?: true;
    /** Base URL at which the service was found, where it was not at that of the run. */
    readonly foundAt?: string;
  };
  readonly profile: string;
  readonly seed: number;
  readonly startedAt: string;
  readonly endedAt: string;
  readonly verdict: Verdict;
  readonly sentence: string;
  readonly exitCode: number;
  /** What makes the exit code other than 0, each by id; empty when it is 0. */
  readonly failing?: readonly Failing[];
  readonly requests: {
    readonly total: number;
    readonly byRole: Readonly<Partial<Record<KeyRole, number>>>;
    readonly waitedMs: number;
  };
  readonly summary: Readonly<Record<Level, LevelSummary>>;
  readonly requirements: readonly RequirementResult[];
  readonly readings: readonly ReadingResult[];
  /** Status notes: envelope in use, TLS not verified, profile limits. */
  readonly notes: readonly string[];
  /** What the judge knew of the target besides the exchanges: they can be judged again with it. */
  readonly facts?: {
    readonly limits?: LoadResult['limits'];
    readonly earlierRows?: unknown;
    readonly forbidden?: readonly string[];
  };
  readonly exchanges: readonly Exchange[];
  readonly load: readonly LoadResult[];
  /** What decided which requests were sent, besides profile and seed. */
  readonly settings?: RunSettings;
  readonly context?: RunContext;
  /** How often it was resumed, and the requests with known answers, and those that were sent again. */
  readonly resumed?: { readonly times: number; readonly known: number; readonly again: number };
  /** Set when nothing was sent: the recording of an earlier run was judged again. */
  readonly replayed?: {
    readonly file: string;
    readonly recordedAt: string;
    /** Exchanges in the recording that no check of this version asked for; they are not judged. */
    readonly unasked: number;
  };
  readonly waivers?: readonly WaiverResult[];
  /** How to resume a run that can be resumed, as its reports say it; not part of results.json. */
  readonly resume?: { readonly words: string; readonly command: string };
  /** Set when the run ended before completing its plan; a note says why. */
  readonly stoppedEarly?: true;
  readonly changes?: Diff;
  readonly gate?: BaselineGate;
  /** Currencies, tickers, languages, categories, pages and so on that the run covered, by kind. */
  readonly looked?: Readonly<Record<string, DataCoverage>>;
  /** Earlier runs of the same target, when there were any next to this one. */
  readonly history?: OutcomeHistory;
  /** Deliberate defects that were shown to turn each requirement red, by its id. */
  readonly proof?: Readonly<Record<string, readonly string[]>>;
}
