import { EXIT } from '../spec/exit-codes.ts';

/** Codes of load errors; stable, so that scripts may rely on them. */
export type LoadErrorCode =
  /** There is no k6 that can be used, nor a way to build one. */
  | 'ASSAY_K6_MISSING'
  /** The k6 that was named or found has a version that the scripts are not made for. */
  | 'ASSAY_K6_VERSION'
  /** The scenario, its options and the target do not go together. */
  | 'ASSAY_LOAD_USAGE'
  /** The target does not answer as the preparation of a scenario needs it. */
  | 'ASSAY_LOAD_TARGET'
  /** k6 or a script failed, or what they left behind is not this run's. */
  | 'ASSAY_LOAD_RUN';

/** Exit codes that a load error leads to. */
const EXIT_CODES: Readonly<Record<LoadErrorCode, number>> = {
  ASSAY_K6_MISSING: EXIT.usage,
  ASSAY_K6_VERSION: EXIT.usage,
  ASSAY_LOAD_USAGE: EXIT.usage,
  ASSAY_LOAD_TARGET: EXIT.incomplete,
  ASSAY_LOAD_RUN: EXIT.internal,
};

/** A scenario cannot be run or judged. The message says what happened, the hint what to do. */
export class LoadError extends Error {
  override readonly name = 'LoadError';
  readonly code: LoadErrorCode;
  readonly hint: string;

  constructor(code: LoadErrorCode, message: string, hint: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.hint = hint;
  }

  /** Exit code of a command that ends with this error. */
  get exitCode(): number {
    return EXIT_CODES[this.code];
  }
}
