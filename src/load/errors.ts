import { HintedError } from '../text/hinted-error.ts';

/** Codes of load errors (`docs/errors.md`); scripts may rely on them. */
type LoadErrorCode =
  `ASSAY_${'K6_MISSING' | 'K6_VERSION' | 'LOAD_USAGE' | 'LOAD_TARGET' | 'LOAD_RUN'}`;

/** A scenario cannot be run or judged. */
export class LoadError extends HintedError<LoadErrorCode> {}

/** k6 or a script failed, or there is no usable recording. */
export const runFailed = (message: string, hint: string, cause?: unknown): LoadError =>
  new LoadError('ASSAY_LOAD_RUN', message, hint, { cause });

/** The scenario, its options and the target do not match. */
export const usage = (message: string, hint: string): LoadError =>
  new LoadError('ASSAY_LOAD_USAGE', message, hint);
