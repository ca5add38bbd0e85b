import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import type { TlsSettings } from '../http/dispatcher.ts';

/** Address of the target, and how to connect. */
export interface UpstreamOptions {
  /** Base URL of the target. Its path is not used here. */
  readonly url: URL;
  /** Value of the header `Host`; null keeps that of the client. */
  readonly host: string | null;
  readonly tls: TlsSettings;
  /** Connect timeout including TLS, ms. */
  readonly connectTimeoutMs: number;
}

/** Error codes of connect timeouts. */
const TIMES: ReadonlySet<string> = new Set(['ETIMEDOUT', 'ESOCKETTIMEDOUT', 'CONNECT_TIMEOUT']);

/** Connects to the target. */
export class Upstream {
  readonly host: string | null;
  readonly isTls: boolean;
  readonly #options: UpstreamOptions;

  constructor(options: UpstreamOptions) {
    this.#options = options;
    this.host = options.host;
    this.isTls = options.url.protocol === 'https:';
  }

  get #port(): number {
    const { port } = this.#options.url;
    return port === '' ? (this.isTls ? 443 : 80) : Number(port);
  }

  /**
   * A new connection, which fails on a connect timeout.
   * @param onOpen called when it is open, including TLS
   */
  connect(onOpen: () => void): Socket | TLSSocket {
    const { tls, connectTimeoutMs, url } = this.#options;
    // Without the brackets of an IPv6 address.
    const host = url.hostname.replaceAll(/^\[|\]$/g, '');
    const socketOptions = { host, port: this.#port, noDelay: true, allowHalfOpen: true };
    const socket = this.isTls
      ? connectTls({
          ...tls,
          ...socketOptions,
          ALPNProtocols: ['http/1.1'],
          ...(isIP(host) === 0 && { servername: host }),
        })
      : connect(socketOptions);
    const timer = setTimeout(() => {
      const late = new Error('The connection timed out.');
      socket.destroy(Object.assign(late, { code: 'CONNECT_TIMEOUT' }));
    }, connectTimeoutMs);
    const stop = (): void => clearTimeout(timer);
    return socket
      .once(this.isTls ? 'secureConnect' : 'connect', onOpen)
      .once(this.isTls ? 'secureConnect' : 'connect', stop)
      .once('close', stop);
  }

  /** The response to a client if the target cannot be reached, after which the connection closes. */
  unreachable(error: NodeJS.ErrnoException, isHead: boolean): string {
    const { code = error.name } = error;
    const name = `${this.#options.url.hostname}:${this.#port}`;
    const text = `assay watch: cannot reach ${name} (${code}). This response is not from the service.\n`;
    const lines = [
      `HTTP/1.1 ${TIMES.has(code) ? '504 Gateway Timeout' : '502 Bad Gateway'}`,
      'Content-Type: text/plain; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(text)}`,
      'Cache-Control: no-store',
      'Via: 1.1 assay-watch',
      'Connection: close',
    ];
    return `${lines.join('\r\n')}\r\n\r\n${isHead ? '' : text}`;
  }
}
