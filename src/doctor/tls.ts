import { once } from 'node:events';
import { connect as tcpConnect } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as tlsConnect } from 'node:tls';
import { Client } from 'undici';
import { DAY } from '../spec/time.ts';
import { proxyAddress, tlsSettings } from '../http/dispatcher.ts';
import type { TargetHttp } from '../target/target.ts';
import { PATIENCE_MS } from './ask.ts';
import { fail, ok, warn, type Check } from './check.ts';

/** Warn when the certificate expires within this many days. */
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
  const socket = await connected(host, port, http);
  try {
    return await new Promise<TlsView>((resolve, reject) => {
      const secure = tlsConnect({
        ...tlsSettings(http),
        socket,
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
        const { authorizationError: error } = secure as { authorizationError?: unknown };
        resolve({
          protocol: secure.getProtocol() ?? 'TLS',
          alpn: secure.alpnProtocol === false ? null : secure.alpnProtocol,
          notAfter: Date.parse(certificate.valid_to),
          refusal: secure.authorized ? null : refusalOf(error),
        });
        secure.destroy();
      });
    });
  } finally {
    socket.destroy();
  }
}

function refusalOf(error: unknown): string {
  if (error instanceof Error) return 'code' in error ? String(error.code) : error.message;
  return String(error);
}

async function connected(host: string, port: number, http: TargetHttp): Promise<Duplex> {
  if (http.proxy === null) {
    const socket = tcpConnect({ host, port, timeout: PATIENCE_MS });
    socket.once('timeout', () => socket.destroy(new Error('the connection timed out')));
    await once(socket, 'connect');
    return socket;
  }
  const { href, token } = proxyAddress(http.proxy);
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
  if (view.refusal !== null && insecure) {
    const fix =
      'Set the certificate authority with --ca-file (http.caFile) and remove --insecure (http.insecure).';
    return warn('tls', `${seen}; NOT VERIFIED (insecure): ${view.refusal}`, fix);
  }
  if (view.refusal !== null)
    return fail('tls', `certificate rejected: ${view.refusal}`, fixFor(view.refusal));
  if (insecure) {
    return warn(
      'tls',
      `${seen}; not verified (insecure)`,
      'The certificate is valid: remove --insecure (http.insecure).',
    );
  }
  return days < DAYS_TO_WARN
    ? warn('tls', seen, 'Renew the certificate soon.')
    : ok('tls', `${seen}, verified`);
}

function fixFor(refusal: string): string {
  if (refusal === 'CERT_HAS_EXPIRED') return "Renew the target's certificate.";
  if (refusal === 'CERT_NOT_YET_VALID')
    return 'Check the clocks of this machine and of the target.';
  if (refusal === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return 'The certificate is for a different host name: use that name in baseUrl.';
  }
  return 'For a private certificate authority, use --ca-file FILE (http.caFile). --insecure skips verification.';
}
