import { NO_DATA, type UntestedCause } from '../spec/cause.ts';

/** Target or network did not give a usable answer: no response, a failed control, an unexpected 429, a 5xx. */
export class Inconclusive extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = 'Inconclusive';
  }
}

/**
 * The check did not run, or the target has no data for it. The cause says which; the reason names a missing key or fixture.
 */
export class Untested extends Error {
  override readonly cause: UntestedCause;

  constructor(reason: string, cause: UntestedCause = NO_DATA) {
    super(reason);
    this.name = 'Untested';
    this.cause = cause;
  }
}

/** Handles a rejection: continues otherwise when there is nothing to test. */
export const ifUntested =
  <Other>(otherwise: () => Other) =>
  (error: unknown): Other => {
    if (error instanceof Untested) return otherwise();
    throw error;
  };
