import type { KeyRole, TransportError } from '../spec/exchange.ts';
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
  restricted: "Raise the monitor's share of the monthly quota with --share.",
} as const;

/** The request budget of a role is used up. Affected checks stay untested. */
export class BudgetExhausted extends SessionError {
  /** The exceeded limit: of the user, the profile or the restricted key. */
  readonly bound: keyof typeof RAISED;
  /** @param what what is limited; default: requests with valid keys */
  constructor(most: number, bound: keyof typeof RAISED = 'max-requests', what?: string) {
    const keys = bound === 'restricted' ? 'the restricted key' : 'valid keys';
    super(
      'ASSAY_BUDGET_EXHAUSTED',
      `The budget of ${most} ${what ?? `requests with ${keys}`} is used up.`,
      RAISED[bound],
    );
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

/** The role has no key. Affected checks stay untested. */
export class MissingKey extends SessionError {
  /** Setting of the key in the target file. */
  readonly setting: string;

  constructor(role: KeyRole, keyIndex?: number) {
    const setting = ROLE_SETTING[role];
    const which = keyIndex === undefined ? setting : `${setting}[${keyIndex}]`;
    super(
      'ASSAY_MISSING_KEY',
      `${which} is not set in the target file.`,
      `Add ${setting} to the target file.`,
    );
    this.setting = setting;
  }
}

/** The target does not respond, or stopped responding. Ends the run. */
export function targetUnreachable(
  baseUrl: string,
  failures: number,
  { kind, message }: TransportError,
  answeredBefore: boolean,
): SessionError {
  const readable = kind !== 'too-large' && kind !== 'encoding';
  const does = !readable
    ? 'sends only unreadable responses'
    : answeredBefore
      ? 'stopped responding'
      : 'does not respond';
  const last = `${readable ? `${kind}: ` : ''}${message.replace(/\.$/, '')}`;
  // A service that expects TLS closes plain HTTP connections immediately.
  const tls = kind === 'reset' && !answeredBefore && baseUrl.startsWith('http://');
  return new SessionError(
    'ASSAY_TARGET_UNREACHABLE',
    `${baseUrl} ${does}: ${failures} consecutive attempts failed, the last one with: ${last}.`,
    kind === 'encoding'
      ? 'Find out what compresses responses, in the service or in front of it: the Content-Encoding header does not match the bodies.'
      : `${tls ? 'If the service expects TLS on this port, use https://. Otherwise check' : 'Check'} host, port and proxy, and whether the service is running; \`assay doctor\` checks them one by one.`,
  );
}

/** The target rejects valid keys. Ends the run, because no verdict is possible. */
export const keysRejected = (
  keys: readonly string[],
  header: string,
  answers: number,
): SessionError =>
  new SessionError(
    'ASSAY_KEYS_REJECTED',
    `The first ${answers} requests with ${keys.length === 1 ? `the key ${keys[0] ?? ''}` : 'valid keys'} were all answered with 401.`,
    `Check keys.valid or ASSAY_API_KEY, and check that the target expects keys in the header ${header} (auth.header); \`assay doctor\` tries each key.`,
  );

/** Valid keys get 429 even after waiting for whole windows. Ends the run. */
export const targetThrottled = (baseUrl: string, waits: number): SessionError =>
  new SessionError(
    'ASSAY_TARGET_THROTTLED',
    `${baseUrl} keeps answering 429, even after Assay waited ${waits} times for the end of the window.`,
    'The monthly quota may be used up, someone else may be using the keys, or limits.windowMs may be too short for this target.',
  );

/** The session was closed before the request was sent. */
export const sessionClosed = (): SessionError =>
  new SessionError(
    'ASSAY_SESSION_CLOSED',
    'The session is closed.',
    'Send requests before closing it.',
  );

/** The target answers every request with 503. Ends the run. */
export const targetUnavailable = (baseUrl: string, requests: number): SessionError =>
  new SessionError(
    'ASSAY_TARGET_UNAVAILABLE',
    `${baseUrl} is unavailable: ${requests} consecutive requests were answered with 503, even after retries.`,
    'Wait until the maintenance is over, or check the proxies in front of the service.',
  );

/** The target answers every valid key with 5xx from the start. Ends the run. */
export const targetFails = (baseUrl: string, answers: number, status: number): SessionError =>
  new SessionError(
    'ASSAY_TARGET_FAILS',
    `${baseUrl} fails every request: the first ${answers} responses to requests with valid keys were all 5xx, and the last one was ${status}.`,
    'Check the logs of the service: the database may be unavailable, or a proxy may not be able to reach the service.',
  );

/** So many requests time out that the run would take hours. Ends the run. */
export const targetHangs = (
  baseUrl: string,
  requests: number,
  spentMs: number,
  timeoutMs: number,
): SessionError =>
  new SessionError(
    'ASSAY_TARGET_HANGS',
    `${requests} requests to ${baseUrl} timed out, after ${Math.round(spentMs / 1000)} s in total.`,
    `Find out what blocks the service; if it is only slow, raise http.timeoutMs (now ${timeoutMs}).`,
  );

/** One endpoint keeps timing out and is no longer requested; the run continues with the others. */
export const endpointGivenUp = (endpoint: string, attempts: number): SessionError =>
  new SessionError(
    'ASSAY_ENDPOINT_GIVEN_UP',
    `${attempts} consecutive requests to ${endpoint} timed out, so it was not requested again.`,
    'Find out what blocks the endpoint; if it is only slow, raise http.timeoutMs.',
  );

/** The same refusal of everything, and its likely causes. */
const REFUSAL_CAUSES = {
  key: 'The codes say that the key is unknown or expired: set the right one in keys.valid or ASSAY_API_KEY; `assay doctor` tries each key.',
  '403':
    'Most likely the keys have no access to these endpoints, or something in front of the service (firewall, bot protection, IP allowlist) blocks this client.',
  '404': 'Most likely the base URL is wrong: check the host and the base path, such as /v1.',
  redirect:
    'Most likely the base URL is not the final one: check scheme, host and path, and whether there is a login page. Redirects are not followed because they could leak keys.',
} as const;
export type RefusalCause = keyof typeof REFUSAL_CAUSES;
export type RefusalKind = Exclude<RefusalCause, 'key'>;

/** The target refuses every request with a valid key in the same way. Ends the run. */
export const targetRefuses = (
  baseUrl: string,
  kind: RefusalKind,
  answers: number,
  before: boolean,
  cause: RefusalCause = kind,
): SessionError =>
  new SessionError(
    'ASSAY_TARGET_REFUSES',
    `${baseUrl} ${before ? `started to refuse every request: the last ${answers} responses` : `refuses every request: the first ${answers} responses`} to requests with valid keys were all ${kind === 'redirect' ? 'redirects' : kind}.`,
    REFUSAL_CAUSES[cause],
  );

/** The target is not an implementation of the service, or has a different base URL (ruling 23). Ends the run. */
export const notThisService = (
  baseUrl: string,
  answers: number,
  ofValidKeys: number,
  received: string,
): SessionError =>
  new SessionError(
    'ASSAY_NOT_THIS_SERVICE',
    `${baseUrl} is not the service under test: none of ${answers} responses (${ofValidKeys} to requests with valid keys) contains a resource of the service. Received ${received}.`,
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
