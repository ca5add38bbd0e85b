import type { Exchange } from '../spec/exchange.ts';
import { ForeignTraffic } from '../har/foreign-exchange.ts';
import { FORBIDDING_PAGE, isForbiddingPage, leftOutBy } from '../har/har-entry.ts';
import type { Secrets } from '../har/secrets.ts';
import { BadBody, countValues, unpacked } from '../http/body.ts';
import { MAX_BODY } from './body-copy.ts';
import type { RawExchange } from './raw-exchange.ts';

/** The exchange that passed, redacted; or why it is not judged, in words that are the same for the same cause. */
export type Observed = { readonly exchange: Exchange } | { readonly leftOut: string };

/** Makes exchanges of what the proxy saw. Here the keys go: nothing that comes out of it holds one. */
export class Observer {
  readonly #origin: string;
  readonly #secrets: Secrets;
  readonly #traffic: ForeignTraffic;

  /** @param baseUrl where the service is; its path is that below which its endpoints lie */
  constructor(baseUrl: string, secrets: Secrets) {
    this.#origin = new URL(baseUrl).origin;
    this.#secrets = secrets;
    this.#traffic = new ForeignTraffic(baseUrl, secrets, true);
  }

  observe(raw: RawExchange): Observed {
    const url = this.#urlOf(raw.path);
    if (url === null) return { leftOut: 'its address cannot be read' };
    const requestHeaders = pairsOf(raw.requestHeaders);
    this.#secrets.note(requestHeaders, url);
    const responseHeaders = joinedHeaders(raw.responseHeaders);
    const byStatus = leftOutBy(raw.status);
    if (byStatus !== undefined) return { leftOut: byStatus };
    if (isForbiddingPage(raw.status, responseHeaders['content-type'])) {
      return { leftOut: FORBIDDING_PAGE };
    }
    if (raw.body === null) return { leftOut: 'its body was too large to be kept' };
    const body = plainBody(raw.body, responseHeaders['content-encoding']);
    if (typeof body === 'string') return { leftOut: body };
    const exchange = this.#traffic.exchangeOf(
      {
        method: raw.method,
        url,
        requestHeaders,
        hasAllHeaders: true,
        status: raw.status,
        responseHeaders,
        text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(body),
        bytes: body.length,
        startedAt: raw.sentAt,
        tookMs: raw.receivedAt - raw.sentAt,
        mark: undefined,
      },
      `x${raw.number}`,
    );
    if (typeof exchange === 'string') return { leftOut: exchange };
    const { request, response } = exchange;
    const text = JSON.stringify([request, response?.headers]);
    if (this.#secrets.leaks(text) || this.#secrets.leaks(response?.text ?? '')) {
      return { leftOut: 'it held a key in several layers of writing' };
    }
    return { exchange };
  }

  /** A client of a proxy may send the whole address; what is judged is the target. */
  #urlOf(path: string): URL | null {
    const text = path.startsWith('/') ? path : path.replace(/^https?:\/\/[^/?#]*/i, '');
    const whole = `${this.#origin}${text}`;
    return text.startsWith('/') && URL.canParse(whole) ? new URL(whole) : null;
  }
}

/** The body as the service meant it, or why it cannot be had. */
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
      ? 'its body is too large, too deep or too numerous to be judged'
      : 'its body is compressed in a way that cannot be unpacked';
  }
}

function pairsOf(flat: readonly string[]): readonly (readonly [string, string])[] {
  const pairs: (readonly [string, string])[] = [];
  for (let at = 0; at < flat.length; at += 2) pairs.push([flat[at] ?? '', flat[at + 1] ?? '']);
  return pairs;
}

/** Names in lower case, repeated ones joined, as a client of the service reads them. */
function joinedHeaders(flat: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of pairsOf(flat)) {
    const lower = name.toLowerCase();
    if (lower === '__proto__') continue;
    headers[lower] = headers[lower] === undefined ? value : `${headers[lower]}, ${value}`;
  }
  return headers;
}
