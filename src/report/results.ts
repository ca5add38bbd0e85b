import type { Exchange, KeyRole } from '../contract/exchange.ts';
import type { Basis, Level } from '../contract/requirements.ts';
import type { LoadResult } from './load-results.ts';
import type { Diff } from './diff.ts';

/** What became of one requirement (design: words). */
export type Outcome =
  'passed' | 'failed' | 'warned' | 'observed' | 'inconclusive' | 'untested' | 'waived' | 'error';

export const OUTCOMES: readonly Outcome[] = [
  'passed',
  'failed',
  'warned',
  'observed',
  'inconclusive',
  'untested',
  'waived',
  'error',
];

export type Verdict = 'conforms' | 'violates' | 'incomplete' | 'interrupted' | 'error';

export interface ResultFinding {
  readonly message: string;
  readonly expected: string;
  readonly actual: string;
  readonly pointer: string | null;
  /** Id of the exchange that shows it; null for findings about a whole run. */
  readonly exchange: string | null;
}

/** One check (Vitest test) bound to the requirement. */
export interface CheckResult {
  /** Title, unique within its requirement. */
  readonly title: string;
  readonly outcome: Outcome;
  readonly reason: string | null;
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
  /** Which allowed reading was seen, when the requirement has several. */
  readonly reading: string | null;
  readonly findings: readonly ResultFinding[];
  readonly checks: readonly CheckResult[];
  /** Exchanges that were judged for it: evidence for passes too. */
  readonly exchanges: readonly string[];
  /** Start of the run in which the violation was first seen, ISO 8601; known when a baseline was given. */
  readonly since?: string;
}

/** What became of one entry of the waiver file. */
export interface WaiverResult {
  /** Requirement that it sets aside. */
  readonly id: string;
  readonly owner: string;
  readonly reason: string;
  readonly ticket: string | null;
  /** Last day on which it holds, yyyy-MM-dd. */
  readonly expires: string;
  /**
   * `applied`: the violation was set aside. `idle`: its requirement was not judged in this run. The others fail the run:
   * `expired`; `unmatched`: nothing violates the requirement, or there is none; `drifted`: the evidence is another one.
   */
  readonly state: 'applied' | 'idle' | 'expired' | 'unmatched' | 'drifted';
  /** The state in one sentence, with what to do. */
  readonly detail: string;
}

/** Which behaviour the target was seen to choose where the specification allows several. */
export interface ReadingResult {
  readonly question: string;
  readonly answer: string;
  /** True when the target was seen to mix answers. */
  readonly mixed: boolean;
  readonly exchanges: readonly string[];
}

export type LevelSummary = Readonly<Record<Outcome, number>>;

/** The content of `results.json`; other programs read it. Schema: `schemas/results.json`. */
export interface Results {
  readonly schemaVersion: 1;
  readonly tool: { readonly name: 'assay'; readonly version: string };
  readonly spec: { readonly sha256: string };
  readonly target: {
    readonly baseUrl: string;
    /** Envelope unwrapped before judging, or null. */
    readonly envelope: string | null;
    /** Fingerprints of the keys used, by role. */
    readonly keys: Readonly<Partial<Record<KeyRole, readonly string[]>>>;
    /** True when the embedded reference server was the target. */
    readonly reference: boolean;
  };
  readonly profile: string;
  readonly seed: number;
  readonly startedAt: string;
  readonly endedAt: string;
  readonly verdict: Verdict;
  /** The verdict as one sentence with numbers. */
  readonly sentence: string;
  readonly exitCode: number;
  readonly requests: {
    readonly total: number;
    readonly byRole: Readonly<Partial<Record<KeyRole, number>>>;
    readonly waitedMs: number;
  };
  readonly summary: Readonly<Record<Level, LevelSummary>>;
  readonly requirements: readonly RequirementResult[];
  readonly readings: readonly ReadingResult[];
  /** Standing notes: envelope in use, TLS not verified, profile limits. */
  readonly notes: readonly string[];
  readonly exchanges: readonly Exchange[];
  readonly load: readonly LoadResult[];
  /** Entries of the waiver file, when one was given. */
  readonly waivers?: readonly WaiverResult[];
  /** Comparison with an earlier run, when one was given. */
  readonly changes?: Diff;
  /** Deliberate defects that were shown to turn each requirement red, by its id. */
  readonly proof?: Readonly<Record<string, readonly string[]>>;
}
