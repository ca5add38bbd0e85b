import { matchEndpoint } from '../../spec/match-endpoint.ts';
import type { Exchange } from '../../spec/exchange.ts';
import { RATE_HEADERS } from '../../spec/limits.ts';
import type { Row } from '../plan.ts';

/** Properties that all exchanges of a recording share. */
export interface Origin {
  readonly baseUrl: string;
  readonly skewMs: number;
  /** Fingerprint of a key by its index. */
  readonly fingerprint: (keyIndex: number) => string;
  /** Redacts keys in texts of the target. */
  readonly redact: (text: string) => string;
}

/**
 * The recorded answers to requests with a key, as exchanges. Most only have the rate-limit headers, refusals also the
 * body, and samples everything.
 */
export function exchangesOf(rows: readonly Row[], origin: Origin): Exchange[] {
  const requests = new Map<string, Pick<Exchange, 'endpoint' | 'pathParameters' | 'request'>>();
  const keys = new Map<number, string>();
  return rows.flatMap((row, index) => {
    if (row.key === null || row.status === 0) return [];
    const asked = row.sample?.path ?? row.endpoint;
    // The result is redacted as a whole; samples are redacted beforehand.
    const request = requests.get(asked) ?? requestOf(asked, origin.baseUrl);
    requests.set(asked, request);
    const key = keys.get(row.key) ?? origin.fingerprint(row.key);
    keys.set(row.key, key);
    return [
      {
        id: `x${index + 1}`,
        ...request,
        role: 'valid',
        key,
        response: responseOf(row, origin.redact),
        error: null,
        sentAt: row.t0,
        receivedAt: row.t1,
        skewMs: origin.skewMs,
        attempt: 1,
      } satisfies Exchange,
    ];
  });
}

function requestOf(
  asked: string,
  baseUrl: string,
): Pick<Exchange, 'endpoint' | 'pathParameters' | 'request'> {
  const [path = '', search = ''] = asked.split('?', 2);
  const match = matchEndpoint(path);
  return {
    endpoint: match?.endpoint ?? null,
    pathParameters: match?.parameters ?? {},
    request: {
      method: 'GET',
      url: baseUrl + asked,
      path,
      query: [...new URLSearchParams(search)],
      headers: {},
    },
  };
}

function responseOf(row: Row, redact: (text: string) => string): NonNullable<Exchange['response']> {
  const { status, sample, body } = row;
  if (sample === null) {
    const headers: Record<string, string> = {};
    for (const name of ['limit', 'remaining', 'reset'] as const) {
      const value = row[name];
      if (value !== null) headers[RATE_HEADERS[name]] = value;
    }
    const text = body ?? '';
    return {
      status,
      headers,
      text,
      bytes: Buffer.byteLength(text),
      limitsOnly: true,
    };
  }
  const text = redact(sample.text);
  const headers = Object.fromEntries(
    Object.entries(sample.headers).map(([name, value]) => [name, redact(value)]),
  );
  return { status, headers, text, bytes: Buffer.byteLength(text) };
}
