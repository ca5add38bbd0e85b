import { CodedError } from '../text/hinted-error.ts';

/**
 * An unusable recording. The message names file and position, the hint the fix. At most one character of the content is
 * shown, because it may contain keys.
 */
export class RecordingError extends CodedError('ASSAY_RECORDING') {}

/** Hint for a file that is not a recording. */
export const NAME_A_RECORDING =
  'Pass a HAR file, an NDJSON file with one exchange per line, or the results.json or exchanges.har of a run.';
