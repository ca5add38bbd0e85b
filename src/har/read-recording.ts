import type { Exchange } from '../spec/exchange.ts';
import type { Facts } from '../judge/facts.ts';
import type { TargetKeys } from '../target/target.ts';
import { BaseUrlGuess } from './base-url.ts';
import { NAME_A_RECORDING, RecordingError } from './errors.ts';
import { factsOf } from './facts-of.ts';
import { ForeignTraffic, placeBelow } from './foreign-exchange.ts';
import {
  addressOf,
  looksLikeEntry,
  readEntry,
  requestHeadersOf,
  responseHeadersOf,
} from './har-entry.ts';
import { looksLikeExchange, readExchange, readMarkedEntry } from './own-exchange.ts';
import { recordsOf, type FileHead, type RawRecord } from './records.ts';
import { Secrets } from './secrets.ts';
import { isObject } from '../text/json-value.ts';
import { member, textOf } from './values.ts';

export { RecordingError } from './errors.ts';

/** One entry of a recording: an exchange to judge, or why there is none. Redacted either way. */
export type RecordedEntry =
  | { readonly kind: 'exchange'; readonly entry: number; readonly exchange: Exchange }
  | {
      readonly kind: 'skipped';
      /** Number of the entry in its file, from 1. */
      readonly entry: number;
      /** Why, in words that fit behind a colon; the same words for the same cause. */
      readonly reason: string;
      /** Method and URL, as far as they can be read. */
      readonly what: string;
    };

export interface RecordingOptions {
  /** Base URL of the service; guessed from the entries by default. */
  readonly baseUrl?: string | undefined;
  /** Base URL of the service where the file does not say it: used instead of a guess. */
  readonly defaultBaseUrl?: string | undefined;
  /** Name of the key header; that of the specification by default. */
  readonly keyHeader?: string | undefined;
  /** Keys whose role is known. */
  readonly keys?: TargetKeys | undefined;
  /** Request headers whose values may be shown, beside those that are known to be harmless. */
  readonly showHeaders?: readonly string[] | undefined;
}

/** A recording that was looked through once. */
export interface Recording {
  readonly path: string;
  readonly baseUrl: string;
  /** Set when the base URL was guessed: other base URLs that fit as well, best first. */
  readonly guessed: { readonly others: readonly string[] } | null;
  /** Entries in the file. */
  readonly entries: number;
  /** The program that wrote the file, as it calls itself; null when it does not say. */
  readonly creator: string | null;
  /** The facts of the run that Assay wrote down; null for the traffic of others, and for runs that did not. */
  readonly facts: Facts | null;
  /** What Assay wrote down about the run, in a HAR; not checked in any way. */
  readonly run: unknown;
  /** True when every entry was written by Assay. */
  readonly own: boolean;
  /** What to say of keys that seem to stand elsewhere than in the key header; known once it was read. */
  keysElsewhere(how: (header: string) => string): readonly string[];
  /** Credentials that must stand in no artifact, under names that may be shown. */
  secrets(): readonly { readonly name: string; readonly value: string }[];
  /** Reads the file again from its beginning. */
  read(): AsyncGenerator<RecordedEntry>;
}

/**
 * The entries of recorded traffic: HAR 1.2 of any tool, exchanges of Assay one a line, or results.json. The file is
 * read twice: credentials and the base URL must be known before the first entry is given out.
 * @throws RecordingError when the file is none of these, is cut off or holds nothing of the service
 */
export async function* readRecording(
  path: string,
  options: RecordingOptions = {},
): AsyncGenerator<RecordedEntry> {
  const recording = await openRecording(path, options);
  yield* recording.read();
}

/** Looks through a recording: what it is, which service it is about, which credentials are in it. */
export async function openRecording(
  path: string,
  options: RecordingOptions = {},
): Promise<Recording> {
  const head: FileHead = { creator: undefined, run: undefined, entries: 0 };
  const secrets = new Secrets(options);
  const guess = new BaseUrlGuess();
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
      `${path}: holds no recorded traffic: none of its ${others} entries is a request with its answer.`,
      NAME_A_RECORDING,
    );
  }
  const { creator, run } = head;
  const isOwn = foreign === 0 && own > 0;
  const { defaultBaseUrl } = options;
  const given = options.baseUrl ?? (isOwn ? undefined : defaultBaseUrl);
  const found = given === undefined && !isOwn ? guess.best : undefined;
  const told = textOf(member(member(run, 'target'), 'baseUrl')) ?? textOf(member(run, 'baseUrl'));
  const ownUrl = told !== undefined && URL.canParse(told) ? told : ownBase;
  const baseUrl = given ?? (isOwn ? ownUrl : (found?.baseUrl ?? ownUrl));
  if (baseUrl === undefined) {
    throw new RecordingError(
      `${path}: none of its ${head.entries} entries looks like a request to the service: no path of the specification with its key header or a JSON answer.`,
      'Name the base URL, such as --base-url https://api.example/v1, or record the requests to the service.',
    );
  }
  const root = baseUrl.replace(/\/+$/, '');
  secrets.locate(root);
  const facts = isOwn ? factsOf(member(run, 'facts')) : null;
  return {
    path,
    baseUrl: root,
    guessed: found === undefined ? null : { others: found.others },
    entries: head.entries,
    creator: creatorOf(creator, secrets),
    facts,
    run: isOwn ? member(run, 'run') : undefined,
    own: isOwn,
    keysElsewhere: (how) => secrets.keysElsewhere(how),
    secrets: () => secrets.listed(),
    // The parameters of a run are its own, and nobody's credentials.
    read: () => entriesOf(path, root, secrets, facts !== null),
  };
}

function ownExchange(value: unknown): Exchange | undefined {
  if (looksLikeExchange(value)) return readExchange(value);
  return isObject(member(value, '_assay')) ? readMarkedEntry(value) : undefined;
}

/** Notes credentials, and what the entry says about the base URL. */
function look(value: unknown, secrets: Secrets, guess: BaseUrlGuess | null): void {
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
  const type =
    answer['content-type'] ??
    textOf(member(member(member(value, 'response'), 'content'), 'mimeType')) ??
    '';
  guess.see({
    url,
    hasKey: headers.some(([name]) => secrets.isKeyHeader(name)) || 'x-ratelimit-limit' in answer,
    isJson: /\bjson\b/i.test(type),
  });
}

/** The base URL that an exchange of Assay was sent to. */
function baseOf({ request }: Exchange): string | undefined {
  const url = new URL(request.url);
  const whole = request.url.split(/[?#]/)[0] ?? '';
  if (whole.endsWith(request.path)) return whole.slice(0, whole.length - request.path.length);
  return url.pathname.endsWith(request.path)
    ? url.origin + url.pathname.slice(0, url.pathname.length - request.path.length)
    : undefined;
}

function creatorOf(creator: unknown, secrets: Secrets): string | null {
  const [name, version] = [textOf(member(creator, 'name')), textOf(member(creator, 'version'))];
  if (name === undefined || name === '') return null;
  return secrets.redactStrictly(version === undefined ? name : `${name} ${version}`).slice(0, 80);
}

async function* entriesOf(
  path: string,
  baseUrl: string,
  secrets: Secrets,
  isRun: boolean,
): AsyncGenerator<RecordedEntry> {
  const head: FileHead = { creator: undefined, run: undefined, entries: 0 };
  const traffic = new ForeignTraffic(baseUrl, secrets);
  for await (const record of recordsOf(path, head)) {
    yield entryOf(record, baseUrl, traffic, secrets, isRun);
  }
}

/**
 * Reads records that come one by one and are not read again, as from a log that is followed.
 * @param secrets made for traffic that does not end
 */
export function recordReader(
  baseUrl: string,
  secrets: Secrets,
): (record: RawRecord) => RecordedEntry {
  const traffic = new ForeignTraffic(baseUrl, secrets);
  return (record) => {
    look(record.value, secrets, null);
    return entryOf(record, baseUrl, traffic, secrets);
  };
}

function entryOf(
  { entry, value }: RawRecord,
  baseUrl: string,
  traffic: ForeignTraffic,
  secrets: Secrets,
  isRun = false,
): RecordedEntry {
  const own = ownExchange(value);
  const skipped = (reason: string, what: string): RecordedEntry => ({
    kind: 'skipped',
    entry,
    reason,
    what: secrets.redactStrictly(withoutQuery(what)).slice(0, 200),
  });
  if (own !== undefined) {
    const inside = placeBelow(baseUrl, new URL(own.request.url)) !== null;
    if (inside) return { kind: 'exchange', entry, exchange: redacted(own, secrets, isRun) };
    return skipped('not below the base URL', `${own.request.method} ${own.request.url}`);
  }
  if (!looksLikeEntry(value)) return skipped('it is no request with its answer', '');
  const address = addressOf(value);
  if (address !== undefined && placeBelow(baseUrl, address.url) === null) {
    return skipped('not below the base URL', `${address.method} ${address.url.href}`);
  }
  const read = readEntry(value);
  if ('reason' in read) return skipped(read.reason, read.what);
  const exchange = traffic.exchangeOf(read, `x${entry}`);
  return typeof exchange === 'string'
    ? skipped(exchange, `${read.method} ${read.url.href}`)
    : { kind: 'exchange', entry, exchange };
}

const withoutQuery = (text: string): string =>
  text.replace(/[?#].*$/s, '').replace(/\/\/[^/@]*@/, '//');

/** Exchanges are redacted when they are recorded; what somebody made by hand may not be. */
function redacted(exchange: Exchange, secrets: Secrets, isRun: boolean): Exchange {
  const { request, response, error, pathParameters } = exchange;
  const headers = Object.entries(request.headers);
  const url = new URL(request.url);
  secrets.begin(headers, url);
  const path = (text: string): string => (isRun ? secrets.redact(text) : secrets.path(text));
  return {
    ...exchange,
    pathParameters: Object.fromEntries(
      Object.entries(pathParameters).map(([name, value]) => [name, path(value)]),
    ),
    request: {
      ...request,
      url: isRun ? path(request.url) : secrets.url(url),
      path: path(request.path),
      query: isRun
        ? request.query.map(([name, value]) => [path(name), path(value)] as const)
        : secrets.query(url),
      headers: secrets.requestHeaders(headers),
    },
    response: response && {
      ...response,
      headers: secrets.responseHeaders(Object.entries(response.headers)),
      text: secrets.redact(response.text),
    },
    error: error && { ...error, message: secrets.redactStrictly(error.message) },
  };
}
