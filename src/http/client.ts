import { isUtf8 } from 'node:buffer';
import type { Dispatcher } from 'undici';
import type { Oddity, TransportError } from '../spec/exchange.ts';
import type { TargetHttp, LocalService } from '../target/target.ts';
import { headerValue, joinedHeaders } from '../text/header-value.ts';
import { BadBody, codingsOf, countValues, unpacked } from './body.ts';
import { createDispatcher } from './dispatcher.ts';
import { lanesOf, type Lane } from './pace/lanes.ts';
import type { RequestTarget } from './request-url.ts';
import { transportError } from './transport-error.ts';
import { setTimeout } from 'node:timers/promises';

/** Maximum size of a body. The service returns lists of a few hundred records. */
const MAX_BODY_BYTES = 8 * 1024 * 1024;
/** Maximum number of 1xx responses before the final one. */
const MAX_INTERIM = 8;

interface ClientRequest extends Pick<RequestTarget, 'origin' | 'requestPath'> {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal | undefined;
}

export interface ClientResponse {
  readonly status: number;
  /** Lower-case names, trimmed values; repeated headers are joined by ", ". */
  readonly headers: Readonly<Record<string, string>>;
  /** Decompressed. */
  readonly body: Buffer;
  /** Approximate number of JSON values in the body. */
  readonly values: number;
}

/** The result of a request; exactly one of `response` and `error` is set. */
export interface ClientAnswer {
  readonly sentAt: number;
  readonly receivedAt: number;
  readonly response: ClientResponse | null;
  readonly error: TransportError | null;
  readonly oddities: readonly Oddity[];
}

/** Sends requests to a target. */
export type Client = ReturnType<typeof openClient>;

/**
 * Sends single requests over kept-alive connections. Does not trust the target: limits time, size, number and depth,
 * does not follow redirects, never assigns a response to the wrong request, and never throws because of the target.
 * @throws TargetError when a certificate file cannot be read or `http.proxy` is invalid.
 */
export function openClient(http: TargetHttp, now: () => number, most = MAX_BODY_BYTES) {
  const lanes = lanesOf(() => createDispatcher(http));
  const read = async (body: Dispatcher.ResponseData['body']): Promise<Buffer> => {
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      size += chunk.length;
      // Leaving the loop destroys the stream and its connection: the rest is never read.
      if (size > most) throw new BadBody('too-large', `the body is larger than ${most} bytes`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  };
  const receive = async (
    { requestPath, signal, ...request }: ClientRequest,
    lane: Lane,
    deadline: AbortSignal,
    oddities: Set<Oddity>,
  ): Promise<Omit<ClientResponse, 'values'>> => {
    const flood = new AbortController();
    let interim = 0;
    try {
      const answer = await lane.dispatcher.request({
        ...request,
        path: requestPath,
        responseHeaders: 'raw',
        onInfo: () => {
          interim += 1;
          oddities.add('interim-answers');
          if (interim > MAX_INTERIM) flood.abort();
        },
        signal: AbortSignal.any([
          deadline,
          flood.signal,
          ...(signal === undefined ? [] : [signal]),
        ]),
      });
      const { statusCode: status, headers } = answer;
      return { status, headers: joined(headers), body: await read(answer.body) };
    } catch (error) {
      if (!flood.signal.aborted) throw error;
      throw new BadBody('protocol', `more than ${MAX_INTERIM} interim responses (1xx)`);
    }
  };
  const checked = (
    { status, headers, body: sent }: Omit<ClientResponse, 'values'>,
    oddities: Set<Oddity>,
  ): ClientResponse => {
    const body = unpacked(sent, headers['content-encoding'], most);
    if (body !== sent) oddities.add('compressed');
    else if (body.length > 0 && codingsOf(headers['content-encoding']).length > 0) {
      oddities.add('mislabelled');
    }
    if (!isUtf8(body)) oddities.add('invalid-utf8');
    return { status, headers, body, values: countValues(body) };
  };
  return {
    async send(request: ClientRequest): Promise<ClientAnswer> {
      const deadline = AbortSignal.timeout(http.timeoutMs);
      const oddities = new Set<Oddity>();
      const lane = lanes.take();
      if (lane.stray) oddities.add('stray-bytes');
      lane.stray = false;
      const sentAt = now();
      try {
        const received = await receive(request, lane, deadline, oddities);
        const receivedAt = now();
        if (await lanes.followed(lane)) {
          oddities.add('stray-bytes');
          throw new BadBody(
            'protocol',
            'more bytes followed the end of the response, so the response is ambiguous',
          );
        }
        const response = checked(received, oddities);
        return { sentAt, receivedAt, response, error: null, oddities: [...oddities] };
      } catch (error) {
        const reason = transportError(error, {
          timedOut: deadline.aborted,
          aborted: request.signal?.aborted === true,
          timeoutMs: http.timeoutMs,
        });
        return {
          sentAt,
          receivedAt: now(),
          response: null,
          error: reason,
          oddities: [...oddities],
        };
      } finally {
        lanes.release(lane);
      }
    },
    close: lanes.close,
  };
}

/** Converts raw headers (alternating names and values) to a record. */
export function joined(raw: unknown): Record<string, string> {
  const parts = (Array.isArray(raw) ? (raw as unknown[]) : []).map((part) =>
    Buffer.isBuffer(part) ? part.toString('latin1') : String(part),
  );
  return joinedHeaders(
    parts.flatMap((name, index) =>
      index % 2 === 0 ? [[name.toLowerCase(), headerValue(parts[index + 1] ?? '')] as const] : [],
    ),
  );
}

/** Resolution of timers and exchange times, ms. */
const MOMENT_MS = 1;

/**
 * Calls a trusted service in this process, without socket and timeout. Answers with a short delay, like a network:
 * requests overlap, and consecutive ones have different times, as the judge requires.
 * @param now local time, epoch ms
 */
export const localClient = (service: LocalService, now: () => number): Client => ({
  async send({ method, requestPath, headers, body: sent }) {
    const sentAt = now();
    const { status, body, ...answer } = service({ method, path: requestPath, headers, body: sent });
    await setTimeout(MOMENT_MS);
    const response = { status, headers: joined(answer.headers), body, values: countValues(body) };
    return { sentAt, receivedAt: now(), response, error: null, oddities: [] };
  },
  close: () => Promise.resolve(),
});
