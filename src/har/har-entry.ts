import { isUtf8 } from 'node:buffer';
import { BadBody, codingsOf, isPlainText, unpacked } from '../http/body.ts';
import { bodyText } from '../text/decoded-text.ts';
import { headerValue, joinedHeaders } from '../text/header-value.ts';
import { parsedJson } from '../text/json-value.ts';
import { fieldsOf, headersOf, numberOf, pairsOf, textOf } from './values.ts';

/** A normalised entry of a HAR file, not redacted yet. */
export interface HarEntry {
  readonly method: string;
  readonly url: URL;
  /** Headers as sent, in order, without HTTP/2 pseudo-headers. */
  readonly requestHeaders: readonly (readonly [string, string])[];
  /** True when all headers are recorded, including the host. Browsers record fewer for cached responses. */
  readonly hasAllHeaders: boolean;
  readonly status: number;
  /** Lower-case names; repeated headers are joined. */
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly text: string;
  readonly bytes: number;
  /** Start of the request, epoch ms; null when it is not recorded to the millisecond. */
  readonly startedAt: number | null;
  /** Time until the last byte, ms; null when it is not recorded. */
  readonly tookMs: number | null;
}

/** Why an entry is ignored. */
export interface LeftOut {
  readonly reason: string;
  /** Method and URL if readable; not redacted. */
  readonly what: string;
}

const requestOf = (value: unknown): Readonly<Record<string, unknown>> =>
  fieldsOf(fieldsOf(value)['request']);
const responseOf = (value: unknown): Readonly<Record<string, unknown>> =>
  fieldsOf(fieldsOf(value)['response']);

/** True for something that looks like a HAR entry. */
export const looksLikeEntry = (value: unknown): boolean =>
  typeof requestOf(value)['url'] === 'string';

/** Method and URL of an entry; undefined when they are invalid. */
export function addressOf(value: unknown): { method: string; url: URL } | undefined {
  const { method, url } = requestOf(value);
  return typeof method === 'string' && typeof url === 'string' && URL.canParse(url)
    ? { method: method.toUpperCase(), url: new URL(url) }
    : undefined;
}

/** Request headers without pseudo-headers. */
export function requestHeadersOf(value: unknown): readonly (readonly [string, string])[] {
  return headersOf(requestOf(value)['headers']).filter(([name]) => !name.startsWith(':'));
}

/** Response headers. Repeated headers are separate entries, or lines of one value. */
export function responseHeadersOf(value: unknown): Record<string, string> {
  return joinedHeaders(
    pairsOf(responseOf(value)['headers'])
      .filter(([name]) => !name.startsWith(':'))
      .map(([name, one]) => [name.toLowerCase(), one.split(/\r?\n/).map(headerValue).join(', ')]),
  );
}

/** Type of the response according to the content; undefined when it is unknown. */
export function mimeTypeOf(value: unknown): string | undefined {
  const { mimeType } = fieldsOf(responseOf(value)['content']);
  return typeof mimeType === 'string' && mimeType !== '' && mimeType !== 'x-unknown'
    ? mimeType
    : undefined;
}

/** Reads an entry, or returns why it is ignored. */
export function readEntry(value: unknown): HarEntry | LeftOut {
  const address = addressOf(value);
  const { headers, url: written } = requestOf(value);
  if (address === undefined) {
    return { reason: 'the method or the URL cannot be read', what: textOf(written) ?? '' };
  }
  const { method, url } = address;
  const answer = withoutAnswer(value, method, url) ?? answerOf(value);
  if (typeof answer === 'string') return { reason: answer, what: `${method} ${url.href}` };
  return {
    method,
    url,
    requestHeaders: requestHeadersOf(value),
    hasAllHeaders: pairsOf(headers).some(([name]) => /^(host|:authority)$/i.test(name)),
    ...answer,
    startedAt: startOf(value),
    tookMs: durationOf(value),
  };
}

function answerOf(value: unknown): (Body & Pick<HarEntry, 'status' | 'responseHeaders'>) | string {
  const { status: given, content } = responseOf(value);
  const status = numberOf(given) ?? 0;
  const responseHeaders = responseHeadersOf(value);
  const mimeType = mimeTypeOf(value);
  if (mimeType !== undefined) responseHeaders['content-type'] ??= mimeType;
  if (Object.keys(responseHeaders).length === 0) return 'the response headers were not recorded';
  if (isForbiddingPage(status, responseHeaders['content-type'])) return FORBIDDING_PAGE;
  const body = bodyOf(content, responseHeaders);
  return typeof body === 'string' ? body : { status, responseHeaders, ...body };
}

/** Why an entry has no answer of the service; undefined when it has one. */
function withoutAnswer(value: unknown, method: string, { protocol }: URL): string | undefined {
  const entry = fieldsOf(value);
  const { _resourceType: kind, _fromCache: cache } = entry;
  const status = numberOf(responseOf(value)['status']) ?? 0;
  const isSocket = kind === 'websocket' || entry['_webSocketMessages'] !== undefined;
  if (isSocket || status === 101 || protocol.startsWith('ws')) return 'a WebSocket';
  if (protocol !== 'http:' && protocol !== 'https:') return 'not an HTTP request';
  const asksAhead = requestHeadersOf(value).some(([name]) =>
    /^access-control-request-method$/i.test(name),
  );
  if (kind === 'preflight' || (method === 'OPTIONS' && asksAhead))
    return 'a CORS preflight request from the browser';
  if (status <= 0) return 'no response: the request failed, or was blocked or aborted';
  if (!Number.isInteger(status) || status < 100 || status > 599)
    return 'the status is not a valid HTTP status';
  const byStatus = leftOutBy(status);
  if (byStatus !== undefined) return byStatus;
  if ((cache ?? false) !== false) return "answered from the browser's cache";
  return entry['_fetchedViaServiceWorker'] === true ? 'answered by a service worker' : undefined;
}

const INTERMEDIATE = 'a response from an intermediate proxy or network';
const LEFT_OUT: Readonly<Partial<Record<number, string>>> = {
  206: 'a partial response (206)',
  304: 'not modified (304): the body came from a cache',
  407: INTERMEDIATE,
  511: INTERMEDIATE,
};

/** Why responses with a status are not judged; undefined when they are. */
export const leftOutBy = (status: number): string | undefined => LEFT_OUT[status];

/** An HTML page with status 403 is not from the service, whose errors are JSON. */
export const FORBIDDING_PAGE =
  'an HTML page with status 403, probably from a proxy or firewall in front of the service';

/** True for a page of HTML with status 403. */
export const isForbiddingPage = (status: number, type: string | undefined): boolean =>
  status === 403 && /\bhtml\b/i.test(type ?? '');

type Body = Pick<HarEntry, 'text' | 'bytes'>;

const MAX_UNPACKED = 64 * 1024 * 1024;

/** The body as text, or why it is missing. */
function bodyOf(content: unknown, headers: Readonly<Record<string, string>>): Body | string {
  const { size: stated, text, _file: file, encoding: named } = fieldsOf(content);
  const size = numberOf(stated) ?? -1;
  if (typeof text !== 'string' || (text === '' && size > 0)) {
    if (typeof file === 'string')
      return 'the body is in a separate file: record with embedded bodies';
    return headers['content-length'] === '0' ? { text: '', bytes: 0 } : 'the body was not recorded';
  }
  const encoding = textOf(named) ?? '';
  if (!/^(utf-?8|base64)?$/i.test(encoding)) {
    return 'the body was recorded in an encoding that HAR does not support';
  }
  // JSON, whatever the encoding says.
  if (/^\s*[{[]/.test(text)) return whole(text, Buffer.byteLength(text), size);
  const isBase64 = encoding.toLowerCase() === 'base64';
  if (isBase64 && /[^\w+/=\s-]/.test(text))
    return 'the body is marked as base64 but is not valid base64';
  // Some tools write each byte as one character.
  const isBytes = !isPlainText(Buffer.from(text)) && /^[^\u0100-\uffff]*$/.test(text);
  const bytes = Buffer.from(text, isBase64 ? 'base64' : isBytes ? 'latin1' : 'utf8');
  const plain = plainBody(bytes, headers['content-encoding']);
  if (typeof plain === 'string') return plain;
  return plain === bytes && !isBase64
    ? whole(text, Buffer.byteLength(text), size)
    : whole(bodyText(plain), plain.length, size);
}

/**
 * Decompresses the body. Most tools record it decompressed and keep the `Content-Encoding` header; some record it
 * compressed, with or without the header.
 */
function plainBody(bytes: Buffer, encoding: string | undefined): Buffer | string {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const coding = codingsOf(encoding)[0] === undefined && isGzip ? 'gzip' : encoding;
  try {
    return unpacked(bytes, coding, MAX_UNPACKED);
  } catch (error) {
    if (!(error instanceof BadBody)) throw error;
    if (error.kind === 'too-large') return 'the body was recorded compressed and is too large';
    if (isPlainText(bytes)) return bytes;
    const known = /^[\w, -]{1,40}$/.test(coding ?? '') ? ` (${coding ?? ''})` : '';
    return `the body was recorded compressed${known} and cannot be decompressed`;
  }
}

/** Detects bodies that a tool has truncated silently: shorter than the recorded size and not complete JSON. */
function whole(text: string, bytes: number, size: number): Body | string {
  if (bytes < size && parsedJson(text) === undefined)
    return 'the body was truncated when it was recorded';
  if (isMisread(text)) return 'the body was recorded with the wrong character set';
  return { text, bytes };
}

/** True for UTF-8 that was decoded as Latin-1. */
const isMisread = (text: string): boolean =>
  /[\u00c2-\u00f4][\u0080-\u00bf]/.test(text) &&
  !/[\u0100-\uffff]/.test(text) &&
  isUtf8(Buffer.from(text, 'latin1'));

/** Plausible range of recording times, epoch ms. */
const EARLIEST = Date.UTC(2015, 0);
const LATEST = Date.UTC(2100, 0);

/**
 * Start of the request. Times without a UTC offset may be hours off, and whole seconds do not show the order of requests.
 */
function startOf(value: unknown): number | null {
  const text = textOf(fieldsOf(value)['startedDateTime']) ?? '';
  const form = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d+(Z|[+-]\d{2}:?\d{2})$/;
  return form.test(text)
    ? plausible(Date.parse(text.replace(/([+-]\d{2})(\d{2})$/, '$1:$2')))
    : null;
}

export function plausible(time: number): number | null {
  return time >= EARLIEST && time <= LATEST ? time : null;
}

/** A longer duration is a clock change, not a request, ms. */
const MAX_DURATION = 3_600_000;

/** `time`, or the sum of the timings; -1 means not applicable. */
function durationOf(value: unknown): number | null {
  const { time, timings } = fieldsOf(value);
  const parts = ['blocked', 'dns', 'connect', 'send', 'wait', 'receive'];
  const sum = parts.reduce(
    (total, name) => total + Math.max(0, numberOf(fieldsOf(timings)[name]) ?? 0),
    0,
  );
  const ms = Math.max(numberOf(time) ?? -1, sum);
  return ms > 0 && ms < MAX_DURATION ? ms : null;
}
