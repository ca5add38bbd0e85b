import { HintedError } from '../text/hinted-error.ts';

/** Codes of configuration errors (`docs/errors.md`); a public interface for scripts. */
export type TargetErrorCode =
  `ASSAY_TARGET_${'UNREADABLE' | 'SYNTAX' | 'INVALID' | 'VARIABLE' | 'BASE_URL' | 'KEY' | 'BEARER' | 'CLOCK'}`;

/** A problem in a target file. Line and column count from 1. */
export interface TargetProblem {
  /** Path of the setting, such as `keys.valid[0]`; empty for the file as a whole. */
  readonly setting: string;
  readonly line: number | null;
  readonly column: number | null;
  readonly message: string;
}

/** The target configuration is invalid. The message names the position, the hint the fix. */
export class TargetError extends HintedError<TargetErrorCode> {}
