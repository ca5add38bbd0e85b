import { createServer, request as forward } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

/** A request to a proxy. */
export interface ProxyRequest {
  /** `CONNECT host:port`, or `GET http://…`. */
  readonly line: string;
  readonly headers: IncomingHttpHeaders;
}

export interface ProxyServer {
  readonly url: string;
  readonly port: number;
  readonly seen: readonly ProxyRequest[];
  /** Every byte that a client sent to the proxy, tunnels included. */
  readonly bytes: () => string;
  readonly close: () => Promise<void>;
}

/**
 * A forward proxy on loopback: tunnels with CONNECT, forwards plain requests, and may require `credentials`
 * (`user:password`).
 */
export async function proxyServer(credentials?: string): Promise<ProxyServer> {
  const seen: ProxyRequest[] = [];
  const chunks: Buffer[] = [];
  const sockets = new Set<Duplex>();
  const expected =
    credentials === undefined ? undefined : `Basic ${Buffer.from(credentials).toString('base64')}`;
  const server = createServer((incoming, outgoing) => {
    seen.push({ line: `${incoming.method} ${incoming.url}`, headers: incoming.headers });
    if (expected !== undefined && incoming.headers['proxy-authorization'] !== expected) {
      outgoing.writeHead(407, { 'proxy-authenticate': 'Basic' }).end();
      return;
    }
    const headers = { ...incoming.headers };
    delete headers['proxy-authorization'];
    const onward = forward(incoming.url ?? '', { method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.writeHead(502).end());
    incoming.pipe(onward);
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  });
  server.on('connect', (incoming, socket: Duplex, head: Buffer) => {
    seen.push({ line: `CONNECT ${incoming.url}`, headers: incoming.headers });
    if (expected !== undefined && incoming.headers['proxy-authorization'] !== expected) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
      return;
    }
    const { hostname, port } = new URL(`http://${incoming.url}`);
    const upstream = connect(Number(port), hostname, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      upstream.write(head);
      upstream.pipe(socket).pipe(upstream);
    });
    sockets.add(upstream);
    for (const end of [socket, upstream]) end.on('error', () => end.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    seen,
    bytes: () => Buffer.concat(chunks).toString('latin1'),
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
