import type { Target, TargetHttp } from '../target/target.ts';

/** A text that must stand in no artifact, and the setting that it comes from. */
export interface Secret {
  /** Such as `keys.valid[0]`; safe to show. */
  readonly name: string;
  readonly value: string;
}

/** Shorter texts stand in ordinary words, and hiding them would destroy the evidence. */
const MIN_LENGTH = 6;

/**
 * Request headers that say nothing about who sends them. A list of the names that carry credentials would never be
 * complete, so the value of every other header is hidden.
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

/** Names that people give to credentials: of headers, parameters, labels. */
const TELLING_NAME =
  /auth|bearer|cookie|credential|hmac|jwt|key|passw|pwd|secret|session|sid$|sig$|signature|token/i;

/** Names of schemes in `Authorization`: words, not secrets. */
const SCHEMES: ReadonlySet<string> = new Set(['basic', 'bearer', 'digest', 'negotiate', 'token']);

/** True for a request header whose value may be shown. */
export function isPlainHeader(name: string): boolean {
  return PLAIN_HEADERS.has(name.toLowerCase());
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
    isPlainHeader(name)
      ? []
      : credentialParts(value)
          .filter((part) => isTellingName(name) || (part.length >= 16 && looksRandom(part)))
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
export function credentialParts(value: string): string[] {
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

/**
 * True for a text that nobody would write by hand: letters and digits mixed, or letter case without order. Words, numbers,
 * dates, versions and names made of them (`wrapped-bitcoin-2`) are none.
 */
export function looksRandom(text: string): boolean {
  if (text.length < 8 || /\s/.test(text)) return false;
  const runs = text.match(/[A-Za-z0-9]+/g) ?? [];
  const mixed = runs.filter((run) => /[A-Za-z]/.test(run) && /\d/.test(run));
  if (mixed.length >= 3 || mixed.some((run) => run.length >= 8)) return true;
  return runs.some((run) => run.length >= 16 && count(run, /[a-z][A-Z]/g) * 6 >= run.length);
}

/** True for a text that may stand in any answer by chance: hiding it there would destroy the evidence. */
export function isCommon(text: string): boolean {
  return (
    text.length < MIN_LENGTH || /^\d+$/.test(text) || /^[A-Z]?([a-z]{1,15}|[A-Z]{1,15})$/.test(text)
  );
}

const count = (text: string, what: RegExp): number => text.match(what)?.length ?? 0;

/** The text without its percent escapes, or as it is when they are none. */
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
