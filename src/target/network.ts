import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { DAY } from '../spec/time.ts';
import { decodedText } from '../text/decoded-text.ts';
import { Bearer, BEARER_HEADER, type BearerSettings } from './bearer.ts';
import { chooseCertificate } from './client-certificate.ts';
import { TargetError } from './errors.ts';
import { mergeHeaders, parseHeaders } from './extra-headers.ts';
import { chooseProxy } from './proxy.ts';
import { TARGET_DEFAULTS } from './target.ts';
import type { TargetFile, TargetHttp } from './target.ts';

/** What the command line says about how the target is reached. */
export interface NetworkFlags {
  /** `--proxy URL`, or `none`. */
  readonly proxy?: string | undefined;
  /** `--ca-file`, PEM. */
  readonly caFile?: string | undefined;
  /** `--cert`, PEM. */
  readonly cert?: string | undefined;
  /** `--cert-key`, PEM; where it is missing, the key stands in the file of the certificate. */
  readonly certKey?: string | undefined;
  /** `--insecure`; false takes back what the target file says. */
  readonly insecure?: boolean | undefined;
  /** `--http2` */
  readonly http2?: boolean | undefined;
  /** `--header "Name: value"`, repeatable. */
  readonly headers?: readonly string[] | undefined;
  /** `--timeout-ms` */
  readonly timeoutMs?: number | undefined;
}

export interface NetworkSources {
  readonly flags: NetworkFlags;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly file: NonNullable<TargetFile['http']>;
  readonly baseUrl: string;
  /** Name of the key header (§5 rule 2). */
  readonly keyHeader: string;
  /** Folder of the target file, in which its commands run; the working folder by default. */
  readonly folder?: string | undefined;
}

/** A day: whatever is longer is a slip of the unit. */
const MAX_TIMEOUT_MS = DAY;

/**
 * How requests are sent: flags over environment (`ASSAY_PROXY`, `ASSAY_CA_FILE`, `ASSAY_CERT`) over the target file over the defaults.
 *
 * @throws TargetError `ASSAY_TARGET_INVALID` naming the setting that cannot be used.
 */
export function resolveNetwork({
  flags,
  env,
  file,
  baseUrl,
  keyHeader,
  folder,
}: NetworkSources): TargetHttp {
  const defaults = TARGET_DEFAULTS.http;
  const environmentCa = env['ASSAY_CA_FILE'] === '' ? undefined : env['ASSAY_CA_FILE'];
  const caFile = flags.caFile ?? environmentCa ?? file.caFile ?? defaults.caFile;
  const origin =
    flags.caFile !== undefined
      ? '--ca-file'
      : environmentCa !== undefined
        ? 'ASSAY_CA_FILE'
        : 'http.caFile';
  if (caFile !== null) authoritiesOf(caFile, origin);
  const headers = mergeHeaders(
    keyHeader,
    ['http.headers', file.headers ?? {}],
    ['--header', parseHeaders(flags.headers ?? [])],
  );
  return {
    timeoutMs: checkTimeout(flags.timeoutMs) ?? file.timeoutMs ?? defaults.timeoutMs,
    ...withBearer(headers, file.bearer ?? null, { keyHeader, folder }),
    insecure: flags.insecure ?? file.insecure ?? defaults.insecure,
    caFile,
    clientCertificate: chooseCertificate({ flags, env, file: file.clientCertificate }),
    proxy: chooseProxy(baseUrl, { flag: flags.proxy, env, file: file.proxy }).url,
    http2: flags.http2 ?? file.http2 ?? defaults.http2,
  };
}

/**
 * Headers with that of a token that changes: whoever reads it, gets the token of the moment.
 * @throws TargetError `ASSAY_TARGET_INVALID` for a header that is taken, `ASSAY_TARGET_BEARER` when there is no token
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
      `http.bearer: ${name} is among the headers already.`,
      `Leave ${name} out of http.headers and --header, or name another one as http.bearer.header.`,
    );
  }
  // The same that no header may be, a token may not be sent in.
  mergeHeaders(keyHeader, ['http.bearer', { [name]: '' }]);
  const bearer = new Bearer(settings, folder);
  const live = { ...headers };
  Object.defineProperty(live, name, { enumerable: true, get: () => bearer.value });
  return { headers: live, bearer };
}

/**
 * The certificates of a PEM file, each as its own text.
 * @throws TargetError `ASSAY_TARGET_INVALID` when the file cannot be read or holds something else
 */
export function authoritiesOf(caFile: string, origin = 'http.caFile'): string[] {
  const refused = (why: string, cause?: unknown): TargetError =>
    new TargetError(
      'ASSAY_TARGET_INVALID',
      `${origin} ${why}`,
      'Give the path of a PEM file; a relative path under http.caFile starts at the folder of the target file.',
      { cause },
    );
  let text: string;
  try {
    text = decodedText(readFileSync(caFile));
  } catch (cause) {
    throw refused(
      `cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`,
      cause,
    );
  }
  const certificates =
    text.match(
      /-----BEGIN (?:TRUSTED )?CERTIFICATE-----[^-]+-----END (?:TRUSTED )?CERTIFICATE-----/g,
    ) ?? [];
  if (certificates.length === 0) throw refused(`${caFile} holds no certificate in PEM form.`);
  if (!certificates.every((certificate) => isCertificate(certificate))) {
    throw refused(`${caFile} holds a certificate that cannot be read.`);
  }
  return [...certificates];
}

/** Parsed only to be told of damage here, and not by a handshake that fails for no visible reason. */
function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== null;
  } catch {
    return false;
  }
}

function checkTimeout(ms: number | undefined): number | undefined {
  if (ms === undefined || (Number.isInteger(ms) && ms > 0 && ms <= MAX_TIMEOUT_MS)) return ms;
  throw new TargetError(
    'ASSAY_TARGET_INVALID',
    '--timeout-ms takes a whole number of milliseconds above 0.',
    'For example --timeout-ms 30000 on a slow link.',
  );
}
