import type { Socket } from 'node:net';
import { Transform } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { Onlooker } from './raw-exchange.ts';
import { Tap } from './tap.ts';
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
  readonly #tap: Tap;
  #isOpen = false;
  #isRefused = false;
  #isDraining = false;
  #isOver = false;

  constructor(client: Socket | TLSSocket, upstream: Upstream, onlooker: Onlooker) {
    this.#client = client;
    this.#upstream = upstream;
    this.#onlooker = onlooker;
    const { host } = upstream;
    const rewriter =
      host === null
        ? null
        : new Transform({
            transform: (chunk: Buffer, _, done) => {
              this.#tap.request(chunk);
              done();
            },
            flush: (done) => {
              this.#tap.requestsEnd();
              done();
            },
          });
    this.#tap = new Tap(onlooker, client.remoteAddress ?? 'unknown', (bytes, isHead) => {
      rewriter?.push(isHead && host !== null ? withHost(bytes, host) : bytes);
    });
    this.#target = upstream.connect(() => this.#join(rewriter));
    this.#target.on('error', (error: NodeJS.ErrnoException) => {
      // A target that accepts and resets connections is reachable.
      const isThere = error.code === 'ECONNRESET' && !upstream.isTls;
      if (this.#isOpen || isThere) reset(client);
      else this.#refuse(error);
    });
    this.#target.on('close', () => {
      if (!this.#isRefused && !client.writableEnded) reset(client);
      this.#over();
    });
    client.on('error', () => reset(this.#target));
    client.on('close', () => {
      if (!this.#target.writableEnded) reset(this.#target);
      // The client will not read the rest.
      else if (!this.#target.readableEnded) this.#target.destroy();
      this.#over();
    });
  }

  /** True while a request has no answer, or the traffic cannot be parsed. */
  get isBusy(): boolean {
    return !this.#isOver && this.#tap.isBusy;
  }

  /** Closes the connection when no request is in flight. */
  drain(): void {
    this.#isDraining = true;
    if (this.isBusy) return;
    this.#client.end();
    this.#target.end();
  }

  /** Resets the connection on both sides. */
  cut(): void {
    reset(this.#client);
    reset(this.#target);
  }

  /** @param rewriter the way of the requests if their host is replaced */
  #join(rewriter: Transform | null): void {
    const [client, target, tap] = [this.#client, this.#target, this.#tap];
    this.#isOpen = true;
    target.pipe(client);
    target.on('data', (chunk: Buffer) => {
      tap.answer(chunk);
      if (this.#isDraining) this.drain();
    });
    target.on('end', () => tap.answersEnd());
    if (rewriter === null) {
      client.pipe(target);
      client.on('data', (chunk: Buffer) => tap.request(chunk));
    } else client.pipe(rewriter).pipe(target);
  }

  /** The target cannot be reached: answers the next request with an error. */
  #refuse(error: Error): void {
    const client = this.#client;
    this.#isRefused = true;
    client.once('data', (chunk: Buffer) => {
      this.#onlooker.miss('unreachable');
      client.end(this.#upstream.unreachable(error, chunk.subarray(0, 5).toString() === 'HEAD '));
    });
    client.once('end', () => client.end());
    client.resume();
  }

  /** Either side is closed. */
  #over(): void {
    this.#isOver = true;
    this.#tap.close();
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
