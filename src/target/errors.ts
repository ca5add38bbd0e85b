/** Codes of configuration errors; stable, so that scripts may rely on them. */
export type TargetErrorCode =
  /** The file cannot be read. */
  | 'ASSAY_TARGET_UNREADABLE'
  /** The file is not YAML or JSON. */
  | 'ASSAY_TARGET_SYNTAX'
  /** A setting is unknown or has a wrong value. */
  | 'ASSAY_TARGET_INVALID'
  /** A `${VARIABLE}` of the file is not set. */
  | 'ASSAY_TARGET_VARIABLE'
  /** No base URL is given, or one that cannot be used. */
  | 'ASSAY_TARGET_BASE_URL'
  /** No valid key is given, or a key that cannot be used. */
  | 'ASSAY_TARGET_KEY'
  /** The command that prints the token for a gateway fails, or prints none. */
  | 'ASSAY_TARGET_BEARER'
  /** The clock control of a test target does not work. */
  | 'ASSAY_TARGET_CLOCK';

/** Where in a target file something is wrong. Line and column count from 1. */
export interface TargetProblem {
  /** Path of the setting, such as `keys.valid[0]`; empty for the file as a whole. */
  readonly setting: string;
  readonly line: number | null;
  readonly column: number | null;
  readonly message: string;
}

/** The configuration of the target cannot be used. The message names the place, the hint the way out. */
export class TargetError extends Error {
  readonly code: TargetErrorCode;
  readonly hint: string;
  /** The file concerned; null when the trouble comes from flags or the environment. */
  readonly file: string | null;
  readonly problems: readonly TargetProblem[];

  constructor(
    code: TargetErrorCode,
    message: string,
    hint: string,
    place: { file?: string | null; problems?: readonly TargetProblem[]; cause?: unknown } = {},
  ) {
    super(message, place.cause === undefined ? undefined : { cause: place.cause });
    this.name = 'TargetError';
    this.code = code;
    this.hint = hint;
    this.file = place.file ?? null;
    this.problems = place.problems ?? [];
  }
}

/** One line for a problem: `target.yaml:3:5: keys.valid[0]: …`. */
export function problemLine(file: string, problem: TargetProblem): string {
  const place =
    problem.line === null ? file : `${file}:${problem.line}:${String(problem.column ?? 1)}`;
  return `${place}: ${problem.setting === '' ? '' : `${problem.setting}: `}${problem.message}`;
}
