/** An invalid option of the programmatic API. Same code as for an invalid command line. */
export class OptionError extends Error {
  readonly code = 'ASSAY_USAGE';
  readonly hint: string;
  constructor(message: string, hint: string) {
    super(message);
    this.name = 'OptionError';
    this.hint = hint;
  }
}
