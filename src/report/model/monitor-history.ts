import type { Results } from './results.ts';

/** The content of `history.json`, as in `schemas/tool/monitor-history.json`. */
export interface MonitorHistory {
  readonly version: 1;
  readonly tool: { readonly name: 'assay'; readonly version: string };
  readonly target: { readonly baseUrl: string };
  /** ISO 8601, like all times here. */
  readonly writtenAt: string;
  readonly begun: string;
  readonly schedule: string;
  /** `holds`, `violates` or `incomplete`; null before the first verdict. */
  readonly verdict: 'holds' | 'violates' | 'incomplete' | null;
  readonly since: string | null;
  /** Violated musts that were not seen to pass since. */
  readonly open: readonly {
    readonly id: string;
    readonly title: string;
    readonly since: string;
    /** When a run last judged it. */
    readonly judgedAt?: string;
    /** Report of the run that first found it, relative to the page. */
    readonly report: string;
  }[];
  /** Violations fixed while others remain open. */
  readonly mended: readonly string[];
  readonly budget: {
    /** `2026-11`, UTC. */
    readonly month: string;
    /** With valid keys, in total. */
    readonly used: number;
    readonly limit: number;
    /** With the restricted key; null without one. */
    readonly restricted: { readonly used: number; readonly limit: number } | null;
  };
  readonly days: readonly HistoryDay[];
  readonly turns: readonly {
    readonly id: string;
    readonly at: string;
    readonly from: string | null;
    readonly to: string;
    readonly violated: readonly string[];
    readonly mended: readonly string[];
    readonly report: string | null;
  }[];
  /** Musts verified in the retained days. */
  readonly coverage: {
    readonly musts: number;
    readonly verified: number;
    readonly requirements: readonly {
      readonly id: string;
      readonly title: string;
      /** When it was last verified; null when not verified in the retained days. */
      readonly last: string | null;
      readonly days: number;
    }[];
  };
  /** Rows of ETF histories that are not complete yet (§4.4 rule 1). */
  readonly pending: readonly {
    readonly ticker: string;
    readonly date: string;
    readonly seenAt: string;
    readonly deadline: string;
    readonly overdue: boolean;
  }[];
}

/** The runs of a day, UTC. */
export interface HistoryDay {
  readonly day: string;
  readonly runs: readonly HistoryRun[];
  /** Musts verified on this day, and up to and including it. */
  readonly verified: number;
  readonly verifiedSoFar: number;
}

export interface HistoryRun extends Pick<
  Results,
  'startedAt' | 'endedAt' | 'profile' | 'seed' | 'verdict' | 'sentence'
> {
  readonly kind: 'scheduled' | 'confirmation' | 'settlement';
  /** Relative to the folder of the monitor: `runs/2026-11-23T06-00-00Z`, or below `looks`. */
  readonly folder: string;
  /** Requests sent with valid and with restricted keys. */
  readonly requests: { readonly valid: number; readonly restricted: number };
  readonly violated: readonly string[];
  readonly verified: number;
  /** Relative to the page; null when the run was interrupted. */
  readonly report: string | null;
}
