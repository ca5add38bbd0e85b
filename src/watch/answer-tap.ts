import { BodyCopy } from './body-copy.ts';
import { framingOf, MessageReader, UnreadableMessage, type MessageHead } from './message-reader.ts';
import type { Onlooker, RawExchange } from './raw-exchange.ts';

/** A forwarded request without an answer yet. */
export type Pending = Pick<
  RawExchange,
  'number' | 'method' | 'path' | 'requestHeaders' | 'sentAt' | 'client'
>;

interface Answer {
  readonly status: number;
  readonly headers: readonly string[];
  readonly isInterim: boolean;
  readonly body: BodyCopy;
}

/** Matches answers to the requests of one connection, in order, and emits complete exchanges. */
export class AnswerTap {
  readonly #pending: Pending[];
  readonly #onlooker: Onlooker;
  readonly #onAnswered: () => void;
  readonly #reader: MessageReader;
  #answer: Answer | null = null;

  /**
   * @param pending requests without an answer, oldest first; answered ones are removed
   * @param onAnswered called after each answer, and when the connection switches to another protocol
   */
  constructor(pending: Pending[], onlooker: Onlooker, onAnswered: () => void) {
    this.#pending = pending;
    this.#onlooker = onlooker;
    this.#onAnswered = onAnswered;
    this.#reader = new MessageReader({
      onHead: (head) => this.#onHead(head),
      onBody: (bytes) => this.#answer?.body.add(bytes),
      onEnd: () => this.#onEnd(),
    });
  }

  /** True after the connection switched to another protocol. */
  get isStopped(): boolean {
    return this.#reader.isStopped;
  }

  /** @throws UnreadableMessage if it is ambiguous */
  read(chunk: Buffer): void {
    this.#reader.read(chunk);
    if (this.#reader.isStopped) this.#onAnswered();
  }

  /** The target has closed its side; an unfinished answer counts as cut off. */
  end(): void {
    try {
      this.#reader.end();
    } catch (error) {
      if (!(error instanceof UnreadableMessage)) throw error;
    }
  }

  /** Discards an unfinished answer. */
  drop(): void {
    this.#answer?.body.drop();
    this.#answer = null;
  }

  #onHead(head: MessageHead): ReturnType<typeof framingOf> | 'stop' {
    const [request] = this.#pending;
    const status = Number(/^HTTP\/1\.[01] ([1-9]\d\d)(?: [^]*)?$/.exec(head.line)?.[1]);
    if (Number.isNaN(status)) throw new UnreadableMessage('an invalid status line');
    if (request === undefined) throw new UnreadableMessage('an unsolicited response');
    const isInterim = status < 200 && status !== 101;
    const body = new BodyCopy(this.#onlooker);
    this.#answer = { status, headers: head.headers, isInterim, body };
    if (status === 101 || (request.method === 'CONNECT' && status < 300)) return 'stop';
    const bare = isInterim || status === 204 || status === 304 || request.method === 'HEAD';
    return bare ? 0 : framingOf(head, 'until-close');
  }

  #onEnd(): void {
    const answer = this.#answer;
    if (answer === null || answer.isInterim) return;
    const request = this.#pending.shift();
    this.#answer = null;
    if (request === undefined) return;
    this.#onlooker.take({
      ...request,
      status: answer.status,
      responseHeaders: answer.headers,
      body: answer.body.taken(),
      receivedAt: Date.now(),
    });
    this.#onAnswered();
  }
}
