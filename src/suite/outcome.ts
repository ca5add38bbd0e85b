import type { Exchange, KeyRole } from '../contract/exchange.ts';
import type { Finding } from '../contract/finding.ts';
import type { RequirementId } from '../contract/requirements.ts';
import type { Facts } from '../rules/facts.ts';
import type { Reading } from '../rules/judgement.ts';
import type { Profile } from './profiles.ts';

/** The outcome of one check; `waived` comes later, from the waiver file. */
export type CheckOutcome =
  'passed' | 'failed' | 'warned' | 'observed' | 'inconclusive' | 'untested' | 'error';

/** The check could not be judged: the control failed, the network did, or the limiter or a 5xx got in the way. */
export class Inconclusive extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = 'Inconclusive';
  }
}

/** The check was not tried: a key, a fixture or budget is missing. The reason names the setting to add. */
export class Untested extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'Untested';
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
  outcome?: { kind: CheckOutcome; reason: string | null };
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
