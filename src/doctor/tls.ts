import type { Duplex } from 'node:stream';
import { connect as tlsConnect } from 'node:tls';
import { Client } from 'undici';
import { DAY } from '../spec/time.ts';
import { proxyAddress, tlsSettings } from '../http/dispatcher.ts';
import type { TargetHttp, Target } from '../target/target.ts';
import { PATIENCE_MS, describe } from './ask.ts';
import { fail, ok, warn, type Check } from './check.ts';
import { tlsWords } from '../http/transport-error.ts';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { Exchange } from '../spec/exchange.ts';
import { withoutCredentials, type ProxyChoice } from '../target/proxy.ts';

const DAYS_TO_WARN = 14;

/** The result of a handshake. */
export interface TlsView {
  readonly protocol: string;
  /** Negotiated application protocol, `h2` or `http/1.1`, or null. */
  readonly alpn: string | null;
  /** Expiry of the certificate, epoch ms; NaN when unknown. */
  readonly notAfter: number;
  /** Why the certificate would be rejected; null when it is valid. */
  readonly refusal: string | null;
}

/**
 * Performs a TLS handshake with the target, through the proxy if there is one. Certificates are not enforced, so that
 * the reason for a rejection can be reported.
 * @throws Error when the handshake fails
 */
export async function lookAtTls(base: URL, http: TargetHttp): Promise<TlsView> {
  const host = base.hostname.replace(/^\[|\]$/g, '');
  const port = base.port === '' ? 443 : Number(base.port);
  const tunnel = http.proxy === null ? null : await tunnelTo(host, port, http.proxy, http);
  try {
    return await new Promise<TlsView>((resolve, reject) => {
      const secure = tlsConnect({
        ...tlsSettings(http),
        ...(tunnel === null ? { port } : { socket: tunnel }),
        // An IP address is not a server name (RFC 6066 §3), but certificates are still compared with it.
        host,
        ...(/^[\d.]+$|:/.test(host) ? {} : { servername: host }),
        rejectUnauthorized: false,
        ALPNProtocols: http.http2 ? ['h2', 'http/1.1'] : ['http/1.1'],
      });
      secure.setTimeout(PATIENCE_MS, () => {
        reject(new Error('the TLS handshake timed out'));
        secure.destroy();
      });
      secure.once('error', reject);
      secure.once('secureConnect', () => {
        const certificate = secure.getPeerCertificate();
        resolve({
          protocol: secure.getProtocol() ?? 'TLS',
          alpn: secure.alpnProtocol || null,
          notAfter: Date.parse(certificate.valid_to),
          refusal: secure.authorized ? null : refusalOf(secure.authorizationError),
        });
        secure.destroy();
      });
    });
  } finally {
    tunnel?.destroy();
  }
}

/** The code of an error; Node gives some as a text. */
const refusalOf = (error: NodeJS.ErrnoException | string): string =>
  typeof error === 'string' ? error : (error.code ?? error.message);

async function tunnelTo(
  host: string,
  port: number,
  proxy: string,
  http: TargetHttp,
): Promise<Duplex> {
  const { href, token } = proxyAddress(proxy);
  const tls = href.startsWith('https:') ? tlsSettings(http) : {};
  const { statusCode, socket } = await new Client(new URL(href).origin, {
    connect: { ...tls, timeout: PATIENCE_MS },
  }).connect({
    path: `${host.includes(':') ? `[${host}]` : host}:${port}`,
    ...(token !== null && { headers: { 'proxy-authorization': token } }),
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  if (statusCode === 200) return socket;
  socket.destroy();
  throw new Error(`the proxy rejected the tunnel with ${statusCode}`);
}

/** Checks the result of a handshake. `now` in epoch ms. */
export function tlsCheck(view: TlsView, insecure: boolean, now: number): Check {
  const days = Math.floor((view.notAfter - now) / DAY);
  const left = Number.isNaN(days)
    ? 'certificate without an expiry date'
    : `certificate valid for ${days} more day${days === 1 ? '' : 's'}`;
  const seen = `${view.protocol}${view.alpn === null ? '' : `, ${view.alpn}`}, ${left}`;
  if (insecure) {
    return view.refusal === null
      ? warn(
          'tls',
          `${seen}; not verified (insecure)`,
          'The certificate is valid: remove --insecure (http.insecure).',
        )
      : warn(
          'tls',
          `${seen}; NOT VERIFIED (insecure): ${view.refusal}`,
          'Set the certificate authority with --ca-file (http.caFile) and remove --insecure (http.insecure).',
        );
  }
  if (view.refusal !== null) {
    const fix = FIXES[view.refusal] ?? PRIVATE_AUTHORITY;
    return fail('tls', `certificate rejected: ${view.refusal}`, fix);
  }
  return days < DAYS_TO_WARN
    ? warn('tls', seen, 'Renew the certificate soon.')
    : ok('tls', `${seen}, verified`);
}

const FIXES: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: "Renew the target's certificate.",
  CERT_NOT_YET_VALID: 'Check the clocks of this machine and of the target.',
  ERR_TLS_CERT_ALTNAME_INVALID:
    'The certificate is for a different host name: use that name in baseUrl.',
};
const PRIVATE_AUTHORITY =
  'For a private certificate authority, use --ca-file FILE (http.caFile). --insecure skips verification.';

/** Reports the proxy in use and its origin. */
export function proxyCheck({ url, origin, exemption }: ProxyChoice): Check {
  if (url !== null) return ok('proxy', `${withoutCredentials(url)} (${origin ?? ''})`);
  if (exemption !== null)
    return ok('proxy', `none: ${origin ?? ''} does not apply to this target (${exemption})`);
  return ok('proxy', origin === null ? 'none' : `none (${origin})`);
}

/** Checks that the host name resolves within {@link PATIENCE_MS}. */
export async function nameCheck(base: URL): Promise<Check> {
  const host = base.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0) return ok('name', `${host} is an IP address`);
  try {
    const late = setTimeout(PATIENCE_MS, null, { ref: false });
    const found = await Promise.race([lookup(host, { all: true }), late]);
    if (found === null) throw new Error('no response from the name server');
    return ok('name', `${host} resolves to ${found.map(({ address }) => address).join(', ')}`);
  } catch (error) {
    return fail(
      'name',
      `${host} cannot be resolved: ${(error as Error).message}`,
      'Check the host in baseUrl, the VPN, and whether a proxy is needed (--proxy).',
    );
  }
}

/** Checks the TLS handshake with the target. */
export async function secureCheck(base: URL, target: Target): Promise<Check> {
  try {
    return tlsCheck(await lookAtTls(base, target.http), target.http.insecure, Date.now());
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    const why = tlsWords(code, message === '' ? String(error) : message);
    return fail('tls', why, 'Check host, port and proxy, and whether the target supports https.');
  }
}

/** Checks that a request without a key gets a response. */
export function reachableCheck(keyless: Exchange, target: Target): Check {
  const { response, error } = keyless;
  if (response === null) {
    const fixes: Readonly<Record<string, string>> = {
      refused: 'Start the service, or correct host, port or proxy.',
      timeout: `The service does not respond within ${target.http.timeoutMs} ms: check its logs and any firewalls in between.`,
      tls: 'Use http:// if the target does not support TLS, or see the line above.',
    };
    const fix =
      fixes[error?.kind ?? ''] ?? 'Check the host, port and scheme in baseUrl, and the proxy.';
    return fail('reachable', `${target.baseUrl}: ${describe(keyless)}`, fix);
  }
  if (response.status === 407) {
    return fail(
      'reachable',
      'the proxy requires credentials (407)',
      'Add the credentials to the proxy URL: http://user:password@host:port.',
    );
  }
  const ms = Math.round(Math.max(0, keyless.receivedAt - keyless.sentAt));
  return ok('reachable', `answered ${response.status} in ${ms} ms`);
}
