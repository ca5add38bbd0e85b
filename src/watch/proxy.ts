import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import { Http2Front } from './http2-front.ts';
import { Passage } from './passage.ts';
import type { Onlooker } from './raw-exchange.ts';
import type { Upstream } from './upstream.ts';

/** Server certificate and key for clients, PEM. */
export interface ServerCertificate {
  readonly cert: string;
  readonly key: string;
}

export interface ProxyOptions {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  readonly upstream: Upstream;
  readonly onlooker: Onlooker;
  /** Null for plain HTTP. */
  readonly certificate: ServerCertificate | null;
}

/** The connection preface of HTTP/2 with prior knowledge. */
const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'latin1');

/** Idle timeout of new connections, ms; most services have a shorter one. */
const SILENCE_MS = 120_000;

/** The traffic of a connection in any protocol. */
interface Way {
  readonly isBusy: boolean;
  drain(): void;
  cut(): void;
}

/** Accepts client connections and connects each to the target. */
export class WatchProxy {
  readonly #options: ProxyOptions;
  readonly #server: Server;
  readonly #ways = new Set<Way>();
  /** Connections that have sent nothing yet. */
  readonly #silent = new Set<Socket>();
  #connections = 0;

  constructor(options: ProxyOptions) {
    this.#options = options;
    const settings = { allowHalfOpen: true, noDelay: true };
    const { certificate } = options;
    this.#server =
      certificate === null
        ? createServer(settings, (socket) => this.#greet(socket))
        : createTlsServer(
            { ...settings, ...certificate, ALPNProtocols: ['h2', 'http/1.1'] },
            (socket: TLSSocket) => {
              if (socket.alpnProtocol === 'h2') this.#serveHttp2(socket);
              else this.#greet(socket);
            },
          );
    // A failed handshake only concerns its client.
    this.#server.on('tlsClientError', () => undefined);
  }

  /** Number of accepted connections, and of open ones. */
  get connections(): { readonly taken: number; readonly open: number } {
    return { taken: this.#connections, open: this.#ways.size + this.#silent.size };
  }

  /** @throws the system error if it cannot listen */
  async listen(): Promise<AddressInfo> {
    const { host, port } = this.#options;
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen({ host, port }, () => {
        this.#server.off('error', reject);
        resolve();
      });
    });
    this.#server.on('error', () => undefined);
    return this.#server.address() as AddressInfo;
  }

  /**
   * Stops accepting connections, waits for requests in flight, and resets the remaining connections.
   * @returns number of connections that were reset
   */
  async close(drainMs: number): Promise<number> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const socket of this.#silent) socket.destroy();
    for (const way of this.#ways) way.drain();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, drainMs)));
    await Promise.race([closed, late]);
    clearTimeout(timer);
    const cut = [...this.#ways].filter(({ isBusy }) => isBusy).length;
    for (const way of this.#ways) way.cut();
    await closed;
    return cut;
  }

  #greet(socket: Socket): void {
    this.#connections += 1;
    this.#silent.add(socket);
    let first: Buffer = Buffer.alloc(0);
    const onError = (): void => void socket.destroy();
    const onEnd = (): void => void socket.end();
    const onClose = (): void => void this.#silent.delete(socket);
    const onData = (chunk: Buffer): void => {
      first = first.length === 0 ? chunk : Buffer.concat([first, chunk]);
      const beginning = first.subarray(0, PREFACE.length);
      const mayBe = beginning.equals(PREFACE.subarray(0, beginning.length));
      if (mayBe && first.length < PREFACE.length) return;
      socket.pause();
      socket.setTimeout(0);
      socket.off('data', onData).off('error', onError).off('end', onEnd).off('close', onClose);
      this.#silent.delete(socket);
      if (mayBe) {
        socket.unshift(first);
        this.#http2(socket);
      } else this.#http1(socket, first);
    };
    socket.setTimeout(SILENCE_MS, () => {
      if (this.#silent.has(socket)) socket.destroy();
    });
    socket.on('data', onData).on('error', onError).on('end', onEnd).on('close', onClose);
  }

  #http1(socket: Socket, first: Buffer): void {
    const { upstream, onlooker } = this.#options;
    this.#keep(socket, new Passage(socket, { upstream, onlooker, first }));
  }

  #serveHttp2(socket: TLSSocket): void {
    this.#connections += 1;
    this.#http2(socket);
  }

  #http2(socket: Socket): void {
    const { upstream, onlooker } = this.#options;
    this.#keep(socket, new Http2Front(socket, { upstream, onlooker }));
  }

  #keep(socket: Socket, way: Way): void {
    this.#ways.add(way);
    socket.once('close', () => this.#ways.delete(way));
  }
}
