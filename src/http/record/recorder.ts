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

/** The exchanges of a session. */
export type Recorder = ReturnType<typeof recorderWith>;

/** Creates exchanges from requests and responses, and redacts everything. */
export function recorderWith(ring: KeyRing) {
  const listeners: ((exchange: Exchange) => void)[] = [];
  const exchanges: Exchange[] = [];
  let [largeTexts, largeValues, ids] = [0, 0, 0];

  const redact = (text: string): string => {
    const redacted = ring.redact(text);
    return ring.stillLeaks(redacted) ? WITHHELD : redacted;
  };
  /**
   * The body, usually complete, because the rules judge recorded bodies. If a target sends many large bodies, later
   * ones are truncated, because all exchanges stay in memory until the reports are written.
   */
  const bodyOf = (text: string, values: number): { text: string; truncated?: true } => {
    if (text === WITHHELD) return { text, truncated: true };
    // One non-Latin-1 character doubles the memory of the text.
    const size = /[\u0100-\uffff]/.test(text) ? 2 * text.length : text.length;
    if (size <= SMALL_TEXT && values <= SMALL_VALUES) return { text };
    if (largeTexts + size > LARGE_TEXTS || largeValues + values > LARGE_VALUES) {
      // Copied, because a slice would keep the whole text in memory.
      return { text: Buffer.from(text.slice(0, CUT_TEXT)).toString(), truncated: true };
    }
    largeTexts += size;
    largeValues += values;
    return { text };
  };
  const headersOf = (
    headers: Readonly<Record<string, string>>,
    isHidden: (name: string) => boolean,
    key: string | null = null,
  ): Record<string, string> =>
    Object.fromEntries(
      Object.entries(headers).map(([name, value]) => {
        // The redactor would name the valid key that a variation of it contains.
        const redacted = value === key ? `[redacted:${ring.fingerprint(value)}]` : redact(value);
        const hide = isHidden(name) && redacted === value && value !== '';
        // A target may also return a key as a header name.
        return [redact(name), hide ? '[redacted]' : redacted];
      }),
    );
  return {
    get exchanges(): readonly Exchange[] {
      return [...exchanges];
    },
    get last(): Exchange | null {
      return exchanges.at(-1) ?? null;
    },
    /** Continues ids after those of an earlier part of the run. */
    startAfter(id: string): void {
      ids = Math.max(ids, numberOf(id));
    },
    onExchange: (listener: (exchange: Exchange) => void): void => void listeners.push(listener),
    /** Takes the id of the next request. */
    nextId: (): string => `x${(ids += 1)}`,
    /** Adds an exchange that is already redacted. */
    keep(exchange: Exchange): Exchange {
      const number = numberOf(exchange.id);
      // Answers may overtake each other.
      const before = exchanges.findLastIndex(({ id }) => numberOf(id) < number);
      exchanges.splice(before + 1, 0, exchange);
      for (const listener of listeners) listener(exchange);
      return exchange;
    },
    /** Creates a redacted exchange without adding it. */
    draft({ target, answer, key, sequence, purpose, ...recording }: Recording): Exchange {
      const { response, error, oddities, sentAt, receivedAt } = answer;
      const variation = key === null ? undefined : ring.variation(key);
      return {
        id: recording.id,
        endpoint: target.endpoint,
        pathParameters: Object.fromEntries(
          Object.entries(target.pathParameters).map(([name, value]) => [name, redact(value)]),
        ),
        role: recording.role,
        key: key === null ? null : ring.fingerprint(key),
        ...(variation && { variation }),
        request: {
          method: recording.method,
          url: redact(target.url),
          path: redact(target.path),
          query: target.query.map(([name, value]) => [redact(name), redact(value)] as const),
          headers: headersOf(recording.headers, (name) => !isPlainHeader(name), key),
        },
        response: response && {
          status: response.status,
          headers: headersOf(response.headers, isSecretName),
          ...bodyOf(redact(bodyText(response.body)), response.values),
          bytes: response.body.length,
        },
        error: error && { kind: error.kind, message: redact(error.message) },
        ...(oddities.length > 0 && { oddities }),
        sentAt,
        receivedAt,
        skewMs: Math.round(recording.skewMs),
        attempt: recording.attempt,
        ...(sequence !== undefined && { sequence }),
        ...(purpose && { purpose }),
      };
    },
  };
}
