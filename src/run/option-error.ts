import { HintedError } from '../text/hinted-error.ts';

/** An invalid option of the programmatic API. Same code as for an invalid command line. */
export class OptionError extends HintedError<'ASSAY_USAGE'> {
  constructor(message: string, hint: string) {
    super('ASSAY_USAGE', message, hint);
  }
}
