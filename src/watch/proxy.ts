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
    /** Number of open connections. */
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
