import { createServer, type AddressInfo, type Socket } from 'node:net';
import { createReference, movableClock } from '../../src/reference/reference.ts';
import { WORLD } from '../kept/data.ts';

/** One request to a hostile server, and the socket to answer it on. */
export interface Hostile {
  readonly socket: Socket;
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  /** The key that came with the request; empty without one. */
  readonly key: string;
  /** Counts requests from 1, except clock control requests. */
  readonly number: number;
  /** Counts requests on this connection from 1. */
  readonly onConnection: number;
  /** Origin of the server. */
  readonly origin: string;
  /** What the reference server would answer. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Answers like the reference server, with optional changes. */
  reply(change?: {
    readonly status?: number;
    readonly reason?: string;
    /** Added to those of the reference server; null removes one; a list sends it several times. */
    readonly headers?: Readonly<Record<string, string | readonly string[] | null>>;
    readonly body?: string | Buffer;
  }): void;
  /** Sends bytes as they are. */
  raw(bytes: string | Buffer): void;
  /** Calls repeatedly until the connection is closed. */
  every(ms: number, act: () => void): void;
}

export type Act = (hostile: Hostile) => void;

export interface HostileServer {
  readonly origin: string;
  /** Settings of a target file for it. */
  readonly targetFile: Record<string, unknown>;
  /** All keys of the target file. */
  readonly keys: readonly string[];
  requests(): number;
  close(): Promise<void>;
}

/** Text of an answer. */
export function answerText(
  status: number,
  reason: string,
  headers: Readonly<Record<string, string | readonly string[] | null>>,
): string {
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    value === null
      ? []
      : (typeof value === 'string' ? [value] : value).map((one) => `${name}: ${one}`),
  );
  return `HTTP/1.1 ${String(status).padStart(3, '0')}${reason === '' ? ' ' : ` ${reason}`}\r\n${lines.map((line) => `${line}\r\n`).join('')}\r\n`;
}

/**
 * The reference server on a raw socket, so that a behaviour can send any bytes. `on` selects the affected requests; all
 * others get the response of the reference server.
 */
export async function hostileServer(
  act: Act,
  on: (hostile: Hostile) => boolean,
  onConnect?: (socket: Socket) => void,
): Promise<HostileServer> {
  const clock = movableClock();
  const reference = createReference({ clock, world: WORLD });
  const sockets = new Set<Socket>();
  let number = 0;
  let origin = '';
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    onConnect?.(socket);
    let buffered = '';
    let onConnection = 0;
    socket.on('data', (chunk: Buffer) => {
      buffered += chunk.toString('latin1');
      for (;;) {
        const end = buffered.indexOf('\r\n\r\n');
        if (end < 0) return;
        const [first = '', ...lines] = buffered.slice(0, end).split('\r\n');
        const headers = Object.fromEntries(
          lines.map((line) => {
            const colon = line.indexOf(':');
            return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()];
          }),
        );
        const length = Number(headers['content-length'] ?? 0);
        if (buffered.length < end + 4 + length) return;
        const sent = buffered.slice(end + 4, end + 4 + length);
        buffered = buffered.slice(end + 4 + length);
        const [method = '', url = ''] = first.split(' ');
        if (url === '/clock') {
          if (sent !== '') clock.advance((JSON.parse(sent) as { advanceMs: number }).advanceMs);
          const now = JSON.stringify({ now: clock.now() });
          socket.write(
            answerText(200, 'OK', {
              'content-type': 'application/json',
              'content-length': String(now.length),
            }) + now,
          );
          continue;
        }
        number += 1;
        onConnection += 1;
        const answer = reference.handle({ method, path: url, headers });
        const hostile: Hostile = {
          socket,
          method,
          url,
          key: headers['x-api-key'] ?? '',
          number,
          onConnection,
          origin,
          status: answer.status,
          headers: answer.headers,
          body: answer.body,
          reply: (change = {}) => {
            const body = Buffer.from(change.body ?? answer.body);
            const fields = {
              ...answer.headers,
              'content-length': String(body.length),
              ...change.headers,
            };
            const { status = answer.status, reason = 'Reason' } = change;
            socket.write(
              Buffer.concat([Buffer.from(answerText(status, reason, fields), 'latin1'), body]),
            );
          },
          raw: (bytes) => void socket.write(bytes),
          every: (ms, again) => {
            const timer = setInterval(() => {
              if (socket.destroyed || !socket.writable) clearInterval(timer);
              else if (!socket.writableNeedDrain) again();
            }, ms);
          },
        };
        if (on(hostile)) act(hostile);
        else hostile.reply();
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const file = reference.targetFile(`${origin}/v1`);
  const { keys } = file;
  return {
    origin,
    targetFile: {
      ...file,
      clock: { control: `${origin}/clock` },
    },
    keys: [...keys.valid, keys.disabled, keys.expired, keys.restricted.key, keys.nearQuota.key],
    requests: () => number,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
