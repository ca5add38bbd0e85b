import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { KEY_HEADER } from '../spec/limits.ts';
import { CONTROL_PATH, handleControl } from './control.ts';
import type { MovableClock } from './clock.ts';
import type { Reply, Respond } from './core.ts';

export interface ListenOptions {
  /** 0 takes a free port. */
  readonly port?: number;
  readonly network?: Network;
  /** Called for every incoming request with its key and raw headers. */
  readonly onRequest?: (key: string | undefined, rawHeaders: readonly string[]) => void;
}

/** How connections behave. */
export interface Network {
  /** How long an idle connection stays open, ms; a minute by default. */
  readonly keepAliveMs?: number;
  /** Whether the connection of request `count` (from 1) is reset instead of answered, after it was counted. */
  readonly isReset?: (count: number) => boolean;
}

/** A server that accepts connections. */
export interface Listening {
  /** Origin and base path, without a slash at the end. */
  readonly baseUrl: string;
  readonly port: number;
  /** Ends open connections and frees the port. */
  close(): Promise<void>;
}

const HOST = '127.0.0.1';

const KEY_NAME = KEY_HEADER.toLowerCase();

/** Serves `respond` on a port. `control` serves the clock, outside the API. */
export async function listenHttp(
  respond: Respond,
  basePath: string,
  control: MovableClock | undefined,
  { port = 0, network = {}, onRequest }: ListenOptions,
): Promise<Listening> {
  let count = 0;
  const server = createServer((request, response) => {
    const { method = 'GET', url = '/' } = request;
    if (control !== undefined && url === CONTROL_PATH) {
      void handleControl(control, request, response);
      return;
    }
    // Request bodies are ignored, but an unread one would block the connection.
    if (method !== 'GET') request.resume();
    count += 1;
    onRequest?.(keyOf(request), request.rawHeaders);
    const reply = respond(method, url, keyOf(request), request.rawHeaders);
    if (network.isReset?.(count) === true) request.socket.resetAndDestroy();
    else send(reply, response);
  });
  server.keepAliveTimeout = network.keepAliveMs ?? 60_000;
  return listening(server, basePath, port);
}

/** Makes a server accept connections on loopback, for it has no protection for a network; on a free port for 0. */
export async function listening(
  server: Server,
  basePath: string,
  port: number,
): Promise<Listening> {
  await once(server.listen(port, HOST), 'listening');
  const { port: taken } = server.address() as AddressInfo;
  return {
    baseUrl: `http://${HOST}:${taken}${basePath}`,
    port: taken,
    async close() {
      const closed = once(server.close(), 'close');
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Searches the raw headers: building a header object costs more than all checks together. */
function keyOf({ rawHeaders }: IncomingMessage): string | undefined {
  let key: string | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length !== KEY_NAME.length || name.toLowerCase() !== KEY_NAME) continue;
    const value = rawHeaders[index + 1] ?? '';
    // Repeated headers are joined as HTTP requires, which never gives an issued key.
    key = key === undefined ? value : `${key}, ${value}`;
  }
  return key === '' ? undefined : key;
}

function send(reply: Reply, response: ServerResponse): void {
  if (reply.delayMs > 0) {
    void wait(reply.delayMs).then(() => send({ ...reply, delayMs: 0 }, response));
    return;
  }
  // `Date` is among the headers, or omitted on purpose.
  response.sendDate = false;
  response.writeHead(reply.status, reply.headers);
  response.end(reply.bytes);
}
