import { BadBody, codingsOf, isPlainText, unpacked } from '../http/body.ts';
import { headerValue } from '../text/header-value.ts';
import { isObject } from '../text/json-value.ts';
import { headersOf, member, numberOf, pairsOf, textOf } from './values.ts';

/** One entry of a HAR file, with the differences between the tools taken out. Nothing is redacted yet. */
export interface HarEntry {
  readonly method: string;
  readonly url: URL;
  /** Headers as sent, in order; pseudo-headers of HTTP/2 are left out. */
  readonly requestHeaders: readonly (readonly [string, string])[];
  /** True when the headers are those of the wire: the host is among them. Browsers record fewer of an answer from a cache. */
  readonly hasAllHeaders: boolean;
  readonly status: number;
  /** Names in lower case, repeated ones joined. */
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly text: string;
  /** Size of the body, bytes. */
  readonly bytes: number;
  /** Start of the request, epoch ms; null where the file does not say it to the millisecond. */
  readonly startedAt: number | null;
  /** From the start to the last byte, ms; null where the file does not say it. */
  readonly tookMs: number | null;
  /** `_assay`, where Assay wrote the entry. */
  readonly mark: unknown;
}

/** Why an entry says nothing about the service, in words. */
export interface LeftOut {
  readonly reason: string;
  /** Method and URL, as far as they can be read; not redacted. */
  readonly what: string;
}

/** True for something that is meant as an entry of a HAR file. */
export function looksLikeEntry(value: unknown): boolean {
  return (
    isObject(member(value, 'request')) &&
    textOf(member(member(value, 'request'), 'url')) !== undefined
  );
}

/** Method and URL of an entry; undefined when it has none that can be read. */
export function addressOf(value: unknown): { method: string; url: URL } | undefined {
  const request = member(value, 'request');
  const [method, address] = [textOf(member(request, 'method')), textOf(member(request, 'url'))];
  if (method === undefined || address === undefined || !URL.canParse(address)) return undefined;
  return { method: method.toUpperCase(), url: new URL(address) };
}

/** Headers of the request without those that name parts of the request line. */
export function requestHeadersOf(value: unknown): readonly (readonly [string, string])[] {
  return headersOf(member(member(value, 'request'), 'headers')).filter(
    ([name]) => !name.startsWith(':'),
  );
}

/** Headers of the response. A header that came several times stands several times, or in several lines. */
export function responseHeadersOf(value: unknown): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, one] of pairsOf(member(member(value, 'response'), 'headers'))) {
    const lower = name.toLowerCase();
    if (lower.startsWith(':') || lower === '__proto__') continue;
    const flat = one.split(/\r?\n/).map(headerValue).join(', ');
    headers[lower] = headers[lower] === undefined ? flat : `${headers[lower]}, ${flat}`;
  }
  return headers;
}

/** Reads an entry, or says why it cannot be judged. */
export function readEntry(value: unknown): HarEntry | LeftOut {
  const address = addressOf(value);
  const response = member(value, 'response');
  if (address === undefined) {
    return {
      reason: 'its method or URL cannot be read',
      what: textOf(member(member(value, 'request'), 'url')) ?? '',
    };
  }
  const { method, url } = address;
  const what = `${method} ${url.href}`;
  const without = withoutAnswer(value, method, url);
  if (without !== undefined) return { reason: without, what };
  const status = numberOf(member(response, 'status')) ?? 0;
  const responseHeaders = responseHeadersOf(value);
  const content = member(response, 'content');
  const mimeType = textOf(member(content, 'mimeType')) ?? '';
  if (
    responseHeaders['content-type'] === undefined &&
    mimeType !== '' &&
    mimeType !== 'x-unknown'
  ) {
    responseHeaders['content-type'] = mimeType;
  }
  if (Object.keys(responseHeaders).length === 0) {
    return { reason: 'the headers of the answer were not recorded', what };
  }
  if (isForbiddingPage(status, responseHeaders['content-type'])) {
    return { reason: FORBIDDING_PAGE, what };
  }
  const body = bodyOf(content, responseHeaders);
  if (typeof body === 'string') return { reason: body, what };
  return {
    method,
    url,
    requestHeaders: requestHeadersOf(value),
    hasAllHeaders: pairsOf(member(member(value, 'request'), 'headers')).some(([name]) =>
      /^(host|:authority)$/i.test(name),
    ),
    status,
    responseHeaders,
    ...body,
    startedAt: startOf(value),
    tookMs: durationOf(value),
    mark: member(value, '_assay'),
  };
}

/** Why there is no answer of the service in the entry; undefined when there is one. */
function withoutAnswer(value: unknown, method: string, url: URL): string | undefined {
  const response = member(value, 'response');
  const status = numberOf(member(response, 'status'));
  const kind = textOf(member(value, '_resourceType'));
  if (
    kind === 'websocket' ||
    member(value, '_webSocketMessages') !== undefined ||
    status === 101 ||
    url.protocol.startsWith('ws')
  ) {
    return 'a WebSocket';
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'no request over HTTP';
  const preflight = requestHeadersOf(value).some(
    ([name]) => name.toLowerCase() === 'access-control-request-method',
  );
  if (kind === 'preflight' || (method === 'OPTIONS' && preflight))
    return 'a preflight that the browser sent by itself';
  if (!isObject(response) || status === undefined || status <= 0)
    return 'no answer: the request was blocked, aborted or failed';
  if (!Number.isInteger(status) || status < 100 || status > 599)
    return 'its status is none of HTTP';
  const byStatus = leftOutBy(status);
  if (byStatus !== undefined) return byStatus;
  const cache = member(value, '_fromCache');
  if (cache !== undefined && cache !== null && cache !== false)
    return "answered from the browser's cache";
  if (member(value, '_fetchedViaServiceWorker') === true) return 'answered by a service worker';
  return undefined;
}

/** Why answers of a status are not judged; undefined when they are. */
export function leftOutBy(status: number): string | undefined {
  if (status === 407 || status === 511) return 'an answer of a proxy or network on the way';
  if (status === 206) return 'a part of an answer (206)';
  if (status === 304) return 'not modified (304): the body came from a cache';
  return undefined;
}

/** A page that forbids: no answer of the service, whose errors are JSON. */
export const FORBIDDING_PAGE =
  'a page that forbids (403), as something in front of the service shows it';

/** True for a page of HTML with status 403. */
export const isForbiddingPage = (status: number, type: string | undefined): boolean =>
  status === 403 && /\bhtml\b/i.test(type ?? '');

/** Largest body that is unpacked, bytes. */
const MAX_UNPACKED = 64 * 1024 * 1024;

/** The body as text, or why there is none. */
function bodyOf(
  content: unknown,
  headers: Readonly<Record<string, string>>,
): { text: string; bytes: number } | string {
  const size = numberOf(member(content, 'size')) ?? -1;
  const text = textOf(member(content, 'text'));
  if (text === undefined || (text === '' && size > 0)) {
    if (textOf(member(content, '_file')) !== undefined) {
      return 'the body is in a file of its own: record with the bodies embedded';
    }
    return headers['content-length'] === '0' ? { text: '', bytes: 0 } : 'the body was not recorded';
  }
  const encoding = textOf(member(content, 'encoding')) ?? '';
  if (!/^(utf-?8|base64)?$/i.test(encoding)) {
    return 'the body was recorded in an encoding that HAR does not know';
  }
  // Whatever is said of it.
  if (/^\s*[{[]/.test(text)) return whole(text, Buffer.byteLength(text), size);
  const isBase64 = encoding.toLowerCase() === 'base64';
  if (isBase64 && /[^\w+/=\s-]/.test(text)) return 'the body was marked as base64, and is not';
  // Some tools write bytes as a text, one character each.
  const isBytes = !isPlainText(Buffer.from(text)) && /^[^\u0100-\uffff]*$/.test(text);
  const bytes = Buffer.from(text, isBase64 ? 'base64' : isBytes ? 'latin1' : 'utf8');
  const plain = plainBody(bytes, headers['content-encoding']);
  if (typeof plain === 'string') return plain;
  return plain === bytes && !isBase64
    ? whole(text, Buffer.byteLength(text), size)
    : whole(new TextDecoder('utf-8', { ignoreBOM: true }).decode(plain), plain.length, size);
}

/**
 * The body without its `Content-Encoding`. Most tools record it unpacked and leave the header as it came, some record it
 * as it came, and some without the header.
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
    return `the body was recorded compressed${known} and cannot be unpacked`;
  }
}

/** Tools cut long bodies without a word; one that is shorter than its size and is no whole JSON was cut. */
function whole(
  text: string,
  bytes: number,
  size: number,
): { text: string; bytes: number } | string {
  if (bytes < size && !isJson(text)) return 'the body was cut when it was recorded';
  if (isMisread(text)) return 'the body was recorded in a wrong character set';
  return { text, bytes };
}

/** True for UTF-8 that was read as Latin-1, which turns every letter beyond ASCII into two or three others. */
function isMisread(text: string): boolean {
  if (!/[\u00c2-\u00f4][\u0080-\u00bf]/.test(text) || /[\u0100-\uffff]/.test(text)) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(text, 'latin1'));
    return true;
  } catch {
    return false;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Years in which a recording can have been made, epoch ms. */
const EARLIEST = Date.UTC(2015, 0);
const LATEST = Date.UTC(2100, 0);

/**
 * Start of the request. A time without its offset from UTC may be hours wrong, and one in whole seconds says nothing
 * about the order of requests.
 */
function startOf(value: unknown): number | null {
  const text = textOf(member(value, 'startedDateTime')) ?? '';
  const form = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d+(Z|[+-]\d{2}:?\d{2})$/;
  return form.test(text)
    ? plausible(Date.parse(text.replace(/([+-]\d{2})(\d{2})$/, '$1:$2')))
    : null;
}

export function plausible(time: number): number | null {
  return time >= EARLIEST && time <= LATEST ? time : null;
}

/** Longer than this is a clock that was set, not a request, ms. */
const MAX_DURATION = 3_600_000;

/** `time`, or the sum of the timings; -1 means not applicable, and nothing takes no time at all. */
function durationOf(value: unknown): number | null {
  const total = numberOf(member(value, 'time')) ?? -1;
  const timings = member(value, 'timings');
  const parts = ['blocked', 'dns', 'connect', 'send', 'wait', 'receive'].map(
    (name) => numberOf(member(timings, name)) ?? -1,
  );
  const sum = parts.reduce((ms, part) => ms + Math.max(0, part), 0);
  const ms = Math.max(total, sum);
  return ms > 0 && ms < MAX_DURATION ? ms : null;
}
