import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { rootCertificates } from 'node:tls';
import type * as Undici from 'undici';
import type { Agent, Dispatcher } from 'undici';
import { ownCertificate } from '../target/client-certificate.ts';
import type { OwnCertificate } from '../target/client-certificate.ts';
import { authoritiesOf } from '../target/network.ts';
import { checkProxy } from '../target/proxy.ts';
import type { TargetHttp } from '../target/target.ts';

/** A connection on an ordinary link stands within this time, ms; a link said to be slow gets half its timeout. */
const CONNECT_MS = 5000;

const require = createRequire(import.meta.url);

/** Loaded for the first connection, and at once: who asks a service within this process needs none. */
const undici = (): typeof Undici => require('undici') as typeof Undici;

/** TLS settings of connections to the target (not to its proxy). */
export interface TlsSettings extends Partial<OwnCertificate> {
  readonly rejectUnauthorized: boolean;
  readonly ca?: string[];
  readonly ALPNProtocols?: string[];
}

/** Milliseconds that connecting may take, TLS included. */
export function connectTimeout(timeoutMs: number): number {
  return Math.min(timeoutMs, Math.max(CONNECT_MS, Math.floor(timeoutMs / 2)));
}

/**
 * Whom to trust, and what to show oneself by. Authorities of `http.caFile` are added to the public ones and to those of `NODE_EXTRA_CA_CERTS`,
 * which Node leaves out as soon as a list is given.
 * @throws TargetError when a file of certificates cannot be read
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
 * What sends the requests of a client: straight or through the proxy of `http.proxy`, over HTTP/1.1 or, with
 * `http.http2`, whatever of both the target prefers. Keys reach a proxy in clear only when the target itself is plain
 * http: to an https target the proxy merely passes bytes on (CONNECT).
 * @throws TargetError when a file of certificates cannot be read or `http.proxy` is no address
 */
export function createDispatcher(http: TargetHttp, maxBodyBytes: number): Dispatcher {
  const tls = { ...tlsSettings(http), allowH2: http.http2 };
  const timeout = connectTimeout(http.timeoutMs);
  const options: Agent.Options = {
    headersTimeout: http.timeoutMs,
    bodyTimeout: http.timeoutMs,
    allowH2: http.http2,
    pipelining: 1,
    maxResponseSize: maxBodyBytes,
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
    // A proxy of one's own company is likely to be signed by the same authority as the target.
    proxyTls: { ...trustSettings(http), timeout },
    // Proxies pass plain http on as requests; many refuse a tunnel to any port but 443.
    proxyTunnel: false,
  });
}

/** The address without credentials, and what stands in `Proxy-Authorization` instead. */
function proxyAddress(proxy: string): { href: string; token: string | null } {
  const url = new URL(checkProxy(proxy, 'http.proxy'));
  const user = decodeURIComponent(url.username);
  const password = decodeURIComponent(url.password);
  url.username = '';
  url.password = '';
  const token =
    user === '' && password === ''
      ? null
      : `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  return { href: url.href, token };
}

function extraAuthorities(): string[] {
  const file = process.env['NODE_EXTRA_CA_CERTS'];
  if (file === undefined || file === '') return [];
  try {
    return [readFileSync(file, 'utf8')];
  } catch {
    // Node has warned about it when it started.
    return [];
  }
}
