import { tlsWords } from '../http/transport-error.ts';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { Exchange } from '../spec/exchange.ts';
import { withoutCredentials, type ProxyChoice } from '../target/proxy.ts';
import type { Target } from '../target/target.ts';
import { PATIENCE_MS, describe } from './ask.ts';
import { fail, ok, type Check } from './check.ts';
import { lookAtTls, tlsCheck } from './tls.ts';

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
