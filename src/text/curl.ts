import type { Exchange, KeyRole } from '../spec/exchange.ts';
import { KEY_HEADER } from '../spec/limits.ts';
import { visible } from './text.ts';

/**
 * What stands in for the key of each role. Keys are redacted when they are recorded, so the line refers to the
 * environment; a key that the service never issued can be any text. `ASSAY_API_KEY` may list several keys, and a request
 * carries one: the first.
 */
const KEY_TEXT: Readonly<Record<Exclude<KeyRole, 'none'>, string>> = {
  valid: '${ASSAY_API_KEY%%,*}',
  disabled: '$ASSAY_DISABLED_KEY',
  expired: '$ASSAY_EXPIRED_KEY',
  restricted: '$ASSAY_RESTRICTED_KEY',
  nearQuota: '$ASSAY_NEAR_QUOTA_KEY',
  unknown: 'no-such-key',
};

/** Environment variables that hold keys, by what an exchange names its key with. */
export type KeyVariables = Readonly<Record<string, string>>;

/** True for what a POSIX shell can write after `$`. */
export const isVariableName = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name);

/** What stands in for the key of an exchange: the variable that held it, or the usual one of its role. */
function keyText({ key, role }: Exchange, variables: KeyVariables): string {
  const name = key !== null && Object.hasOwn(variables, key) ? variables[key] : undefined;
  // Results are read from files as well: what is no name of a variable has no place in a command.
  if (name !== undefined && isVariableName(name)) return `$${name}`;
  return role === 'none' ? '' : KEY_TEXT[role];
}

/** Headers that curl writes itself or that would break a repeat by hand. */
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

/** A word quoted for a POSIX shell; plain words stay as they are. Hidden characters become visible escapes. */
export function shellQuote(word: string): string {
  const text = visible(word);
  if (/^[A-Za-z0-9_./:=@%+,-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** True for the header that carries the key: by its usual name, or because the key's fingerprint stands in it. */
function carriesKey(exchange: Exchange, name: string, value: string): boolean {
  if (name.toLowerCase() === KEY_HEADER.toLowerCase()) return true;
  return exchange.key !== null && /redacted/i.test(value) && value.includes(exchange.key);
}

/** The words of a command that sends the request of an exchange again. */
function curlWords(exchange: Exchange, variables: KeyVariables): readonly string[] {
  const { method, url, headers } = exchange.request;
  // -g: no globbing of [] and {} in the URL. --path-as-is: "/../" is sent as it was.
  const words = ['curl', '-sS', '-i', '-g'];
  if (/\/\.{1,2}(?:\/|$|\?)/.test(url)) words.push('--path-as-is');
  if (method === 'HEAD') words.push('--head');
  else if (method !== 'GET') words.push('-X', shellQuote(method));
  let keySent = false;
  for (const [name, value] of Object.entries(headers)) {
    // A name that is not a token could be read as an option or as a file name.
    if (!/^[A-Za-z0-9][\w.-]*$/.test(name) || LEFT_OUT.has(name.toLowerCase())) continue;
    if (value !== '' && carriesKey(exchange, name, value)) {
      if (exchange.role === 'none') continue;
      keySent = true;
      const shown = name.toLowerCase() === KEY_HEADER.toLowerCase() ? KEY_HEADER : name;
      words.push('-H', `"${shown}: ${keyText(exchange, variables)}"`);
    } else {
      words.push('-H', shellQuote(value === '' ? `${name};` : `${name}: ${value}`));
    }
  }
  // Recorded traffic may have had its key header taken out; a key that nobody issued is no loss.
  if (!keySent && exchange.role !== 'none' && exchange.role !== 'unknown') {
    words.push('-H', `"${KEY_HEADER}: ${keyText(exchange, variables)}"`);
  }
  words.push('--url', shellQuote(url));
  return words;
}

/**
 * One line for a POSIX shell that sends the request of an exchange again. The key comes from the environment variable that
 * held it, else from `ASSAY_API_KEY` (other roles: `ASSAY_EXPIRED_KEY` and so on).
 */
export function curlLine(exchange: Exchange, variables: KeyVariables = {}): string {
  return curlWords(exchange, variables).join(' ');
}

/** How often a request has to be sent before it shows something. */
export interface Repeats {
  readonly times: number;
  /** Seconds after which a window that is under way has ended. */
  readonly windowSeconds: number;
  /** Seconds to wait before one request more; nothing more is sent without. */
  readonly thenAfter?: number;
}

/** What is told of each answer of a sequence: its status, what the limiter says, and the body of a refusal. */
const TOLD = `grep -iE '^(HTTP/|X-RateLimit-|Retry-After:)|"code"'`;
/** Numbers written out; a loop over more of them counts. */
const WRITTEN_OUT = 100;

/**
 * One line for a POSIX shell that sends the request of an exchange several times with one key, and tells of each answer
 * what the limiter says. The key comes from where {@link curlLine} takes it.
 */
export function curlSequence(
  exchange: Exchange,
  { times, thenAfter, windowSeconds }: Repeats,
  variables: KeyVariables = {},
): string {
  const send = `${curlWords(exchange, variables).join(' ')} | ${TOLD}`;
  const numbers = Array.from({ length: Math.min(times, WRITTEN_OUT) }, (_, index) => index + 1);
  const loop =
    times <= WRITTEN_OUT
      ? `for n in ${numbers.join(' ')}; do echo "request $n"; ${send}; done`
      : `n=1; while [ "$n" -le ${times} ]; do echo "request $n"; ${send}; n=$((n + 1)); done`;
  // In a window that others have begun, the count would be another one.
  const fresh = `echo 'waiting ${windowSeconds} s for a fresh window'; sleep ${windowSeconds}; ${loop}`;
  return thenAfter === undefined ? fresh : `${fresh}; sleep ${thenAfter}; echo later; ${send}`;
}
