import type { Exchange } from '../contract/exchange.ts';
import type { Results } from './results.ts';

interface NameValue {
  readonly name: string;
  readonly value: string;
}

function pairs(headers: Readonly<Record<string, string>>): readonly NameValue[] {
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}

/** The reason phrase is not on record; readers of HAR accept an empty one. */
function response(exchange: Exchange): Readonly<Record<string, unknown>> {
  const answer = exchange.response;
  if (answer === null) {
    return {
      // Status 0 is how browsers write "no response" into a HAR file.
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
      text: answer.text,
      ...(answer.truncated === true ? { comment: 'The body was cut at the recording bound.' } : {}),
    },
    redirectURL: answer.headers['location'] ?? '',
    headersSize: -1,
    bodySize: -1,
  };
}

function entry(exchange: Exchange): Readonly<Record<string, unknown>> {
  const time = Math.max(0, exchange.receivedAt - exchange.sentAt);
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
      truncated: exchange.response?.truncated === true,
      error: exchange.error,
    },
  };
}

/**
 * Renders the exchanges as HAR 1.2. They were redacted when they were recorded and are written as they are. What HAR
 * has no place for (id, key role, endpoint, fingerprint of the key) is in the `_assay` member of each entry.
 */
export function renderHar(results: Results): string {
  const har = {
    log: {
      version: '1.2',
      creator: { name: results.tool.name, version: results.tool.version },
      pages: [],
      entries: results.exchanges.map(entry),
      comment: `Exchanges of the run that started ${results.startedAt}. Keys are redacted.`,
    },
  };
  return `${JSON.stringify(har, null, 2)}\n`;
}
