import { ODDITIES, type Exchange, type Oddity, type TransportError } from '../../spec/exchange.ts';
import { RATE_HEADERS } from '../../spec/limits.ts';
import { DAY } from '../../spec/time.ts';
import { oneLine, plural } from '../../text/text.ts';
import { isFromCache } from './from-cache.ts';

/**
 * Unusual behaviour that no requirement covers, such as a redirect, an echoed key or stray bytes. Reported by name;
 * never fails a run.
 */
interface TargetOddity {
  /** Stable, for other programs. */
  readonly name: string;
  readonly message: string;
  readonly exchanges: readonly string[];
}

/** Reset times further away than this are nonsense, ms. */
const FAR_MS = 2 * DAY;

const WIRE: Readonly<Record<Oddity, string>> = {
  'interim-answers': 'followed 1xx responses that the request had not asked for',
  'stray-bytes':
    'came with or after stray bytes on the connection; such connections were closed, and a response followed by stray bytes was not judged',
  compressed: 'came compressed although the request accepted only uncompressed content',
  mislabelled: 'came uncompressed although Content-Encoding says otherwise',
  'invalid-utf8': 'contained bytes that are not UTF-8, which JSON requires (RFC 8259 §8.1)',
};

const ERRORS: Readonly<Partial<Record<TransportError['kind'], string>>> = {
  timeout: 'timed out',
  reset: 'lost the connection',
  'too-large': 'got an answer too large or too deeply nested',
  protocol: 'got an answer that violates HTTP',
  encoding: 'got a body that cannot be decoded',
  other: 'failed',
};

/** Anomalies by name, in a fixed order. */
export function oddities(exchanges: readonly Exchange[]): readonly TargetOddity[] {
  const found: TargetOddity[] = [];
  const note = (name: string, shown: readonly Exchange[], message: () => string): void => {
    const [first] = shown;
    if (first === undefined) return;
    const where = shown.length === 1 ? `(${first.id})` : `(first: ${first.id})`;
    found.push({ name, message: `${message()} ${where}`, exchanges: shown.map(({ id }) => id) });
  };
  const redirects = exchanges.filter(
    ({ response }) => response !== null && response.status >= 300 && response.status < 400,
  );
  note('redirect', redirects, () => {
    const { status = 0, headers = {} } = redirects[0]?.response ?? {};
    const address = oneLine(headers['location'] ?? '', 120);
    const target = address === '' ? 'and no address' : `to ${address}`;
    return `${plural(redirects.length, 'redirect')}, the first with ${status} ${target}; redirects are not followed, so no key was sent to their targets`;
  });
  const cached = exchanges.filter(({ response }) => response && isFromCache(response.headers));
  note(
    'from-cache',
    cached,
    () =>
      `${plural(cached.length, 'answer')} came from a cache; such answers are not counted or compared`,
  );
  const echoes = exchanges.filter(echoesKey);
  note(
    'key-echoed',
    echoes,
    () => `${plural(echoes.length, 'answer')} contained an API key, which was redacted`,
  );
  for (const kind of ODDITIES) {
    const odd = exchanges.filter((exchange) => exchange.oddities?.includes(kind) === true);
    note(kind, odd, () => `${plural(odd.length, 'answer')} ${WIRE[kind]}`);
  }
  const far = exchanges.filter(announcesFar);
  note(
    'far-reset',
    far,
    () =>
      `${plural(far.length, 'answer')} announced a rate-limit reset days away or in the past, which was ignored`,
  );
  const cut = exchanges.filter(({ response }) => response?.truncated === true);
  note(
    'bodies-cut',
    cut,
    () => `${plural(cut.length, 'large body', 'large bodies')} truncated to save memory`,
  );
  for (const [kind, words] of Object.entries(ERRORS)) {
    const failed = exchanges.filter(({ error }) => error?.kind === kind);
    note(`no-answer-${kind}`, failed, () => {
      const reason = oneLine(failed[0]?.error?.message ?? '', 120);
      return `${plural(failed.length, 'request')} ${words}, the first with "${reason}"`;
    });
  }
  return found;
}

/** The recorder replaces keys with their fingerprints. */
const REDACTED = /\[redacted:(?:k:[0-9a-f]{8}| the whole text)/;

function echoesKey({ response }: Exchange): boolean {
  if (response === null) return false;
  const { headers, text } = response;
  return REDACTED.test(text) || REDACTED.test(JSON.stringify(headers));
}

function announcesFar({ response, receivedAt, skewMs }: Exchange): boolean {
  const text = response?.headers[RATE_HEADERS.reset];
  if (text === undefined || !/^\d{12,15}$/.test(text)) return false;
  return Math.abs(Number(text) - receivedAt - skewMs) > FAR_MS;
}
