import { readFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';
import { Agent, ProxyAgent } from 'undici';
import type { Dispatcher } from 'undici';
import type { TransportError } from '../contract/exchange.ts';
import { TargetError } from '../target/errors.ts';
import type { TargetHttp } from '../target/target.ts';
import { TooLarge, transportError } from './transport-error.ts';

/** Answers of the service are lists of a few hundred records; anything beyond this is not one. */
export const DEFAULT_MAX_BODY_BYTES = 8 * 1024 * 1024;
const MAX_CONNECT_MS = 5000;

export interface ClientOptions {
  readonly http: TargetHttp;
  readonly maxBodyBytes?: number;
  /** Local time, epoch ms. */
  readonly now: () => number;
}

export interface ClientRequest {
  readonly method: string;
  /** Scheme, host and port. */
  readonly origin: string;
  /** Path and query, sent as they are. */
  readonly requestPath: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal | undefined;
}

/** What came back; exactly one of `response` and `error` is there. */
export interface ClientAnswer {
  readonly sentAt: number;
  readonly receivedAt: number;
  readonly response: {
    readonly status: number;
    /** Names lower-cased; repeated headers joined by ", ". */
    readonly headers: Readonly<Record<string, string>>;
    readonly body: Buffer;
  } | null;
  readonly error: TransportError | null;
}

/**
 * Sends single requests over HTTP/1.1 with connections kept alive. Trusts the target with nothing: time and size are
 * bounded, redirects are not followed, compressed bodies are not unpacked, and nothing the target does throws.
 */
export class Client {
  readonly #dispatcher: Dispatcher;
  readonly #options: ClientOptions;
  readonly #maxBodyBytes: number;

  /** @throws TargetError when `http.caFile` cannot be read or `http.proxy` is no URL. */
  constructor(options: ClientOptions) {
    this.#options = options;
    this.#maxBodyBytes = options.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES;
    this.#dispatcher = dispatcher(options.http, this.#maxBodyBytes);
  }

  async send(request: ClientRequest): Promise<ClientAnswer> {
    const { http, now } = this.#options;
    const deadline = AbortSignal.timeout(http.timeoutMs);
    const signal =
      request.signal === undefined ? deadline : AbortSignal.any([deadline, request.signal]);
    const sentAt = now();
    try {
      const answer = await this.#dispatcher.request({
        origin: request.origin,
        path: request.requestPath,
        method: request.method,
        headers: request.headers,
        body: request.body ?? null,
        responseHeaders: 'raw',
        signal,
      });
      const body = await this.#read(answer.body);
      const response = { status: answer.statusCode, headers: joined(answer.headers), body };
      return { sentAt, receivedAt: now(), response, error: null };
    } catch (error) {
      return {
        sentAt,
        receivedAt: now(),
        response: null,
        error: transportError(error, {
          timedOut: deadline.aborted,
          aborted: request.signal?.aborted === true,
          timeoutMs: http.timeoutMs,
          maxBodyBytes: this.#maxBodyBytes,
        }),
      };
    }
  }

  /** Closes all connections; requests under way fail. */
  async close(): Promise<void> {
    await this.#dispatcher.destroy();
  }

  async #read(body: AsyncIterable<Buffer>): Promise<Buffer> {
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of body) {
      size += chunk.length;
      // Leaving the loop destroys the stream and with it the connection: the rest is never read.
      if (size > this.#maxBodyBytes) throw new TooLarge();
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  }
}

function dispatcher(http: TargetHttp, maxBodyBytes: number): Dispatcher {
  const tls = { rejectUnauthorized: !http.insecure, ...authorities(http.caFile) };
  const options: Agent.Options = {
    headersTimeout: http.timeoutMs,
    bodyTimeout: http.timeoutMs,
    allowH2: false,
    pipelining: 1,
    maxResponseSize: maxBodyBytes,
    connect: { ...tls, timeout: Math.min(http.timeoutMs, MAX_CONNECT_MS) },
  };
  if (http.proxy === null) return new Agent(options);
  try {
    return new ProxyAgent({ ...options, uri: http.proxy, requestTls: tls });
  } catch (cause) {
    throw new TargetError(
      'ASSAY_TARGET_INVALID',
      'http.proxy is not the address of a proxy.',
      'Give a URL such as http://proxy.example:3128, or null for none.',
      { cause },
    );
  }
}

/** Additional authorities do not replace the public ones. */
function authorities(caFile: string | null): { ca?: string[] } {
  if (caFile === null) return {};
  try {
    return { ca: [...rootCertificates, readFileSync(caFile, 'utf8')] };
  } catch (cause) {
    throw new TargetError(
      'ASSAY_TARGET_INVALID',
      `http.caFile cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`,
      'Give the path of a PEM file; a relative path starts at the folder of the target file.',
      { cause },
    );
  }
}

/** Raw headers, name after value after name, as a record. */
function joined(raw: unknown): Record<string, string> {
  const parts = Array.isArray(raw) ? raw.map((part) => headerText(part)) : [];
  const headers = new Map<string, string>();
  for (let index = 0; index + 1 < parts.length; index += 2) {
    const name = (parts[index] ?? '').toLowerCase();
    const value = parts[index + 1] ?? '';
    const before = headers.get(name);
    headers.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return Object.fromEntries(headers);
}

function headerText(part: unknown): string {
  return Buffer.isBuffer(part) ? part.toString('latin1') : String(part);
}
