import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { isIP, type AddressInfo } from 'node:net';
import { PAGE, PAGE_POLICY } from './live-page-html.ts';
import type { Snapshot } from './watch-judge.ts';
import { listenAt, type ListenAddress } from '../run/listen-address.ts';

export interface Shown extends Snapshot {
  /** Exchanges that were skipped because the judge was behind, and whether it still is. */
  readonly sampled: number;
  readonly isSampling: boolean;
  /** Open connections of clients. */
  readonly connections: number;
}

/** Finds a saved exchange as JSON. */
type Evidence = (id: string) => Promise<string | null | undefined>;

/** Maximum number of viewers. */
const MOST_VIEWERS = 20;
/** A viewer with this much unread data is disconnected, bytes. */
const MOST_UNREAD = 1024 * 1024;

const HEADERS = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Content-Security-Policy': PAGE_POLICY,
} as const;

/**
 * The live page: one read-only file, updated by server-sent events, on a separate port. Requests with host names are
 * rejected to prevent DNS rebinding.
 */
export class LivePage {
  readonly #address: ListenAddress;
  readonly #evidence: Evidence;
  readonly #server: Server;
  readonly #viewers = new Set<ServerResponse>();
  #last: string | null = null;

  constructor(address: ListenAddress, evidence: Evidence) {
    this.#address = address;
    this.#evidence = evidence;
    this.#server = createServer((request, response) => {
      void this.#answer(request, response).catch(() => response.destroy());
    });
  }

  /** True while there are viewers. */
  get isWatched(): boolean {
    return this.#viewers.size > 0;
  }

  /** @throws the system error if it cannot listen */
  listen(): Promise<AddressInfo> {
    return listenAt(this.#server, this.#address);
  }

  /** Updates all viewers. */
  show(shown: Shown): void {
    this.#last = `data: ${JSON.stringify(shown)}\n\n`;
    for (const viewer of this.#viewers) {
      if (viewer.writableLength > MOST_UNREAD) viewer.destroy();
      else viewer.write(this.#last);
    }
  }

  async close(): Promise<void> {
    for (const viewer of this.#viewers) viewer.end('event: end\ndata: {}\n\n');
    if (!this.#server.listening) return;
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    const say = (status: number, text: string): void => send(response, status, 'text/plain', text);
    const evidence = /^\/evidence\/(x\d{1,9})$/.exec(url)?.[1];
    if (!isByAddress(headers.host ?? '')) {
      say(421, 'Open the live page by its IP address, not by a host name.\n');
    } else if (method !== 'GET' && method !== 'HEAD') say(405, 'The live page is read-only.\n');
    else if (url === '/') send(response, 200, 'text/html', PAGE);
    else if (url === '/events') {
      if (this.#viewers.size >= MOST_VIEWERS) say(503, 'Too many viewers.\n');
      else this.#follow(request, response);
    } else if (evidence === undefined) say(404, 'Not found.\n');
    else {
      const text = await this.#evidence(evidence);
      if (text == null) say(404, 'This exchange was not saved.\n');
      else send(response, 200, 'application/json', text);
    }
  }

  #follow(request: IncomingMessage, response: ServerResponse): void {
    response.writeHead(200, { ...HEADERS, 'Content-Type': 'text/event-stream; charset=utf-8' });
    response.write('retry: 2000\n\n');
    if (this.#last !== null) response.write(this.#last);
    this.#viewers.add(response);
    request.once('close', () => this.#viewers.delete(response));
    response.on('error', () => this.#viewers.delete(response));
  }
}

function send(response: ServerResponse, status: number, type: string, text: string): void {
  response.writeHead(status, { ...HEADERS, 'Content-Type': `${type}; charset=utf-8` });
  response.end(text);
}

/** True for an IP address or `localhost`, with or without a port. */
function isByAddress(host: string): boolean {
  const name = host.replace(/:\d+$/, '').replaceAll(/^\[|\]$/g, '');
  return name === 'localhost' || isIP(name) !== 0;
}
