import type { ScenarioName } from '../../contract/scenarios.ts';

/** What the judges know besides the answers. */
export interface JudgeContext {
  readonly scenario: ScenarioName;
  /** Requests per window (§8). */
  readonly limit: number;
  readonly windowMs: number;
  /** A moment at which a window ends or ended, epoch ms of the local clock. */
  readonly freshAt: number;
  /** How far local times and times of the target may be apart, ms. */
  readonly toleranceMs: number;
  /** Admissions that the quota had left; 0 where it plays no part. */
  readonly quotaLeft: number;
}

/** Number of the fixed window that a local time falls into. */
export function fixedWindowOf(context: JudgeContext, time: number): number {
  return Math.floor((time - context.freshAt) / context.windowMs);
}
