/** An error with a code that scripts may rely on, and a hint that says what to do. */
export class HintedError<Code extends string> extends Error {
  readonly code: Code;
  readonly hint: string;

  constructor(code: Code, message: string, hint: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
    this.hint = hint;
  }
}

/** A base class for errors with the given code. */
export const CodedError = <Code extends string>(code: Code) =>
  class extends HintedError<Code> {
    constructor(message: string, hint: string, options?: ErrorOptions) {
      super(code, message, hint, options);
    }
  };
