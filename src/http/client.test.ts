import { createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { closedPort, loopback } from '../../test/http/loopback.ts';
import type { Loopback } from '../../test/http/loopback.ts';
import { TARGET_DEFAULTS } from '../target/target.ts';
import type { TargetHttp } from '../target/target.ts';
import { openClient, type Client, type ClientAnswer } from './client.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

async function server(handle: Parameters<typeof loopback>[0]): Promise<Loopback> {
  const started = await loopback(handle);
  cleanups.push(started.close);
  return started;
}

/** A server that answers every request with these bytes and closes the connection; its base URL. */
async function rawServer(bytes: string | Buffer): Promise<string> {
  const listening = createServer((socket) => {
    socket.on('error', () => undefined).on('data', () => socket.end(bytes));
  });
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => new Promise((resolve) => listening.close(resolve)));
  return `http://127.0.0.1:${(listening.address() as { readonly port: number }).port}`;
}

function client(http: Partial<TargetHttp> = {}, maxBodyBytes = 100_000): Client {
  const created = openClient({ ...TARGET_DEFAULTS.http, ...http }, Date.now, maxBodyBytes);
  cleanups.push(() => created.close());
  return created;
}

const get = (sender: Client, origin: string, requestPath = '/'): Promise<ClientAnswer> =>
  sender.send({ method: 'GET', origin, requestPath, headers: {} });

describe('answers', () => {
  it('joins repeated headers and lower-cases their names', async () => {
    const { baseUrl } = await server((_, response) => {
      response.writeHead(200, ['X-One', 'a', 'x-one', 'b', 'X-Two', 'c']);
      response.end('{}');
    });
    const answer = await get(client(), baseUrl);
    expect(answer.response?.headers).toMatchObject({ 'x-one': 'a, b', 'x-two': 'c' });
    expect(answer.error).toBeNull();
    expect(answer.receivedAt).toBeGreaterThanOrEqual(answer.sentAt);
  });

  it('trims white space around header values', async () => {
    const head = 'HTTP/1.1 200 OK\r\nX-A: \t20 \t \r\nX-A: 7 \r\nX-B: \u00a0b\r\nContent-Length: 2';
    const baseUrl = await rawServer(Buffer.from(`${head}\r\n\r\n{}`, 'latin1'));
    const { response } = await get(client(), baseUrl);
    expect(response?.headers).toMatchObject({ 'x-a': '20, 7', 'x-b': '\u00a0b' });
  });

  it.each(['gzip', 'br', 'utf-8'])('reads plain JSON that is labelled %s', async (coding) => {
    const { baseUrl } = await server((_, response) => {
      response.writeHead(200, { 'content-encoding': coding }).end('{"a":1}');
    });
    const { response, oddities } = await get(client(), baseUrl);
    expect(response?.body.toString()).toBe('{"a":1}');
    expect(oddities).toEqual(['mislabelled']);
  });

  it.each([
    [[0, 0, 18, 4, 0, 0, 0, 0, 0, 0, 0], /HTTP\/2 without TLS.*--http2/],
    [[0x15, 3, 1, 0, 2, 2, 0x46], /expects TLS; use https/],
  ])('names the protocol that begins with the bytes %j', async (bytes, said) => {
    const { error } = await get(client(), await rawServer(Buffer.from(bytes)));
    expect(error).toEqual({ kind: 'protocol', message: expect.stringMatching(said) as string });
  });

  it('does not follow redirects', async () => {
    const { baseUrl, requests } = await server((_, response) => {
      response.writeHead(302, { location: '/elsewhere' }).end();
    });
    expect((await get(client(), baseUrl)).response?.status).toBe(302);
    expect(requests).toHaveLength(1);
  });

  it('sends the path as it is', async () => {
    const { baseUrl, requests } = await server((_, response) => response.end());
    await get(client(), baseUrl, '/a/../b//c%2Fd?x=%zz&x=');
    expect(requests[0]?.url).toBe('/a/../b//c%2Fd?x=%zz&x=');
  });

  it('decompresses a body within the limits and records that it did', async () => {
    const { baseUrl } = await server((request, response) => {
      const size = Number(request.url?.slice(1));
      const packed = gzipSync(`"${'x'.repeat(size)}"`);
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed);
    });
    const answer = await get(client(), baseUrl, '/500');
    expect(answer.response?.body.toString()).toHaveLength(502);
    expect(answer.oddities).toEqual(['compressed']);
    const bomb = await get(client(), baseUrl, '/2000000');
    expect(bomb.error).toEqual({
      kind: 'too-large',
      message: 'the body decompresses to more than 100000 bytes',
    });
  });

  it('keeps connections alive', async () => {
    const ports = new Set<number | undefined>();
    const { baseUrl } = await server((request, response) => {
      ports.add(request.socket.remotePort);
      response.end();
    });
    const sender = client();
    await get(sender, baseUrl);
    await new Promise((resolve) => setImmediate(resolve));
    await get(sender, baseUrl);
    expect(ports.size).toBe(1);
  });
});

describe('hostile targets', () => {
  it('refused: nobody listens', async () => {
    const answer = await get(client(), `http://127.0.0.1:${await closedPort()}`);
    expect(answer).toMatchObject({ response: null, error: { kind: 'refused' } });
    expect(answer.error?.message).toContain('ECONNREFUSED');
  });

  it('dns: the name does not resolve', async () => {
    const answer = await get(client(), 'http://no-such-host.invalid');
    expect(answer.error?.kind).toBe('dns');
  });

  it('too-large: stops reading an endless body', async () => {
    let written = 0;
    const { baseUrl } = await server((_, response) => {
      const more = (): void => {
        if (response.destroyed) return;
        written += 65_536;
        if (response.write(Buffer.alloc(65_536, 32))) setImmediate(more);
        else response.once('drain', more);
      };
      more();
    });
    const answer = await get(client(), baseUrl);
    expect(answer.error).toEqual({
      kind: 'too-large',
      message: 'the body is larger than 100000 bytes',
    });
    expect(written).toBeLessThan(50_000_000);
  });

  it('too-large: endless headers', async () => {
    const { baseUrl } = await server((_, response) => {
      response.writeHead(200, { 'x-long': 'a'.repeat(200_000) }).end();
    });
    expect((await get(client(), baseUrl)).error?.kind).toBe('too-large');
  });

  it.each([
    ['never answers', () => undefined],
    [
      'drips its body',
      (response: { write(text: string): unknown; destroyed: boolean }): void => {
        const drip = setInterval(() => {
          if (response.destroyed) clearInterval(drip);
          else response.write(' ');
        }, 20);
      },
    ],
  ])('timeout: a target that %s', async (_, act) => {
    const { baseUrl } = await server((__, response) => act(response));
    const answer = await get(client({ timeoutMs: 150 }), baseUrl);
    expect(answer.error).toEqual({
      kind: 'timeout',
      message: 'no complete response within 150 ms',
    });
  });

  it('reset: the connection ends in the middle of the response', async () => {
    const { baseUrl } = await server((request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{');
      setTimeout(() => request.socket.destroy(), 20);
    });
    expect((await get(client(), baseUrl)).error?.kind).toBe('reset');
  });

  it('protocol: something that is not HTTP', async () => {
    const raw = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end('SSH-2.0-nothing\r\n\r\n'));
    });
    await new Promise<void>((resolve) => raw.listen(0, '127.0.0.1', resolve));
    cleanups.push(() => new Promise((resolve) => raw.close(resolve)));
    const address = raw.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    expect((await get(client(), `http://127.0.0.1:${port}`)).error?.kind).toBe('protocol');
  });

  it.each([
    ['on the heels of the answer', 0],
    ['a few milliseconds later, as a busy machine does', 8],
    ['a moment later', 60],
  ])('never takes a second answer for that of the next request: %s', async (_, delayMs) => {
    const raw = createServer((socket) => {
      let count = 0;
      socket.on('error', () => undefined);
      socket.on('data', () => {
        count += 1;
        const own = `HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\n"${count}"`;
        const stray = 'HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\n"X"';
        if (delayMs === 0) socket.write(own + stray);
        else {
          socket.write(own);
          setTimeout(() => socket.write(stray), delayMs);
        }
      });
    });
    await new Promise<void>((resolve) => raw.listen(0, '127.0.0.1', resolve));
    cleanups.push(() => new Promise((resolve) => raw.close(resolve)));
    const address = raw.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    const sender = client();
    const answers: ClientAnswer[] = [];
    for (let round = 0; round < 3; round += 1) {
      answers.push(await get(sender, `http://127.0.0.1:${port}`));
      await new Promise((resolve) => setTimeout(resolve, delayMs * 2));
    }
    expect(answers.map(({ response }) => response?.body.toString())).not.toContain('"X"');
    expect(answers.some(({ oddities }) => oddities.includes('stray-bytes'))).toBe(true);
    // On a busy machine, later bytes may still arrive before the response is read.
    if (delayMs < 20) expect(answers[0]?.error?.kind).toBe('protocol');
  });

  it('tls: a server without TLS', async () => {
    const { port } = await server((_, response) => response.end());
    expect((await get(client(), `https://127.0.0.1:${port}`)).error?.kind).toBe('tls');
  });

  it('aborted: the run is interrupted', async () => {
    const { baseUrl } = await server(() => undefined);
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 30);
    const answer = await client().send({
      method: 'GET',
      origin: baseUrl,
      requestPath: '/',
      headers: {},
      signal: stop.signal,
    });
    expect(answer.error?.kind).toBe('aborted');
  });
});

describe('settings', () => {
  it('names an unreadable certificate file and an invalid proxy address', () => {
    expect(() => client({ caFile: '/no/such/file.pem' })).toThrow(/http\.caFile cannot be read/);
    expect(() => client({ proxy: 'not a url' })).toThrow(/http\.proxy is not a valid proxy URL/);
  });
});
