import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { passage, type Passage } from './passage.ts';
import { listenAt, type ListenAddress } from '../run/listen-address.ts';
import type { Onlooker } from './raw-exchange.ts';
import type { Upstream } from './upstream.ts';

/** Server certificate and key for clients, PEM. */
export interface ServerCertificate {
  readonly cert: string;
  readonly key: string;
}

export interface ProxyOptions extends ListenAddress {
  readonly upstream: Upstream;
  readonly onlooker: Onlooker;
  /** Null for plain HTTP. */
  readonly certificate: ServerCertificate | null;
}

/** Accepts client connections and connects each to the target. */
export class WatchProxy {
  readonly #options: ProxyOptions;
  readonly #server: Server;
  readonly #passages = new Set<Passage>();

  constructor(options: ProxyOptions) {
    this.#options = options;
    const settings = { allowHalfOpen: true, noDelay: true };
    const { certificate } = options;
    const accept = (socket: Socket): void => this.#accept(socket);
    this.#server =
      certificate === null
        ? createServer(settings, accept)
        : createTlsServer({ ...settings, ...certificate, ALPNProtocols: ['http/1.1'] }, accept);
    // A failed handshake only concerns its client.
    this.#server.on('tlsClientError', () => undefined);
  }

  /** Number of open connections. */
  get open(): number {
    return this.#passages.size;
  }

  /** @throws the system error if it cannot listen */
  async listen(): Promise<AddressInfo> {
    const { host, port } = this.#options;
    const address = await listenAt(this.#server, { host, port });
    this.#server.on('error', () => undefined);
    return address;
  }

  /**
   * Stops accepting connections, waits for requests in flight, and resets the remaining connections.
   * @returns number of connections that were reset
   */
  async close(drainMs: number): Promise<number> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const one of this.#passages) one.drain();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, drainMs)));
    await Promise.race([closed, late]);
    clearTimeout(timer);
    const cut = [...this.#passages].filter(({ isBusy }) => isBusy()).length;
    for (const one of this.#passages) one.cut();
    await closed;
    return cut;
  }

  #accept(socket: Socket): void {
    const { upstream, onlooker } = this.#options;
    const opened = passage(socket, upstream, onlooker);
    this.#passages.add(opened);
    socket.once('close', () => this.#passages.delete(opened));
  }
}
