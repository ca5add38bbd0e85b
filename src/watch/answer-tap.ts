import { BodyCopy } from './body-copy.ts';
import { framingOf, MessageReader, UnreadableMessage, type MessageHead } from './message-reader.ts';
import type { Onlooker, RawExchange } from './raw-exchange.ts';

/** A request that was passed on and waits for its answer. */
export interface Pending extends Pick<RawExchange, 'number' | 'method' | 'path' | 'client'> {
  readonly headers: readonly string[];
  readonly sentAt: number;
}

interface Answer {
  readonly status: number;
  readonly headers: readonly string[];
  readonly isInterim: boolean;
  readonly body: BodyCopy;
}

/** Puts answers beside the requests of one connection, in their order, and hands on what is complete. */
export class AnswerTap {
  readonly #pending: Pending[];
  readonly #onlooker: Onlooker;
  readonly #onAnswered: () => void;
  readonly #reader: MessageReader;
  #answer: Answer | null = null;

  /**
   * @param pending requests without an answer, the oldest first; answered ones are taken away
   * @param onAnswered told after each answer, and when the connection goes on in another protocol
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

  /** True when the connection went on in another protocol. */
  get isStopped(): boolean {
    return this.#reader.isStopped;
  }

  /** @throws UnreadableMessage when it cannot be read with certainty */
  read(chunk: Buffer): void {
    this.#reader.read(chunk);
    if (this.#reader.isStopped) this.#onAnswered();
  }

  /** The target sends no more. @throws UnreadableMessage never: an unfinished answer is one that was cut */
  end(): void {
    try {
      this.#reader.end();
    } catch (error) {
      if (!(error instanceof UnreadableMessage)) throw error;
    }
  }

  /** Forgets an unfinished answer. */
  drop(): void {
    this.#answer?.body.drop();
    this.#answer = null;
  }

  #onHead(head: MessageHead): ReturnType<typeof framingOf> | 'stop' {
    const [request] = this.#pending;
    const status = Number(/^HTTP\/1\.[01] ([1-9]\d\d)(?: [^]*)?$/.exec(head.line)?.[1]);
    if (Number.isNaN(status)) throw new UnreadableMessage('a status line of no form');
    if (request === undefined) throw new UnreadableMessage('an answer that nobody asked for');
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
    const { number, method, path, headers, sentAt, client } = request;
    this.#onlooker.take({
      number,
      method,
      path,
      requestHeaders: headers,
      status: answer.status,
      responseHeaders: answer.headers,
      ...answer.body.taken(),
      sentAt,
      receivedAt: Date.now(),
      client,
    });
    this.#onAnswered();
  }
}
