import type { Exchange } from '../spec/exchange.ts';
import { foreignTraffic } from '../har/foreign-exchange.ts';
import { FORBIDDING_PAGE, isForbiddingPage, leftOutBy } from '../har/har-entry.ts';
import type { Secrets } from '../har/secrets.ts';
import { BadBody, countValues, unpacked } from '../http/body.ts';
import { bodyText } from '../text/decoded-text.ts';
import { joinedHeaders } from '../text/header-value.ts';
import type { RawExchange } from './raw-exchange.ts';
import { MAX_BODY } from './tap.ts';

/**
 * Converts traffic of the proxy to exchanges, and redacts all keys.
 * @param baseUrl base URL of the service; its path is the prefix of the endpoints
 * @returns a function that returns the exchange, or a constant text that says why it is not judged
 */
export function observer(
  baseUrl: string,
  secrets: Secrets,
): (raw: RawExchange) => Exchange | string {
  const { origin } = new URL(baseUrl);
  const exchangeOf = foreignTraffic(baseUrl, secrets, true, true);
  return (raw) => {
    const url = urlBelow(origin, raw.path);
    if (url === null) return 'the address is invalid';
    const { requestHeaders } = raw;
    secrets.note(requestHeaders, url);
    const responseHeaders = joinedHeaders(
      raw.responseHeaders.map(([name, value]) => [name.toLowerCase(), value]),
    );
    const byStatus = leftOutBy(raw.status);
    if (byStatus !== undefined) return byStatus;
    if (isForbiddingPage(raw.status, responseHeaders['content-type'])) {
      return FORBIDDING_PAGE;
    }
    if (raw.body === null) return 'the body was too large to keep';
    const body = plainBody(raw.body, responseHeaders['content-encoding']);
    if (typeof body === 'string') return body;
    const exchange = exchangeOf(
      {
        method: raw.method,
        url,
        requestHeaders,
        hasAllHeaders: true,
        status: raw.status,
        responseHeaders,
        text: bodyText(body),
        bytes: body.length,
        startedAt: raw.sentAt,
        tookMs: raw.receivedAt - raw.sentAt,
      },
      `x${raw.number}`,
    );
    if (typeof exchange === 'string') return exchange;
    const { request, response } = exchange;
    const text = JSON.stringify([request, response?.headers]);
    if (secrets.leaks(text) || secrets.leaks(response?.text ?? '')) {
      return 'a key was found in several layers of encoding';
    }
    return exchange;
  };
}

/** Clients of a proxy may send an absolute URL; the target is judged. */
function urlBelow(origin: string, path: string): URL | null {
  const text = path.startsWith('/') ? path : path.replace(/^https?:\/\/[^/?#]*/i, '');
  const whole = `${origin}${text}`;
  return text.startsWith('/') && URL.canParse(whole) ? new URL(whole) : null;
}

function plainBody(body: Uint8Array, encoding: string | undefined): Buffer | string {
  try {
    const plain = unpacked(
      Buffer.from(body.buffer, body.byteOffset, body.byteLength),
      encoding,
      MAX_BODY,
    );
    countValues(plain);
    return plain;
  } catch (error) {
    if (!(error instanceof BadBody)) throw error;
    return error.kind === 'too-large'
      ? 'the body is too large, is nested too deeply or has too many values to be judged'
      : 'the body cannot be decompressed';
  }
}
