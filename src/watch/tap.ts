import {
  framingOf,
  MessageReader,
  UnreadableMessage,
  type Framing,
  type MessageEvents,
  type MessageHead,
} from './message-reader.ts';
import type { Onlooker, RawExchange } from './raw-exchange.ts';

/** Larger bodies are forwarded but not judged, bytes as sent. */
export const MAX_BODY = 8 * 1024 * 1024;

/** A forwarded request without an answer yet. */
type Pending = Omit<RawExchange, 'status' | 'responseHeaders' | 'body' | 'receivedAt'>;
type Answer = Pick<RawExchange, 'status' | 'responseHeaders'>;

/** Parses the traffic of one connection, matches answers to requests, and emits complete exchanges. */
export class Tap {
  readonly #onlooker: Onlooker;
  readonly #client: string;
  readonly #onRaw: NonNullable<MessageEvents['onRaw']>;
  readonly #requests: MessageReader;
  readonly #answers: MessageReader;
  /** Oldest first. */
  #pending: Pending[] = [];
  /** The answer that is arriving; null for interim ones. */
  #answer: Answer | null = null;
  /** Its body; null if it is too large to keep. */
  #body: Buffer[] | null = null;
  #kept = 0;
  #isBlind = false;

  /**
   * @param client address of the client
   * @param onRaw called with every byte of the requests, in order
   */
  constructor(
    onlooker: Onlooker,
    client: string,
    onRaw: NonNullable<MessageEvents['onRaw']> = () => undefined,
  ) {
    this.#onlooker = onlooker;
    this.#client = client;
    this.#onRaw = onRaw;
    this.#requests = new MessageReader({
      onHead: (head) => this.#onRequest(head),
      onRaw,
    });
    this.#answers = new MessageReader({
      onHead: (head) => this.#onAnswer(head),
      onBody: (bytes) => this.#keep(bytes),
      onEnd: () => this.#onEnd(),
    });
  }

  /** True while a request has no answer, or the traffic cannot be parsed. */
  get isBusy(): boolean {
    return this.#isBlind || this.#pending.length > 0 || !this.#requests.isBetween;
  }

  request(chunk: Buffer): void {
    if (this.#isBlind) this.#onRaw(chunk, false);
    else this.#look(() => this.#requests.read(chunk));
  }

  /** The client has closed its side. */
  requestsEnd(): void {
    this.#requests.flush();
  }

  answer(chunk: Buffer): void {
    if (!this.#isBlind) this.#look(() => this.#answers.read(chunk));
  }

  /** The target has closed its side. */
  answersEnd(): void {
    if (!this.#isBlind) this.#answers.end();
  }

  /** Either side is closed. */
  close(): void {
    if (this.#isBlind) return;
    for (const _ of this.#pending) this.#onlooker.miss('cut');
    this.#isBlind = true;
    this.#drop();
  }

  /** Unreadable traffic, and all that follows it on this connection, is not judged. */
  #look(read: () => void): void {
    try {
      read();
    } catch (error) {
      if (!(error instanceof UnreadableMessage)) throw error;
      for (let left = Math.max(1, this.#pending.length); left > 0; left -= 1)
        this.#onlooker.miss('unreadable');
      this.#goBlind();
    }
  }

  #goBlind(): void {
    this.#isBlind = true;
    this.#pending = [];
    this.#drop();
    this.#requests.flush();
  }

  #onRequest(head: MessageHead): Framing {
    const [, method, path] =
      /^([!#$%&'*+.^_`|~0-9A-Za-z-]+) ([^ ]+) HTTP\/1\.[01]$/.exec(head.line) ?? [];
    if (method === undefined || path === undefined)
      throw new UnreadableMessage('an invalid request line');
    const framing = framingOf(head, 0);
    this.#pending.push({
      number: this.#onlooker.begin(),
      method,
      path,
      requestHeaders: head.headers,
      sentAt: Date.now(),
      client: this.#client,
    });
    return framing;
  }

  #onAnswer(head: MessageHead): Framing {
    const [request] = this.#pending;
    const status = Number(/^HTTP\/1\.[01] ([1-9]\d\d)(?: [^]*)?$/.exec(head.line)?.[1]);
    if (Number.isNaN(status)) throw new UnreadableMessage('an invalid status line');
    if (request === undefined) throw new UnreadableMessage('an unsolicited response');
    if (status === 101 || (request.method === 'CONNECT' && status < 300)) {
      this.#onlooker.miss('upgraded');
      this.#goBlind();
      return 'stop';
    }
    const isInterim = status < 200;
    this.#answer = isInterim ? null : { status, responseHeaders: head.headers };
    this.#body = [];
    const bare = isInterim || status === 204 || status === 304 || request.method === 'HEAD';
    return bare ? 0 : framingOf(head, Number.POSITIVE_INFINITY);
  }

  #keep(part: Buffer): void {
    if (this.#body === null) return;
    if (this.#kept + part.length <= MAX_BODY && this.#onlooker.keep(part.length)) {
      this.#kept += part.length;
      this.#body.push(part);
    } else this.#drop();
  }

  #drop(): void {
    this.#onlooker.release(this.#kept);
    this.#kept = 0;
    this.#body = null;
  }

  #onEnd(): void {
    const request = this.#answer === null ? undefined : this.#pending.shift();
    if (this.#answer === null || request === undefined) return;
    const body = this.#body && Buffer.concat(this.#body);
    this.#drop();
    this.#onlooker.take({ ...request, ...this.#answer, body, receivedAt: Date.now() });
    this.#answer = null;
  }
}
