import type { UntestedCause } from '../spec/cause.ts';
import type { SessionState } from '../ask/session.ts';
import type { Finding } from '../spec/finding.ts';
import type { RequirementId } from '../spec/requirement-id.ts';
import type { Reading } from '../judge/judgement.ts';
import type { Profile } from '../ask/profiles.ts';

/** The outcome of one check, before waivers. */
export type CheckOutcome =
  | 'passed'
  | 'failed'
  | 'warned'
  | 'observed'
  | 'inconclusive'
  | 'untested'
  | 'error';

/** The exchanges violate the requirement. The message is shown when the check runs in an editor. */
export class Violation extends Error {
  readonly findings: readonly Finding[];
  constructor(message: string, findings: readonly Finding[]) {
    super(message);
    this.name = 'Violation';
    this.findings = findings;
  }
}

/** The result of a check as meta of its test. Plain JSON only, because an editor passes it to another thread. */
export interface CheckMeta {
  readonly requirement: RequirementId;
  readonly check: string;
  readonly profile: Profile;
  outcome?: {
    kind: CheckOutcome;
    reason: string | null;
    /** Set for untested checks. */
    cause?: UntestedCause;
    /** Ids of exchanges or requirements that may keep it from judging. */
    hinderedBy?: readonly string[];
  };
  /** Those of a property may be about other requirements. */
  findings?: readonly Finding[];
  readings?: readonly Reading[];
  /** Ids of the exchanges that were judged. */
  judged?: readonly string[];
  /** State of the session after this check. */
  session?: SessionState;
}

declare module '@vitest/runner' {
  interface TaskMeta {
    assay?: CheckMeta;
  }
}
