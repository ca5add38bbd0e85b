import type { KeyRole } from '../spec/exchange.ts';
import { HintedError } from '../text/hinted-error.ts';

/** Codes for why a session does not send a request; a public interface. */
export type SessionErrorCode =
  | 'ASSAY_BUDGET_EXHAUSTED'
  | 'ASSAY_MISSING_KEY'
  | 'ASSAY_TARGET_UNREACHABLE'
  | 'ASSAY_KEYS_REJECTED'
  | 'ASSAY_TARGET_THROTTLED'
  | 'ASSAY_TARGET_UNAVAILABLE'
  | 'ASSAY_TARGET_FAILS'
  | 'ASSAY_TARGET_HANGS'
  | 'ASSAY_TARGET_REFUSES'
  | 'ASSAY_NOT_THIS_SERVICE'
  | 'ASSAY_ENDPOINT_GIVEN_UP'
  | 'ASSAY_SESSION_CLOSED'
  | 'ASSAY_JOURNAL'
  | 'ASSAY_NO_TOKEN'
  | 'ASSAY_NOT_RECORDED';

/** A request was not sent, for a reason other than the judged behaviour. */
export class SessionError extends HintedError<SessionErrorCode> {}

const RAISED = {
  'max-requests': 'Raise --max-requests, or select fewer requirements with --only.',
  profile:
    'Use a larger profile (full allows more with --max-requests), or select fewer requirements with --only.',
  retries: 'Run again when the target answers without transient failures.',
  monitor: "Raise the monitor's --share or --max-requests.",
} as const;

/** The request budget of a role is used up. Affected checks stay untested, or inconclusive where retries used it up. */
export class BudgetExhausted extends SessionError {
  /** The exceeded limit: of the user, the profile, its retries or a run of a monitor. */
  readonly bound: keyof typeof RAISED;
  /** @param what what is limited */
  constructor(bound: keyof typeof RAISED, what: string) {
    super('ASSAY_BUDGET_EXHAUSTED', `The budget of ${what} is used up.`, RAISED[bound]);
    this.bound = bound;
  }
}

/** The role has no key. Affected checks stay untested. */
export class MissingKey extends SessionError {
  readonly setting: string;

  constructor(role: KeyRole, keyIndex?: number) {
    const setting = `keys.${role === 'unknown' || role === 'none' ? 'valid' : role}`;
    const which = keyIndex === undefined ? setting : `${setting}[${keyIndex}]`;
    super(
      'ASSAY_MISSING_KEY',
      `${which} is not set in the target file.`,
      `Add ${setting} to the target file.`,
    );
    this.setting = setting;
  }
}
