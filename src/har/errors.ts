/**
 * A recording cannot be used. The message names the file and the place in it, the hint the way out. Nothing of the
 * content is repeated beyond one character: it may hold keys.
 */
export class RecordingError extends Error {
  readonly code = 'ASSAY_RECORDING';
  readonly hint: string;
  constructor(message: string, hint: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'RecordingError';
    this.hint = hint;
  }
}

/** What to do about a file that is no recording at all. */
export const NAME_A_RECORDING =
  'Name a HAR file, a file with one exchange a line, or the results.json or exchanges.har of a run.';
