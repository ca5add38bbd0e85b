import { afterEach, describe, expect, it } from 'vitest';
import { rawClient, rawTarget, until, watched, type RawTarget, type Watched } from './wire.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close();
});

async function pair(
  onData: Parameters<typeof rawTarget>[0],
  options: Parameters<typeof watched>[1] = {},
  onEnd?: Parameters<typeof rawTarget>[1],
): Promise<{ target: RawTarget; proxy: Watched }> {
  const target = await rawTarget(onData, onEnd);
  open.push(target);
  const proxy = await watched(target.port, options);
  open.push(proxy);
  return { target, proxy };
}

/** Odd letters, odd order, doubles, odd spaces, a header without a value. */
const REQUEST =
  'GET /v1/etfs?b=2&a=%7e&a HTTP/1.1\r\nhOsT: client.example\r\nX-b:   two \r\nx-B: one\r\nX-Empty:\r\nConnection: keep-alive\r\n\r\n';

const ANSWERS: readonly (readonly [string, string])[] = [
  ['a length', 'HTTP/1.1 200 Fine By Me\r\nX-A: 1\r\nx-a: 2\r\nCoNtEnT-LeNgTh: 2\r\n\r\n{}'],
  ['no reason', 'HTTP/1.1 200 \r\nContent-Length: 0\r\n\r\n'],
  [
    'chunks with extensions and trailers',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;a="b;c"\r\n{}\r\n1 \r\n \r\n0\r\nX-Sum: 1\r\nx-sum: 2\r\n\r\n',
  ],
  [
    'answers of class 1xx before it',
    'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 102 \r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]',
  ],
  ['no body by its status', 'HTTP/1.1 204 No Content\r\nX-Odd: \x80\xff\r\n\r\n'],
  ['not modified, with a length', 'HTTP/1.1 304 Not Modified\r\nContent-Length: 12\r\n\r\n'],
];

describe('the proxy', () => {
  it.each(ANSWERS)('hands on byte for byte: %s', async (_, answer) => {
    const bytes = Buffer.from(answer, 'latin1');
    const { target, proxy } = await pair((socket) => socket.write(bytes));
    const client = rawClient(proxy.port);
    client.socket.write(REQUEST);
    await client.until(bytes.length);
    expect(client.received.toString('latin1')).toBe(answer);
    // The same connection takes the next request.
    client.socket.write(REQUEST);
    await client.until(2 * bytes.length);
    expect(target.got.map(String)).toEqual([REQUEST + REQUEST]);
    await until(() => proxy.notes.exchanges.length === 2);
    expect(proxy.notes.missed).toEqual([]);
    expect(proxy.notes.kept).toBe(0);
    const [first] = proxy.notes.exchanges;
    expect(first?.path).toBe('/v1/etfs?b=2&a=%7e&a');
    expect(first?.requestHeaders).toEqual(
      expect.arrayContaining([
        ['hOsT', 'client.example'],
        ['X-b', 'two'],
        ['x-B', 'one'],
        ['X-Empty', ''],
      ]),
    );
    client.socket.destroy();
  });

  it('reads the same if every byte arrives separately', async () => {
    let asked = '';
    const { proxy } = await pair((socket, chunk) => {
      asked += chunk.toString();
      if (!asked.endsWith('\r\n\r\n')) return;
      for (const [, answer] of ANSWERS.slice(2, 3)) {
        for (const one of Buffer.from(answer, 'latin1')) socket.write(Buffer.from([one]));
      }
    });
    const client = rawClient(proxy.port);
    for (const one of Buffer.from('GET /v1/etfs HTTP/1.1\r\nHost: a\r\n\r', 'latin1')) {
      client.socket.write(Buffer.from([one]));
      await new Promise((resolve) => setImmediate(resolve));
    }
    client.socket.write('\n');
    await until(() => proxy.notes.exchanges.length > 0);
    expect(Buffer.from(proxy.notes.exchanges[0]?.body ?? []).toString()).toBe('{} ');
    client.socket.destroy();
  });

  it('knows that answers to HEAD have no body, and keeps pipelined requests in order', async () => {
    const { proxy } = await pair((socket, chunk) => {
      const heads = chunk.toString().split('\r\n\r\n').length - 1;
      for (let at = 0; at < heads; at += 1) {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n');
        if (!chunk.toString().startsWith('HEAD')) socket.write('12345');
      }
    });
    const client = rawClient(proxy.port);
    client.socket.write('HEAD /v1/a HTTP/1.1\r\nHost: a\r\n\r\n');
    await until(() => proxy.notes.exchanges.length === 1);
    client.socket.write(
      'GET /v1/b HTTP/1.1\r\nHost: a\r\n\r\nGET /v1/c HTTP/1.1\r\nHost: a\r\n\r\n',
    );
    await until(() => proxy.notes.exchanges.length === 3);
    expect(proxy.notes.exchanges.map(({ path, body }) => [path, body?.length])).toEqual([
      ['/v1/a', 0],
      ['/v1/b', 5],
      ['/v1/c', 5],
    ]);
    client.socket.destroy();
  });

  it('forwards a body that ends with the connection', async () => {
    const { proxy } = await pair((socket) => socket.end('HTTP/1.0 200 OK\r\n\r\n[1]'));
    const client = rawClient(proxy.port);
    client.socket.write('GET /v1/etfs HTTP/1.0\r\n\r\n');
    expect(await client.ended).toBe('end');
    expect(client.received.toString()).toBe('HTTP/1.0 200 OK\r\n\r\n[1]');
    expect(proxy.notes.exchanges.map(({ body }) => body?.length)).toEqual([3]);
    client.socket.destroy();
  });

  it('forwards request bodies, and 100 Continue', async () => {
    const body = 'x'.repeat(1000);
    const { target, proxy } = await pair((socket, chunk) => {
      if (chunk.includes('Expect')) socket.write('HTTP/1.1 100 Continue\r\n\r\n');
      if (chunk.includes('xxx')) socket.write('HTTP/1.1 405 No\r\nContent-Length: 0\r\n\r\n');
    });
    const client = rawClient(proxy.port);
    const head =
      'POST /v1/etfs HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 1000\r\n\r\n';
    client.socket.write(head);
    await client.until('100 Continue');
    client.socket.write(body);
    await client.until('405 No');
    expect(target.got.map(String)).toEqual([head + body]);
    expect(proxy.notes.exchanges.map(({ status }) => status)).toEqual([405]);
    client.socket.destroy();
  });

  it('changes only the host, if configured', async () => {
    const { target, proxy } = await pair(
      (socket) => socket.write('HTTP/1.1 204 No Content\r\n\r\n'),
      { host: 'real.example' },
    );
    const client = rawClient(proxy.port);
    client.socket.write(REQUEST);
    await until(() => proxy.notes.exchanges.length === 1);
    client.socket.write('no HTTP at all\r\n\r\nand more');
    await until(() => String(target.got[0]).endsWith('more'));
    expect(String(target.got[0])).toBe(
      `${REQUEST.replace('client.example', 'real.example')}no HTTP at all\r\n\r\nand more`,
    );
    expect(proxy.notes.missed).toEqual(['unreadable']);
    client.socket.destroy();
  });

  it('forwards an unfinished head at the end of the client, if the host is replaced', async () => {
    const { target, proxy } = await pair(
      () => undefined,
      { host: 'real.example' },
      (socket) => socket.end(),
    );
    const client = rawClient(proxy.port);
    client.socket.end('GET /v1/etfs HTTP/1.1\r\nHo');
    expect(await client.ended).toBe('end');
    expect(String(target.got[0])).toBe('GET /v1/etfs HTTP/1.1\r\nHo');
  });

  it('forwards another protocol as bytes, and does not judge it', async () => {
    const { target, proxy } = await pair((socket, chunk) => {
      socket.write(
        chunk.includes('Upgrade')
          ? 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n\x00\x01'
          : chunk,
      );
    });
    const client = rawClient(proxy.port);
    client.socket.write(
      'GET /v1/s HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n',
    );
    await client.until('\x00\x01');
    client.socket.write('\x02GET ');
    await client.until('\x02GET ');
    expect(String(target.got[0]).endsWith('\x02GET ')).toBe(true);
    expect(proxy.notes.missed).toEqual(['upgraded']);
    client.socket.destroy();
  });

  it.each([
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}x'],
    ['a negative length', 'HTTP/1.1 200 OK\r\nContent-Length: -9\r\n\r\nHTTP/1.1 '],
    [
      'a length and chunks',
      'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['line feeds alone', 'HTTP/1.1 200 OK\nContent-Length: 2\r\n\r\n{}'],
    ['no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n\r\n'],
    ['a chunk of no size', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n'],
    ['two answers to one request', 'HTTP/1.1 204 A\r\n\r\nHTTP/1.1 204 B\r\n\r\n'],
  ])('forwards unreadable traffic, and judges nothing after it: %s', async (_, answer) => {
    const { proxy } = await pair((socket) => socket.write(Buffer.from(answer, 'latin1')));
    const client = rawClient(proxy.port);
    client.socket.write(REQUEST);
    await client.until(answer.length);
    client.socket.write(REQUEST);
    await client.until(2 * answer.length);
    expect(client.received.toString('latin1')).toBe(answer + answer);
    expect(proxy.notes.missed).toEqual(['unreadable']);
    client.socket.destroy();
  });

  it('limits the memory for an endless head or line', async () => {
    const line = Buffer.alloc(64 * 1024, 'a');
    let sent = 0;
    const { proxy } = await pair((socket, chunk) => {
      if (!chunk.includes('GET')) return;
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;');
      for (; sent < 200; sent += 1) socket.write(line);
    });
    const client = rawClient(proxy.port);
    client.socket.write(REQUEST);
    await client.until(200 * line.length);
    expect(proxy.notes.missed).toEqual(['unreadable']);
    client.socket.destroy();
  });
});

describe('the proxy, when a side closes', () => {
  it('resets the client if the target is reset within a body', async () => {
    const { proxy } = await pair((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"half":', () =>
        setTimeout(() => socket.resetAndDestroy(), 20),
      );
    });
    const client = rawClient(proxy.port);
    client.socket.write(REQUEST);
    expect(await client.ended).toBe('reset');
    await until(() => proxy.notes.missed.length > 0);
    expect(proxy.notes.missed).toEqual(['cut']);
    expect(proxy.notes.kept).toBe(0);
  });

  it('forwards an early end', async () => {
    const { proxy } = await pair((socket) =>
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"half":'),
    );
    const client = rawClient(proxy.port);
    client.socket.write(REQUEST);
    expect(await client.ended).toBe('end');
    expect(client.received.toString().endsWith('{"half":')).toBe(true);
    client.socket.destroy();
    await until(() => proxy.notes.missed.length > 0);
    expect(proxy.notes.missed).toEqual(['cut']);
  });

  it.each(['destroy', 'resetAndDestroy'] as const)(
    'ends the request at the target when the client leaves with %s',
    async (leave) => {
      const { target, proxy } = await pair((socket) => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n');
        const timer = setInterval(() => {
          if (socket.destroyed) clearInterval(timer);
          else socket.write(Buffer.alloc(1000));
        }, 5);
      });
      const client = rawClient(proxy.port);
      client.socket.write(REQUEST);
      await client.until(3000);
      client.socket[leave]();
      await until(() => target.sockets[0]?.destroyed === true);
      await until(() => proxy.proxy.open() === 0);
      expect(proxy.notes.missed).toEqual(['cut']);
      expect(proxy.notes.kept).toBe(0);
    },
  );

  it('forwards a half-closed client, and the answer', async () => {
    const { proxy } = await pair(
      () => undefined,
      {},
      (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}'),
    );
    const client = rawClient(proxy.port);
    client.socket.end(REQUEST);
    expect(await client.ended).toBe('end');
    expect(client.received.toString()).toContain('{}');
    expect(proxy.notes.exchanges).toHaveLength(1);
  });

  it('answers itself if the target cannot be reached', async () => {
    const target = await rawTarget(() => undefined);
    await target.close();
    const proxy = await watched(target.port);
    open.push(proxy);
    const client = rawClient(proxy.port);
    client.socket.write(REQUEST);
    expect(await client.ended).toBe('end');
    expect(client.received.toString()).toMatch(
      /^HTTP\/1\.1 502 Bad Gateway\r\n.*assay watch: cannot reach 127\.0\.0\.1:\d+ \(ECONNREFUSED\)/s,
    );
    expect(proxy.notes.missed).toEqual(['unreachable']);
    expect(proxy.notes.exchanges).toEqual([]);
    client.socket.destroy();
  });

  it('waits only for requests in flight when it is closed', async () => {
    const asked: (() => void)[] = [];
    const { proxy } = await pair((socket) => {
      asked.push(() => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}'));
    });
    const idle = rawClient(proxy.port);
    idle.socket.write(REQUEST);
    await until(() => asked.length === 1);
    asked[0]?.();
    await idle.until('{}');
    const busy = rawClient(proxy.port);
    busy.socket.write(REQUEST);
    await until(() => asked.length === 2);
    const closed = proxy.proxy.close(5000);
    expect(await idle.ended).toBe('end');
    asked[1]?.();
    await busy.until('{}');
    expect(await busy.ended).toBe('end');
    idle.socket.destroy();
    busy.socket.destroy();
    expect(await closed).toBe(0);
    open.splice(open.indexOf(proxy), 1);
  });
});

describe('the pace of the two sides', () => {
  it('is that of the slower one: a client that does not read delays the target', async () => {
    const total = 200 * 1024 * 1024;
    const block = Buffer.alloc(256 * 1024, 'x');
    let sent = 0;
    const { proxy } = await pair((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${total}\r\n\r\n`);
      const more = (): void => {
        while (sent < total) {
          sent += block.length;
          if (!socket.write(block)) {
            socket.once('drain', more);
            return;
          }
        }
      };
      more();
    });
    const client = rawClient(proxy.port);
    client.socket.removeAllListeners('data');
    client.socket.pause();
    client.socket.write(REQUEST);
    await new Promise((resolve) => setTimeout(resolve, 700));
    const stalled = sent;
    expect(stalled).toBeLessThan(total / 4);
    let received = 0;
    client.socket.on('data', (chunk: Buffer) => (received += chunk.length));
    client.socket.resume();
    await until(() => received > total, 30_000);
    // Far too large for the judge, which is said; nothing of it is kept.
    await until(() => proxy.notes.exchanges.length === 1);
    expect(proxy.notes.exchanges[0]).toMatchObject({ body: null });
    expect(proxy.notes.kept).toBe(0);
    client.socket.destroy();
  });
});
