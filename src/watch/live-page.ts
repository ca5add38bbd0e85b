import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { isIP, type AddressInfo } from 'node:net';
import { listenAt, type ListenAddress } from '../run/listen-address.ts';
import { renderLivePage } from './live-page-view.tsx';
import type { Snapshot } from './watch-judge.ts';

export interface Shown extends Snapshot {
  /** Exchanges that were skipped because the judge was behind, and whether it still is. */
  readonly sampled: number;
  readonly isSampling: boolean;
  /** Open connections of clients. */
  readonly connections: number;
}

/** What the page shows; nothing while there is no judge. */
export interface PageSource {
  shown(): Promise<Shown | undefined>;
  /** A saved exchange as JSON. */
  evidence(id: string): Promise<string | null | undefined>;
}

/** The page is rendered at most this often, however many viewers there are, ms. */
const RENEW_MS = 500;

const HEADERS = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  // The page itself states what else it may do.
  'Content-Security-Policy': "frame-ancestors 'none'",
} as const;

/**
 * The live page: one read-only file on a separate port. Requests with host names are rejected to prevent DNS
 * rebinding.
 */
export class LivePage {
  readonly #address: ListenAddress;
  readonly #source: PageSource;
  readonly #server: Server;
  #page: Promise<string | undefined> = Promise.resolve(undefined);
  #renewedAt = 0;
  /** Number of forwarded exchanges at that time. */
  #passed: number | null = null;

  constructor(address: ListenAddress, source: PageSource) {
    this.#address = address;
    this.#source = source;
    this.#server = createServer((request, response) => {
      void this.#answer(request, response).catch(() => response.destroy());
    });
  }

  /** @throws the system error if it cannot listen */
  listen(): Promise<AddressInfo> {
    return listenAt(this.#server, this.#address);
  }

  async close(): Promise<void> {
    if (!this.#server.listening) return;
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  async #answer({ method = '', url = '', headers }: IncomingMessage, response: ServerResponse) {
    const evidence = /^\/evidence\/(x\d{1,9})$/.exec(url)?.[1];
    if (!isByAddress(headers.host ?? '')) {
      send(response, 421, 'Open the live page by its IP address, not by a host name.\n');
    } else if (method !== 'GET' && method !== 'HEAD') {
      send(response, 405, 'The live page is read-only.\n');
    } else if (url === '/') {
      const page = await this.#current();
      if (page === undefined) send(response, 503, 'The judge is being restarted.\n');
      else send(response, 200, page, 'text/html');
    } else if (evidence === undefined) send(response, 404, 'Not found.\n');
    else {
      const text = await this.#source.evidence(evidence);
      if (text == null) send(response, 404, 'This exchange was not saved.\n');
      else send(response, 200, text, 'application/json');
    }
  }

  #current(): Promise<string | undefined> {
    const sinceMs = Date.now() - this.#renewedAt;
    if (sinceMs >= RENEW_MS) {
      this.#renewedAt += sinceMs;
      this.#page = this.#render(sinceMs);
    }
    return this.#page;
  }

  async #render(sinceMs: number): Promise<string | undefined> {
    const shown = await this.#source.shown();
    if (shown === undefined) return undefined;
    const before = this.#passed;
    this.#passed = shown.exchanges.passed;
    return renderLivePage(
      shown,
      before === null ? null : ((this.#passed - before) * 1000) / sinceMs,
    );
  }
}

function send(response: ServerResponse, status: number, text: string, type = 'text/plain'): void {
  response.writeHead(status, { ...HEADERS, 'Content-Type': `${type}; charset=utf-8` });
  response.end(text);
}

/** True for an IP address or `localhost`, with or without a port. */
function isByAddress(host: string): boolean {
  const name = host.replace(/:\d+$/, '').replaceAll(/^\[|\]$/g, '');
  return name === 'localhost' || isIP(name) !== 0;
}
