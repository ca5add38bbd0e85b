import { NO_DATA, type UntestedCause } from '../spec/cause.ts';

interface Hindered {
  /** Ids of what may keep a check from judging: exchanges with an unexpected answer, or a requirement. */
  readonly hinderedBy?: readonly string[];
}

/** Target or network did not give a usable answer: no response, a failed control, an unexpected 429, a 5xx. */
export class Inconclusive extends Error {
  readonly hinderedBy: readonly string[];

  constructor(reason: string, { hinderedBy = [], ...options }: ErrorOptions & Hindered = {}) {
    super(reason, options);
    this.name = 'Inconclusive';
    this.hinderedBy = hinderedBy;
  }
}

/**
 * The check did not run, or the target has no data for it. The cause says which; the reason names a missing key or fixture.
 */
export class Untested extends Error {
  override readonly cause: UntestedCause;

  readonly hinderedBy: readonly string[];

  constructor(reason: string, cause: UntestedCause = NO_DATA, { hinderedBy = [] }: Hindered = {}) {
    super(reason);
    this.name = 'Untested';
    this.cause = cause;
    this.hinderedBy = hinderedBy;
  }
}

/** Handles a rejection: continues otherwise when there is nothing to test. */
export const ifUntested =
  <Other>(otherwise: () => Other) =>
  (error: unknown): Other => {
    if (error instanceof Untested) return otherwise();
    throw error;
  };
