import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { DAY } from '../spec/time.ts';
import { decodedText } from '../text/decoded-text.ts';
import { bearerOf, BEARER_HEADER, type BearerSettings } from './bearer.ts';
import { chooseCertificate } from './client-certificate.ts';
import { TargetError } from './errors.ts';
import { chooseProxy } from './proxy.ts';
import { TARGET_DEFAULTS, type TargetFile, type TargetHttp } from './target.ts';

/** Network options of the command line. */
export interface NetworkFlags {
  readonly proxy?: string | undefined;
  readonly 'ca-file'?: string | undefined;
  readonly cert?: string | undefined;
  readonly 'cert-key'?: string | undefined;
  readonly insecure?: boolean | undefined;
  readonly http2?: boolean | undefined;
  /** `Name: value` each. */
  readonly header?: readonly string[] | undefined;
  readonly 'timeout-ms'?: number | undefined;
}

export interface NetworkSources {
  readonly flags: NetworkFlags;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly file: NonNullable<TargetFile['http']>;
  readonly baseUrl: string;
  /** Name of the key header (§5 rule 2). */
  readonly keyHeader: string;
  /** Folder of the target file, in which its commands run; default: the working directory. */
  readonly folder?: string | undefined;
}

/** Maximum timeout: a longer one is a wrong unit. */
const MAX_TIMEOUT_MS = DAY;

/**
 * Network settings: flags over environment over the target file over the defaults.
 * @throws TargetError `ASSAY_TARGET_INVALID` naming the invalid setting
 */
export function resolveNetwork(sources: NetworkSources): TargetHttp {
  const { flags, env, file, baseUrl, keyHeader, folder } = sources;
  const defaults = TARGET_DEFAULTS.http;
  const { ASSAY_CA_FILE } = env;
  const [caFile, origin] =
    flags['ca-file'] !== undefined
      ? [flags['ca-file'], '--ca-file']
      : ASSAY_CA_FILE !== undefined
        ? [ASSAY_CA_FILE, 'ASSAY_CA_FILE']
        : [file.caFile ?? defaults.caFile, 'http.caFile'];
  if (caFile !== null) authoritiesOf(caFile, origin);
  const headers = mergeHeaders(
    keyHeader,
    ['http.headers', file.headers ?? {}],
    ['--header', parseHeaders(flags.header ?? [])],
  );
  return {
    timeoutMs: checkTimeout(flags['timeout-ms']) ?? file.timeoutMs ?? defaults.timeoutMs,
    ...withBearer(headers, file.bearer ?? null, { keyHeader, folder }),
    insecure: flags.insecure ?? file.insecure ?? defaults.insecure,
    caFile,
    clientCertificate: chooseCertificate({ flags, env, file: file.clientCertificate }),
    proxy: chooseProxy(baseUrl, { flag: flags.proxy, env, file: file.proxy }).url,
    http2: flags.http2 ?? file.http2 ?? defaults.http2,
  };
}

/**
 * Adds the token header, whose value is always the current token.
 * @throws TargetError `ASSAY_TARGET_INVALID` for a duplicate header, `ASSAY_TARGET_BEARER` without a token
 */
function withBearer(
  headers: Readonly<Record<string, string>>,
  settings: BearerSettings | null,
  { keyHeader, folder }: Pick<NetworkSources, 'keyHeader' | 'folder'>,
): Pick<TargetHttp, 'headers' | 'bearer'> {
  if (settings === null) return { headers, bearer: null };
  const name = settings.header ?? BEARER_HEADER;
  const taken = Object.keys(headers).some((other) => other.toLowerCase() === name.toLowerCase());
  if (taken) {
    throw new TargetError(
      'ASSAY_TARGET_INVALID',
      `http.bearer: the header ${name} is already set.`,
      `Remove ${name} from http.headers and --header, or set a different header in http.bearer.header.`,
    );
  }
  // The same restrictions as for other headers.
  mergeHeaders(keyHeader, ['http.bearer', { [name]: '' }]);
  const bearer = bearerOf(settings, folder);
  const live = { ...headers };
  Object.defineProperty(live, name, { enumerable: true, get: () => bearer.value });
  return { headers: live, bearer };
}

/**
 * The certificates of a PEM file, each as a separate text.
 * @throws TargetError `ASSAY_TARGET_INVALID` when the file cannot be read or contains no certificates
 */
export function authoritiesOf(caFile: string, origin = 'http.caFile'): string[] {
  const refused = (why: string, cause?: unknown): TargetError =>
    new TargetError(
      'ASSAY_TARGET_INVALID',
      `${origin} ${why}`,
      "Use the path of a PEM file; http.caFile is relative to the target file's folder.",
      { cause },
    );
  let text: string;
  try {
    text = decodedText(readFileSync(caFile));
  } catch (cause) {
    throw refused(`cannot be read: ${(cause as Error).message}`, cause);
  }
  const certificates =
    text.match(
      /-----BEGIN (?:TRUSTED )?CERTIFICATE-----[^-]+-----END (?:TRUSTED )?CERTIFICATE-----/g,
    ) ?? [];
  if (certificates.length === 0) throw refused(`${caFile} contains no PEM certificate.`);
  try {
    // With a damaged certificate, a handshake would fail without a clear reason.
    certificates.forEach((certificate) => new X509Certificate(certificate));
  } catch (cause) {
    throw refused(`${caFile} contains an unreadable certificate.`, cause);
  }
  return [...certificates];
}

function checkTimeout(ms: number | undefined): number | undefined {
  if (ms === undefined || (Number.isInteger(ms) && ms > 0 && ms <= MAX_TIMEOUT_MS)) return ms;
  throw new TargetError(
    'ASSAY_TARGET_INVALID',
    `--timeout-ms takes a whole number of milliseconds from 1 to ${MAX_TIMEOUT_MS}.`,
    'For example --timeout-ms 30000.',
  );
}

/** Hop-by-hop headers (RFC 9110 §7.6.1), which cannot be set. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
]);

/** Headers that Assay must set itself, with the reason. */
const OWN: Readonly<Record<string, string>> = {
  'content-length': 'it is computed from the body',
  expect: 'Assay sends no request bodies',
  'accept-encoding': 'Assay requests uncompressed bodies so that it can enforce its size limit',
  'proxy-authorization':
    'proxy credentials belong in the proxy URL: --proxy http://user:password@host:port',
  'proxy-authenticate': 'it is a response header',
};

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * Parses `--header "Name: value"`.
 * @throws TargetError `ASSAY_TARGET_INVALID` for an invalid header
 */
export function parseHeaders(flags: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    flags.map((flag) => {
      const colon = flag.indexOf(':');
      // The message does not repeat the text, which may contain a credential.
      if (colon < 1) throw refusedHeader('--header must be "Name: value".');
      return [flag.slice(0, colon).trim(), flag.slice(colon + 1).trim()];
    }),
  );
}

/**
 * Merges headers by case-insensitive name; later ones win.
 * @throws TargetError `ASSAY_TARGET_INVALID` for the key header (§5), hop-by-hop headers, or invalid characters
 */
export function mergeHeaders(
  keyHeader: string,
  ...sources: readonly (readonly [origin: string, Readonly<Record<string, string>>])[]
): Record<string, string> {
  const merged = new Map<string, readonly [string, string]>();
  for (const [origin, headers] of sources) {
    for (const [name, value] of Object.entries(headers)) {
      const fault = headerFault(name, value, keyHeader);
      if (fault !== undefined) throw refusedHeader(`${origin}: ${fault}`);
      merged.set(name.toLowerCase(), [name, value]);
    }
  }
  return Object.fromEntries(merged.values());
}

function headerFault(name: string, value: string, keyHeader: string): string | undefined {
  const lower = name.toLowerCase();
  if (!NAME.test(name)) return 'a header name contains invalid characters.';
  if (!VALUE.test(value)) return `the value of ${name} contains invalid characters.`;
  if (lower === keyHeader.toLowerCase()) {
    return `${name} is the key header, which each check sets for the role it needs: configure keys under keys.* or in ASSAY_API_KEY.`;
  }
  if (HOP_BY_HOP.has(lower)) {
    return `${name} is a hop-by-hop header and cannot be set.`;
  }
  const why = OWN[lower];
  return why === undefined ? undefined : `${name} cannot be set: ${why}.`;
}

function refusedHeader(message: string): TargetError {
  return new TargetError(
    'ASSAY_TARGET_INVALID',
    message,
    'Set headers with --header "X-Team: data", or under http.headers in the target file.',
  );
}
