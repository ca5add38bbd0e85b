import type { LocalService } from '../target/target.ts';
import { countValues } from './body.ts';
import { joined, type ClientAnswer, type ClientRequest } from './client.ts';

/** Resolution of timers and exchange times, ms. */
const MOMENT_MS = 1;

/** Calls a trusted service in this process, without socket and timeout. */
export class LocalClient {
  readonly #service: LocalService;
  readonly #now: () => number;

  /** @param now local time, epoch ms */
  constructor(service: LocalService, now: () => number) {
    this.#service = service;
    this.#now = now;
  }

  /**
   * Resolves with a short delay, like a network: requests overlap, and consecutive ones have different times, as the
   * judge requires.
   */
  async send({ method, requestPath, headers, body }: ClientRequest): Promise<ClientAnswer> {
    const sentAt = this.#now();
    const answer = this.#service({ method, path: requestPath, headers, body });
    await new Promise((resolve) => setTimeout(resolve, MOMENT_MS));
    return {
      sentAt,
      receivedAt: this.#now(),
      response: {
        status: answer.status,
        headers: joined(answer.headers),
        body: answer.body,
        values: countValues(answer.body),
      },
      error: null,
      oddities: [],
    };
  }

  async close(): Promise<void> {
    await Promise.resolve();
  }
}
