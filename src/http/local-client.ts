import type { LocalService } from '../target/target.ts';
import { countValues } from './body.ts';
import { joined } from './client.ts';
import type { ClientAnswer, ClientRequest } from './client.ts';

/** Shortest time that a timer and the times of an exchange know, ms. */
const MOMENT_MS = 1;

/** Asks a service within this process: no socket, no time limit, and no distrust of what comes back. */
export class LocalClient {
  readonly #service: LocalService;
  readonly #now: () => number;

  /** @param now local time, epoch ms */
  constructor(service: LocalService, now: () => number) {
    this.#service = service;
    this.#now = now;
  }

  /**
   * Resolves after a moment, as an answer from a network does: requests are under way together, and no two that follow each
   * other have the same time, by which the judge tells them apart.
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

  /** There is nothing to close. */
  async close(): Promise<void> {
    await Promise.resolve();
  }
}
