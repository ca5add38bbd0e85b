import { once } from 'node:events';
import http from 'node:http';
import http2 from 'node:http2';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { makeCertificate } from '../network/certificate.ts';
import { rawTarget, until, watched } from './wire.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close();
});

interface Answered {
  readonly headers: http2.IncomingHttpHeaders;
  readonly body: string;
  readonly trailers: http2.IncomingHttpHeaders;
  readonly rst: number;
}

/** One request over a session, with its answer as a whole. */
async function ask(
  session: http2.ClientHttp2Session,
  headers: http2.OutgoingHttpHeaders,
  body?: string,
): Promise<Answered> {
  const stream = session.request(headers, { endStream: body === undefined });
  stream.on('error', () => undefined);
  if (body !== undefined) stream.end(body);
  let answer: http2.IncomingHttpHeaders = {};
  let trailers: http2.IncomingHttpHeaders = {};
  let text = '';
  stream.on('response', (got) => (answer = got));
  stream.on('trailers', (got) => (trailers = got));
  stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await new Promise<void>((resolve) => stream.once('close', resolve));
  return { headers: answer, body: text, trailers, rst: stream.rstCode };
}

async function service(listener: http.RequestListener): Promise<number> {
  const server = http.createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  open.push({
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  });
  return (server.address() as AddressInfo).port;
}

function sessionTo(url: string, options: http2.SecureClientSessionOptions = {}) {
  const session = http2.connect(url, options);
  session.on('error', () => undefined);
  open.push({ close: async () => session.destroy() });
  return session;
}

describe('the proxy, for clients that speak HTTP/2', () => {
  it('forwards method, path, headers, body and trailers, and judges the exchange', async () => {
    const heard: { line: string; headers: readonly string[]; body: string }[] = [];
    const port = await service((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        heard.push({ line: `${request.method} ${request.url}`, headers: request.rawHeaders, body });
        response.sendDate = false;
        response.writeHead(200, [
          ['Content-Type', 'application/json'],
          ['X-A', '1'],
          ['X-A', '2'],
          ['Trailer', 'X-Sum'],
        ]);
        response.write('{}');
        response.addTrailers({ 'X-Sum': '7' });
        response.end();
      });
    });
    const proxy = await watched(port);
    open.push(proxy);
    const session = sessionTo(`http://127.0.0.1:${proxy.port}`);
    const answer = await ask(session, { ':path': '/v1/etfs?a=%7e', 'x-api-key': 'k'.repeat(10) });
    expect(answer.headers[':status']).toBe(200);
    expect(answer.headers['x-a']).toBe('1, 2');
    expect(answer.headers['date']).toBeUndefined();
    expect(answer.headers['connection']).toBeUndefined();
    expect(answer.body).toBe('{}');
    expect(answer.trailers['x-sum']).toBe('7');
    await ask(session, { ':method': 'POST', ':path': '/v1/x' }, 'abc');
    expect(heard.map(({ line, body }) => [line, body])).toEqual([
      ['GET /v1/etfs?a=%7e', ''],
      ['POST /v1/x', 'abc'],
    ]);
    expect(heard[0]?.headers).toEqual(expect.arrayContaining(['x-api-key', 'kkkkkkkkkk']));
    await until(() => proxy.notes.exchanges.length === 2);
    expect(proxy.notes.exchanges.map(({ path, status, bytes }) => [path, status, bytes])).toEqual([
      ['/v1/etfs?a=%7e', 200, 2],
      ['/v1/x', 200, 2],
    ]);
    expect(proxy.notes.kept).toBe(0);
    expect(proxy.notes.missed).toEqual([]);
  });

  it('speaks it over TLS, and HTTP/1.1 with other clients', async () => {
    const port = await service((_, response) => response.end('{}'));
    const proxy = await watched(port, { certificate: makeCertificate() });
    open.push(proxy);
    const session = sessionTo(`https://127.0.0.1:${proxy.port}`, { rejectUnauthorized: false });
    expect((await ask(session, { ':path': '/v1/etfs' })).body).toBe('{}');
    expect(session.alpnProtocol).toBe('h2');
    const { default: https } = await import('node:https');
    const status = await new Promise((resolve, reject) => {
      const request = https.get(
        `https://127.0.0.1:${proxy.port}/v1/etfs`,
        { rejectUnauthorized: false, agent: false },
        (answer) => {
          answer.resume();
          answer.once('end', () => resolve(`${answer.httpVersion} ${answer.statusCode}`));
        },
      );
      request.once('error', reject);
    });
    expect(status).toBe('1.1 200');
    await until(() => proxy.notes.exchanges.length === 2);
  });

  it('resets the stream if the target is reset within a body', async () => {
    const target = await rawTarget((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"half":', () =>
        setTimeout(() => socket.destroy(), 20),
      );
    });
    open.push(target);
    const proxy = await watched(target.port);
    open.push(proxy);
    const session = sessionTo(`http://127.0.0.1:${proxy.port}`);
    const answer = await ask(session, { ':path': '/v1/etfs' });
    expect(answer.rst).not.toBe(0);
    await until(() => proxy.notes.missed.length === 1);
    expect(proxy.notes.missed).toEqual(['cut']);
    expect(proxy.notes.exchanges).toEqual([]);
  });

  it('ends the request at the target if the client leaves, and continues others', async () => {
    let left = 0;
    const port = await service((request, response) => {
      if (request.url === '/v1/quick') {
        response.end('{}');
        return;
      }
      response.write('{');
      response.once('close', () => (left += 1));
    });
    const proxy = await watched(port);
    open.push(proxy);
    const session = sessionTo(`http://127.0.0.1:${proxy.port}`);
    const slow = session.request({ ':path': '/v1/slow' });
    slow.on('error', () => undefined);
    await once(slow, 'response');
    slow.close(http2.constants.NGHTTP2_CANCEL);
    await until(() => left === 1);
    expect((await ask(session, { ':path': '/v1/quick' })).body).toBe('{}');
    expect(proxy.notes.missed).toEqual(['cut']);
  });

  it('answers itself if the target cannot be reached', async () => {
    const target = await rawTarget(() => undefined);
    await target.close();
    const proxy = await watched(target.port);
    open.push(proxy);
    const session = sessionTo(`http://127.0.0.1:${proxy.port}`);
    const answer = await ask(session, { ':path': '/v1/etfs' });
    expect(answer.headers[':status']).toBe(502);
    expect(answer.body).toContain('ECONNREFUSED');
    expect(proxy.notes.missed).toEqual(['unreachable']);
  });

  it('resets the stream without a retry if the target closes a reused connection', async () => {
    const target = await rawTarget((socket, _chunk, connection) => {
      if (connection === 0 && socket.bytesWritten > 0) socket.resetAndDestroy();
      else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}');
    });
    open.push(target);
    const proxy = await watched(target.port);
    open.push(proxy);
    const session = sessionTo(`http://127.0.0.1:${proxy.port}`);
    expect((await ask(session, { ':path': '/v1/etfs' })).body).toBe('{}');
    expect((await ask(session, { ':path': '/v1/etfs' })).rst).not.toBe(0);
    // It may have been taken there: to send it again would be a request that no client sent.
    expect(target.sockets).toHaveLength(1);
    expect(proxy.notes.missed).toEqual(['cut']);
    expect((await ask(session, { ':path': '/v1/etfs' })).body).toBe('{}');
  });
});
