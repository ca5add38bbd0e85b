import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import type { FeedState } from './feed.ts';
import { renderLivePage } from './live-page-view.tsx';
import type { Snapshot } from './watch-judge.ts';

export interface Shown extends Snapshot, FeedState {
  readonly connections: number;
}

/** What the page shows; nothing while there is no judge. */
export interface PageSource {
  shown(): Promise<Shown | undefined>;
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
 * The server of the live page: one read-only file on a separate port. Requests with host names are rejected to prevent
 * DNS rebinding.
 */
export function livePage(source: PageSource): Server {
  let page: Promise<string | undefined> = Promise.resolve(undefined);
  let renewedAt = 0;
  let passed: number | null = null;

  const render = async (sinceMs: number): Promise<string | undefined> => {
    const shown = await source.shown();
    if (shown === undefined) return undefined;
    const before = passed;
    passed = shown.exchanges.passed;
    return renderLivePage(shown, before === null ? null : ((passed - before) * 1000) / sinceMs);
  };
  const current = (): Promise<string | undefined> => {
    const sinceMs = Date.now() - renewedAt;
    if (sinceMs >= RENEW_MS) {
      renewedAt += sinceMs;
      page = render(sinceMs);
    }
    return page;
  };
  const answer = async (
    { method = '', url = '', headers }: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> => {
    const evidence = /^\/evidence\/(x\d{1,9})$/.exec(url)?.[1];
    if (!isByAddress(headers.host ?? '')) {
      send(response, 421, 'Open the live page by its IP address, not by a host name.\n');
    } else if (method !== 'GET' && method !== 'HEAD') {
      send(response, 405, 'The live page is read-only.\n');
    } else if (url === '/') {
      const html = await current();
      if (html === undefined) send(response, 503, 'The judge is being restarted.\n');
      else send(response, 200, html, 'text/html');
    } else if (evidence === undefined) send(response, 404, 'Not found.\n');
    else {
      const text = await source.evidence(evidence);
      if (text == null) send(response, 404, 'This exchange was not saved.\n');
      else send(response, 200, text, 'application/json');
    }
  };
  return createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
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
