import { jsonText } from '../../text/json-text.ts';
import type { Exchange } from '../../spec/exchange.ts';
import type { Results } from '../model/results.ts';

interface NameValue {
  readonly name: string;
  readonly value: string;
}

function pairs(headers: Readonly<Record<string, string>>): readonly NameValue[] {
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}

/** JSON readers drop a leading byte order mark, which may be the evidence. */
function bodyText(text: string): Readonly<Record<string, string>> {
  if (!text.startsWith('\ufeff')) return { text };
  return { text: Buffer.from(text).toString('base64'), encoding: 'base64' };
}

/** The reason phrase is not recorded; HAR readers accept an empty one. */
function response(exchange: Exchange): Readonly<Record<string, unknown>> {
  const answer = exchange.response;
  if (answer === null) {
    return {
      // Browsers write status 0 for "no response".
      status: 0,
      statusText: '',
      httpVersion: '',
      cookies: [],
      headers: [],
      content: { size: 0, mimeType: 'x-unknown' },
      redirectURL: '',
      headersSize: -1,
      bodySize: -1,
      _error: exchange.error?.message ?? 'no response',
    };
  }
  return {
    status: answer.status,
    statusText: '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: pairs(answer.headers),
    content: {
      size: answer.bytes,
      mimeType: answer.headers['content-type'] ?? 'x-unknown',
      ...bodyText(answer.text),
      ...(answer.truncated === true
        ? { comment: 'The body was truncated when it was recorded.' }
        : {}),
    },
    redirectURL: answer.headers['location'] ?? '',
    headersSize: -1,
    bodySize: -1,
  };
}

const microseconds = (ms: number): number => Math.round(ms * 1000) / 1000;

function entry(exchange: Exchange): Readonly<Record<string, unknown>> {
  const time = microseconds(Math.max(0, exchange.receivedAt - exchange.sentAt));
  return {
    startedDateTime: new Date(exchange.sentAt).toISOString(),
    time,
    request: {
      method: exchange.request.method,
      url: exchange.request.url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(exchange.request.headers),
      queryString: exchange.request.query.map(([name, value]) => ({ name, value })),
      headersSize: -1,
      bodySize: 0,
    },
    response: response(exchange),
    cache: {},
    timings: { send: 0, wait: time, receive: 0 },
    _assay: {
      id: exchange.id,
      endpoint: exchange.endpoint,
      path: exchange.request.path,
      pathParameters: exchange.pathParameters,
      role: exchange.role,
      key: exchange.key,
      attempt: exchange.attempt,
      skewMs: exchange.skewMs,
      // `startedDateTime` has milliseconds only.
      sentAt: exchange.sentAt,
      truncated: exchange.response?.truncated === true,
      error: exchange.error,
      ...(exchange.oddities === undefined ? {} : { oddities: exchange.oddities }),
      ...(exchange.sequence === undefined ? {} : { sequence: exchange.sequence }),
      ...(exchange.purpose === undefined ? {} : { purpose: exchange.purpose }),
    },
  };
}

/** What the judge needs to judge a run again from its HAR alone. */
function runOf({ profile, seed, startedAt, target, settings, requests }: Results): object {
  return { profile, seed, startedAt, target, settings, waitedMs: requests.waitedMs };
}

/**
 * Renders the exchanges as HAR 1.2. They were redacted when they were recorded. The `_assay` member of each entry has what HAR
 * cannot express (id, key role, endpoint, fingerprint of the key), that of the log what the judge knew about the target.
 */
export function renderHar(results: Results): string {
  const har = {
    log: {
      version: '1.2',
      creator: { name: results.tool.name, version: results.tool.version },
      pages: [],
      _assay: { baseUrl: results.target.baseUrl, facts: results.facts, run: runOf(results) },
      entries: results.exchanges.map(entry),
      comment: `Exchanges from the run that started ${results.startedAt}. Keys are redacted.`,
    },
  };
  return `${jsonText(har)}\n`;
}
