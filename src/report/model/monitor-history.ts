import type { Verdict } from './results.ts';

/** The content of `history.json`; `schemas/tool/monitor-history.json` describes its members. Times are ISO 8601. */
export interface MonitorHistory {
  readonly version: 1;
  readonly tool: { readonly name: 'assay'; readonly version: string };
  readonly target: { readonly baseUrl: string };
  readonly writtenAt: string;
  readonly begun: string;
  readonly schedule: string;
  /** `holds`, `violates` or `incomplete`; null before the first verdict. */
  readonly verdict: 'holds' | 'violates' | 'incomplete' | null;
  readonly since: string | null;
  readonly open: readonly {
    readonly id: string;
    readonly title: string;
    readonly since: string;
    readonly report: string;
  }[];
  readonly budget: {
    readonly month: string;
    readonly used: number;
    readonly limit: number;
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
  readonly coverage: {
    readonly musts: number;
    readonly verified: number;
    readonly requirements: readonly {
      readonly id: string;
      readonly title: string;
      readonly last: string | null;
      readonly days: number;
    }[];
  };
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
  readonly verified: number;
  readonly verifiedSoFar: number;
}

export interface HistoryRun {
  readonly kind: 'scheduled' | 'confirmation' | 'settlement';
  readonly folder: string;
  readonly startedAt: string;
  readonly endedAt: string;
  readonly profile: string;
  readonly seed: number;
  readonly verdict: Verdict;
  readonly sentence: string;
  readonly requests: { readonly valid: number; readonly restricted: number };
  readonly violated: readonly string[];
  readonly verified: number;
  readonly report: string | null;
}
