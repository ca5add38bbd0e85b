import type { UntestedCause } from '../contract/cause.ts';
import type { SessionState } from '../ask/session.ts';
import type { Exchange } from '../contract/exchange.ts';
import type { Finding } from '../contract/finding.ts';
import type { RequirementId } from '../contract/requirement-id.ts';
import type { Reading } from '../rules/judgement.ts';
import type { Profile } from '../ask/profiles.ts';

/** The outcome of one check; `waived` comes later, from the waiver file. */
export type CheckOutcome =
  'passed' | 'failed' | 'warned' | 'observed' | 'inconclusive' | 'untested' | 'error';

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
  session?: SessionState;
}

declare module 'vitest' {
  interface TaskMeta {
    assay?: CheckMeta;
  }
}
