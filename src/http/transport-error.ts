import type { TransportError } from '../spec/exchange.ts';
import { BadBody } from './body.ts';

/** Error codes of Node and undici by kind. */
const CODES: Readonly<Partial<Record<TransportError['kind'], readonly string[]>>> = {
  refused: ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL'],
  dns: ['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL'],
  reset: ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'ECONNABORTED'],
  timeout: [
    'ETIMEDOUT',
    'UND_ERR_CONNECT_TIMEOUT',
    'UND_ERR_HEADERS_TIMEOUT',
    'UND_ERR_BODY_TIMEOUT',
  ],
  'too-large': ['UND_ERR_HEADERS_OVERFLOW'],
  protocol: ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'UND_ERR_RESPONSE', 'UND_ERR_INFO'],
};

/** How codes of failed handshakes and rejected certificates look. */
const TLS =
  /^(?:EPROTO$|HOSTNAME_MISMATCH$|CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|DEPTH_ZERO_SELF_SIGNED_CERT$|SELF_SIGNED_CERT_)/;

/** Classifies why no complete response arrived. */
export function transportError(
  error: unknown,
  { timedOut, aborted, timeoutMs }: { timedOut: boolean; aborted: boolean; timeoutMs: number },
): TransportError {
  if (aborted) return { kind: 'aborted', message: 'interrupted' };
  if (timedOut) return { kind: 'timeout', message: `no complete response within ${timeoutMs} ms` };
  if (error instanceof BadBody) return { kind: error.kind, message: error.message };
  const [code, message] = root(error);
  // The library reports these responses, which HTTP does not allow here, as socket errors.
  if (message === 'bad upgrade')
    return { kind: 'protocol', message: 'an unsolicited upgrade (101)' };
  if (message === 'bad response') return { kind: 'protocol', message: 'an unexpected response' };
  const kind = kindOf(error, code);
  const other = kind === 'protocol' ? otherProtocol(error) : undefined;
  if (other !== undefined) return { kind, message: other };
  if (kind === 'too-large') return { kind, message: 'the headers are too large' };
  if (kind === 'tls') return { kind, message: tlsWords(code, message) };
  return {
    kind,
    message: code === '' || message.includes(code) ? message : `${message} (${code})`,
  };
}

/** Detects another protocol by the bytes that could not be parsed; undefined when it is unknown. */
function otherProtocol(error: unknown): string | undefined {
  const data = error instanceof Error && 'data' in error ? String(error.data) : '';
  // A TLS alert record, and the HTTP/2 settings frame.
  if (data.startsWith('\u0015\u0003')) {
    return 'the server expects TLS; use https://';
  }
  if (data.startsWith('\u0004\0\0\0\0\0', 3)) {
    return 'the server uses HTTP/2 without TLS; Assay supports HTTP/2 only for https targets (--http2)';
  }
  return undefined;
}

/** Codes for a handshake with a server that does not use TLS, usually plain HTTP. */
const NO_TLS: ReadonlySet<string> = new Set([
  'ERR_SSL_WRONG_VERSION_NUMBER',
  'ERR_SSL_PACKET_LENGTH_TOO_LONG',
  'ERR_SSL_UNKNOWN_PROTOCOL',
  'ERR_SSL_HTTP_REQUEST',
]);

/** Readable reason of a failed TLS handshake, without the memory addresses and source lines of OpenSSL. */
export function tlsWords(code: string, message: string): string {
  if (NO_TLS.has(code)) {
    return `the server does not use TLS; for plain HTTP use http:// (${code})`;
  }
  if (code === 'ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL') {
    return `the server accepts none of the offered HTTP versions; if it supports only HTTP/2, use --http2 (http.http2: true) (${code})`;
  }
  const reason = /^[0-9A-F]+:error:[0-9A-F]+:[^:]*:[^:]*:([^:]+):/i.exec(message)?.[1] ?? message;
  return code === '' || reason.includes(code) ? reason : `${reason} (${code})`;
}

function kindOf(error: unknown, code: string): TransportError['kind'] {
  // Parser errors do not always have a code.
  if (error instanceof Error && error.name === 'HTTPParserError') return 'protocol';
  if (code.startsWith('HPE_')) return 'protocol';
  if (TLS.test(code)) return 'tls';
  const kinds = Object.keys(CODES) as TransportError['kind'][];
  return kinds.find((kind) => CODES[kind]?.includes(code) === true) ?? 'other';
}

/** Code and message of the innermost cause, because libraries wrap socket errors. */
function root(error: unknown): [code: string, message: string] {
  let code = '';
  let message = String(error);
  let current: unknown = error;
  for (let depth = 0; current instanceof Error && depth < 5; depth += 1) {
    if ('code' in current && typeof current.code === 'string') code = current.code;
    if (current.message !== '') message = current.message;
    const inner: unknown = current instanceof AggregateError ? current.errors[0] : current.cause;
    current = inner;
  }
  return [code, message];
}
