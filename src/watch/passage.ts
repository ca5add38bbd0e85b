import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { AnswerTap, type Pending } from './answer-tap.ts';
import { ownAnswer } from './own-answer.ts';
import { framingOf, MessageReader, UnreadableMessage, type MessageHead } from './message-reader.ts';
import type { Onlooker } from './raw-exchange.ts';
import type { Upstream } from './upstream.ts';

/** What a passage needs to know. */
export interface PassageOptions {
  readonly upstream: Upstream;
  readonly onlooker: Onlooker;
  /** Bytes that were read from the client before it was known that it speaks HTTP/1. */
  readonly first: Buffer;
}

/**
 * One connection of a client and its own connection to the target. Bytes are passed on as they are, first, and looked at
 * afterwards: whatever the look says, the client gets what the target sent, when the target sent it. Each side's pace,
 * half-closing and resetting is that of the other.
 */
export class Passage {
  readonly #client: Socket | TLSSocket;
  readonly #target: Socket | TLSSocket;
  readonly #options: PassageOptions;
  readonly #requests: MessageReader;
  readonly #answers: AnswerTap;
  readonly #pending: Pending[] = [];
  readonly #address: string;
  #connected = false;
  /** Why the target cannot be reached; null while that is not known. */
  #failure: Error | null = null;
  #blind = false;
  #draining = false;
  #isOver = false;
  /** Bytes of the chunk that is being read which were passed on in rewritten form. */
  #passed = 0;

  constructor(client: Socket | TLSSocket, options: PassageOptions) {
    this.#client = client;
    this.#options = options;
    this.#address = client.remoteAddress ?? 'unknown';
    this.#requests = new MessageReader({
      onHead: (head) => this.#onRequest(head),
      onBody: () => undefined,
      onEnd: () => undefined,
      ...(options.upstream.host !== null && {
        onRaw: (bytes: Buffer, isHead: boolean) => this.#passRewritten(bytes, isHead),
      }),
    });
    this.#answers = new AnswerTap(this.#pending, options.onlooker, () => this.#onAnswered());
    client.pause();
    this.#target = options.upstream.connect();
    this.#watchTarget();
    this.#watchClient();
  }

  /** True while a request waits for its answer, or what passes is not understood. */
  get isBusy(): boolean {
    return !this.#isOver && (this.#pending.length > 0 || !this.#requests.isBetween || this.#blind);
  }

  /** Ends the connection as soon as no request is under way. */
  drain(): void {
    this.#draining = true;
    if (!this.isBusy) this.#endBoth();
  }

  /** Ends the connection now. Both sides see that it was cut. */
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
    target.on(this.#options.upstream.isTls ? 'secureConnect' : 'connect', () => {
      this.#connected = true;
      this.#pass(this.#options.first);
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
      // A target that takes connections and resets them is there, and says so.
      const isThere = error.code === 'ECONNRESET' && !this.#options.upstream.isTls;
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
      // It may come while the connection to the target does not stand yet, and then waits for what was sent before.
      if (this.#connected) target.end();
      else if (this.#failure !== null) client.end();
    });
    client.on('error', () => reset(target));
    client.on('close', () => {
      if (!target.writableEnded) reset(target);
      // What the client will never read need not be fetched.
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
    const rewrites = this.#options.upstream.host !== null && !this.#blind;
    if (!rewrites) {
      this.#send(chunk);
      if (!this.#blind) this.#look(() => this.#requests.read(chunk));
      return;
    }
    const unsent = Buffer.concat([this.#requests.held(), chunk]);
    this.#passed = 0;
    this.#target.cork();
    this.#look(() => this.#requests.read(chunk));
    // What cannot be read is passed on as it is from there on.
    if (this.#isBlind()) this.#send(unsent.subarray(this.#passed));
    this.#target.uncork();
  }

  /** Asked again after a look, which may have blinded. */
  #isBlind(): boolean {
    return this.#blind;
  }

  #passRewritten(bytes: Buffer, isHead: boolean): void {
    this.#passed += bytes.length;
    const { host } = this.#options.upstream;
    this.#send(isHead && host !== null ? withHost(bytes, host) : bytes);
  }

  #send(bytes: Buffer): void {
    if (bytes.length > 0 && !this.#target.write(bytes)) this.#client.pause();
  }

  #onRequest(head: MessageHead): ReturnType<typeof framingOf> {
    const [, method = '', path = ''] =
      /^([!#$%&'*+.^_`|~0-9A-Za-z-]+) ([^ ]+) HTTP\/1\.[01]$/.exec(head.line) ?? [];
    if (method === '') throw new UnreadableMessage('a request line of no form');
    if (this.#failure !== null) {
      this.#answerInPlace(method, this.#failure);
      return framingOf(head, 0);
    }
    this.#pending.push({
      number: this.#options.onlooker.begin(),
      method,
      path,
      headers: head.headers,
      sentAt: Date.now(),
      client: this.#address,
    });
    return framingOf(head, 0);
  }

  #onAnswered(): void {
    if (this.#answers.isStopped) {
      this.#options.onlooker.miss('upgraded');
      this.#goBlind();
    } else if (this.#draining && !this.isBusy) this.#endBoth();
  }

  /** Looks at what passed. What cannot be read is not judged, and nothing behind it on this connection either. */
  #look(read: () => void): void {
    try {
      read();
    } catch (error) {
      if (!(error instanceof UnreadableMessage)) throw error;
      for (let left = Math.max(1, this.#pending.length); left > 0; left -= 1) {
        this.#options.onlooker.miss('unreadable');
      }
      this.#goBlind();
    }
  }

  #goBlind(): void {
    this.#blind = true;
    this.#pending.length = 0;
    this.#answers.drop();
  }

  /** The target cannot be reached: the next request is told so, in the place of an answer. */
  #refuse(error: Error): void {
    this.#failure = error;
    this.#pass(this.#options.first);
    this.#client.resume();
  }

  #answerInPlace(method: string, error: Error): void {
    this.#options.onlooker.miss('unreachable');
    this.#client.end(ownAnswer(error, this.#options.upstream.name, method === 'HEAD'));
  }

  /** Either side is gone for good. */
  #over(): void {
    this.#isOver = true;
    if (this.#blind) return;
    for (const _ of this.#pending) this.#options.onlooker.miss('cut');
    this.#goBlind();
  }
}

/** Ends a connection so that the other side cannot take it for a proper end. */
function reset(socket: Socket | TLSSocket): void {
  if (socket.destroyed) return;
  if ('resetAndDestroy' in socket && !('encrypted' in socket)) socket.resetAndDestroy();
  else socket.destroy();
}

/** The head with another host in the header that names it; everything else as it is. */
function withHost(head: Buffer, host: string): Buffer {
  const text = head.toString('latin1');
  return Buffer.from(text.replace(/(\r\nhost:[ \t]*)[^\r\n]*/i, `$1${host}`), 'latin1');
}
