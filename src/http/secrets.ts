import { issuedKeys, type Target, type TargetHttp } from '../target/target.ts';
import type { Secret } from '../text/secret-scan.ts';

/** Shorter texts occur in ordinary words, so that redaction would destroy evidence. */
const MIN_LENGTH = 6;

/**
 * Request headers without credentials. The values of all other headers are hidden, because a list of credential headers
 * would never be complete.
 */
const PLAIN_HEADERS: ReadonlySet<string> = new Set(
  `
    accept accept-charset accept-encoding accept-language access-control-request-headers
    access-control-request-method cache-control connection content-encoding content-language
    content-length content-type date dnt expect host if-modified-since if-unmodified-since keep-alive
    pragma priority range save-data sec-ch-ua sec-ch-ua-mobile sec-ch-ua-platform sec-fetch-dest
    sec-fetch-mode sec-fetch-site sec-fetch-user sec-gpc te transfer-encoding upgrade
    upgrade-insecure-requests user-agent x-requested-with
  `
    .trim()
    .split(/\s+/),
);

/** Names of headers, parameters and labels that indicate credentials. */
const TELLING_NAME =
  /auth|bearer|cookie|credential|hmac|jwt|key|passw|pwd|secret|session|sid$|sig$|signature|token/i;

/** Schemes in `Authorization`, which are not secret. */
const SCHEMES: ReadonlySet<string> = new Set(['basic', 'bearer', 'digest', 'negotiate', 'token']);

/** True for a request header whose value may be shown. */
export function isPlainHeader(name: string): boolean {
  return PLAIN_HEADERS.has(name.toLowerCase());
}

/** True for a name of a header, parameter or label that indicates credentials. */
export function isSecretName(name: string): boolean {
  return TELLING_NAME.test(name);
}

/** Credentials in the settings besides keys: headers, tokens, proxy password, passphrase. */
export function httpSecrets(
  http: Pick<TargetHttp, 'headers' | 'bearer' | 'proxy' | 'clientCertificate'>,
): Secret[] {
  const tokens = (http.bearer?.issued ?? []).map((value) => ({ name: 'http.bearer', value }));
  const others = Object.entries(http.headers).flatMap(([name, value]) =>
    isPlainHeader(name)
      ? []
      : credentialParts(value)
          .filter((part) => isSecretName(name) || (part.length >= 16 && looksRandom(part)))
          .map((part) => ({ name: `http.headers.${name}`, value: part })),
  );
  const secrets = [...tokens, ...others];
  for (const part of proxyParts(http.proxy)) secrets.push({ name: 'http.proxy', value: part });
  const { passphrase = null } = http.clientCertificate ?? {};
  if (passphrase !== null) {
    secrets.push({ name: 'http.clientCertificate.passphrase', value: passphrase });
  }
  return unique(secrets);
}

/** The values of {@link httpSecrets}, which must not be recorded either. */
export const configuredSecrets = (http: TargetHttp): string[] =>
  httpSecrets(http).map(({ value }) => value);

/** All secrets of a target: its keys and {@link httpSecrets}. */
export function secretsOf({ keys, http }: Pick<Target, 'keys' | 'http'>): Secret[] {
  const own = issuedKeys(keys).map(({ name, key }) => ({ name, value: key }));
  return unique([...own, ...httpSecrets(http)]);
}

/**
 * The words of a value without names of cookies and parameters, and decoded `Basic` credentials. Not the value as a
 * whole, because it is found by its words, some of which (`theme=dark`) are not secret.
 */
export function credentialParts(value: string): string[] {
  const words = value.split(/[\s;,]+/).filter((word) => !SCHEMES.has(word.toLowerCase()));
  const bare = words.map((word) => word.replace(/^[\w-]+=(?!=|$)/, '').replaceAll('"', ''));
  const basic = /^basic\s+(\S+)$/i.exec(value.trim())?.[1];
  const login = basic === undefined ? '' : Buffer.from(basic, 'base64').toString('utf8');
  return [...bare, login, login.slice(login.indexOf(':') + 1)];
}

/** The password, raw and decoded; without a password the user name, which is the secret then. */
function proxyParts(proxy: string | null): string[] {
  if (proxy === null || !URL.canParse(proxy)) return [];
  const { username, password } = new URL(proxy);
  const secret = password === '' ? username : password;
  return [secret, decoded(secret)];
}

/**
 * True for random-looking text: mixed letters and digits, or irregular case. False for words, numbers, dates, versions
 * and names made of them (`wrapped-bitcoin-2`).
 */
export function looksRandom(text: string): boolean {
  if (text.length < 8 || /\s/.test(text)) return false;
  const runs = text.match(/[A-Za-z0-9]+/g) ?? [];
  const mixed = runs.filter((run) => /[A-Za-z]/.test(run) && /\d/.test(run));
  if (mixed.length >= 3 || mixed.some((run) => run.length >= 8)) return true;
  return runs.some((run) => run.length >= 16 && count(run, /[a-z][A-Z]/g) * 6 >= run.length);
}

/** True for text that may occur in any answer by chance, so that redaction would destroy evidence. */
export function isCommon(text: string): boolean {
  return (
    text.length < MIN_LENGTH || /^\d+$/.test(text) || /^[A-Z]?([a-z]{1,15}|[A-Z]{1,15})$/.test(text)
  );
}

const count = (text: string, what: RegExp): number => text.match(what)?.length ?? 0;

/** Decodes percent escapes; returns invalid ones unchanged. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function unique(secrets: readonly Secret[]): Secret[] {
  const seen = new Map<string, Secret>();
  for (const secret of secrets) {
    if (secret.value.length >= MIN_LENGTH && !seen.has(secret.value))
      seen.set(secret.value, secret);
  }
  return [...seen.values()];
}
