import { HintedError } from '../text/hinted-error.ts';

/** Codes of load errors; scripts may rely on them. */
export type LoadErrorCode =
  /** No usable k6, and no way to build one. */
  | 'ASSAY_K6_MISSING'
  /** The k6 has a version that the scripts do not support. */
  | 'ASSAY_K6_VERSION'
  /** The scenario, its options and the target do not match. */
  | 'ASSAY_LOAD_USAGE'
  /** The target does not answer as a scenario needs it to. */
  | 'ASSAY_LOAD_TARGET'
  /** k6 or a script failed, or its output is not from this run. */
  | 'ASSAY_LOAD_RUN';

/** A scenario cannot be run or judged. */
export class LoadError extends HintedError<LoadErrorCode> {
  constructor(code: LoadErrorCode, message: string, hint: string, cause?: unknown) {
    super(code, message, hint, cause === undefined ? undefined : { cause });
  }
}

/** The scenario, its options and the target do not match. */
export const usage = (message: string, hint: string): LoadError =>
  new LoadError('ASSAY_LOAD_USAGE', message, hint);
