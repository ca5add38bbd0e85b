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

/** Hints to raise each limit. */
const RAISED = {
  'max-requests': 'Raise --max-requests, or select fewer requirements with --only.',
  profile:
    'Use a larger profile (full allows more with --max-requests), or select fewer requirements with --only.',
  monitor: "Raise the monitor's --share or --max-requests.",
} as const;

/** The request budget of a role is used up. Affected checks stay untested. */
export class BudgetExhausted extends SessionError {
  /** The exceeded limit: of the user, the profile or a run of a monitor. */
  readonly bound: keyof typeof RAISED;
  /** @param what what is limited */
  constructor(bound: keyof typeof RAISED, what: string) {
    super('ASSAY_BUDGET_EXHAUSTED', `The budget of ${what} is used up.`, RAISED[bound]);
    this.bound = bound;
  }
}

/** The role has no key. Affected checks stay untested. */
export class MissingKey extends SessionError {
  /** Setting of the key in the target file. */
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

/** The session was closed before the request was sent. */
export const sessionClosed = (): SessionError =>
  new SessionError(
    'ASSAY_SESSION_CLOSED',
    'The session is closed.',
    'Send requests before closing it.',
  );

/** The target is not an implementation of the service, or has a different base URL (ruling 23). Ends the run. */
export const notThisService = (
  baseUrl: string,
  ofValidKeys: number,
  received: string,
): SessionError =>
  new SessionError(
    'ASSAY_NOT_THIS_SERVICE',
    `${baseUrl} is not the service under test: none of the ${ofValidKeys} responses to requests with valid keys contains a resource of the service. Received ${received}.`,
    'Check the base URL: the host and the base path, such as /v1.',
  );

/**
 * The journal cannot be written: the disk is full, read-only or broken. Ends the run, because further answers could not
 * be saved and would cost quota again.
 */
export const journalFailed = (path: string, reason: string): SessionError =>
  new SessionError(
    'ASSAY_JOURNAL',
    `The journal ${path} cannot be written: ${reason}. The run was stopped, because further responses could not be saved.`,
    'Free up disk space, then continue with `assay run --resume` and the folder of this run.',
  );

/** The replayed recording does not contain the request. Affected checks stay untested. */
export const notRecorded = (request: string): SessionError =>
  new SessionError(
    'ASSAY_NOT_RECORDED',
    `not in the recording: ${request}.`,
    'Run against the service.',
  );
