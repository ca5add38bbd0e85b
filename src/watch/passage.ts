import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { AnswerTap, type Pending } from './answer-tap.ts';
import { ownAnswer } from './own-answer.ts';
import { framingOf, MessageReader, UnreadableMessage, type MessageHead } from './message-reader.ts';
import type { Onlooker } from './raw-exchange.ts';
import type { Upstream } from './upstream.ts';

/**
 * A client connection and its connection to the target. Bytes are forwarded unchanged before they are parsed, so the
 * client gets what the target sent, when it was sent. Backpressure, half-closing and resets of each side affect the
 * other.
 */
export class Passage {
  readonly #client: Socket | TLSSocket;
  readonly #target: Socket | TLSSocket;
  readonly #upstream: Upstream;
  readonly #onlooker: Onlooker;
  readonly #requests: MessageReader;
  readonly #answers: AnswerTap;
  readonly #pending: Pending[] = [];
  readonly #address: string;
  #connected = false;
  /** Why the target cannot be reached, if it cannot. */
  #failure: Error | null = null;
  #blind = false;
  #draining = false;
  #isOver = false;
  /** Bytes of the current chunk that were forwarded rewritten. */
  #passed = 0;

  constructor(client: Socket | TLSSocket, upstream: Upstream, onlooker: Onlooker) {
    this.#client = client;
    this.#upstream = upstream;
    this.#onlooker = onlooker;
    this.#address = client.remoteAddress ?? 'unknown';
    this.#requests = new MessageReader({
      onHead: (head) => this.#onRequest(head),
      onBody: () => undefined,
      onEnd: () => undefined,
      ...(upstream.host !== null && {
        onRaw: (bytes: Buffer, isHead: boolean) => this.#passRewritten(bytes, isHead),
      }),
    });
    this.#answers = new AnswerTap(this.#pending, onlooker, () => this.#onAnswered());
    client.pause();
    this.#target = upstream.connect();
    this.#watchTarget();
    this.#watchClient();
  }

  /** True while a request has no answer, or the traffic cannot be parsed. */
  get isBusy(): boolean {
    return !this.#isOver && (this.#pending.length > 0 || !this.#requests.isBetween || this.#blind);
  }

  /** Closes the connection when no request is in flight. */
  drain(): void {
    this.#draining = true;
    if (!this.isBusy) this.#endBoth();
  }

  /** Resets the connection on both sides. */
  cut(): void {
    reset(this.#client);
    reset(this.#target);
  }

  #endBoth(): void {
    this.#client.end();
    this.#target.end();
  }

  #watchTarget(): void {
    const [client, target] = [this.#client, this.#target];
    target.on(this.#upstream.isTls ? 'secureConnect' : 'connect', () => {
      this.#connected = true;
      if (client.readableEnded) target.end();
      else client.resume();
    });
    target.on('data', (chunk: Buffer) => {
      if (!client.write(chunk)) target.pause();
      if (!this.#blind) this.#look(() => this.#answers.read(chunk));
    });
    target.on('drain', () => client.resume());
    target.on('end', () => {
      if (!this.#blind) this.#look(() => this.#answers.end());
      client.end();
    });
    target.on('error', (error: NodeJS.ErrnoException) => {
      // A target that accepts and resets connections is reachable.
      const isThere = error.code === 'ECONNRESET' && !this.#upstream.isTls;
      if (this.#connected || isThere) reset(client);
      else this.#refuse(error);
    });
    target.on('close', () => {
      if (this.#failure === null && !client.writableEnded) reset(client);
      this.#over();
    });
  }

  #watchClient(): void {
    const [client, target] = [this.#client, this.#target];
    client.on('data', (chunk: Buffer) => this.#pass(chunk));
    client.on('drain', () => target.resume());
    client.on('end', () => {
      // The connection to the target may not be open yet; its end then follows what was sent before.
      if (this.#connected) target.end();
      else if (this.#failure !== null) client.end();
    });
    client.on('error', () => reset(target));
    client.on('close', () => {
      if (!target.writableEnded) reset(target);
      // The client will not read the rest.
      else if (!target.readableEnded) target.destroy();
      this.#over();
    });
  }

  /** From the client to the target. */
  #pass(chunk: Buffer): void {
    if (this.#failure !== null) {
      this.#look(() => this.#requests.read(chunk));
      return;
    }
    const rewrites = this.#upstream.host !== null && !this.#blind;
    if (!rewrites) {
      this.#send(chunk);
      if (!this.#blind) this.#look(() => this.#requests.read(chunk));
      return;
    }
    const unsent = Buffer.concat([this.#requests.held(), chunk]);
    this.#passed = 0;
    this.#target.cork();
    this.#look(() => this.#requests.read(chunk));
    // From here on, unreadable traffic is forwarded unchanged.
    if (this.#isBlind()) this.#send(unsent.subarray(this.#passed));
    this.#target.uncork();
  }

  /** A function, because parsing may have set it meanwhile. */
  #isBlind(): boolean {
    return this.#blind;
  }

  #passRewritten(bytes: Buffer, isHead: boolean): void {
    this.#passed += bytes.length;
    const { host } = this.#upstream;
    this.#send(isHead && host !== null ? withHost(bytes, host) : bytes);
  }

  #send(bytes: Buffer): void {
    if (bytes.length > 0 && !this.#target.write(bytes)) this.#client.pause();
  }

  #onRequest(head: MessageHead): ReturnType<typeof framingOf> {
    const [, method = '', path = ''] =
      /^([!#$%&'*+.^_`|~0-9A-Za-z-]+) ([^ ]+) HTTP\/1\.[01]$/.exec(head.line) ?? [];
    if (method === '') throw new UnreadableMessage('an invalid request line');
    if (this.#failure !== null) {
      this.#answerInstead(method, this.#failure);
      return framingOf(head, 0);
    }
    this.#pending.push({
      number: this.#onlooker.begin(),
      method,
      path,
      requestHeaders: head.headers,
      sentAt: Date.now(),
      client: this.#address,
    });
    return framingOf(head, 0);
  }

  #onAnswered(): void {
    if (this.#answers.isStopped) {
      this.#onlooker.miss('upgraded');
      this.#goBlind();
    } else if (this.#draining && !this.isBusy) this.#endBoth();
  }

  /** Parses forwarded bytes. Unreadable traffic, and all that follows it on this connection, is not judged. */
  #look(read: () => void): void {
    try {
      read();
    } catch (error) {
      if (!(error instanceof UnreadableMessage)) throw error;
      for (let left = Math.max(1, this.#pending.length); left > 0; left -= 1) {
        this.#onlooker.miss('unreadable');
      }
      this.#goBlind();
    }
  }

  #goBlind(): void {
    this.#blind = true;
    this.#pending.length = 0;
    this.#answers.drop();
  }

  /** The target cannot be reached: answers the next request with an error. */
  #refuse(error: Error): void {
    this.#failure = error;
    this.#client.resume();
  }

  #answerInstead(method: string, error: Error): void {
    this.#onlooker.miss('unreachable');
    this.#client.end(ownAnswer(error, this.#upstream.name, method === 'HEAD'));
  }

  /** Either side is closed. */
  #over(): void {
    this.#isOver = true;
    if (this.#blind) return;
    for (const _ of this.#pending) this.#onlooker.miss('cut');
    this.#goBlind();
  }
}

/** Resets a connection, so that the other side does not see a regular end. */
function reset(socket: Socket | TLSSocket): void {
  if (socket.destroyed) return;
  if ('resetAndDestroy' in socket && !('encrypted' in socket)) socket.resetAndDestroy();
  else socket.destroy();
}

/** The head with its host header replaced, otherwise unchanged. */
function withHost(head: Buffer, host: string): Buffer {
  const text = head.toString('latin1');
  return Buffer.from(text.replace(/(\r\nhost:[ \t]*)[^\r\n]*/i, `$1${host}`), 'latin1');
}
