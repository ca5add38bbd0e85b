import { BlockList, isIP, isIPv6 } from 'node:net';
import { TargetError } from './errors.ts';
import type { Target } from './target.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The proxy in use, and the setting that selects it. */
export interface ProxyChoice {
  /** Proxy URL with credentials, never shown (see {@link withoutCredentials}); null for none. */
  readonly url: string | null;
  /** `--proxy`, `ASSAY_PROXY`, `http.proxy`, or a variable such as `HTTPS_PROXY`; null when none is set. */
  readonly origin: string | null;
  /** The entry of `NO_PROXY` (or "loopback") that bypasses the proxy of the environment, or null. */
  readonly exemption: string | null;
}

interface ProxySources {
  readonly flag: string | undefined;
  readonly env: Environment;
  /** `http.proxy` of the target file; null means no proxy, whatever the environment says. */
  readonly file: string | null | undefined;
}

/**
 * The proxy for `baseUrl`: flag over `ASSAY_PROXY` over the target file over the standard variables (`HTTP_PROXY`,
 * `HTTPS_PROXY`, `NO_PROXY`, lower case first). These follow the rules of Go, so that k6 and Assay use the same proxy;
 * in particular they never apply to loopback addresses. Resolved here and not in the HTTP library, because report and
 * redaction need the result.
 * @throws TargetError `ASSAY_TARGET_INVALID` for an invalid proxy URL.
 */
export function chooseProxy(baseUrl: string, sources: ProxySources): ProxyChoice {
  const { flag, env, file } = sources;
  const named: readonly [string, string | null | undefined][] = [
    ['--proxy', flag],
    ['ASSAY_PROXY', nonEmpty(env['ASSAY_PROXY'])],
    ['http.proxy', file],
  ];
  for (const [origin, value] of named) {
    if (value === undefined) continue;
    const isNone = value === null || value.toLowerCase() === 'none';
    return { url: isNone ? null : checkProxy(value, origin), origin, exemption: null };
  }
  return fromEnvironment(new URL(baseUrl), env);
}

/** The URL of a proxy without credentials, for messages and reports. */
export function withoutCredentials(proxy: string): string {
  if (!URL.canParse(proxy)) return '(invalid URL)';
  const { protocol, host } = new URL(proxy);
  return `${protocol}//${host}`;
}

function fromEnvironment(base: URL, env: Environment): ProxyChoice {
  const name = base.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  for (const origin of [name.toLowerCase(), name]) {
    const value = nonEmpty(env[origin]);
    if (value === undefined) continue;
    const exemption = exemptionOf(base, env);
    if (exemption !== null) return { url: null, origin, exemption };
    // In these variables, a host without a scheme means http.
    const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`;
    return { url: checkProxy(address, origin), origin, exemption: null };
  }
  return { url: null, origin: null, exemption: null };
}

/**
 * Validates and normalises a proxy URL.
 * @throws TargetError `ASSAY_TARGET_INVALID`; the message never contains the
 * text, which may include a password
 */
export function checkProxy(text: string, origin: string): string {
  const refused = (why: string): TargetError =>
    new TargetError(
      'ASSAY_TARGET_INVALID',
      `${origin} ${why}`,
      'Use a URL such as http://proxy.example:3128 or http://user:password@proxy.example:3128, or "none" for no proxy.',
    );
  if (!URL.canParse(text)) throw refused('is not a valid proxy URL.');
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw refused(
      `must begin with http:// or https://; ${url.protocol} proxies are not supported.`,
    );
  }
  if (url.hostname === '') throw refused('has no host.');
  return url.href;
}

/** The entry of `NO_PROXY` that matches a URL, or null. */
function exemptionOf(base: URL, env: Environment): string | null {
  const host = base.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  if (isLoopback(host)) return 'loopback';
  const port = base.port === '' ? (base.protocol === 'https:' ? '443' : '80') : base.port;
  const list = nonEmpty(env['no_proxy']) ?? nonEmpty(env['NO_PROXY']) ?? '';
  for (const entry of list.split(',').map((part) => part.trim().toLowerCase())) {
    if (entry !== '' && exempts(entry, host, port)) return entry;
  }
  return null;
}

function isLoopback(host: string): boolean {
  if (host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))) return true;
  return host === 'localhost' || host.endsWith('.localhost');
}

/** `*`, an address, a network `10.0.0.0/8`, a domain with its subdomains, or `.domain` for the subdomains only. */
function exempts(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true;
  const [network, bits] = entry.split('/');
  if (bits !== undefined) return isInNetwork(host, network ?? '', Number(bits));
  const [, name = entry, entryPort] =
    /^\[([^\]]+)\](?::(\d+))?$/.exec(entry) ?? /^([^:]+):(\d+)$/.exec(entry) ?? [];
  if (entryPort !== undefined && entryPort !== port) return false;
  if (isIP(host) !== 0) return name === host;
  const domain = name.replace(/^\*(?=\.)/, '');
  return domain.startsWith('.')
    ? host.endsWith(domain)
    : host === domain || host.endsWith(`.${domain}`);
}

function isInNetwork(host: string, network: string, bits: number): boolean {
  if (isIP(host) === 0 || isIP(host) !== isIP(network)) return false;
  const family = isIPv6(host) ? 'ipv6' : 'ipv4';
  if (!Number.isInteger(bits) || bits < 0 || bits > (family === 'ipv6' ? 128 : 32)) return false;
  const list = new BlockList();
  list.addSubnet(network, bits, family);
  return list.check(host, family);
}

/** A trimmed text; undefined if it is missing or blank. */
export function nonEmpty(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === '' ? undefined : text.trim();
}

/** Notes about the connection to the target, for results and reports. */
export function networkNotes({ baseUrl, http }: Pick<Target, 'baseUrl' | 'http'>): string[] {
  const notes: string[] = [];
  if (http.insecure && baseUrl.startsWith('https:')) {
    notes.push(
      'TLS certificates were not verified (--insecure or http.insecure), so the target was not authenticated.',
    );
  }
  if (http.proxy !== null) {
    notes.push(`Requests went through the proxy ${withoutCredentials(http.proxy)}.`);
  }
  return notes;
}
