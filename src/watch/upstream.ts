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

/** Connects to the target. */
export class Upstream {
  readonly host: string | null;
  readonly isTls: boolean;
  /** Host and port for messages. */
  readonly name: string;
  readonly #options: UpstreamOptions;

  constructor(options: UpstreamOptions) {
    this.#options = options;
    this.host = options.host;
    this.isTls = options.url.protocol === 'https:';
    this.name = `${options.url.hostname}:${this.port}`;
  }

  get port(): number {
    const { port } = this.#options.url;
    return port === '' ? (this.isTls ? 443 : 80) : Number(port);
  }

  /** Without the brackets of an IPv6 address. */
  get hostname(): string {
    return this.#options.url.hostname.replaceAll(/^\[|\]$/g, '');
  }

  get tls(): TlsSettings {
    return this.#options.tls;
  }

  get connectTimeoutMs(): number {
    return this.#options.connectTimeoutMs;
  }

  /** A new connection, possibly not open yet. It fails on a connect timeout. */
  connect(): Socket | TLSSocket {
    const place = { host: this.hostname, port: this.port, noDelay: true, allowHalfOpen: true };
    const socket = this.isTls
      ? connectTls({
          ...this.#options.tls,
          ...place,
          ALPNProtocols: ['http/1.1'],
          ...(isIP(this.hostname) === 0 && { servername: this.hostname }),
        })
      : connect(place);
    const timer = setTimeout(() => {
      const late = new Error('The connection timed out.');
      socket.destroy(Object.assign(late, { code: 'CONNECT_TIMEOUT' }));
    }, this.connectTimeoutMs);
    const stop = (): void => clearTimeout(timer);
    socket.once(this.isTls ? 'secureConnect' : 'connect', stop).once('close', stop);
    return socket;
  }
}
