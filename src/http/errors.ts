import type { KeyRole } from '../contract/exchange.ts';

/** Codes of the reasons why a session does not send a request; stable, so that callers may rely on them. */
export type SessionErrorCode =
  | 'ASSAY_BUDGET_EXHAUSTED'
  | 'ASSAY_MISSING_KEY'
  | 'ASSAY_TARGET_UNREACHABLE'
  | 'ASSAY_KEYS_REJECTED'
  | 'ASSAY_TARGET_THROTTLED'
  | 'ASSAY_TARGET_UNAVAILABLE'
  | 'ASSAY_SESSION_CLOSED';

/** A request was not sent, for a reason outside the behaviour that is judged. */
export class SessionError extends Error {
  readonly code: SessionErrorCode;
  /** The way out. */
  readonly hint: string;

  constructor(code: SessionErrorCode, message: string, hint: string) {
    super(message);
    this.name = 'SessionError';
    this.code = code;
    this.hint = hint;
  }
}

/** The number of requests with valid keys that the run may send is used up. Checks concerned stay untested. */
export class BudgetExhausted extends SessionError {
  constructor(maxRequests: number) {
    super(
      'ASSAY_BUDGET_EXHAUSTED',
      `The budget of ${maxRequests} requests with valid keys is used up.`,
      'Raise --max-requests, or run fewer checks with --only.',
    );
    this.name = 'BudgetExhausted';
  }
}

const ROLE_SETTING: Readonly<Record<KeyRole, string>> = {
  valid: 'keys.valid',
  disabled: 'keys.disabled',
  expired: 'keys.expired',
  restricted: 'keys.restricted',
  nearQuota: 'keys.nearQuota',
  unknown: 'keys.valid',
  none: 'keys.valid',
};

/** No key of the role is configured. Checks concerned stay untested. */
export class MissingKey extends SessionError {
  /** Setting of the target file that gives the key. */
  readonly setting: string;

  constructor(role: KeyRole, keyIndex?: number) {
    const setting = ROLE_SETTING[role];
    const which = keyIndex === undefined ? setting : `${setting}[${keyIndex}]`;
    super(
      'ASSAY_MISSING_KEY',
      `${which} is not set in the target file.`,
      `Add ${setting} to the target file.`,
    );
    this.name = 'MissingKey';
    this.setting = setting;
  }
}

/** No answer has ever arrived, or the target stopped answering. The run ends. */
export class TargetUnreachable extends SessionError {
  constructor(baseUrl: string, failures: number, last: string, answeredBefore: boolean) {
    super(
      'ASSAY_TARGET_UNREACHABLE',
      `${baseUrl} ${answeredBefore ? 'stopped answering' : 'does not answer'}: ${failures} attempts in a row failed, the last one with: ${last}`,
      'Check the address, the port, the proxy and whether the service runs.',
    );
    this.name = 'TargetUnreachable';
  }
}

/** The target refuses keys that should be valid. The run ends, since no verdict could be reached. */
export class KeysRejected extends SessionError {
  constructor(keys: readonly string[], header: string, answers: number) {
    super(
      'ASSAY_KEYS_REJECTED',
      `The first ${answers} requests with ${keys.length === 1 ? `the valid key ${keys[0] ?? ''}` : 'valid keys'} were all answered with 401.`,
      `Check keys.valid or ASSAY_API_KEY, and that keys are sent in the header ${header} (auth.header).`,
    );
    this.name = 'KeysRejected';
  }
}

/** Valid keys are refused with 429 although whole windows were waited for. The run ends. */
export class TargetThrottled extends SessionError {
  constructor(baseUrl: string, waits: number) {
    super(
      'ASSAY_TARGET_THROTTLED',
      `${baseUrl} keeps answering 429, also after waiting ${waits} times for the window to end.`,
      'The monthly quota of the keys may be used up, someone else may use them, or limits.windowMs may be too short for this target.',
    );
    this.name = 'TargetThrottled';
  }
}

/** The session was closed before the request was sent. */
export class SessionClosed extends SessionError {
  constructor() {
    super('ASSAY_SESSION_CLOSED', 'The session is closed.', 'Send requests before closing it.');
    this.name = 'SessionClosed';
  }
}

/** The target answers every request with 503, again and again. The run ends. */
export class TargetUnavailable extends SessionError {
  constructor(baseUrl: string, requests: number) {
    super(
      'ASSAY_TARGET_UNAVAILABLE',
      `${baseUrl} is unavailable: ${requests} requests in a row were answered with 503, each after repeats.`,
      'Wait until the maintenance is over, or check what stands in front of the service.',
    );
    this.name = 'TargetUnavailable';
  }
}
