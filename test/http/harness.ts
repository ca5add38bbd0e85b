import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach } from 'vitest';
import type { SessionOptions } from '../../src/http/session-options.ts';
import { openSession, type Session } from '../../src/http/session.ts';
import { loopback } from './loopback.ts';
import type { Loopback } from './loopback.ts';
import { targetAt } from './targets.ts';

export type Handle = (request: IncomingMessage, response: ServerResponse, count: number) => void;

export interface Harness {
  /** Starts a loopback server; `count` numbers its requests from 1. */
  readonly server: (handle: Handle) => Promise<Loopback>;
  /** Opens a session with one valid key and defaults. */
  readonly session: (
    baseUrl: string,
    options?: Partial<SessionOptions>,
    changes?: Parameters<typeof targetAt>[1],
  ) => Session;
}

/** Servers and sessions that are closed after each test of the file. */
export function useHarness(): Harness {
  const cleanups: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
  });
  return {
    async server(handle) {
      let count = 0;
      const started = await loopback((request, response) => {
        count += 1;
        handle(request, response, count);
      });
      cleanups.push(started.close);
      return started;
    },
    session(baseUrl, options = {}, changes = {}) {
      const opened = openSession(targetAt(baseUrl, changes), { seed: 1, ...options });
      cleanups.push(() => opened.close());
      return opened;
    },
  };
}
