import { NO_DATA, type UntestedCause } from '../contract/cause.ts';
import type { Exchange, KeyRole } from '../contract/exchange.ts';
import type { Finding } from '../contract/finding.ts';
import type { RequirementId } from '../contract/requirement-id.ts';
import type { Facts } from '../rules/facts.ts';
import type { Reading } from '../rules/judgement.ts';
import type { Profile } from './profiles.ts';

/** The outcome of one check; `waived` comes later, from the waiver file. */
export type CheckOutcome =
  'passed' | 'failed' | 'warned' | 'observed' | 'inconclusive' | 'untested' | 'error';

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

/** The exchanges violate the requirement. The message is for a person who runs the check in an editor. */
export class Violation extends Error {
  readonly findings: readonly Finding[];
  constructor(message: string, findings: readonly Finding[]) {
    super(message);
    this.name = 'Violation';
    this.findings = findings;
  }
}

/**
 * What a check leaves behind for the run, as Vitest test meta. Plain JSON only: a value that cannot be cloned would
 * lose the results of the whole file.
 */
export interface CheckMeta {
  readonly requirement: RequirementId;
  readonly check: string;
  readonly profile: Profile;
  outcome?: {
    kind: CheckOutcome;
    reason: string | null;
    /** Set when it is untested. */
    cause?: UntestedCause;
  };
  findings?: readonly Finding[];
  readings?: readonly Reading[];
  /** Ids of the exchanges that were judged. */
  judged?: readonly string[];
  /** Exchanges that arrived while this check ran, whoever asked for them first. */
  exchanges?: Exchange[];
  /** State of the session after this check. */
  session?: {
    readonly total: number;
    readonly byRole: Readonly<Partial<Record<KeyRole, number>>>;
    readonly waitedMs: number;
    readonly facts: Facts;
    /** Fingerprints of keys by role. */
    readonly keys: Readonly<Partial<Record<KeyRole, readonly string[]>>>;
    /** Set when the run cannot go on: unreachable, or keys rejected. */
    readonly fatal: {
      readonly code: string;
      readonly message: string;
      readonly hint: string;
    } | null;
  };
}

declare module 'vitest' {
  interface TaskMeta {
    assay?: CheckMeta;
  }
}
