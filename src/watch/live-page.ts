import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { isIP, type AddressInfo } from 'node:net';
import { PAGE, PAGE_POLICY } from './live-page-html.ts';
import type { Snapshot } from './snapshot.ts';
import type { Place } from './place.ts';

/** What the page shows. */
export interface Shown extends Snapshot {
  /** Exchanges that were left out because the judge was behind, and whether that goes on. */
  readonly sampled: number;
  readonly isSampling: boolean;
  /** Open connections of clients. */
  readonly connections: number;
}

/** People who look at once. */
const MOST_VIEWERS = 20;
/** A viewer who does not read so much is let go, bytes. */
const MOST_UNREAD = 1024 * 1024;

const HEADERS = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Content-Security-Policy': PAGE_POLICY,
} as const;

/**
 * The live page: one file that is kept up to date by server-sent events, at a port of its own. It only shows. Names of
 * hosts are not answered to, so that no page of somebody else can reach it under a name that it makes point here.
 */
export class LivePage {
  readonly #place: Place;
  readonly #evidence: (id: string) => Promise<string | null>;
  readonly #server: Server;
  readonly #viewers = new Set<ServerResponse>();
  #last: string | null = null;

  constructor(place: Place, evidence: (id: string) => Promise<string | null>) {
    this.#place = place;
    this.#evidence = evidence;
    this.#server = createServer((request, response) => {
      void this.#answer(request, response).catch(() => response.destroy());
    });
  }

  /** True while somebody looks. */
  get isWatched(): boolean {
    return this.#viewers.size > 0;
  }

  /** @throws the error of the system when nobody can listen there */
  async listen(): Promise<AddressInfo> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(this.#place, () => {
        this.#server.off('error', reject);
        resolve();
      });
    });
    return this.#server.address() as AddressInfo;
  }

  /** Brings everybody who looks up to date. */
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
    const { method = '', url = '' } = request;
    if (!isByAddress(request.headers.host ?? '')) {
      send(response, 421, 'text/plain', 'Name the live page by its address, not by a name.\n');
      return;
    }
    if (method !== 'GET' && method !== 'HEAD') {
      send(response, 405, 'text/plain', 'The live page only shows.\n');
      return;
    }
    const evidence = /^\/evidence\/(x\d{1,9})$/.exec(url)?.[1];
    if (url === '/') send(response, 200, 'text/html', PAGE);
    else if (url === '/events') this.#follow(request, response);
    else if (evidence !== undefined) {
      const text = await this.#evidence(evidence);
      if (text === null) send(response, 404, 'text/plain', 'This exchange is not kept.\n');
      else send(response, 200, 'application/json', text);
    } else send(response, 404, 'text/plain', 'There is nothing here.\n');
  }

  #follow(request: IncomingMessage, response: ServerResponse): void {
    if (this.#viewers.size >= MOST_VIEWERS) {
      send(response, 503, 'text/plain', 'Too many are looking already.\n');
      return;
    }
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

/** True for an address of IP or `localhost`, with a port or without. */
function isByAddress(host: string): boolean {
  const name = host.replace(/:\d+$/, '').replaceAll(/^\[|\]$/g, '');
  return name === 'localhost' || isIP(name) !== 0;
}
