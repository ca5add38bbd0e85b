import type { Exchange, KeyRole } from '../contract/exchange.ts';
import type { KeyRing } from '../target/keys.ts';
import type { ClientAnswer } from './client.ts';
import type { RequestTarget } from './request-url.ts';

/** Headers whose value is a secret, whoever set them. */
const SECRET_HEADERS: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
  'api-key',
  'x-auth-token',
  'x-amz-security-token',
]);

/** True when the value of the header is a credential and not to be recorded. */
export function isSecretHeader(name: string): boolean {
  return SECRET_HEADERS.has(name.toLowerCase());
}

export interface Recording {
  readonly id: string;
  readonly target: RequestTarget;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly role: KeyRole;
  readonly key: string | null;
  readonly answer: ClientAnswer;
  readonly skewMs: number;
  readonly attempt: number;
}

/**
 * Turns what was sent and received into exchanges. Everything is redacted here, before anyone else sees it.
 * Writes nothing itself.
 */
export class Recorder {
  readonly #ring: KeyRing;
  readonly #listeners: ((exchange: Exchange) => void)[] = [];
  readonly #exchanges: Exchange[] = [];
  #ids = 0;

  constructor(ring: KeyRing) {
    this.#ring = ring;
  }

  /** All exchanges so far, in the order sent. */
  get exchanges(): readonly Exchange[] {
    return this.#exchanges.toSorted((a, b) => Number(a.id.slice(1)) - Number(b.id.slice(1)));
  }

  onExchange(listener: (exchange: Exchange) => void): void {
    this.#listeners.push(listener);
  }

  /** The id of the next request; taken when it is sent. */
  nextId(): string {
    this.#ids += 1;
    return `x${this.#ids}`;
  }

  record(recording: Recording): Exchange {
    const { target, answer, key } = recording;
    const redact = (text: string): string => this.#ring.redact(text);
    const exchange: Exchange = {
      id: recording.id,
      endpoint: target.endpoint,
      pathParameters: mapValues(target.pathParameters, redact),
      role: recording.role,
      key: key === null ? null : this.#ring.fingerprint(key),
      request: {
        method: recording.method,
        url: redact(target.url),
        path: redact(target.path),
        query: target.query.map(([name, value]) => [redact(name), redact(value)] as const),
        headers: this.#headers(recording.headers),
      },
      response: answer.response && {
        status: answer.response.status,
        headers: this.#headers(answer.response.headers),
        // Whole: the rules judge what is recorded, and the client has bounded it.
        text: redact(decode(answer.response.body)),
        bytes: answer.response.body.length,
      },
      error: answer.error && { kind: answer.error.kind, message: redact(answer.error.message) },
      sentAt: answer.sentAt,
      receivedAt: answer.receivedAt,
      skewMs: Math.round(recording.skewMs),
      attempt: recording.attempt,
    };
    this.#exchanges.push(exchange);
    for (const listener of this.#listeners) listener(exchange);
    return exchange;
  }

  #headers(headers: Readonly<Record<string, string>>): Record<string, string> {
    return Object.fromEntries(
      Object.entries(headers).map(([name, value]) => {
        const redacted = this.#ring.redact(value);
        const hide = isSecretHeader(name) && redacted === value && value !== '';
        return [name, hide ? '[redacted]' : redacted];
      }),
    );
  }
}

/** A byte order mark is part of what was received, and makes the body invalid JSON: it stays. */
function decode(body: Buffer): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(body);
}

function mapValues(
  record: Readonly<Record<string, string>>,
  map: (value: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
}
