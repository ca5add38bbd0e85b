import type { Duplex } from 'node:stream';
import { connect as tlsConnect } from 'node:tls';
import { Client } from 'undici';
import { DAY } from '../spec/time.ts';
import { proxyAddress, tlsSettings } from '../http/dispatcher.ts';
import type { TargetHttp } from '../target/target.ts';
import { PATIENCE_MS } from './ask.ts';
import { fail, ok, warn, type Check } from './check.ts';

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
