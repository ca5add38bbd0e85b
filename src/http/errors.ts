import type { KeyRole, TransportError } from '../spec/exchange.ts';
import type { TargetError } from '../target/errors.ts';

/** Codes of the reasons why a session does not send a request; stable, so that callers may rely on them. */
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

/** What gives a run more requests, by what holds it back. */
const RAISED = {
  'max-requests': 'Raise --max-requests, or run fewer checks with --only.',
  profile:
    'Take a larger profile (full takes more with --max-requests), or run fewer checks with --only.',
  restricted: 'Give the monitor a larger share of the monthly quota with --share.',
} as const;

/** The number of requests that the run may send with keys of a role is used up. Checks concerned stay untested. */
export class BudgetExhausted extends SessionError {
  /** What holds the run back: the user's bound, or that of the profile or of the restricted key. */
  readonly bound: keyof typeof RAISED;
  /** @param what it is a bound of; requests with valid keys by default */
  constructor(most: number, bound: keyof typeof RAISED = 'max-requests', what?: string) {
    const keys = bound === 'restricted' ? 'the restricted key' : 'valid keys';
    super(
      'ASSAY_BUDGET_EXHAUSTED',
      `The budget of ${most} ${what ?? `requests with ${keys}`} is used up.`,
      RAISED[bound],
    );
    this.name = 'BudgetExhausted';
    this.bound = bound;
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
  constructor(
    baseUrl: string,
    failures: number,
    { kind, message }: TransportError,
    answeredBefore: boolean,
  ) {
    const readable = kind !== 'too-large' && kind !== 'encoding';
    const does = !readable
      ? 'sends nothing that can be read'
      : answeredBefore
        ? 'stopped answering'
        : 'does not answer';
    const last = `${readable ? `${kind}: ` : ''}${message.replace(/\.$/, '')}`;
    // What plain HTTP meets may be TLS when connections are closed from the start.
    const tls = kind === 'reset' && !answeredBefore && baseUrl.startsWith('http://');
    super(
      'ASSAY_TARGET_UNREACHABLE',
      `${baseUrl} ${does}: ${failures} attempts in a row failed, the last one with: ${last}.`,
      kind === 'encoding'
        ? 'Look for what compresses answers, in the service or in front of it: the header Content-Encoding and the bodies do not agree.'
        : `${tls ? 'A service that speaks TLS on this port closes connections like this: its address begins with https://. Otherwise check' : 'Check'} the address, the port, the proxy and whether the service runs; \`assay doctor\` tells them apart.`,
    );
    this.name = 'TargetUnreachable';
  }
}

/** The target refuses keys that should be valid. The run ends, since no verdict could be reached. */
export class KeysRejected extends SessionError {
  constructor(keys: readonly string[], header: string, answers: number) {
    super(
      'ASSAY_KEYS_REJECTED',
      `The first ${answers} requests with ${keys.length === 1 ? `the key ${keys[0] ?? ''}` : 'valid keys'} were all answered with 401.`,
      `Check keys.valid or ASSAY_API_KEY, and that keys are sent in the header ${header} (auth.header); \`assay doctor\` tries each key.`,
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

/** The target fails on everything that valid keys ask, from the start. The run ends. */
export class TargetFails extends SessionError {
  constructor(baseUrl: string, answers: number, status: number) {
    super(
      'ASSAY_TARGET_FAILS',
      `${baseUrl} fails on everything: the first ${answers} answers to valid keys all had a status of 500 or more, the last one ${status}.`,
      'Look into the log of the service: it may lack its data or its store, or something in front of it does not reach it.',
    );
    this.name = 'TargetFails';
  }
}

/** The target lets requests hang, so often that the run would take hours. The run ends. */
export class TargetHangs extends SessionError {
  constructor(baseUrl: string, requests: number, spentMs: number, timeoutMs: number) {
    super(
      'ASSAY_TARGET_HANGS',
      `${baseUrl} let ${requests} requests hang until they timed out, ${Math.round(spentMs / 1000)} s in all.`,
      `Look for what holds the service up; when it is only slow, raise http.timeoutMs (now ${timeoutMs}).`,
    );
    this.name = 'TargetHangs';
  }
}

/** One endpoint lets every request hang. It is not asked again; the run goes on with the others. */
export class EndpointGivenUp extends SessionError {
  constructor(place: string, attempts: number) {
    super(
      'ASSAY_ENDPOINT_GIVEN_UP',
      `${place} let ${attempts} attempts in a row hang and was not asked again.`,
      'Look for what holds it up; when it is only slow, raise http.timeoutMs.',
    );
    this.name = 'EndpointGivenUp';
  }
}

/** What most likely makes a target give everybody the same refusal. */
const REFUSAL_CAUSES: Readonly<Record<string, string>> = {
  '403':
    'Most likely the keys are not entitled to these endpoints, or something in front of the service (firewall, bot protection, address list) refuses this client.',
  '404':
    'Most likely the base URL is wrong: check the host, and the path in front of the endpoints such as /v1.',
  redirect:
    'Most likely the base URL is not the final one: check http against https, the host, the path, and whether a login stands in front. Redirects are not followed, so that no key goes elsewhere.',
};

/** The target gives the same refusal to everything that valid keys ask. The run ends. */
export class TargetRefuses extends SessionError {
  constructor(baseUrl: string, kind: '403' | '404' | 'redirect', answers: number, before: boolean) {
    super(
      'ASSAY_TARGET_REFUSES',
      `${baseUrl} ${before ? `began to refuse everything: the last ${answers} answers` : `refuses everything: the first ${answers} answers`} to valid keys were all ${kind === 'redirect' ? 'redirects' : kind}.`,
      REFUSAL_CAUSES[kind] ?? '',
    );
    this.name = 'TargetRefuses';
  }
}

/** What answers is no implementation of the service, or its base URL is another one (ruling 23). The run ends. */
export class NotThisService extends SessionError {
  constructor(baseUrl: string, answers: number, instead: string) {
    super(
      'ASSAY_NOT_THIS_SERVICE',
      `${baseUrl} is not this service: ${answers} answers to valid keys, and none holds a resource of it. What came is ${instead}.`,
      'Check the base URL: the host, and the path in front of the endpoints such as /v1.',
    );
    this.name = 'NotThisService';
  }
}

/**
 * The journal cannot be written: the disk is full, read-only or broken. The run ends, for whatever it would still find
 * out could not be kept, and would have to be paid for again.
 */
export class JournalFailed extends SessionError {
  constructor(path: string, reason: string) {
    super(
      'ASSAY_JOURNAL',
      `The journal ${path} cannot be written: ${reason}. The run was stopped, so that no request is spent on answers that cannot be kept.`,
      'Make room on the disk, then go on with `assay run --resume` and the folder of this run.',
    );
    this.name = 'JournalFailed';
  }
}

/** The token for the gateway before the target is due, and its command gives no new one. The run ends. */
export class NoToken extends SessionError {
  constructor(cause: TargetError) {
    super('ASSAY_NO_TOKEN', cause.message, cause.hint);
    this.name = 'NoToken';
  }
}

/** The recording that is judged again does not hold the request. Checks concerned stay untested. */
export class NotRecorded extends SessionError {
  constructor(request: string) {
    super(
      'ASSAY_NOT_RECORDED',
      `not in the recording: ${request}.`,
      'Run against the service to find out.',
    );
    this.name = 'NotRecorded';
  }
}
