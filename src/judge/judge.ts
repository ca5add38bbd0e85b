import type { Context } from './context.ts';
import type { OwnJudgement } from './judgement.ts';
import type { View } from './view.ts';

export type { OwnJudgement } from './judgement.ts';

/** Decides from answers whether a requirement holds. Pure: never sends. */
export interface Judge {
  /** Judges one answer at a time. */
  readonly each?: (view: View, context: Context, it: OwnJudgement) => void;
  /** Judges all answers together, in the order sent, including those of other endpoints. */
  readonly all?: (views: readonly View[], context: Context, it: OwnJudgement) => void;
}

export const judgeEach = (each: NonNullable<Judge['each']>): Judge => ({ each });

export const judgeAll = (all: NonNullable<Judge['all']>): Judge => ({ all });
