import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Clock } from './core/clock.ts';
import type { Reply } from './core/call.ts';
import { textOf } from './core/json.ts';
import { at, hashOf } from './core/random.ts';
import { decoded } from './endpoints/table.ts';
import type { Service } from './conduct/service.ts';
import type { World } from './worlds/world.ts';

/** Where the clock is told and moved; no part of the service. */
export const CLOCK_PATH = '/_reference/clock';

const TYPES = {
  plain: 'application/json',
  'utf-8': 'application/json; charset=utf-8',
  upper: 'application/json;charset=UTF-8',
  semicolon: 'application/json;',
  quoted: 'Application/JSON; charset="utf-8"',
} as const;

const HOSTILE = /[<>]|%00|'|\bunion\b|\.\.\/|--|\$\{/i;

/** How much the clocks of the instances behind a balancer differ, ms. */
const DRIFT = [0, 7, -6, 3, 11];

/** Path and query as a firewall reads them. */
function sentText({ pathname, search }: URL): string {
  const raw = `${pathname}${search}`;
  return `${raw} ${decoded(raw.replaceAll('+', ' '))}`;
}

function bodyText(world: World, reply: Reply): string {
  const text = textOf(reply.body, world.choice('json-text') === 'pretty' ? ' ' : '');
  const escaped = (): string =>
    text.replaceAll(
      /[\u007f-\uffff]/g,
      (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
  return world.of('json-text', {
    compact: () => text,
    pretty: () => text,
    escaped,
    newline: () => `${text}\r\n`,
    'leading-blank': () => ` \n${text}`,
  })();
}

function edgeHeaders(world: World, count: number): Record<string, string | string[]> {
  const cdn = world.choice('cdn');
  if (cdn === 'none') return {};
  const some = {
    Server: 'cloudfront',
    Via: '1.1 edge.example.net (CloudFront)',
    'X-Cache': 'Miss from cloudfront',
    'CF-Ray': `8e${count.toString(16).padStart(10, '0')}-FRA`,
    Vary: 'Accept-Encoding, Origin',
    'Strict-Transport-Security': 'max-age=31536000',
    'X-Content-Type-Options': 'nosniff',
  };
  return cdn === 'some'
    ? some
    : { ...some, 'Set-Cookie': [`__cf_bm=${count}; Path=/; HttpOnly`, 'lb=2; Path=/'] };
}

function packed(
  world: World,
  request: IncomingMessage,
  text: string,
): { body: Buffer; encoding?: string } {
  const body = Buffer.from(text, 'utf8');
  const accepted = request.headers['accept-encoding'] ?? '';
  const choice = world.choice('compression');
  if (choice === 'brotli' && /\bbr\b/.test(accepted))
    return { body: brotliCompressSync(body), encoding: 'br' };
  if (choice !== 'none' && /\bgzip\b/.test(accepted))
    return { body: gzipSync(body), encoding: 'gzip' };
  return { body };
}

async function send(
  world: World,
  request: IncomingMessage,
  response: ServerResponse,
  body: Buffer,
): Promise<void> {
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  const framing = world.choice('framing');
  if (framing === 'length') {
    response.setHeader('Content-Length', body.length);
    response.end(body);
    return;
  }
  if (framing === 'slices') {
    const size = Math.max(1, Math.ceil(body.length / 3));
    for (let from = 0; from < body.length; from += size) {
      response.write(body.subarray(from, from + size));
      await sleep(1);
    }
    response.end();
    return;
  }
  response.write(body);
  response.end();
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

async function control(
  clock: Clock,
  off: number,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  let now = clock.now();
  if (request.method === 'POST') {
    let ms: unknown;
    try {
      ms = (JSON.parse(await readBody(request)) as { advanceMs?: unknown }).advanceMs;
    } catch {
      ms = undefined;
    }
    if (typeof ms !== 'number' || !Number.isFinite(ms) || ms < 0) {
      response.writeHead(400).end('{"error":"advanceMs must be a number of milliseconds"}');
      return;
    }
    now = clock.advance(ms);
  }
  response.setHeader('Content-Type', 'application/json');
  response.end(JSON.stringify({ now: Math.floor(now + off) }));
}

/** A server for a service, with everything between it and its clients. Not listening yet. */
export function serverOf(world: World, service: Service, clock: Clock): Server {
  const off = world.count('clock-off') * 1000;
  const latency = world.count('latency');
  const instances = world.count('instances');
  let count = 0;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(`http://localhost${(request.url ?? '/').replace(/^\/+/, '/')}`);
    if (url.pathname === CLOCK_PATH) {
      await control(clock, off, request, response);
      return;
    }
    count += 1;
    const number = count;
    if (world.choice('drops') === 'one-in-fifty' && number % 50 === 23) {
      request.socket.destroy();
      return;
    }
    if (latency > 0) await sleep(latency);
    const firewall = world.choice('firewall');
    if (firewall !== 'none' && HOSTILE.test(sentText(url))) {
      response.writeHead(firewall === 'html-403' ? 403 : 406, { 'Content-Type': 'text/html' });
      response.end('<html><body><h1>Request blocked</h1></body></html>');
      return;
    }
    const now = Math.floor(clock.now() + off + at(DRIFT, number % instances));
    const key = request.headers['x-api-key'];
    const reply = service.answer({
      method: request.method ?? 'GET',
      pathname: url.pathname,
      query: url.searchParams,
      key: Array.isArray(key) ? key[0] : key,
      now,
      count: number,
    });
    await answer(request, response, reply, { now, number });
  }

  async function answer(
    request: IncomingMessage,
    response: ServerResponse,
    reply: Reply,
    { now, number }: { now: number; number: number },
  ): Promise<void> {
    const text = bodyText(world, reply);
    const { body, encoding } = packed(world, request, text);
    response.statusCode = reply.status;
    const date = world.choice('date');
    response.sendDate = false;
    if (date !== 'none')
      response.setHeader('Date', new Date(date === 'right' ? now : clock.now()).toUTCString());
    for (const [name, value] of Object.entries(edgeHeaders(world, number)))
      response.setHeader(name, value);
    response.setHeader('Content-Type', TYPES[world.choice('content-type')]);
    if (encoding !== undefined) response.setHeader('Content-Encoding', encoding);
    if (world.choice('etag') === 'etag')
      response.setHeader('ETag', `W/"${hashOf(text).toString(16)}"`);
    if (world.choice('etag') === 'last-modified')
      response.setHeader('Last-Modified', new Date(now - 5000).toUTCString());
    if (world.choice('keep-alive') === 'none') response.setHeader('Connection', 'close');
    for (const [name, value] of Object.entries(reply.headers)) response.setHeader(name, value);
    await send(world, request, response, body);
  }

  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      console.error(error);
      if (!response.headersSent) response.writeHead(500, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify({ code: 500001, message: 'Internal server error', details: {} }));
    });
  });
  server.keepAliveTimeout = world.choice('keep-alive') === '1s' ? 1000 : 5000;
  return server;
}
