import http from 'node:http';
import {
  performServerHandshake,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import https from 'node:https';
import { isIP, type Socket } from 'node:net';
import { Http2Request, type Ways } from './http2-request.ts';
import type { Onlooker } from './raw-exchange.ts';
import type { Upstream } from './upstream.ts';

/**
 * One connection of a client that speaks HTTP/2. Each of its streams becomes a request of HTTP/1.1 to the target, over
 * connections that this client alone uses, as gateways do it: what frames a message is the connection's own, method,
 * path, headers, body and trailers are passed on.
 */
export class Http2Front {
  readonly #session: ServerHttp2Session;
  readonly #agent: http.Agent;
  #streams = 0;

  constructor(socket: Socket, parts: { readonly upstream: Upstream; readonly onlooker: Onlooker }) {
    const { tls, hostname, isTls } = parts.upstream;
    const servername = isIP(hostname) === 0 ? { servername: hostname } : {};
    this.#agent = isTls
      ? new https.Agent({ ...tls, ...servername, keepAlive: true })
      : new http.Agent({ keepAlive: true });
    const client = socket.remoteAddress ?? 'unknown';
    const ways: Ways = { ...parts, agent: this.#agent, client };
    this.#session = performServerHandshake(socket);
    this.#session.on(
      'stream',
      (stream: ServerHttp2Stream, headers: IncomingHttpHeaders, _flags: number, raw: unknown) => {
        this.#streams += 1;
        stream.on('error', () => undefined);
        stream.once('close', () => (this.#streams -= 1));
        new Http2Request(stream, headers, raw as readonly string[], ways).send();
      },
    );
    this.#session.on('error', () => undefined);
    this.#session.once('close', () => this.#agent.destroy());
  }

  /** True while a request waits for its answer. */
  get isBusy(): boolean {
    return this.#streams > 0;
  }

  /** Takes no more streams, and ends when those under way have ended. */
  drain(): void {
    if (!this.#session.closed) this.#session.close();
  }

  /** Ends now. */
  cut(): void {
    if (!this.#session.destroyed) this.#session.destroy();
  }
}
