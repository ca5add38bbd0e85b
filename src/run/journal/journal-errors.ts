/** An interrupted run cannot be resumed, or a journal cannot be written. No requests were sent. */
export class JournalError extends Error {
  readonly code = 'ASSAY_RESUME';
  /** What the user can do. */
  readonly hint: string;

  constructor(message: string, hint: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'JournalError';
    this.hint = hint;
  }
}
