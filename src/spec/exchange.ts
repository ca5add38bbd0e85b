import type { EndpointPath } from './endpoints.ts';
import type { KeyVariation } from './near-keys.ts';

/**
 * Role of the key in a request. `none`: no key header; `unknown`: a key that the service never issued; the others are
 * roles in the target file.
 */
export type KeyRole = (typeof KEY_ROLES)[number];

export const KEY_ROLES = [
  'valid',
  'disabled',
  'expired',
  'restricted',
  'nearQuota',
  'unknown',
  'none',
] as const;

/** Roles whose keys are never valid. */
export const BAD_KEYS: readonly string[] = [
  'none',
  'unknown',
  'disabled',
  'expired',
] satisfies readonly KeyRole[];

/** Kinds of transport errors. */
export const TRANSPORT_ERRORS = [
  'refused',
  'dns',
  'tls',
  'reset',
  'timeout',
  'too-large',
  'protocol',
  'encoding',
  'aborted',
  'other',
] as const;

/** Why no response arrived. */
export interface TransportError {
  readonly kind: (typeof TRANSPORT_ERRORS)[number];
  readonly message: string;
}

/**
 * Transport anomalies that a well-behaved server does not cause: 1xx responses, unsolicited bytes, a compressed body,
 * an uncompressed one labelled as compressed, a body that is not UTF-8. Reported in this order.
 */
export const ODDITIES = [
  'interim-answers',
  'stray-bytes',
  'compressed',
  'mislabelled',
  'invalid-utf8',
] as const;
export type Oddity = (typeof ODDITIES)[number];

export interface ExchangeRequest {
  readonly method: string;
  /** Full URL as sent. */
  readonly url: string;
  /** Path relative to the base URL, encoded as sent, without the query. */
  readonly path: string;
  /** Query parameters in the order sent, decoded. */
  readonly query: readonly (readonly [string, string])[];
  /** Headers as sent; the value of the key header is redacted. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface ExchangeResponse {
  readonly status: number;
  /** Header names lower-cased; repeated headers are joined by ", ". */
  readonly headers: Readonly<Record<string, string>>;
  /** Redacted body as text; exact if it is valid UTF-8. */
  readonly text: string;
  /** Size of the decoded body in bytes, before truncation. */
  readonly bytes: number;
  /** Set when `text` was truncated. */
  readonly truncated?: true;
  /**
   * Set when only rate-limit headers and the bodies of 429s were recorded, as for most responses under load. An empty
   * `text` means nothing then.
   */
  readonly limitsOnly?: true;
}

/** Number of an exchange in its run: 12 for the id `x12`; NaN for an invalid id. */
export const numberOf = (id: string): number =>
  /^x\d+$/.test(id) ? Number(id.slice(1)) : Number.NaN;

/** A request and its response, redacted when recorded. Plain JSON. */
export interface Exchange {
  /** `x1`, `x2`, … in the order sent. */
  readonly id: string;
  /** Path template of §4; null for other paths. */
  readonly endpoint: EndpointPath | null;
  readonly pathParameters: Readonly<Record<string, string>>;
  readonly role: KeyRole;
  /** Fingerprint of the key, never the key itself; null without a key. */
  readonly key: string | null;
  /** Which variation of a valid key an unknown key is, or which word. */
  readonly variation?: KeyVariation;
  readonly request: ExchangeRequest;
  /** Null when no complete response arrived. */
  readonly response: ExchangeResponse | null;
  readonly error: TransportError | null;
  /** Anomalies of the connection or the encoding, if any. */
  readonly oddities?: readonly Oddity[];
  /** Local time of sending and of the complete response, epoch ms. */
  readonly sentAt: number;
  readonly receivedAt: number;
  /** Target's clock minus local clock when the exchange was recorded, ms; 0 when unknown. */
  readonly skewMs: number;
  /** 1 for the first attempt, 2 and more for retries after a transport error, a 503 or an unexpected 429. */
  readonly attempt: number;
  /** Number of its sequence: requests that are conclusive only together, such as a burst. */
  readonly sequence?: number;
  /**
   * Set when no check asked for it. `limit-probe`: a request beyond the limit. `interrupted`: sent before an
   * interruption and repeated, because it had no answer or its sequence was incomplete.
   */
  readonly purpose?: 'limit-probe' | 'interrupted';
}

/**
 * The role of a key of which nothing is told: that of its fingerprint, `unknown` if it has none and was refused. Judges do not
 * infer roles: a refusal proves nothing about itself.
 * @param keys fingerprints by role
 */
export function inferredRole(
  { role, key, response }: Exchange,
  keys: Readonly<Partial<Record<KeyRole, readonly string[]>>> = {},
): KeyRole {
  if (role !== 'valid') return role;
  if (key === null) return response?.status === 401 ? 'unknown' : role;
  return KEY_ROLES.find((one) => keys[one]?.includes(key)) ?? role;
}
