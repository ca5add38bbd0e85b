/** An option of a program that calls Assay cannot be used. The code is that of the command line for the same mistake. */
export class OptionError extends Error {
  readonly code = 'ASSAY_USAGE';
  readonly hint: string;
  constructor(message: string, hint: string) {
    super(message);
    this.name = 'OptionError';
    this.hint = hint;
  }
}
