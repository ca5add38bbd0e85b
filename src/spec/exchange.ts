import type { EndpointPath } from './endpoints.ts';

/**
 * Which kind of key a request carried. `none`: no key header at all; `unknown`: a key that the service never issued;
 * the others are the roles of the target file.
 */
export type KeyRole =
  'valid' | 'disabled' | 'expired' | 'restricted' | 'nearQuota' | 'unknown' | 'none';

export const KEY_ROLES: readonly KeyRole[] = [
  'valid',
  'disabled',
  'expired',
  'restricted',
  'nearQuota',
  'unknown',
  'none',
];

/** What may keep a response away. */
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
 * What the wire carried besides the answer, none of which a well-behaved server does: answers of class 1xx before the
 * real one, bytes that nobody had asked for, a compressed body, a plain one that is labelled as compressed, a body that is
 * not UTF-8. In this order they are told.
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
  /** Body as text, redacted; the exact bytes as far as they are valid UTF-8. */
  readonly text: string;
  /** Size of the decoded body in bytes, before any cut. */
  readonly bytes: number;
  /** Set when `text` was cut at the recording bound. */
  readonly truncated?: true;
  /**
   * Set when only what the limiter says was recorded, as of most answers under load: the rate-limit headers, and the body
   * of refusals. An empty `text` then says nothing.
   */
  readonly limitsOnly?: true;
}

/** Place of an exchange in its run, by its id: 12 for `x12`. NaN for an id of another form. */
export const numberOf = (id: string): number =>
  /^x\d+$/.test(id) ? Number(id.slice(1)) : Number.NaN;

/** One request and its response, redacted at the moment it is recorded. Plain JSON. */
export interface Exchange {
  /** `x1`, `x2`, … in the order sent. */
  readonly id: string;
  /** Template of §4 that the path belongs to; null for other paths. */
  readonly endpoint: EndpointPath | null;
  readonly pathParameters: Readonly<Record<string, string>>;
  readonly role: KeyRole;
  /** Fingerprint of the key sent; null without a key. Never the key. */
  readonly key: string | null;
  readonly request: ExchangeRequest;
  /** Null when no complete response arrived. */
  readonly response: ExchangeResponse | null;
  readonly error: TransportError | null;
  /** Set when there was something odd about the connection or the encoding. */
  readonly oddities?: readonly Oddity[];
  /** Local time of sending and of the complete response, epoch ms. */
  readonly sentAt: number;
  readonly receivedAt: number;
  /** Target's clock minus local clock, ms, as known when the exchange was recorded (0 when unknown). */
  readonly skewMs: number;
  /** 1 for the first attempt, 2 and more for repeats after a transport error, a 503 or an unexpected 429. */
  readonly attempt: number;
  /** Number of the sequence that it belongs to: requests that prove something only together, such as a burst. */
  readonly sequence?: number;
  /**
   * Set when no check asked for it. `limit-probe`: one request more than a window admits. `interrupted`: sent before the
   * run was interrupted, and asked again after it, since no answer was seen or the sequence was cut short.
   */
  readonly purpose?: 'limit-probe' | 'interrupted';
}
