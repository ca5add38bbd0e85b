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
 * An HTTP/2 connection of a client. Each stream becomes an HTTP/1.1 request to the target on connections that only this
 * client uses: as in a gateway, method, path, headers, body and trailers are forwarded, and the framing differs.
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

  /** True while a request has no answer yet. */
  get isBusy(): boolean {
    return this.#streams > 0;
  }

  /** Accepts no more streams, and closes after the open ones. */
  drain(): void {
    if (!this.#session.closed) this.#session.close();
  }

  /** Closes immediately. */
  cut(): void {
    if (!this.#session.destroyed) this.#session.destroy();
  }
}
