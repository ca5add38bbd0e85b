/** An interrupted run cannot be taken up, or a run cannot keep a journal. Nothing was sent. A matter of usage. */
export class JournalError extends Error {
  readonly code = 'ASSAY_RESUME';
  /** The way out. */
  readonly hint: string;

  constructor(message: string, hint: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'JournalError';
    this.hint = hint;
  }
}
