import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { unescape } from 'node:querystring';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Values } from './call.ts';
import { at, hashOf, textOf } from './core.ts';
import { currencies, unknownIds } from './currencies.ts';
import { defectById } from './defects.ts';
import { funds } from './etfs.ts';
import { stocks } from './prices.ts';
import { charts, indices, projectIds, sectorPaths } from './lists.ts';
import { macroEvents } from './macro.ts';
import { exchanges } from './pairs.ts';
import { forbidden, keysOf, QUOTA_LEFT, serviceOf } from './service.ts';
import { worldOf, type Chosen, type World } from './world.ts';

/** Where the clock is told and moved; no part of the service. */
export const CLOCK_PATH = '/_reference/clock';

const TYPES = {
  plain: 'application/json',
  'utf-8': 'application/json; charset=utf-8',
  upper: 'application/json;charset=UTF-8',
  semicolon: 'application/json;',
  quoted: 'Application/JSON; charset="utf-8"',
};

const HOSTILE = /[<>]|%00|'|\bunion\b|\.\.\/|--|\$\{/i;

function bodyText(world: World, body: unknown): string {
  const plain = textOf(body, world.is('json-text', 'pretty') ? ' ' : undefined);
  const escape = (letter: string): string =>
    `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return world.of('json-text', {
    compact: plain,
    pretty: plain,
    escaped: plain.replaceAll(/[\u007f-\uffff]/g, escape),
    newline: `${plain}\r\n`,
    'leading-blank': ` \n${plain}`,
  });
}

/** What a content delivery network adds. */
function edgeHeaders(world: World, count: number): Record<string, string | string[]> {
  const some = {
    Server: 'cloudfront',
    Via: '1.1 edge.example.net (CloudFront)',
    'X-Cache': 'Miss from cloudfront',
    'CF-Ray': `8e${count.toString(16).padStart(10, '0')}-FRA`,
    Vary: 'Accept-Encoding, Origin',
    'Strict-Transport-Security': 'max-age=31536000',
    'X-Content-Type-Options': 'nosniff',
  };
  const cookies = [`__cf_bm=${count}; Path=/; HttpOnly`, 'lb=2; Path=/'];
  return world.of('cdn', { none: {}, some, cookies: { ...some, 'Set-Cookie': cookies } });
}

/** Sends a body, packed and in parts as the world has it. */
async function send(world: World, response: ServerResponse, text: string): Promise<void> {
  const { method, headers } = response.req;
  const accepted = headers['accept-encoding'] ?? '';
  const packs = world.of('compression', { none: [], gzip: ['gzip'], brotli: ['br', 'gzip'] });
  const encoding = packs.find((one) => new RegExp(`\\b${one}\\b`).test(accepted));
  if (encoding !== undefined) response.setHeader('Content-Encoding', encoding);
  const body =
    encoding === undefined
      ? Buffer.from(text)
      : (encoding === 'br' ? brotliCompressSync : gzipSync)(text);
  if (method === 'HEAD') {
    response.end();
  } else if (world.is('framing', 'length')) {
    response.setHeader('Content-Length', body.length).end(body);
  } else {
    const parts = world.is('framing', 'slices') ? 3 : 1;
    const size = Math.max(1, Math.ceil(body.length / parts));
    for (let from = 0; from < body.length; from += size) {
      response.write(body.subarray(from, from + size));
      if (parts > 1) await sleep(1);
    }
    response.end();
  }
}

/** A server for a service, with everything between it and its clients. Not listening yet; it is `start` now, epoch ms. */
function serverOf(world: World, service: ReturnType<typeof serviceOf>, start: number): Server {
  const off = world.count('clock-off') * 1000;
  // Tests move the clock, so that nobody waits for a minute to end.
  let ahead = start - Date.now();
  let served = 0;

  async function control(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('Content-Type', 'application/json');
    if (request.method === 'POST') {
      const { advanceMs } = (await json(request)) as { advanceMs: number };
      ahead += advanceMs;
    }
    response.end(JSON.stringify({ now: Math.floor(Date.now() + ahead + off) }));
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, search, searchParams } = new URL(
      `http://localhost${(request.url ?? '/').replace(/^\/+/, '/')}`,
    );
    if (pathname === CLOCK_PATH) return await control(request, response);
    const count = (served += 1);
    if (world.is('drops', 'one-in-fifty') && count % 50 === 23) {
      request.socket.destroy();
      return;
    }
    if (!world.is('latency', '0')) await sleep(world.count('latency'));
    // A firewall reads path and query both as they are and decoded.
    const sent = `${pathname}${search} ${unescape((pathname + search).replaceAll('+', ' '))}`;
    if (!world.is('firewall', 'none') && HOSTILE.test(sent)) {
      const status = world.is('firewall', 'html-403') ? 403 : 406;
      response.writeHead(status, { 'Content-Type': 'text/html' });
      response.end('<html><body><h1>Request blocked</h1></body></html>');
      return;
    }
    // The clocks of the instances behind a balancer differ a little.
    const drift = at([0, 7, -6, 3, 11], count % world.count('instances'));
    const now = Math.floor(Date.now() + ahead + off + drift);
    const reply = service({
      world,
      method: request.method ?? 'GET',
      pathname,
      query: searchParams,
      key: request.headers['x-api-key']?.toString(),
      now,
      count,
      template: '',
      path: {},
      values: {} as Values,
    });
    const text = bodyText(world, reply.body);
    const toText = (time: number): string => new Date(time).toUTCString();
    response.statusCode = reply.status;
    response.sendDate = false;
    response.setHeaders(new Map(Object.entries(edgeHeaders(world, count))));
    response.setHeader('Content-Type', TYPES[world.choice('content-type')]);
    if (!world.is('date', 'none'))
      response.setHeader('Date', toText(world.is('date', 'right') ? now : Date.now() + ahead));
    if (world.is('etag', 'etag')) response.setHeader('ETag', `W/"${hashOf(text).toString(16)}"`);
    if (world.is('etag', 'last-modified')) response.setHeader('Last-Modified', toText(now - 5000));
    if (world.is('keep-alive', 'none')) response.setHeader('Connection', 'close');
    response.setHeaders(new Map(Object.entries(reply.headers)));
    await send(world, response, text);
  }

  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      console.error(error);
      if (!response.headersSent) response.writeHead(500, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify({ code: 500001, message: 'Internal server error', details: {} }));
    });
  });
  server.keepAliveTimeout = world.is('keep-alive', '1s') ? 1000 : 5000;
  return server;
}

/** What to start. */
export interface Wanted {
  /** Makes the data; 1 by default. */
  readonly seed?: number;
  /** Each has its default where it is not here. */
  readonly choices?: Chosen;
  /** Id of a defect. */
  readonly defect?: string;
  /** Time to begin at, epoch ms; the real time by default. */
  readonly now?: number;
  /** How much the target file tells: one key, or all roles. */
  readonly keys?: 'one' | 'all';
  /** Whether it names identifiers too. */
  readonly fixtures?: 'none' | 'all';
}

/** A running server. */
export interface Running {
  readonly baseUrl: string;
  /** The contents of a target file. */
  readonly target: Readonly<Record<string, unknown>>;
  close(): Promise<void>;
}

function fixturesOf(world: World, now: number) {
  const lists: Readonly<Record<string, readonly string[]>> = {
    currencyIds: currencies(world).map(({ id }) => id),
    etfTickers: funds(world, now).map(({ ticker }) => ticker),
    stockTickers: stocks(world).map(({ ticker }) => ticker),
    indexTickers: indices(world).map(({ ticker }) => ticker),
    sectorNames: sectorPaths(world),
    macroEvents: macroEvents(world).map(({ name }) => name),
    chartNames: charts(world),
    projectIds: projectIds(world),
    exchanges: exchanges(world),
  };
  const known = Object.entries(lists).filter(([, list]) => list.length > 0);
  return {
    ...unknownIds(world),
    ...Object.fromEntries(known.map(([name, list]) => [name, list.slice(0, 6)])),
  };
}

function targetOf(world: World, { keys, fixtures }: Wanted, baseUrl: string, now: number) {
  const { valid, disabled, expired, restricted, nearQuota } = keysOf(world);
  const all = {
    valid,
    disabled,
    expired,
    restricted: { key: restricted, forbidden: forbidden(world) },
    nearQuota: { key: nearQuota, remaining: QUOTA_LEFT },
  };
  return {
    baseUrl,
    keys: keys === 'one' ? { valid: valid.slice(0, 1) } : all,
    ...(fixtures === 'all' && { fixtures: fixturesOf(world, now) }),
    clock: { control: `${baseUrl}${CLOCK_PATH}` },
  };
}

/** Starts a server on the loopback address. Throws a RangeError for a choice or defect that does not exist. */
export async function startIndependent(wanted: Wanted = {}): Promise<Running> {
  const world = worldOf(wanted.seed ?? 1, wanted.choices);
  const defect = wanted.defect === undefined ? undefined : defectById(wanted.defect);
  const start = wanted.now ?? Date.now();
  // Ages of funds count from the start, so they are settled before the first request.
  funds(world, start);
  const server = serverOf(world, serviceOf(world, defect), start);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    baseUrl,
    target: targetOf(world, wanted, baseUrl, start),
    async close() {
      const closed = once(server.close(), 'close');
      server.closeAllConnections();
      await closed;
    },
  };
}
