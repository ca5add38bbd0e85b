import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { createReference, movableClock } from '../../src/reference/reference.ts';
import { scratch } from '../cli/assay.ts';
import { WORLD } from '../kept/data.ts';

export interface Serving {
  readonly origin: string;
  close(): Promise<void>;
}

/** Serves on a free port of loopback until closed. */
export async function serving(
  handler: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Serving> {
  const server: Server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** What stands between the client and the reference server. Returns true when it dealt with the request. */
export type Disturbance = (
  request: IncomingMessage,
  response: ServerResponse,
  answer: () => void,
  number: number,
) => void;

let files = 0;

/** The reference server behind a disturbance, and a target file for it. */
export async function disturbed(
  disturbance: Disturbance,
  options: { faults?: string[]; variants?: string[]; validKeys?: number } = {},
): Promise<
  Serving & { readonly target: string; readonly keys: readonly string[]; requests(): number }
> {
  const clock = movableClock();
  const { faults = [], variants = [] } = options;
  const reference = createReference({ clock, world: WORLD, faults, variants });
  let number = 0;
  const server = await serving((request, response) => {
    const url = request.url ?? '/';
    if (url === '/clock') {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        if (body !== '') clock.advance((JSON.parse(body) as { advanceMs: number }).advanceMs);
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ now: clock.now() }));
      });
      return;
    }
    number += 1;
    const answer = (): void => {
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      );
      const reply = reference.handle({ method: request.method ?? 'GET', path: url, headers });
      response.writeHead(reply.status, reply.headers);
      response.end(reply.body);
    };
    disturbance(request, response, answer, number);
  });
  const file = reference.targetFile(`${server.origin}/v1`);
  const target = path.join(scratch, `disturbed ${(files += 1)}.json`);
  const valid = file.keys.valid.slice(0, options.validKeys ?? file.keys.valid.length);
  const content = {
    ...file,
    keys: { ...file.keys, valid },
    clock: { control: `${server.origin}/clock` },
  };
  writeFileSync(target, JSON.stringify(content));
  return { ...server, target, keys: valid, requests: () => number };
}
