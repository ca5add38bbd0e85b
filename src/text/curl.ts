import type { Exchange, KeyRole } from '../spec/exchange.ts';
import { KEY_HEADER } from '../spec/limits.ts';
import { WORD_KEYS, type KeyVariation } from '../spec/near-keys.ts';
import { visible } from './text.ts';

/** Variables with the keys of each role: recorded keys are redacted, so the command refers to the environment. */
const VARIABLES: Readonly<Record<Exclude<KeyRole, 'none' | 'unknown'>, string>> = {
  valid: 'ASSAY_API_KEY',
  disabled: 'ASSAY_DISABLED_KEY',
  expired: 'ASSAY_EXPIRED_KEY',
  restricted: 'ASSAY_RESTRICTED_KEY',
  nearQuota: 'ASSAY_NEAR_QUOTA_KEY',
};

/** Unknown keys that are made from a valid one, in shell syntax within double quotes. */
const VARIED: Readonly<Record<KeyVariation, (valid: string) => string>> = {
  longer: (valid) => `${valid}x`,
  shorter: (valid) => `$(printf %s "${valid}" | sed 's/.$//')`,
  'other-case': (valid) => `$(printf %s "${valid}" | tr a-zA-Z A-Za-z)`,
  prefixed: (valid) => `x${valid}`,
  null: () => 'null',
  undefined: () => 'undefined',
};

/** Environment variables with keys, by the key fingerprint of an exchange; for a variation, that of the valid key. */
export type KeyVariables = Readonly<Record<string, string>>;

/** True for a valid POSIX shell variable name. */
export const isVariableName = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name);

/** The environment variable that a command reads the key of an exchange from; null if it needs none. */
export function keyVariable(
  { key, role, variation }: Exchange,
  variables: KeyVariables = {},
): string | null {
  const isWord = WORD_KEYS.some((word) => word === variation);
  if (role === 'none' || isWord || (role === 'unknown' && variation === undefined)) return null;
  const name = key !== null && Object.hasOwn(variables, key) ? (variables[key] ?? '') : '';
  // Results may come from a file: never put an invalid variable name into a command.
  return isVariableName(name) ? name : VARIABLES[role === 'unknown' ? 'valid' : role];
}

/** The key of an exchange in shell syntax. An unknown key can be any text. */
function keyText(exchange: Exchange, variables: KeyVariables, valid: readonly string[]): string {
  const { key, role, variation } = exchange;
  const name = keyVariable(exchange, variables);
  if (name === null && variation !== undefined) return VARIED[variation]('');
  if (name === null) return role === 'none' ? '' : 'no-such-key';
  // Unless a target file names it, the variable may list several keys: by default the first one is used.
  const isList = name === VARIABLES.valid && (key === null || variables[key] !== name);
  const place = valid.indexOf(key ?? '');
  const text =
    isList && place > 0
      ? `$(printf %s "$${name}" | cut -d, -f${place + 1})`
      : `\${${name}${isList ? '%%,*' : ''}}`;
  return variation === undefined ? text : VARIED[variation](text);
}

/** Headers that curl sets itself or that would break a manual repeat. */
const LEFT_OUT = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'transfer-encoding',
  'upgrade',
]);

/** Quotes a word for a POSIX shell if necessary. Invisible characters become visible escapes. */
export function shellQuote(word: string): string {
  const text = visible(word);
  if (/^[A-Za-z0-9_./:=@%+,-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** True for the key header: by its name, or because it contains the fingerprint of the key. */
function carriesKey(exchange: Exchange, name: string, value: string): boolean {
  if (name.toLowerCase() === KEY_HEADER.toLowerCase()) return true;
  return exchange.key !== null && /redacted/i.test(value) && value.includes(exchange.key);
}

/**
 * A POSIX shell command that repeats the request of an exchange. The key is read from the environment variable that
 * contained it, or from `ASSAY_API_KEY` (other roles: `ASSAY_EXPIRED_KEY` and so on). `valid` has the valid
 * keys in the order of that variable, which may list several.
 */
export function curlLine(
  exchange: Exchange,
  variables: KeyVariables = {},
  valid: readonly string[] = [],
): string {
  const { method, url, headers } = exchange.request;
  // -g: no globbing of [] and {} in the URL. --path-as-is: keep "/../".
  const words = ['curl', '-sS', '-i', '-g'];
  if (/\/\.{1,2}(?:\/|$|\?)/.test(url)) words.push('--path-as-is');
  if (method === 'HEAD') words.push('--head');
  else if (method !== 'GET') words.push('-X', shellQuote(method));
  let keySent = false;
  for (const [name, value] of Object.entries(headers)) {
    // Other names could be read as an option or a file name.
    if (!/^[A-Za-z0-9][\w.-]*$/.test(name) || LEFT_OUT.has(name.toLowerCase())) continue;
    if (value !== '' && carriesKey(exchange, name, value)) {
      if (exchange.role === 'none') continue;
      keySent = true;
      const shown = name.toLowerCase() === KEY_HEADER.toLowerCase() ? KEY_HEADER : name;
      words.push('-H', `"${shown}: ${keyText(exchange, variables, valid)}"`);
    } else {
      words.push('-H', shellQuote(value === '' ? `${name};` : `${name}: ${value}`));
    }
  }
  // The key header may be missing in recorded traffic. An unknown key can be omitted.
  const canOmit = exchange.role === 'unknown' && exchange.variation === undefined;
  if (!keySent && exchange.role !== 'none' && !canOmit) {
    words.push('-H', `"${KEY_HEADER}: ${keyText(exchange, variables, valid)}"`);
  }
  words.push('--url', shellQuote(url));
  return words.join(' ');
}

/** How often to repeat a request to show a finding. */
export interface Repeats {
  readonly times: number;
  /** Seconds until a current window has ended. */
  readonly windowSeconds: number;
  /** Seconds to wait before one more request; undefined for none. */
  readonly thenAfter?: number;
  /** True to send them at the same moment. */
  readonly atOnce?: boolean;
  /** A request with another key, sent after each. */
  readonly other?: Exchange | undefined;
}

/** Prints status, rate-limit headers and error code of each response. */
const FILTER = `grep -iE '^(HTTP/|X-RateLimit-|Retry-After:)|"code"'`;
/** Up to this number, the loop lists the numbers instead of counting. */
const WRITTEN_OUT = 100;

/**
 * A POSIX shell command that repeats a request several times, by default with one key and one after another, and prints the
 * rate-limit headers of each response. The key is the same as for {@link curlLine}.
 */
export function curlSequence(
  exchange: Exchange,
  { times, thenAfter, windowSeconds, atOnce = false, other }: Repeats,
  variables: KeyVariables = {},
  valid: readonly string[] = [],
): string {
  const send = [exchange, ...(other === undefined ? [] : [other])]
    .map((one) => `${curlLine(one, variables, valid)} | ${FILTER}`)
    .join('; ');
  const numbers = Array.from({ length: Math.min(times, WRITTEN_OUT) }, (_, index) => index + 1);
  const list = `for n in ${numbers.join(' ')}; do`;
  const loop =
    atOnce && times <= WRITTEN_OUT
      ? `${list} { seen=$(${send}); printf 'request %s\\n%s\\n' "$n" "$seen"; } & done; wait`
      : times <= WRITTEN_OUT
        ? `${list} echo "request $n"; ${send}; done`
        : `n=1; while [ "$n" -le ${times} ]; do echo "request $n"; ${send}; n=$((n + 1)); done`;
  // Earlier requests no longer count then, but another window may begin during the loop.
  const fresh = `echo 'waiting ${windowSeconds} s for a fresh window; count only responses with the same X-RateLimit-Reset'; sleep ${windowSeconds}; ${loop}`;
  return thenAfter === undefined ? fresh : `${fresh}; sleep ${thenAfter}; echo later; ${send}`;
}
