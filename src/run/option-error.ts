import { CodedError } from '../text/hinted-error.ts';

/** An invalid option of the programmatic API. Same code as for an invalid command line. */
export class OptionError extends CodedError('ASSAY_USAGE') {}
