import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import type { TlsSettings } from '../http/dispatcher.ts';

/** Where the target is, and how it is reached. */
export interface UpstreamOptions {
  /** Base URL of the target. Its path is not used here. */
  readonly url: URL;
  /** Value of the header `Host` that is sent in place of the client's; null passes that of the client on. */
  readonly host: string | null;
  readonly tls: TlsSettings;
  /** How long a connection may take to stand, TLS included, ms. */
  readonly connectTimeoutMs: number;
}

/** Makes connections to the target. */
export class Upstream {
  readonly host: string | null;
  readonly isTls: boolean;
  /** Host and port, as they may be shown. */
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

  /** Without the brackets of an address of IPv6. */
  get hostname(): string {
    return this.#options.url.hostname.replaceAll(/^\[|\]$/g, '');
  }

  get tls(): TlsSettings {
    return this.#options.tls;
  }

  get connectTimeoutMs(): number {
    return this.#options.connectTimeoutMs;
  }

  /** A new connection, which need not stand yet. It ends with an error when it does not stand in time. */
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
      const late = new Error('The connection did not stand in time.');
      socket.destroy(Object.assign(late, { code: 'CONNECT_TIMEOUT' }));
    }, this.connectTimeoutMs);
    const stop = (): void => clearTimeout(timer);
    socket.once(this.isTls ? 'secureConnect' : 'connect', stop).once('close', stop);
    return socket;
  }
}
