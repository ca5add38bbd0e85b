import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import {
  constants,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2';
import https from 'node:https';
import { BodyCopy } from './body-copy.ts';
import { unreachable } from './own-answer.ts';
import type { Onlooker, Unjudged } from './raw-exchange.ts';
import type { Upstream } from './upstream.ts';

/** Headers that belong to one connection; HTTP/2 has none of them. */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
]);

/** Heads of the target may be as large as those on connections of HTTP/1, bytes. */
const MAX_HEAD = 128 * 1024;

/** How the requests of one client get to the target. */
export interface Ways {
  readonly upstream: Upstream;
  readonly onlooker: Onlooker;
  readonly agent: http.Agent;
  /** Address of the client. */
  readonly client: string;
}

/** A stream of HTTP/2 as a request of HTTP/1.1, and its answer as the stream's. */
export class Http2Request {
  readonly #stream: ServerHttp2Stream;
  readonly #ways: Ways;
  readonly #method: string;
  readonly #path: string;
  readonly #sent: readonly string[];
  readonly #onGone = (): void => void this.#request?.destroy();
  #request: ClientRequest | null = null;
  #isTold = false;

  /** @param raw names and values in turn, as they were sent */
  constructor(
    stream: ServerHttp2Stream,
    headers: IncomingHttpHeaders,
    raw: readonly string[],
    ways: Ways,
  ) {
    this.#stream = stream;
    this.#ways = ways;
    this.#method = headers[':method'] ?? 'GET';
    this.#path = headers[':path'] ?? '/';
    this.#sent = requestHeaders(raw, ways.upstream.host ?? headers[':authority'] ?? '');
  }

  /** Sends it. Whatever becomes of it, the stream comes to its end. */
  send(): void {
    const { upstream, onlooker, agent } = this.#ways;
    const stream = this.#stream;
    const started = { number: onlooker.begin(), sentAt: Date.now() };
    const request = (upstream.isTls ? https : http).request({
      host: upstream.hostname,
      port: upstream.port,
      agent,
      method: this.#method,
      path: this.#path,
      headers: this.#sent,
      maxHeaderSize: MAX_HEAD,
    });
    this.#request = request;
    const timer = setTimeout(() => {
      if (request.socket?.connecting === false) return;
      const late = new Error('The connection did not stand in time.');
      request.destroy(Object.assign(late, { code: 'CONNECT_TIMEOUT' }));
    }, upstream.connectTimeoutMs);
    stream.once('close', this.#onGone);
    request.on('information', ({ statusCode, rawHeaders }) => {
      if (stream.headersSent || stream.closed || statusCode === 100) return;
      stream.additionalHeaders({ ':status': statusCode, ...answerHeaders(rawHeaders) });
    });
    request.once('close', () => clearTimeout(timer));
    request.once('response', (answer) => this.#answer(answer, started));
    request.once('error', (error) => this.#fail(request, error));
    if (stream.endAfterHeaders) {
      request.end();
      return;
    }
    stream.once('trailers', (trailers: IncomingHttpHeaders) => request.addTrailers(trailers));
    stream.pipe(request);
  }

  #answer(answer: IncomingMessage, started: { number: number; sentAt: number }): void {
    const stream = this.#stream;
    const body = new BodyCopy(this.#ways.onlooker);
    const status = answer.statusCode ?? 0;
    answer.on('data', (chunk: Buffer) => body.add(chunk));
    answer.once('end', () => {
      if (!answer.complete) return;
      this.#isTold = true;
      this.#ways.onlooker.take({
        ...started,
        method: this.#method,
        path: this.#path,
        requestHeaders: this.#sent,
        status,
        responseHeaders: answer.rawHeaders,
        ...body.taken(),
        receivedAt: Date.now(),
        client: this.#ways.client,
      });
    });
    answer.once('close', () => {
      body.drop();
      if (!answer.complete) this.#cut();
    });
    if (stream.closed || stream.destroyed) {
      answer.destroy();
      return;
    }
    const isBare = this.#method === 'HEAD' || status === 204 || status === 304;
    // The types of Node know nothing of `sendDate` yet; without it, an answer without a date would be given one.
    const options = { endStream: isBare, waitForTrailers: !isBare, sendDate: false };
    stream.respond({ ':status': status, ...answerHeaders(answer.rawHeaders) }, options);
    if (isBare) {
      answer.resume();
      return;
    }
    stream.once('wantTrailers', () => {
      const trailers = answerHeaders(answer.rawTrailers);
      if (Object.keys(trailers).length > 0) stream.sendTrailers(trailers);
      else stream.close();
    });
    answer.pipe(stream);
  }

  #fail(request: ClientRequest, error: NodeJS.ErrnoException): void {
    const stream = this.#stream;
    stream.off('close', this.#onGone);
    if (stream.closed || stream.destroyed || stream.headersSent) {
      this.#cut();
      return;
    }
    // A connection that stood was ended. Whether the target took the request is not known, so it is not sent again.
    const stood = request.reusedSocket || request.socket?.connecting === false;
    if (stood && (error.code === 'ECONNRESET' || error.code === 'EPIPE')) {
      this.#cut();
      return;
    }
    this.#miss('unreachable');
    const { status, text } = unreachable(error, this.#ways.upstream.name);
    stream.respond({ ':status': status, 'content-type': 'text/plain; charset=utf-8' });
    stream.end(text);
  }

  #cut(): void {
    this.#miss('cut');
    if (!this.#stream.closed) this.#stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  }

  #miss(why: Unjudged): void {
    if (!this.#isTold) this.#ways.onlooker.miss(why);
    this.#isTold = true;
  }
}

/** Names and values in turn, without pseudo-headers; crumbs of a cookie are one header in HTTP/1. */
function requestHeaders(raw: readonly string[], host: string): readonly string[] {
  const headers: string[] = ['host', host];
  const crumbs: string[] = [];
  for (let at = 0; at < raw.length; at += 2) {
    const [name = '', value = ''] = raw.slice(at, at + 2);
    if (name.startsWith(':') || OF_CONNECTION.has(name) || name === 'host') continue;
    if (name === 'cookie') crumbs.push(value);
    else headers.push(name, value);
  }
  if (crumbs.length > 0) headers.push('cookie', crumbs.join('; '));
  return headers;
}

/** Headers of an answer or its trailers as HTTP/2 sends them: in lower case, repeated ones several times. */
function answerHeaders(raw: readonly string[]): OutgoingHttpHeaders {
  const headers: Record<string, string | string[]> = {};
  for (let at = 0; at < raw.length; at += 2) {
    const name = (raw[at] ?? '').toLowerCase();
    const value = raw[at + 1] ?? '';
    if (OF_CONNECTION.has(name) || name === '__proto__') continue;
    const known = headers[name];
    headers[name] = known === undefined ? value : [known, value].flat();
  }
  return headers;
}
