import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import { createServer as createTcp } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { onTestFinished } from 'vitest';
import { createReference } from '../../src/reference/reference.ts';
import { resolveTarget } from '../../src/target/file/resolve-target.ts';
import type { Target, TargetFile } from '../../src/target/target.ts';
import { WORLD } from '../kept/data.ts';

export interface Served {
  readonly target: Target;
  /** Requests that arrived with a key, admitted or not. */
  readonly requestsOf: (key: string) => number;
  /** All requests that arrived, without a key too. */
  readonly total: () => number;
}

/** A reference server below `/v1`, and a target for it with `changes` to its target file. */
export async function served(
  options: Parameters<typeof createReference>[0] = {},
  changes: TargetFile = {},
): Promise<Served> {
  const reference = createReference({ basePath: '/v1', world: WORLD, ...options });
  const arrived: (string | undefined)[] = [];
  const open = await reference.listen({ onRequest: (key) => void arrived.push(key) });
  onTestFinished(() => open.close());
  const file = reference.targetFile(open.baseUrl);
  return {
    target: resolveTarget({ env: {}, file: { ...file, ...changes } }),
    requestsOf: (key) => arrived.filter((one) => one === key).length,
    total: () => arrived.length,
  };
}

async function listening(server: Server): Promise<string> {
  const sockets = new Set<{ destroy(): unknown }>();
  server.on('connection', (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A custom server; its base URL. */
export const handled = (handle: RequestListener): Promise<string> =>
  listening(createServer(handle));

/** Accepts connections and never answers; its base URL. */
export const silent = (): Promise<string> => listening(createTcp(() => undefined));

export const KEY = 'Va1idKey-0001-abcdef';

/** A target with one valid key. */
export function targetOf(baseUrl: string, file: TargetFile = {}): Target {
  return resolveTarget({ env: {}, file: { baseUrl, keys: { valid: [KEY] }, ...file } });
}
