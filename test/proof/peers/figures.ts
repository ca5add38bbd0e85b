import { DEFECT_KINDS } from '#src/contract/defect-kinds.ts';
import type { DefectKind } from '#src/contract/defect-kinds.ts';
import type { CaseResult, FaultCase, PeersReport } from './report.ts';

/** Requests that one key may send in a minute (§8), for saying what a run would cost on a metered target. */
const PER_MINUTE = 20;

/** The figures of one tool. */
export interface ToolFigures {
  readonly found: number;
  readonly of: number;
  /** Requests of all runs against faults. */
  readonly requests: number;
  readonly per100: number;
  readonly requestsPerRun: number;
  /** Requests with valid keys of one run. */
  readonly meteredPerRun: number;
  /** Minutes of one run at the limit of one key. */
  readonly minutes: number;
  /** Share found if each class had its weight in the whole catalogue, 0 to 1. */
  readonly weighted: number;
  readonly byClass: Readonly<Record<DefectKind, readonly [found: number, of: number]>>;
}

/** A fault is found when the run says anything that it never says about the clean server. */
export const isFound = (result: CaseResult | undefined): boolean => (result?.freshCount ?? 0) > 0;

export function figuresOf(report: PeersReport, tool: string): ToolFigures {
  const found = (faults: readonly FaultCase[]): number =>
    faults.filter(({ results }) => isFound(results[tool])).length;
  const sum = (name: 'requests' | 'metered'): number =>
    report.faults.reduce((all, { results }) => all + (results[tool]?.[name] ?? 0), 0);
  const requests = sum('requests');
  const byClass = Object.fromEntries(
    DEFECT_KINDS.map((one) => {
      const faults = report.faults.filter((fault) => fault.class === one);
      return [one, [found(faults), faults.length]];
    }),
  ) as Record<DefectKind, [number, number]>;
  let weight = 0;
  let share = 0;
  for (const one of DEFECT_KINDS) {
    const [hits, of] = byClass[one];
    if (of === 0) continue;
    weight += report.catalogue[one];
    share += (report.catalogue[one] * hits) / of;
  }
  const all = found(report.faults);
  const runs = Math.max(1, report.faults.length);
  const meteredPerRun = sum('metered') / runs;
  return {
    found: all,
    of: report.faults.length,
    requests,
    per100: (100 * all) / Math.max(1, requests),
    requestsPerRun: requests / runs,
    meteredPerRun,
    minutes: meteredPerRun / PER_MINUTE,
    weighted: share / Math.max(1, weight),
    byClass,
  };
}
