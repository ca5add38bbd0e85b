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

/** Connection headers, which HTTP/2 does not have. */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
]);

/** Maximum size of response headers, as on HTTP/1 connections, bytes. */
const MAX_HEAD = 128 * 1024;

/** Route of a client's requests to the target. */
export interface Ways {
  readonly upstream: Upstream;
  readonly onlooker: Onlooker;
  readonly agent: http.Agent;
  /** Address of the client. */
  readonly client: string;
}

/** Forwards an HTTP/2 stream as an HTTP/1.1 request, and its answer to the stream. */
export class Http2Request {
  readonly #stream: ServerHttp2Stream;
  readonly #ways: Ways;
  readonly #method: string;
  readonly #path: string;
  readonly #sent: readonly string[];
  readonly #onGone = (): void => void this.#request?.destroy();
  #request: ClientRequest | null = null;
  #isTold = false;

  /** @param raw alternating names and values, as sent */
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

  /** Sends the request. The stream is always closed. */
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
      const late = new Error('The connection timed out.');
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
    // Node's types lack `sendDate`, which keeps Node from adding a date.
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
    // An open connection was closed. The request is not retried, because the target may have received it.
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

/** Alternating names and values without pseudo-headers. HTTP/1 has one cookie header. */
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

/** Headers or trailers of an answer for HTTP/2: lower-case names, repeated ones as a list. */
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
