import { createServer as createHttp } from 'node:http';
import type { RequestListener, Server as HttpServer } from 'node:http';
import { createSecureServer } from 'node:http2';
import { createServer as createHttps } from 'node:https';
import type { ServerOptions } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { onTestFinished } from 'vitest';
import { openSession, type Session } from '../../src/http/session.ts';
import type { TargetHttp } from '../../src/target/target.ts';
import { targetAt } from '../http/targets.ts';
import type { Certificate } from './certificate.ts';

/** Runs after the test, last registered first. */
export function cleanup(what: () => unknown): void {
  onTestFinished(async () => {
    await what();
  });
}

async function listen(server: Server, host: string, options: object = {}): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port: 0, host, ...options }, resolve);
  });
  return (server.address() as AddressInfo).port;
}

function closes(server: Server & Partial<Pick<HttpServer, 'closeAllConnections'>>): void {
  const sockets = new Set<{ destroy(): unknown }>();
  server.on('connection', (socket) => sockets.add(socket));
  cleanup(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
}

/** A plain server; its port. */
export async function httpServer(handle: RequestListener, host = '127.0.0.1'): Promise<number> {
  const server = createHttp(handle);
  const port = await listen(server, host, host === '::1' ? { ipv6Only: true } : {});
  closes(server);
  return port;
}

/** A server with TLS and HTTP/1.1; its port. `options` may request client certificates. */
export async function httpsServer(
  certificate: Certificate & ServerOptions,
  handle: RequestListener,
): Promise<number> {
  const server = createHttps(certificate, handle);
  const port = await listen(server, '127.0.0.1');
  closes(server);
  return port;
}

/** A server with HTTP/2 only; answers with the version of the request. */
export async function http2Server(certificate: Certificate): Promise<number> {
  const server = createSecureServer({ ...certificate, allowHTTP1: false }, (request, response) => {
    response.setHeader('content-type', 'application/json');
    response.setHeader('x-key', request.headers['x-api-key'] ?? '');
    response.end(JSON.stringify({ version: request.httpVersion }));
  });
  const port = await listen(server, '127.0.0.1');
  closes(server);
  return port;
}

/** A session with one valid key. */
export function sessionAt(baseUrl: string, http: Partial<TargetHttp> = {}): Session {
  const session = openSession(targetAt(baseUrl, { http }), { seed: 1 });
  cleanup(() => session.close());
  return session;
}
