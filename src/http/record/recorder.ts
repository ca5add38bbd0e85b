import { numberOf, type Exchange, type KeyRole } from '../../spec/exchange.ts';
import type { KeyRing } from '../../target/keys.ts';
import type { ClientAnswer } from '../client.ts';
import type { RequestTarget } from '../request-url.ts';
import { isPlainHeader, isTellingName } from '../secrets.ts';

/** A body up to this size is always kept whole, bytes in memory. */
const SMALL_TEXT = 128 * 1024;
/** The same for the values in it. */
const SMALL_VALUES = 20_000;
/** Larger bodies are kept whole as long as all of them together stay below this, bytes in memory. */
const LARGE_TEXTS = 16 * 1024 * 1024;
const LARGE_VALUES = 1_000_000;
/** What is kept of a body that is not kept whole, characters. */
const CUT_TEXT = 16 * 1024;

/** Stands in for a text that holds a key in a writing that cannot be redacted in part. */
const WITHHELD = '[redacted: the whole text, since it held a key in several layers of writing]';

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
  readonly sequence?: number | undefined;
  readonly purpose?: Exchange['purpose'] | undefined;
}

/**
 * Turns what was sent and received into exchanges. Everything is redacted here, before anyone else sees it.
 * Writes nothing itself.
 */
export class Recorder {
  readonly #ring: KeyRing;
  readonly #listeners: ((exchange: Exchange) => void)[] = [];
  readonly #exchanges: Exchange[] = [];
  /** The same in the order sent; null when more have come. */
  #inOrder: readonly Exchange[] | null = null;
  /** False when an answer has overtaken another one: only then is there something to sort. */
  #cameInOrder = true;
  #largeTexts = 0;
  #largeValues = 0;
  #ids = 0;
  #last: Exchange | null = null;

  constructor(ring: KeyRing) {
    this.#ring = ring;
  }

  /** All exchanges so far, in the order sent. */
  get exchanges(): readonly Exchange[] {
    if (!this.#cameInOrder) {
      this.#exchanges.sort((a, b) => numberOf(a.id) - numberOf(b.id));
      this.#cameInOrder = true;
    }
    this.#inOrder ??= [...this.#exchanges];
    return this.#inOrder;
  }

  /** The exchange that was sent last among those recorded; null before the first. */
  get last(): Exchange | null {
    return this.#last;
  }

  /** Ids go on after that of an earlier part of the run. */
  startAfter(id: string): void {
    this.#ids = Math.max(this.#ids, numberOf(id));
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
    return this.keep(this.draft(recording));
  }

  /** Adds an exchange that is redacted already, such as one that an earlier part of the run recorded. */
  keep(exchange: Exchange): Exchange {
    this.#exchanges.push(exchange);
    this.#inOrder = null;
    if (this.#last === null || numberOf(exchange.id) > numberOf(this.#last.id))
      this.#last = exchange;
    else this.#cameInOrder = false;
    for (const listener of this.#listeners) listener(exchange);
    return exchange;
  }

  /** The redacted exchange, not recorded yet. */
  draft(recording: Recording): Exchange {
    const { target, answer, key } = recording;
    const redact = (text: string): string => this.#redact(text);
    return {
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
        headers: this.#headers(recording.headers, (name) => !isPlainHeader(name)),
      },
      response: answer.response && {
        status: answer.response.status,
        headers: this.#headers(answer.response.headers, isTellingName),
        ...this.#text(redact(decode(answer.response.body)), answer.response.values),
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
   * The body, whole as a rule: the rules judge what is recorded. A target that sends megabytes again and again gets its
   * later large bodies cut, since all exchanges stay in memory until the reports are written.
   */
  #text(text: string, values: number): { text: string; truncated?: true } {
    if (text === WITHHELD) return { text, truncated: true };
    // One character outside of Latin-1 doubles the memory of the whole text.
    const size = sizeOf(text);
    if (size <= SMALL_TEXT && values <= SMALL_VALUES) return { text };
    if (this.#largeTexts + size > LARGE_TEXTS || this.#largeValues + values > LARGE_VALUES) {
      // A copy: a slice would keep the whole text alive.
      return { text: Buffer.from(text.slice(0, CUT_TEXT)).toString(), truncated: true };
    }
    this.#largeTexts += size;
    this.#largeValues += values;
    return { text };
  }

  #headers(
    headers: Readonly<Record<string, string>>,
    isHidden: (name: string) => boolean,
  ): Record<string, string> {
    return Object.fromEntries(
      Object.entries(headers).map(([name, value]) => {
        const redacted = this.#redact(value);
        const hide = isHidden(name) && redacted === value && value !== '';
        // A target may send a key back as the name of a header, too.
        return [this.#redact(name), hide ? '[redacted]' : redacted];
      }),
    );
  }
}

/** Memory that a text takes, bytes. */
function sizeOf(text: string): number {
  return /[\u0100-\uffff]/.test(text) ? 2 * text.length : text.length;
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
