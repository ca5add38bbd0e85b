import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import { listenAt, type ListenAddress } from '../run/listen-address.ts';
import type { Onlooker } from './raw-exchange.ts';
import { type Upstream, connectTo, isTls, unreachable } from './upstream.ts';
import { Transform } from 'node:stream';
import { tap } from './tap.ts';

/** Server certificate and key for clients, PEM. */
export interface ServerCertificate {
  readonly cert: string;
  readonly key: string;
}

interface ProxyOptions extends ListenAddress {
  readonly upstream: Upstream;
  readonly onlooker: Onlooker;
  /** Null for plain HTTP. */
  readonly certificate: ServerCertificate | null;
}

export type WatchProxy = ReturnType<typeof watchProxy>;

/** A proxy that accepts client connections and connects each to the target. */
export function watchProxy({ host, port, upstream, onlooker, certificate }: ProxyOptions) {
  const passages = new Set<Passage>();
  const accept = (socket: Socket): void => {
    const opened = passage(socket, upstream, onlooker);
    passages.add(opened);
    socket.once('close', () => passages.delete(opened));
  };
  const settings = { allowHalfOpen: true, noDelay: true };
  const server: Server =
    certificate === null
      ? createServer(settings, accept)
      : createTlsServer({ ...settings, ...certificate, ALPNProtocols: ['http/1.1'] }, accept);
  // A failed handshake only concerns its client.
  server.on('tlsClientError', () => undefined);
  return {
    open: (): number => passages.size,

    /** @throws the system error if it cannot listen */
    async listen(): Promise<AddressInfo> {
      const address = await listenAt(server, { host, port });
      server.on('error', () => undefined);
      return address;
    },

    /**
     * Stops accepting connections, waits for requests in flight, and resets the remaining connections.
     * @returns number of connections that were reset
     */
    async close(drainMs: number): Promise<number> {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const one of passages) one.drain();
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, drainMs)));
      await Promise.race([closed, late]);
      clearTimeout(timer);
      const cut = [...passages].filter(({ isBusy }) => isBusy()).length;
      for (const one of passages) one.cut();
      await closed;
      return cut;
    },
  };
}

type Passage = ReturnType<typeof passage>;

/**
 * Connects a client to the target. Bytes are forwarded unchanged before they are parsed, so the client gets what the
 * target sent, when it was sent. Backpressure, half-closing and resets of each side affect the other.
 */
function passage(client: Socket | TLSSocket, upstream: Upstream, onlooker: Onlooker) {
  const { host } = upstream;
  let isOpen = false;
  let isRefused = false;
  let isDraining = false;
  let isOver = false;
  const parser = tap(onlooker, client.remoteAddress ?? 'unknown', (bytes, isHead) => {
    rewriter?.push(isHead && host !== null ? withHost(bytes, host) : bytes);
  });
  /** The way of the requests if their host is replaced. */
  const rewriter =
    host === null
      ? null
      : new Transform({
          transform: (chunk: Buffer, _, done) => {
            parser.request(chunk);
            done();
          },
          flush: (done) => {
            parser.requestsEnd();
            done();
          },
        });
  const target = connectTo(upstream, () => {
    isOpen = true;
    target.pipe(client);
    target.on('data', (chunk: Buffer) => {
      parser.answer(chunk);
      if (isDraining) drain();
    });
    target.on('end', () => parser.answersEnd());
    if (rewriter === null) {
      client.pipe(target);
      client.on('data', (chunk: Buffer) => parser.request(chunk));
    } else client.pipe(rewriter).pipe(target);
  });
  /** True while a request has no answer, or the traffic cannot be parsed. */
  const isBusy = (): boolean => !isOver && parser.isBusy();
  /** Closes the connection when no request is in flight. */
  const drain = (): void => {
    isDraining = true;
    if (isBusy()) return;
    client.end();
    target.end();
  };
  /** The target cannot be reached: answers the next request with an error. */
  const refuse = (error: Error): void => {
    isRefused = true;
    client.once('data', (chunk: Buffer) => {
      onlooker.miss('unreachable');
      const isHead = chunk.subarray(0, 5).toString() === 'HEAD ';
      client.end(unreachable(upstream, error, isHead));
    });
    client.once('end', () => client.end());
    client.resume();
  };
  const over = (): void => {
    isOver = true;
    parser.close();
  };
  target.on('error', (error: NodeJS.ErrnoException) => {
    // A target that accepts and resets connections is reachable.
    const isThere = error.code === 'ECONNRESET' && !isTls(upstream);
    if (isOpen || isThere) reset(client);
    else refuse(error);
  });
  target.on('close', () => {
    if (!isRefused && !client.writableEnded) reset(client);
    over();
  });
  client.on('error', () => reset(target));
  client.on('close', () => {
    if (!target.writableEnded) reset(target);
    // The client will not read the rest.
    else if (!target.readableEnded) target.destroy();
    over();
  });
  const cut = (): void => {
    reset(client);
    reset(target);
  };
  return { isBusy, drain, cut };
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
