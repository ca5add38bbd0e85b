import type { Verdict } from './results.ts';

/** The history of a monitor, as `history.json` and its index page tell it; `schemas/tool/monitor-history.json` describes it. */
export interface MonitorHistory {
  readonly version: 1;
  readonly tool: { readonly name: 'assay'; readonly version: string };
  readonly target: { readonly baseUrl: string };
  /** ISO 8601, as all times here. */
  readonly writtenAt: string;
  readonly begun: string;
  readonly schedule: string;
  /** `holds`, `violates` or `incomplete`; null before the first verdict. */
  readonly verdict: 'holds' | 'violates' | 'incomplete' | null;
  /** Since when. */
  readonly since: string | null;
  /** Musts that were found violated, and were not seen to be right since. */
  readonly open: readonly HistoryViolation[];
  readonly budget: {
    readonly month: string;
    readonly used: number;
    readonly limit: number;
    readonly restricted: { readonly used: number; readonly limit: number } | null;
  };
  /** Days with a run, the newest first. */
  readonly days: readonly HistoryDay[];
  /** Times at which the verdict turned, the newest first. */
  readonly turns: readonly HistoryTurn[];
  readonly coverage: HistoryCoverage;
  /** Rows of ETF histories that have to be complete, and were not seen so yet (§4.4 rule 1). */
  readonly pending: readonly {
    readonly ticker: string;
    readonly date: string;
    readonly seenAt: string;
    readonly deadline: string;
    readonly overdue: boolean;
  }[];
}

/** A must that is violated. */
export interface HistoryViolation {
  readonly id: string;
  readonly title: string;
  readonly since: string;
  /** Report of the run that found it first, relative to the page. */
  readonly report: string;
}

/** The runs of a day, UTC. */
export interface HistoryDay {
  readonly day: string;
  /** The latest first. */
  readonly runs: readonly HistoryRun[];
  /** Musts that were verified on this day, and on it or a kept day before it. */
  readonly verified: number;
  readonly verifiedSoFar: number;
}

/** A run as the history tells it. */
export interface HistoryRun {
  readonly kind: 'scheduled' | 'confirmation' | 'settlement';
  /** Its folder, in that of the monitor: `runs/2026-11-23T06-00-00Z`, or below `looks`. */
  readonly folder: string;
  /** When it began and ended, ISO 8601. */
  readonly startedAt: string;
  readonly endedAt: string;
  readonly profile: string;
  readonly seed: number;
  readonly verdict: Verdict;
  readonly sentence: string;
  /** Requests sent with valid and with restricted keys. */
  readonly requests: { readonly valid: number; readonly restricted: number };
  /** Musts that it found violated. */
  readonly violated: readonly string[];
  /** Musts that it verified. */
  readonly verified: number;
  /** Relative to the page; null when the run was cut short and has none. */
  readonly report: string | null;
}

export interface HistoryTurn {
  readonly id: string;
  readonly at: string;
  readonly from: string | null;
  readonly to: string;
  readonly violated: readonly string[];
  readonly mended: readonly string[];
  readonly report: string | null;
}

/** Which musts were verified in the days that are kept. */
export interface HistoryCoverage {
  readonly musts: number;
  readonly verified: number;
  readonly requirements: readonly {
    readonly id: string;
    readonly title: string;
    /** When it was verified last; null when it was not, as far as is kept. */
    readonly last: string | null;
    readonly days: number;
  }[];
}
