import type { Exchange } from '../../spec/exchange.ts';

/**
 * Exchanges of this run by request. Concurrent callers share one request. Temporary results (no answer, 429, 5xx) are
 * not kept, so that a later check asks again.
 */
export class ExchangeCache {
  readonly #entries = new Map<string, Promise<Exchange>>();

  /** The exchange for `key`, sent by `send` unless it is cached or in flight. */
  async get(key: string, send: () => Promise<Exchange>): Promise<Exchange> {
    const known = this.#entries.get(key);
    if (known !== undefined) return known;
    const pending = send();
    this.#entries.set(key, pending);
    let kept = false;
    try {
      const exchange = await pending;
      kept = lasting(exchange);
      return exchange;
    } finally {
      if (!kept) this.#entries.delete(key);
    }
  }
}

function lasting(exchange: Exchange): boolean {
  const status = exchange.response?.status;
  return status !== undefined && status !== 429 && status < 500;
}
