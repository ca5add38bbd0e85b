import type { EndpointPath } from '../spec/endpoints.ts';
import type { Exchange } from '../spec/exchange.ts';
import { baseUrlGuess } from './base-url.ts';
import { NAME_A_RECORDING, RecordingError } from './errors.ts';
import { factsOf } from './facts-of.ts';
import { endpointAt, foreignTraffic, pathBelow, redacted } from './foreign-exchange.ts';
import {
  addressOf,
  looksLikeEntry,
  mimeTypeOf,
  readEntry,
  requestHeadersOf,
  responseHeadersOf,
} from './har-entry.ts';
import { looksLikeExchange, readExchange, readMarkedEntry } from './own-exchange.ts';
import { newHead, recordsOf, type RawRecord } from './records.ts';
import { secretsIn, type Secrets, type SecretsOptions } from './secrets.ts';
import { isObject } from '../text/json-value.ts';
import { plural } from '../text/text.ts';
import { fieldsOf, textOf } from './values.ts';

/** An entry of a recording: an exchange to judge, or why it is ignored. Redacted either way. */
export type RecordedEntry =
  | { readonly kind: 'exchange'; readonly entry: number; readonly exchange: Exchange }
  | {
      readonly kind: 'skipped';
      /** Number of the entry in its file, from 1. */
      readonly entry: number;
      /** The reason, to be shown after a colon; always the same for the same cause. */
      readonly reason: string;
      readonly what: string;
      /** Its endpoint, if it is a GET request to the service. */
      readonly endpoint: EndpointPath | undefined;
    };

export interface RecordingOptions extends Pick<
  SecretsOptions,
  'keyHeader' | 'keys' | 'showHeaders'
> {
  /** Base URL of the service; default: guessed from the entries. */
  readonly baseUrl?: string | undefined;
  /** Base URL to use instead of a guess if the file does not contain it. */
  readonly defaultBaseUrl?: string | undefined;
}

/** A recording after the first pass. */
export type Recording = Awaited<ReturnType<typeof openRecording>>;

/**
 * First pass over recorded traffic (HAR 1.2 of any tool, NDJSON of Assay exchanges, or results.json): finds its type,
 * base URL and credentials, which must be known before the first entry is returned.
 * @throws RecordingError when the file has another format, is truncated or contains no traffic of the service
 */
export async function openRecording(path: string, options: RecordingOptions = {}) {
  const head = newHead();
  const secrets = secretsIn(options);
  const guess = baseUrlGuess();
  let [own, foreign, others] = [0, 0, 0];
  let ownBase: string | undefined;
  for await (const { value } of recordsOf(path, head)) {
    const exchange = ownExchange(value);
    if (exchange !== undefined) {
      own += 1;
      ownBase ??= baseOf(exchange);
    } else if (looksLikeEntry(value)) foreign += 1;
    else others += 1;
    look(value, secrets, guess);
  }
  if (own + foreign === 0) {
    throw new RecordingError(
      `${path} contains no recorded traffic: no request with a response in ${plural(others, 'entry', 'entries')}.`,
      NAME_A_RECORDING,
    );
  }
  const { creator, run } = head;
  const isOwn = foreign === 0 && own > 0;
  const { defaultBaseUrl } = options;
  const given = options.baseUrl ?? (isOwn ? undefined : defaultBaseUrl);
  const found = given === undefined && !isOwn ? guess.best() : undefined;
  const described = fieldsOf(run);
  const stated = textOf(fieldsOf(described['target'])['baseUrl']) ?? textOf(described['baseUrl']);
  const ownUrl = stated !== undefined && URL.canParse(stated) ? stated : ownBase;
  const baseUrl = given ?? (isOwn ? ownUrl : (found?.baseUrl ?? ownUrl));
  if (baseUrl === undefined) {
    throw new RecordingError(
      `${path}: no request to the service in ${plural(head.entries, 'entry', 'entries')} (a path from the specification, with the key header or a JSON response).`,
      'Set the base URL, such as --base-url https://api.example/v1, or record requests to the service.',
    );
  }
  const root = baseUrl.replace(/\/+$/, '');
  secrets.locate(root);
  const facts = isOwn ? factsOf(described['facts']) : null;
  return {
    path,
    baseUrl: root,
    /** Set when the base URL was guessed: other possible base URLs, best first. */
    guessed: found === undefined ? null : { others: found.others },
    entries: head.entries,
    creator: creatorOf(creator, secrets),
    /** Facts recorded by Assay; null for other traffic. */
    facts,
    /** Description of the run in a HAR by Assay; not validated. */
    run: isOwn ? described['run'] : undefined,
    own: isOwn,
    /** Messages about keys outside of the key header; complete after reading. */
    keysElsewhere: (how: (header: string) => string) => secrets.keysElsewhere(how),
    /** Fingerprints of the keys in the target file. */
    issued: secrets.issued,
    /** Credentials that must not be in any artifact, with names that may be shown. */
    secrets: () => secrets.listed(),
    async *read(): AsyncGenerator<RecordedEntry> {
      const exchangeOf = foreignTraffic(root, secrets, false, given !== undefined);
      for await (const record of recordsOf(path)) {
        yield entryOf(record, root, exchangeOf, secrets, facts !== null);
      }
    },
  };
}

function ownExchange(value: unknown): Exchange | undefined {
  if (looksLikeExchange(value)) return readExchange(value);
  return isObject(fieldsOf(value)['_assay']) ? readMarkedEntry(value) : undefined;
}

function look(
  value: unknown,
  secrets: Secrets,
  guess: ReturnType<typeof baseUrlGuess> | null,
): void {
  const address = addressOf(value);
  if (address === undefined) return;
  const { method, url } = address;
  const headers = requestHeadersOf(value);
  secrets.note(
    headers.filter(([, one]) => !one.startsWith('[redacted')),
    url,
  );
  if (guess === null || method === 'OPTIONS' || !url.protocol.startsWith('http')) return;
  const answer = responseHeadersOf(value);
  const type = answer['content-type'] ?? mimeTypeOf(value) ?? '';
  const hasKey =
    headers.some(([name]) => secrets.isKeyHeader(name)) || 'x-ratelimit-limit' in answer;
  guess.see(url, hasKey, /\bjson\b/i.test(type));
}

/** The base URL of an Assay exchange, whose path may be spelled otherwise in the URL. */
function baseOf({ request: { url, path } }: Exchange): string | undefined {
  const { origin, pathname } = new URL(url);
  const whole = [url.split(/[?#]/)[0] ?? '', origin + pathname].find((one) => one.endsWith(path));
  return whole?.slice(0, whole.length - path.length);
}

function creatorOf(creator: unknown, secrets: Secrets): string | null {
  const { name, version } = fieldsOf(creator);
  if (typeof name !== 'string' || name === '') return null;
  const text = typeof version === 'string' ? `${name} ${version}` : name;
  return secrets.redactStrictly(text).slice(0, 80);
}

/**
 * Reads records one by one in a single pass, as from a followed log.
 * @param secrets created for live traffic
 */
export function recordReader(
  baseUrl: string,
  secrets: Secrets,
): (record: RawRecord) => RecordedEntry {
  const exchangeOf = foreignTraffic(baseUrl, secrets, false, true);
  return (record) => {
    look(record.value, secrets, null);
    return entryOf(record, baseUrl, exchangeOf, secrets);
  };
}

function entryOf(
  { entry, value }: RawRecord,
  baseUrl: string,
  exchangeOf: ReturnType<typeof foreignTraffic>,
  secrets: Secrets,
  isRun = false,
): RecordedEntry {
  const own = ownExchange(value);
  const address = addressOf(value);
  const skipped = (reason: string, what: string): RecordedEntry => ({
    kind: 'skipped',
    entry,
    reason,
    what: secrets.redactStrictly(withoutQuery(what)).slice(0, 200),
    endpoint: address?.method === 'GET' ? endpointAt(baseUrl, address.url) : undefined,
  });
  if (own !== undefined) {
    const inside = pathBelow(baseUrl, new URL(own.request.url)) !== null;
    if (inside) return { kind: 'exchange', entry, exchange: redacted(own, secrets, isRun) };
    return skipped('not below the base URL', `${own.request.method} ${own.request.url}`);
  }
  if (!looksLikeEntry(value)) return skipped('not a request with a response', '');
  if (address !== undefined && pathBelow(baseUrl, address.url) === null) {
    return skipped('not below the base URL', `${address.method} ${address.url.href}`);
  }
  const read = readEntry(value);
  if ('reason' in read) return skipped(read.reason, read.what);
  const exchange = exchangeOf(read, `x${entry}`);
  return typeof exchange === 'string'
    ? skipped(exchange, `${read.method} ${read.url.href}`)
    : { kind: 'exchange', entry, exchange };
}

const withoutQuery = (text: string): string =>
  text.replace(/[?#].*$/s, '').replace(/\/\/[^/@]*@/, '//');
