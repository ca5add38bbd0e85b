import { mkdtempSync } from 'node:fs';
import type { Socket } from 'node:net';
import path from 'node:path';
import { connectTimeout, tlsSettings } from '../../src/http/dispatcher.ts';
import { SecretsGate } from '../../src/fs/secrets-gate.ts';
import { writeReports } from '../../src/report/write.ts';
import { resolveTarget } from '../../src/target/file/resolve-target.ts';
import { feedOf } from '../../src/watch/feed.ts';
import type { CallJudge } from '../../src/watch/judge-link.ts';
import { watchProxy } from '../../src/watch/proxy.ts';
import type { RawExchange } from '../../src/watch/raw-exchange.ts';
import { watchJudge } from '../../src/watch/watch-judge.ts';
import type { Behaviour } from '../hostile/behaviour.ts';
import { hostileServer } from '../hostile/server.ts';
import { filesBelow } from './watching.ts';
import { rawClient, until } from './wire.ts';

/** How long one request may take before the client loses its patience, ms. */
const PATIENCE_MS = 500;
const PATHS = [
  '/v1/etfs/summary-history?symbol=BTC&country_code=US',
  '/v1/news?page=1&page_size=20&language=en',
  '/v1/currencies?category=all',
];

/** What came of a hostile target behind the proxy and its judge. */
export interface Through {
  /** What was promised and not kept; empty when all is well. */
  readonly broken: readonly string[];
  readonly judged: number;
}

/**
 * Lets a client ask a hostile target through the proxy. Promised is: the client gets the bytes that the target sent, in
 * their order, as many as it waited for; the judge takes whatever came; no key is left on the disk.
 */
export async function through(behaviour: Behaviour, scratch: string): Promise<Through> {
  const broken: string[] = [];
  const { act, on = () => true, onConnect } = behaviour;
  const sent = new Map<number, Buffer[]>();
  const server = await hostileServer(act, on, (socket) => {
    record(socket, sent);
    onConnect?.(socket);
  });
  const target = resolveTarget({
    env: {},
    file: { ...(server.targetFile as object), keys: {} },
    requireKey: false,
  });
  const output = mkdtempSync(path.join(scratch, 'hostile '));
  const judge = watchJudge(
    { target, named: {}, settings: { only: [], skip: [], failOn: ['must'] }, output },
    () => undefined,
  );
  const feed = feedOf(
    ((name: string, first: unknown, count: unknown) => {
      if (name === 'miss') judge.miss(String(first), Number(count));
      if (name === 'gap') judge.gap();
      if (name === 'take')
        for (const exchange of first as RawExchange[]) judge.take(exchange, Date.now());
      return Promise.resolve(true);
    }) as unknown as CallJudge,
    0,
    () => undefined,
  );
  const proxy = watchProxy({
    host: '127.0.0.1',
    port: 0,
    onlooker: feed,
    certificate: null,
    upstream: {
      url: new URL(target.baseUrl),
      host: null,
      tls: tlsSettings(target.http),
      connectTimeoutMs: connectTimeout(2000),
    },
  });
  const { port } = await proxy.listen();
  try {
    for (const [index, one] of PATHS.entries()) {
      const client = rawClient(port);
      const key = server.keys[index % 2] ?? '';
      client.socket.write(`GET ${one} HTTP/1.1\r\nHost: a\r\nX-API-KEY: ${key}\r\n\r\n`);
      await Promise.race([
        client.ended,
        new Promise((resolve) => setTimeout(resolve, PATIENCE_MS)),
      ]);
      const sentSoFar = (): Buffer => Buffer.concat([...sent.values()].at(index) ?? []);
      // What was sent by now arrives in a moment, unless the target sends faster than anybody reads.
      const owed = sentSoFar().length;
      if (owed < 64 * 1024) {
        await until(() => client.received.length >= owed || client.socket.destroyed, 2000).catch(
          () => undefined,
        );
      }
      const received = client.received;
      client.socket.resetAndDestroy();
      if (!sentSoFar().subarray(0, received.length).equals(received)) {
        broken.push(`${one}: the client got other bytes than the target sent`);
      }
      // A reset takes away what has not been read, as it does without a proxy.
      if (owed < 64 * 1024 && received.length < owed && (await client.ended) === 'end') {
        broken.push(`${one}: ${owed - received.length} bytes did not arrive`);
      }
    }
    await proxy.close(0);
    feed.flush();
    judge.finish();
    await writeReports(judge.results(), output, ['html', 'json', 'junit', 'har']);
    const gate = new SecretsGate(
      server.keys.slice(0, 2).map((value, index) => ({ name: `key ${index}`, value })),
    );
    for (const { name, text } of filesBelow(output)) {
      const leak = gate.scan(text);
      if (leak !== null) broken.push(`${name} holds ${leak.secret} (${leak.encoding})`);
    }
  } catch (error) {
    broken.push(`threw ${(error as Error).stack}`);
  } finally {
    await proxy.close(0).catch(() => undefined);
    await server.close();
  }
  return { broken, judged: judge.results().requests.total };
}

/** Keeps what is written to a connection, in the order in which connections came. */
function record(socket: Socket, sent: Map<number, Buffer[]>): void {
  const own: Buffer[] = [];
  sent.set(sent.size, own);
  const write = socket.write.bind(socket);
  const end = socket.end.bind(socket);
  const note = (chunk: unknown): void => {
    if (typeof chunk === 'string') own.push(Buffer.from(chunk));
    else if (chunk instanceof Uint8Array) own.push(Buffer.from(chunk));
  };
  socket.write = (chunk: never, ...rest: never[]) => {
    note(chunk);
    return write(chunk, ...rest);
  };
  socket.end = (chunk: never, ...rest: never[]) => {
    note(chunk);
    return end(chunk, ...rest);
  };
}
