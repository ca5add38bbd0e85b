import { setTimeout } from 'node:timers/promises';
import type { LocalService } from '../target/target.ts';
import { countValues } from './body.ts';
import { joined, type Client } from './client.ts';

/** Resolution of timers and exchange times, ms. */
const MOMENT_MS = 1;

/**
 * Calls a trusted service in this process, without socket and timeout. Answers with a short delay, like a network:
 * requests overlap, and consecutive ones have different times, as the judge requires.
 * @param now local time, epoch ms
 */
export const localClient = (
  service: LocalService,
  now: () => number,
): Pick<Client, 'send' | 'close'> => ({
  async send({ method, requestPath, headers, body: sent }) {
    const sentAt = now();
    const { status, body, ...answer } = service({ method, path: requestPath, headers, body: sent });
    await setTimeout(MOMENT_MS);
    const response = { status, headers: joined(answer.headers), body, values: countValues(body) };
    return { sentAt, receivedAt: now(), response, error: null, oddities: [] };
  },
  close: () => Promise.resolve(),
});
