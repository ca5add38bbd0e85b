import type { Target, TargetHttp } from '../target/target.ts';

/** A text that must stand in no artifact, and the setting that it comes from. */
export interface Secret {
  /** Such as `keys.valid[0]`; safe to show. */
  readonly name: string;
  readonly value: string;
}

/** Shorter texts stand in ordinary words, and hiding them would destroy the evidence. */
const MIN_LENGTH = 6;

/** Headers whose value is a secret, whoever set them. */
const SECRET_HEADERS: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
  'api-key',
  'x-auth-token',
  'x-amz-security-token',
]);

/** Names of headers that people put credentials in, beyond those above. */
const TELLING_NAME = /auth|cookie|credential|key|passw|secret|session|signature|token/i;

/** Names of schemes in `Authorization`: words, not secrets. */
const SCHEMES: ReadonlySet<string> = new Set(['basic', 'bearer', 'digest', 'negotiate', 'token']);

/** True when the value of the header is a credential and not to be recorded. */
export function isSecretHeader(name: string): boolean {
  return SECRET_HEADERS.has(name.toLowerCase());
}

/** True for a name that people give to credentials: of a header, a parameter or a label. */
export function isTellingName(name: string): boolean {
  return TELLING_NAME.test(name);
}

/**
 * Credentials in the settings besides the keys: headers that carry one, every token that there was so far, the password of
 * the proxy, a passphrase.
 */
export function httpSecrets(
  http: Pick<TargetHttp, 'headers' | 'bearer' | 'proxy' | 'clientCertificate'>,
): Secret[] {
  const tokens = (http.bearer?.issued ?? []).map((value) => ({ name: 'http.bearer', value }));
  const others = Object.entries(http.headers).flatMap(([name, value]) =>
    isSecretHeader(name) || isTellingName(name)
      ? partsOf(value).map((part) => ({ name: `http.headers.${name}`, value: part }))
      : [],
  );
  const secrets = [...tokens, ...others];
  for (const part of proxyParts(http.proxy)) secrets.push({ name: 'http.proxy', value: part });
  const { passphrase = null } = http.clientCertificate ?? {};
  if (passphrase !== null) {
    secrets.push({ name: 'http.clientCertificate.passphrase', value: passphrase });
  }
  return unique(secrets);
}

/** All secrets of a target: its keys and those of {@link httpSecrets}. */
export function secretsOf({ keys, http }: Pick<Target, 'keys' | 'http'>): Secret[] {
  const named: [string, string | undefined][] = [
    ...keys.valid.map((key, index): [string, string] => [`keys.valid[${index}]`, key]),
    ['keys.disabled', keys.disabled],
    ['keys.expired', keys.expired],
    ['keys.restricted.key', keys.restricted?.key],
    ['keys.nearQuota.key', keys.nearQuota?.key],
  ];
  const own = named.flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]));
  return unique([...own, ...httpSecrets(http)]);
}

/**
 * The words of the value without the names of cookies and parameters, and what stands in it as base64 (`Basic`). Not the
 * value as a whole: it is found by its words, and `theme=dark` among them is no secret.
 */
function partsOf(value: string): string[] {
  const words = value.split(/[\s;,]+/).filter((word) => !SCHEMES.has(word.toLowerCase()));
  const bare = words.map((word) => word.replace(/^[\w-]+=(?!=|$)/, '').replaceAll('"', ''));
  const basic = /^basic\s+(\S+)$/i.exec(value.trim())?.[1];
  const login = basic === undefined ? '' : Buffer.from(basic, 'base64').toString('utf8');
  return [...bare, login, login.slice(login.indexOf(':') + 1)];
}

/** The password as written and as meant; the user where there is no password, since it is then the secret. */
function proxyParts(proxy: string | null): string[] {
  if (proxy === null || !URL.canParse(proxy)) return [];
  const { username, password } = new URL(proxy);
  const secret = password === '' ? username : password;
  return [secret, decoded(secret)];
}

function decoded(text: string): string {
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
