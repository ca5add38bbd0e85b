import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { rootCertificates } from 'node:tls';
import type * as Undici from 'undici';
import type { Agent, Dispatcher } from 'undici';
import { ownCertificate, type OwnCertificate } from '../target/client-certificate.ts';
import { authoritiesOf } from '../target/network.ts';
import { checkProxy } from '../target/proxy.ts';
import type { TargetHttp } from '../target/target.ts';

/** Connect timeout, ms; longer timeouts get half of the request timeout. */
const CONNECT_MS = 5000;

const require = createRequire(import.meta.url);

/** Loaded lazily: a service in this process needs no connections. */
const undici = (): typeof Undici => require('undici') as typeof Undici;

/** TLS settings of connections to the target (not to its proxy). */
export interface TlsSettings extends Partial<OwnCertificate> {
  readonly rejectUnauthorized: boolean;
  readonly ca?: string[];
  readonly ALPNProtocols?: string[];
}

/** Connect timeout including TLS, ms. */
export function connectTimeout(timeoutMs: number): number {
  return Math.min(timeoutMs, Math.max(CONNECT_MS, Math.floor(timeoutMs / 2)));
}

/**
 * Certificate authorities and client certificate. Authorities of `http.caFile` are added to the public ones and to
 * those of `NODE_EXTRA_CA_CERTS`, which Node ignores when a list is given.
 * @throws TargetError when a certificate file cannot be read
 */
export function tlsSettings(http: TargetHttp): TlsSettings {
  const own = http.clientCertificate === null ? {} : ownCertificate(http.clientCertificate);
  return { ...trustSettings(http), ...own };
}

function trustSettings(http: TargetHttp): TlsSettings {
  const rejectUnauthorized = !http.insecure;
  if (http.caFile === null) return { rejectUnauthorized };
  return {
    rejectUnauthorized,
    ca: [...rootCertificates, ...extraAuthorities(), ...authoritiesOf(http.caFile)],
  };
}

/**
 * The dispatcher for the requests of a client: direct or through `http.proxy`, over HTTP/1.1, or also HTTP/2 with
 * `http.http2`. A proxy sees keys only for plain http targets: for https it just forwards bytes (CONNECT).
 * @throws
 * TargetError when a certificate file cannot be read or `http.proxy` is invalid
 */
export function createDispatcher(http: TargetHttp): Dispatcher {
  const tls = { ...tlsSettings(http), allowH2: http.http2 };
  const timeout = connectTimeout(http.timeoutMs);
  const options: Agent.Options = {
    headersTimeout: http.timeoutMs,
    bodyTimeout: http.timeoutMs,
    allowH2: http.http2,
    pipelining: 1,
    connect: { ...tls, timeout },
  };
  const { Agent, ProxyAgent } = undici();
  if (http.proxy === null) return new Agent(options);
  const { href, token } = proxyAddress(http.proxy);
  return new ProxyAgent({
    ...options,
    uri: href,
    ...(token === null ? {} : { token }),
    requestTls: { ...tls, timeout },
    // A company proxy probably uses the same certificate authority as the target.
    proxyTls: { ...trustSettings(http), timeout },
    // Proxies forward plain http as requests; many refuse tunnels to ports other than 443.
    proxyTunnel: false,
  });
}

/** The proxy URL without credentials, and the value of `Proxy-Authorization`. */
export const proxyAddress = (proxy: string): { href: string; token: string | null } =>
  withoutLogin(new URL(checkProxy(proxy, 'http.proxy')));

/** A URL without its credentials, and these as an `Authorization`; null for none. */
export function withoutLogin({ href, username, password }: URL): {
  readonly href: string;
  readonly token: string | null;
} {
  const bare = Object.assign(new URL(href), { username: '', password: '' });
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const token = login === ':' ? null : `Basic ${Buffer.from(login).toString('base64')}`;
  return { href: bare.href, token };
}

function extraAuthorities(): string[] {
  const file = process.env['NODE_EXTRA_CA_CERTS'];
  if (file === undefined || file === '') return [];
  try {
    return [readFileSync(file, 'utf8')];
  } catch {
    // Node has already warned about it at startup.
    return [];
  }
}
