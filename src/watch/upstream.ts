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
  readonly #address: { readonly host: string; readonly port: number };

  constructor(options: UpstreamOptions) {
    const { hostname, port, protocol } = options.url;
    this.#options = options;
    this.host = options.host;
    this.isTls = protocol === 'https:';
    // Without the brackets of an IPv6 address.
    const host = hostname.replaceAll(/^\[|\]$/g, '');
    this.#address = { host, port: port === '' ? (this.isTls ? 443 : 80) : Number(port) };
    this.name = `${hostname}:${this.#address.port}`;
  }

  /** A new connection, possibly not open yet. It fails on a connect timeout. */
  connect(): Socket | TLSSocket {
    const { tls, connectTimeoutMs } = this.#options;
    const socketOptions = { ...this.#address, noDelay: true, allowHalfOpen: true };
    const socket = this.isTls
      ? connectTls({
          ...tls,
          ...socketOptions,
          ALPNProtocols: ['http/1.1'],
          ...(isIP(socketOptions.host) === 0 && { servername: socketOptions.host }),
        })
      : connect(socketOptions);
    const timer = setTimeout(() => {
      const late = new Error('The connection timed out.');
      socket.destroy(Object.assign(late, { code: 'CONNECT_TIMEOUT' }));
    }, connectTimeoutMs);
    const stop = (): void => clearTimeout(timer);
    socket.once(this.isTls ? 'secureConnect' : 'connect', stop).once('close', stop);
    return socket;
  }
}
