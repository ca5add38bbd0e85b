import { jsonText } from '../../text/json-text.ts';
import type { Exchange } from '../../spec/exchange.ts';
import type { Results } from '../model/results.ts';

const pairs = (entries: Exchange['request']['query']): readonly object[] =>
  entries.map(([name, value]) => ({ name, value }));

/** JSON readers drop a leading byte order mark, which may be the evidence. */
function bodyText(text: string): Readonly<Record<string, string>> {
  if (!text.startsWith('\ufeff')) return { text };
  return { text: Buffer.from(text).toString('base64'), encoding: 'base64' };
}

/** The reason phrase is not recorded; HAR readers accept an empty one. */
function responseOf({ response: answer, error }: Exchange): Readonly<Record<string, unknown>> {
  const headers = answer?.headers ?? {};
  return {
    // Browsers write status 0 for "no response".
    status: answer?.status ?? 0,
    statusText: '',
    httpVersion: answer === null ? '' : 'HTTP/1.1',
    cookies: [],
    headers: pairs(Object.entries(headers)),
    content: {
      size: answer?.bytes ?? 0,
      mimeType: headers['content-type'] ?? 'x-unknown',
      ...(answer !== null && bodyText(answer.text)),
    },
    redirectURL: headers['location'] ?? '',
    headersSize: -1,
    bodySize: -1,
    ...(answer === null && { _error: error?.message ?? 'no response' }),
  };
}

function entry(exchange: Exchange): Readonly<Record<string, unknown>> {
  const { request, response, receivedAt, ...marked } = exchange;
  const time = Math.max(0, receivedAt - exchange.sentAt);
  return {
    startedDateTime: new Date(exchange.sentAt).toISOString(),
    time,
    request: {
      method: request.method,
      url: request.url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(Object.entries(request.headers)),
      queryString: pairs(request.query),
      headersSize: -1,
      bodySize: 0,
    },
    response: responseOf(exchange),
    cache: {},
    timings: { send: 0, wait: time, receive: 0 },
    // With `sentAt`, because `startedDateTime` has milliseconds only.
    _assay: { ...marked, path: request.path, truncated: response?.truncated === true },
  };
}

/** Renders the exchanges as HAR 1.2; `_assay` members have what HAR cannot express, and what the judge knew about the target. */
export function renderHar(results: Results): string {
  const { profile, seed, startedAt, target, settings, requests } = results;
  // What the judge needs to judge the run again.
  const run = { profile, seed, startedAt, target, settings, waitedMs: requests.waitedMs };
  const har = {
    log: {
      version: '1.2',
      creator: { name: results.tool.name, version: results.tool.version },
      pages: [],
      _assay: { baseUrl: target.baseUrl, facts: results.facts, run },
      entries: results.exchanges.map(entry),
      comment: `Exchanges from the run that started at ${startedAt}. Keys are redacted.`,
    },
  };
  return `${jsonText(har)}\n`;
}
