import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { monthOf } from '../../src/monitor/budget.ts';
import type { MonitorEvent } from '../../src/monitor/events.ts';
import { createReference, manualClock } from '../../src/reference/reference.ts';
import { scratch } from '../cli/assay.ts';
import { WORLD } from '../kept/data.ts';

/** A request with a key that has a quota, as the service counted it. */
export interface Counted {
  readonly key: string;
  readonly month: string;
  readonly url: string;
}

export interface Service {
  /** Path of the target file. */
  readonly target: string;
  readonly keys: { readonly valid: readonly string[]; readonly restricted: string };
  readonly counted: readonly Counted[];
  now(): number;
  advance(ms: number): void;
  /** Called with each request before it is answered; false to hang up instead. */
  onRequest: (number: number) => boolean;
  close(): Promise<void>;
}

export interface ServiceOptions {
  /** Time that it begins with, ISO 8601. */
  readonly start: string;
  readonly validKeys?: number;
  /** Requests a month and key, as its target file says. */
  readonly monthlyQuota?: number;
  /** Faults that it has while the moment is one of theirs. */
  readonly faulty?: { readonly faults: readonly string[]; readonly when: (now: number) => boolean };
}

let files = 0;

/** The reference server with a clock that is moved, which counts by itself what arrives, and is faulty for a time. */
export async function service(options: ServiceOptions): Promise<Service> {
  const { start, validKeys = 1, monthlyQuota = 100_000, faulty } = options;
  const clock = manualClock(Date.parse(start));
  const sound = createReference({ clock, world: WORLD });
  const broken = faulty && createReference({ clock, world: WORLD, faults: [...faulty.faults] });
  const counted: Counted[] = [];
  const all = sound.targetFile('http://127.0.0.1:1').keys;
  const metered = new Set([...all.valid, all.restricted.key]);
  const one: { onRequest: Service['onRequest'] } = { onRequest: () => true };
  const server = createServer((request, response) => {
    if (request.url === '/clock') {
      void control(clock, request, response);
      return;
    }
    const key = String(request.headers['x-api-key'] ?? '');
    const url = request.url ?? '';
    if (metered.has(key)) counted.push({ key, month: monthOf(clock.now()), url });
    if (!one.onRequest(counted.length)) {
      request.socket.destroy();
      return;
    }
    const reference = faulty?.when(clock.now()) === true && broken ? broken : sound;
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    const answer = reference.handle({
      method: request.method ?? 'GET',
      path: `/v1${url}`,
      headers,
    });
    response.writeHead(answer.status, { ...answer.headers }).end(answer.body);
  });
  // A request on a connection that is just being closed as idle is spent, but arrives nowhere.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  const file = sound.targetFile(origin);
  const target = path.join(scratch, `monitored ${(files += 1)}.json`);
  const valid = file.keys.valid.slice(0, validKeys);
  writeFileSync(
    target,
    JSON.stringify({
      ...file,
      keys: { ...file.keys, valid },
      limits: { ...file.limits, monthlyQuota },
      // On a busy machine a request may wait for seconds: given up, it is spent, but may arrive nowhere.
      http: { timeoutMs: 60_000 },
      clock: { control: `${origin}/clock` },
    }),
  );
  return Object.assign(one, {
    target,
    keys: { valid, restricted: file.keys.restricted.key },
    counted,
    now: () => clock.now(),
    advance: (ms: number) => clock.advance(ms),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}

async function control(
  clock: { now(): number; advance(ms: number): void },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  if (body !== '') clock.advance((JSON.parse(body) as { advanceMs: number }).advanceMs);
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ now: clock.now() }));
}

/** A notification as it came. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface Receiver {
  readonly url: string;
  readonly received: readonly Received[];
  /** Answers a notification; 204 by default. */
  answer: (received: Received, response: ServerResponse, number: number) => void;
  close(): Promise<void>;
}

/** What stands in the address of the receiver, and nowhere else. */
export const SECRET_PATH = 'canary-of-the-webhook-7f3a91';

/** A receiver of notifications. */
export async function receiver(): Promise<Receiver> {
  const received: Received[] = [];
  const one: { answer: Receiver['answer'] } = {
    answer: (_, response) => void response.writeHead(204).end(),
  };
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const it = { path: request.url ?? '', headers: request.headers, body };
      received.push(it);
      one.answer(it, response, received.length);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(one, {
    url: `http://127.0.0.1:${port}/hooks/${SECRET_PATH}`,
    received,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}

/** The events of a file that `--events` names. */
export function eventsIn(file: string): readonly MonitorEvent[] {
  return readFileSync(path.join(scratch, file), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as MonitorEvent);
}

/** What events of a type say. */
export function told<Type extends MonitorEvent['type']>(
  events: readonly MonitorEvent[],
  type: Type,
): readonly Extract<MonitorEvent, { type: Type }>[Type &
  keyof Extract<MonitorEvent, { type: Type }>][] {
  return events.flatMap((event) => (event.type === type ? [event[type as never]] : []));
}

/** Every file below a folder, with its content as text. */
export function* filesBelow(folder: string): Generator<readonly [file: string, text: string]> {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = path.join(folder, name);
    if (statSync(file).isFile()) yield [name, readFileSync(file, 'latin1')];
  }
}

function monthsIn(folder: string): Readonly<Record<string, Readonly<Record<string, number>>>> {
  const file = path.join(scratch, folder, 'state', 'monitor.json');
  const { account } = JSON.parse(readFileSync(file, 'utf8')) as {
    account: { months: Record<string, Record<string, number>> };
  };
  return account.months;
}

/** What the account of a monitor says was spent, in all and by month. */
export const accountIn = (folder: string): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Object.entries(monthsIn(folder)).map(([month, byKey]) => [
      month,
      Object.values(byKey).reduce((sum, count) => sum + count, 0),
    ]),
  );

/** What it says was spent in a month with each key, the least first. */
export const perKeyIn = (folder: string, month: string): readonly number[] =>
  Object.values(monthsIn(folder)[month] ?? {}).toSorted((a, b) => a - b);

/** Requests by month, as the service counted them. */
export function countedBy(
  { counted }: Pick<Service, 'counted'>,
  fits: (one: Counted) => boolean = () => true,
): Readonly<Record<string, number>> {
  const months: Record<string, number> = {};
  for (const one of counted) if (fits(one)) months[one.month] = (months[one.month] ?? 0) + 1;
  return months;
}
