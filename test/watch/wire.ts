import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { watchProxy, type ServerCertificate, type WatchProxy } from '../../src/watch/proxy.ts';
import type { Onlooker, RawExchange, Unjudged } from '../../src/watch/raw-exchange.ts';

/** A target on a raw socket: sends the bytes it is told, and keeps those that it got. */
export interface RawTarget {
  readonly port: number;
  /** Everything that arrived, one buffer a connection. */
  readonly got: Buffer[];
  readonly sockets: Socket[];
  close(): Promise<void>;
}

export async function rawTarget(
  onData: (socket: Socket, chunk: Buffer, connection: number) => void,
  onEnd?: (socket: Socket) => void,
): Promise<RawTarget> {
  const got: Buffer[] = [];
  const sockets: Socket[] = [];
  const server: Server = createServer({ allowHalfOpen: onEnd !== undefined }, (socket) => {
    const connection = sockets.push(socket) - 1;
    got[connection] = Buffer.alloc(0);
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      got[connection] = Buffer.concat([got[connection] ?? Buffer.alloc(0), chunk]);
      onData(socket, chunk, connection);
    });
    if (onEnd !== undefined) socket.on('end', () => onEnd(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    got,
    sockets,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Takes what passes, and keeps it for the test. */
export class Notes implements Onlooker {
  readonly exchanges: RawExchange[] = [];
  readonly missed: Unjudged[] = [];
  kept = 0;
  most = Number.POSITIVE_INFINITY;
  #number = 0;
  begin(): number {
    this.#number += 1;
    return this.#number;
  }
  keep(bytes: number): boolean {
    if (this.kept + bytes > this.most) return false;
    this.kept += bytes;
    return true;
  }
  release(bytes: number): void {
    this.kept -= bytes;
  }
  take(exchange: RawExchange): void {
    this.exchanges.push(exchange);
  }
  miss(why: Unjudged): void {
    this.missed.push(why);
  }
}

export interface Watched {
  readonly port: number;
  readonly notes: Notes;
  readonly proxy: WatchProxy;
  close(): Promise<void>;
}

/** A proxy in front of a port of this machine. */
export async function watched(
  port: number,
  options: { host?: string; certificate?: ServerCertificate; connectTimeoutMs?: number } = {},
): Promise<Watched> {
  const notes = new Notes();
  const proxy = watchProxy({
    host: '127.0.0.1',
    port: 0,
    onlooker: notes,
    certificate: options.certificate ?? null,
    upstream: {
      url: new URL(`http://127.0.0.1:${port}/v1`),
      host: options.host ?? null,
      tls: { rejectUnauthorized: true },
      connectTimeoutMs: options.connectTimeoutMs ?? 2000,
    },
  });
  const address = await proxy.listen();
  return { port: address.port, notes, proxy, close: async () => void (await proxy.close(0)) };
}

/** A client on a raw socket: what it received, and how the connection ended. */
export interface RawClient {
  readonly socket: Socket;
  received: Buffer;
  readonly ended: Promise<'end' | 'reset'>;
  /** Waits until so many bytes, or this text, have arrived. */
  until(what: number | string): Promise<Buffer>;
}

export function rawClient(port: number): RawClient {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let wake: () => void = () => undefined;
  const client: RawClient = {
    socket,
    received: Buffer.alloc(0),
    ended: new Promise((resolve) => {
      socket.once('end', () => resolve('end'));
      socket.once('error', () => resolve('reset'));
      socket.once('close', () => resolve('reset'));
    }),
    until: async (what) => {
      const isThere = (): boolean =>
        typeof what === 'number' ? client.received.length >= what : client.received.includes(what);
      while (!isThere()) {
        if (socket.destroyed)
          throw new Error(`ended before: ${client.received.toString('latin1')}`);
        await new Promise<void>((resolve) => (wake = resolve));
      }
      return client.received;
    },
  };
  socket.on('data', (chunk: Buffer) => {
    client.received = Buffer.concat([client.received, chunk]);
    wake();
  });
  socket.on('close', () => wake());
  return client;
}

/** Waits until something holds, for as long as a test may take. */
export async function until(holds: () => boolean, ms = 60_000): Promise<void> {
  const end = Date.now() + ms;
  while (!holds()) {
    if (Date.now() > end) throw new Error('It did not come to hold in time.');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
