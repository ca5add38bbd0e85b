import { numberOf, type Exchange } from '../../spec/exchange.ts';
import type { KeyRing } from '../../target/keys.ts';
import { bodyText } from '../../text/decoded-text.ts';
import type { ClientAnswer } from '../client.ts';
import { isPlainHeader, isSecretName } from '../secrets.ts';
import type { Plan } from '../session-options.ts';

/** Bodies up to this size are always kept completely, bytes in memory. */
const SMALL_TEXT = 128 * 1024;
/** The same in number of values. */
const SMALL_VALUES = 20_000;
/** Larger bodies are kept completely up to this total size, bytes in memory. */
const LARGE_TEXTS = 16 * 1024 * 1024;
const LARGE_VALUES = 1_000_000;
/** Size of truncated bodies, characters. */
const CUT_TEXT = 16 * 1024;

/** Replaces a text with a key in nested encodings, which cannot be redacted partially. */
const WITHHELD = '[redacted: the whole text, because it contained a key in nested encodings]';

export interface Recording extends Pick<Plan, 'target' | 'method' | 'role'> {
  readonly id: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly key: string | null;
  readonly answer: ClientAnswer;
  readonly skewMs: number;
  readonly attempt: number;
  readonly sequence?: number | undefined;
  readonly purpose?: Exchange['purpose'] | undefined;
}

/** Creates exchanges from requests and responses, and redacts everything. */
export class Recorder {
  readonly #ring: KeyRing;
  readonly #listeners: ((exchange: Exchange) => void)[] = [];
  readonly #exchanges: Exchange[] = [];
  #largeTexts = 0;
  #largeValues = 0;
  #ids = 0;

  constructor(ring: KeyRing) {
    this.#ring = ring;
  }

  get exchanges(): readonly Exchange[] {
    return [...this.#exchanges];
  }

  get last(): Exchange | null {
    return this.#exchanges.at(-1) ?? null;
  }

  /** Continues ids after those of an earlier part of the run. */
  startAfter(id: string): void {
    this.#ids = Math.max(this.#ids, numberOf(id));
  }

  onExchange(listener: (exchange: Exchange) => void): void {
    this.#listeners.push(listener);
  }

  /** Takes the id of the next request. */
  nextId(): string {
    this.#ids += 1;
    return `x${this.#ids}`;
  }

  /** Adds an exchange that is already redacted, such as one of an earlier part of the run. */
  keep(exchange: Exchange): Exchange {
    const number = numberOf(exchange.id);
    // Answers may overtake each other.
    const before = this.#exchanges.findLastIndex(({ id }) => numberOf(id) < number);
    this.#exchanges.splice(before + 1, 0, exchange);
    for (const listener of this.#listeners) listener(exchange);
    return exchange;
  }

  /** Creates a redacted exchange without recording it. */
  draft(recording: Recording): Exchange {
    const { target, answer, key } = recording;
    const redact = (text: string): string => this.#redact(text);
    const variation = key === null ? undefined : this.#ring.variation(key);
    return {
      id: recording.id,
      endpoint: target.endpoint,
      pathParameters: Object.fromEntries(
        Object.entries(target.pathParameters).map(([name, value]) => [name, redact(value)]),
      ),
      role: recording.role,
      key: key === null ? null : this.#ring.fingerprint(key),
      ...(variation === undefined ? {} : { variation }),
      request: {
        method: recording.method,
        url: redact(target.url),
        path: redact(target.path),
        query: target.query.map(([name, value]) => [redact(name), redact(value)] as const),
        headers: this.#headers(recording.headers, (name) => !isPlainHeader(name), key),
      },
      response: answer.response && {
        status: answer.response.status,
        headers: this.#headers(answer.response.headers, isSecretName),
        ...this.#text(redact(bodyText(answer.response.body)), answer.response.values),
        bytes: answer.response.body.length,
      },
      error: answer.error && { kind: answer.error.kind, message: redact(answer.error.message) },
      ...(answer.oddities.length === 0 ? {} : { oddities: answer.oddities }),
      sentAt: answer.sentAt,
      receivedAt: answer.receivedAt,
      skewMs: Math.round(recording.skewMs),
      attempt: recording.attempt,
      ...(recording.sequence === undefined ? {} : { sequence: recording.sequence }),
      ...(recording.purpose === undefined ? {} : { purpose: recording.purpose }),
    };
  }

  #redact(text: string): string {
    const redacted = this.#ring.redact(text);
    return this.#ring.stillLeaks(redacted) ? WITHHELD : redacted;
  }

  /**
   * The body, usually complete, because the rules judge recorded bodies. If a target sends many large bodies, later
   * ones are truncated, because all exchanges stay in memory until the reports are written.
   */
  #text(text: string, values: number): { text: string; truncated?: true } {
    if (text === WITHHELD) return { text, truncated: true };
    // One non-Latin-1 character doubles the memory of the text.
    const size = /[\u0100-\uffff]/.test(text) ? 2 * text.length : text.length;
    if (size <= SMALL_TEXT && values <= SMALL_VALUES) return { text };
    if (this.#largeTexts + size > LARGE_TEXTS || this.#largeValues + values > LARGE_VALUES) {
      // Copied, because a slice would keep the whole text in memory.
      return { text: Buffer.from(text.slice(0, CUT_TEXT)).toString(), truncated: true };
    }
    this.#largeTexts += size;
    this.#largeValues += values;
    return { text };
  }

  #headers(
    headers: Readonly<Record<string, string>>,
    isHidden: (name: string) => boolean,
    key: string | null = null,
  ): Record<string, string> {
    return Object.fromEntries(
      Object.entries(headers).map(([name, value]) => {
        // The redactor would name the valid key that a variation of it contains.
        const redacted =
          value === key ? `[redacted:${this.#ring.fingerprint(value)}]` : this.#redact(value);
        const hide = isHidden(name) && redacted === value && value !== '';
        // A target may also return a key as a header name.
        return [this.#redact(name), hide ? '[redacted]' : redacted];
      }),
    );
  }
}
