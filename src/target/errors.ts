import { HintedError } from '../text/hinted-error.ts';

/** Codes of configuration errors; a public interface for scripts. */
export type TargetErrorCode =
  /** The file cannot be read. */
  | 'ASSAY_TARGET_UNREADABLE'
  /** The file is not YAML or JSON. */
  | 'ASSAY_TARGET_SYNTAX'
  /** A setting is unknown or has an invalid value. */
  | 'ASSAY_TARGET_INVALID'
  /** A `${VARIABLE}` of the file is not set. */
  | 'ASSAY_TARGET_VARIABLE'
  /** The base URL is missing or invalid. */
  | 'ASSAY_TARGET_BASE_URL'
  /** No valid key is configured, or a key cannot be used. */
  | 'ASSAY_TARGET_KEY'
  /** The http.bearer command fails or prints no token. */
  | 'ASSAY_TARGET_BEARER'
  /** The clock control of a test target does not work. */
  | 'ASSAY_TARGET_CLOCK';

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

/** Formats a problem as one line: `target.yaml:3:5: keys.valid[0]: …`. */
export function problemLine(file: string, problem: TargetProblem): string {
  const location =
    problem.line === null ? file : `${file}:${problem.line}:${String(problem.column ?? 1)}`;
  return `${location}: ${problem.setting === '' ? '' : `${problem.setting}: `}${problem.message}`;
}
