import { NO_DATA, type UntestedCause } from '../spec/cause.ts';

/** The target or the network withheld what was to be judged: no answer, a failed control, an unexpected 429, a 5xx. */
export class Inconclusive extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = 'Inconclusive';
  }
}

/**
 * The check was not tried, or the target shows nothing today that it could be tried on. The cause says which; a missing
 * key or fixture is named in the reason as well.
 */
export class Untested extends Error {
  override readonly cause: UntestedCause;

  constructor(reason: string, cause: UntestedCause = NO_DATA) {
    super(reason);
    this.name = 'Untested';
    this.cause = cause;
  }
}
