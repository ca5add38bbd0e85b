import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import type { TlsSettings } from '../http/dispatcher.ts';

/** Address of the target, and how to connect. */
export interface Upstream {
  /** Base URL of the target. Its path is not used here. */
  readonly url: URL;
  /** Value of the header `Host`; null keeps that of the client. */
  readonly host: string | null;
  readonly tls: TlsSettings;
  /** Connect timeout including TLS, ms. */
  readonly connectTimeoutMs: number;
}

/** True when the target expects TLS. */
export const isTls = ({ url }: Upstream): boolean => url.protocol === 'https:';

const portOf = (upstream: Upstream): number =>
  Number(upstream.url.port) || (isTls(upstream) ? 443 : 80);

/**
 * A new connection, which fails on a connect timeout.
 * @param onOpen called when it is open, including TLS
 */
export function connectTo(upstream: Upstream, onOpen: () => void): Socket | TLSSocket {
  const { tls, connectTimeoutMs, url } = upstream;
  // Without the brackets of an IPv6 address.
  const host = url.hostname.replaceAll(/^\[|\]$/g, '');
  const options = { host, port: portOf(upstream), noDelay: true, allowHalfOpen: true };
  const servername = isIP(host) === 0 ? { servername: host } : {};
  const socket = isTls(upstream)
    ? connectTls({ ...tls, ...options, ALPNProtocols: ['http/1.1'], ...servername })
    : connect(options);
  const timer = setTimeout(() => {
    const late = new Error('The connection timed out.');
    socket.destroy(Object.assign(late, { code: 'ETIMEDOUT' }));
  }, connectTimeoutMs);
  const stop = (): void => clearTimeout(timer);
  const opened = isTls(upstream) ? 'secureConnect' : 'connect';
  return socket.once(opened, onOpen).once(opened, stop).once('close', stop);
}

/** The response to a client if the target cannot be reached, after which the connection closes. */
export function unreachable(
  upstream: Upstream,
  error: NodeJS.ErrnoException,
  isHead: boolean,
): string {
  const { code = error.name } = error;
  const name = `${upstream.url.hostname}:${portOf(upstream)}`;
  const text = `assay watch: cannot reach ${name} (${code}). This response is not from the service.\n`;
  const lines = [
    `HTTP/1.1 ${code === 'ETIMEDOUT' ? '504 Gateway Timeout' : '502 Bad Gateway'}`,
    'Content-Type: text/plain; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(text)}`,
    'Cache-Control: no-store',
    'Via: 1.1 assay-watch',
    'Connection: close',
  ];
  return `${lines.join('\r\n')}\r\n\r\n${isHead ? '' : text}`;
}
