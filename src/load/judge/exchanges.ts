import { matchEndpoint } from '../../spec/match-endpoint.ts';
import type { Exchange, ExchangeResponse } from '../../spec/exchange.ts';
import { RATE_HEADERS } from '../../spec/limits.ts';
import type { LoadPlan, Row } from '../plan.ts';
import { SCENARIOS } from '../scenarios.ts';
import type { KeyedRow } from './keyed.ts';

/** Properties that all exchanges of a recording share. */
export interface Origin {
  readonly plan: LoadPlan;
  readonly skewMs: number;
  /** Fingerprint of a key by its index. */
  readonly fingerprint: (keyIndex: number) => string;
  /** Redacts keys in texts of the target. */
  readonly redact: (text: string) => string;
}

type Asked = Pick<Exchange, 'endpoint' | 'pathParameters' | 'request'>;

/**
 * The recorded answers to requests with a key, as exchanges. Most only have the rate-limit headers, refusals also the
 * body, and samples everything.
 */
export function exchangesOf(rows: readonly KeyedRow[], origin: Origin): Exchange[] {
  const { plan, skewMs, fingerprint, redact } = origin;
  const { key: role } = SCENARIOS[plan.scenario];
  const requests = new Map<string, Asked>();
  return rows.map((row, index) => {
    const asked = row.sample?.path ?? row.endpoint;
    // The result is redacted as a whole; samples are redacted beforehand.
    const request = requests.get(asked) ?? requestOf(asked, plan.baseUrl);
    requests.set(asked, request);
    return {
      id: `x${index + 1}`,
      ...request,
      role,
      key: fingerprint(row.key),
      response: responseOf(row, redact),
      error: null,
      sentAt: row.t0,
      receivedAt: row.t1,
      skewMs,
      attempt: 1,
    };
  });
}

function requestOf(asked: string, baseUrl: string): Asked {
  const [path = '', search = ''] = asked.split('?', 2);
  const { endpoint = null, parameters: pathParameters = {} } = matchEndpoint(path) ?? {};
  const query = [...new URLSearchParams(search)];
  const request = { method: 'GET', url: baseUrl + asked, path, query, headers: {} };
  return { endpoint, pathParameters, request };
}

function responseOf(row: Row, redact: (text: string) => string): ExchangeResponse {
  const { status, sample, body, limit, remaining, reset } = row;
  const headers: Record<string, string> = {};
  const told = sample?.headers ?? {
    [RATE_HEADERS.limit]: limit,
    [RATE_HEADERS.remaining]: remaining,
    [RATE_HEADERS.reset]: reset,
  };
  for (const [name, value] of Object.entries(told)) {
    if (value !== null) headers[name] = redact(value);
  }
  const text = sample === null ? (body ?? '') : redact(sample.text);
  const bytes = Buffer.byteLength(text);
  return { status, headers, text, bytes, ...(sample === null && { limitsOnly: true }) };
}
