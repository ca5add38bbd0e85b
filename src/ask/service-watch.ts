import type { Exchange } from '../contract/exchange.ts';
import { NotThisService } from '../http/errors.ts';
import type { Facts } from '../rules/facts.ts';
import { describeForeign, recognize } from '../rules/recognition.ts';
import { viewOf } from '../rules/view.ts';

/** Foreign answers after which a target that never showed a resource is taken for something else. */
const FOREIGN_ANSWERS = 6;
/** Endpoints that they must come from: one that is defective says nothing about the whole. */
const ENDPOINTS = 3;

/**
 * Watches the first answers to valid keys for a sign that the service is there at all (ruling 23). Once there was one, it
 * never speaks again: what is wrong with the service is for the requirements to say.
 */
export class ServiceWatch {
  readonly #baseUrl: string;
  readonly #endpoints = new Set<string>();
  #foreign = 0;
  #settled = false;

  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl;
  }

  /** The reason to end the run; null when there is none. */
  observe(exchange: Exchange, facts: Facts): NotThisService | null {
    if (this.#settled || exchange.role !== 'valid' || exchange.request.method !== 'GET')
      return null;
    const view = viewOf(exchange, facts);
    if (view === undefined) return null;
    const recognition = recognize(view);
    if (recognition === 'service') this.#settled = true;
    if (recognition !== 'foreign') return null;
    this.#foreign += 1;
    this.#endpoints.add(exchange.endpoint ?? exchange.request.path);
    if (this.#foreign < FOREIGN_ANSWERS || this.#endpoints.size < ENDPOINTS) return null;
    this.#settled = true;
    return new NotThisService(this.#baseUrl, this.#foreign, describeForeign(view));
  }
}
