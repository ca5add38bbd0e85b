import type { Exchange } from '../spec/exchange.ts';
import { NotThisService } from '../http/errors.ts';
import type { Facts } from '../judge/facts.ts';
import { describeForeign, recognize } from '../judge/origin/recognition.ts';
import { viewOf } from '../judge/view.ts';

/** Foreign answers after which a target that never showed a resource is taken for something else. */
const FOREIGN_ANSWERS = 4;
/** So many of them have to be answers to valid keys; only after these others count as well. */
const FROM_VALID_KEYS = 3;
/** Endpoints that they must come from: one that is defective says nothing about the whole. */
const ENDPOINTS = 3;
/** Areas of the service that those belong to: a whole area may be missing, or stand behind a defective server of its own. */
const AREAS = 2;

/**
 * Watches the first answers for a sign that the service is there at all (ruling 23): only a valid key gets one. Once there
 * was one, it never speaks again: what is wrong with the service is for the requirements to say.
 */
export class ServiceWatch {
  readonly #baseUrl: string;
  readonly #endpoints = new Set<string>();
  readonly #areas = new Set<string>();
  #foreign = 0;
  #ofValidKeys = 0;
  #settled = false;
  #isThere = false;

  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl;
  }

  /** True once an answer was one of the service. */
  get isThere(): boolean {
    return this.#isThere;
  }

  /** The reason to end the run; null when there is none. */
  observe(exchange: Exchange, facts: Facts): NotThisService | null {
    if (this.#settled || exchange.request.method !== 'GET') return null;
    const view = viewOf(exchange, facts);
    if (view === undefined) return null;
    const recognition = recognize(view);
    if (recognition === 'service' && exchange.role === 'valid') {
      this.#settled = true;
      this.#isThere = true;
    }
    if (recognition !== 'foreign') return null;
    // What stands before a service may answer bad keys in a way of its own; good keys get through.
    if (exchange.role === 'valid') this.#ofValidKeys += 1;
    else if (this.#ofValidKeys < FROM_VALID_KEYS) return null;
    this.#foreign += 1;
    const place = exchange.endpoint ?? exchange.request.path;
    this.#endpoints.add(place);
    this.#areas.add(place.split('/')[1] ?? '');
    if (this.#foreign < FOREIGN_ANSWERS) return null;
    if (this.#endpoints.size < ENDPOINTS || this.#areas.size < AREAS) return null;
    this.#settled = true;
    return new NotThisService(this.#baseUrl, this.#foreign, describeForeign(view));
  }
}
