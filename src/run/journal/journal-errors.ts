import { HintedError } from '../../text/hinted-error.ts';

/** An interrupted run cannot be resumed, or a journal cannot be written. No requests were sent. */
export class JournalError extends HintedError<'ASSAY_RESUME'> {
  constructor(message: string, hint: string, options?: ErrorOptions) {
    super('ASSAY_RESUME', message, hint, options);
  }
}
