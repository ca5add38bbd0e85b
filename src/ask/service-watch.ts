import type { Exchange } from '../spec/exchange.ts';
import { SessionError } from '../http/errors.ts';
import type { Facts } from '../judge/facts.ts';
import { describeForeign, recognize } from '../judge/origin/recognition.ts';
import { viewOf } from '../judge/view.ts';

/** Foreign answers after which a target without any resource is considered something else. */
const FOREIGN_ANSWERS = 4;
/** Minimum of them with valid keys; only after these others count, too. */
const FROM_VALID_KEYS = 3;
/** Minimum number of endpoints, because a single one may be defective. */
const ENDPOINTS = 3;
/** Minimum number of areas of the service, because a whole area may be missing or served by a defective server. */
const AREAS = 2;

/**
 * Checks from the first answers whether the target is the service at all (ruling 23). One resource for a valid key is
 * enough; after that, it never reports anything.
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

  /** True once an answer came from the service. */
  get isThere(): boolean {
    return this.#isThere;
  }

  /** The reason to end the run, or null. */
  observe(exchange: Exchange, facts: Facts): SessionError | null {
    if (this.#settled || exchange.request.method !== 'GET') return null;
    const view = viewOf(exchange, facts);
    if (view === undefined) return null;
    const recognition = recognize(view);
    if (recognition === 'service' && exchange.role === 'valid') {
      this.#settled = true;
      this.#isThere = true;
    }
    if (recognition !== 'foreign') return null;
    // A gateway may answer bad keys in its own way; good keys get through.
    if (exchange.role === 'valid') this.#ofValidKeys += 1;
    else if (this.#ofValidKeys < FROM_VALID_KEYS) return null;
    this.#foreign += 1;
    const endpoint = exchange.endpoint ?? exchange.request.path;
    this.#endpoints.add(endpoint);
    this.#areas.add(endpoint.split('/')[1] ?? '');
    if (this.#foreign < FOREIGN_ANSWERS) return null;
    if (this.#endpoints.size < ENDPOINTS || this.#areas.size < AREAS) return null;
    this.#settled = true;
    return new SessionError(
      'ASSAY_NOT_THIS_SERVICE',
      `${this.#baseUrl} is not the service under test: none of the ${this.#ofValidKeys} responses to requests with valid keys contains a resource of the service. Received ${describeForeign(view)}.`,
      'Check the base URL: the host and the base path, such as /v1.',
    );
  }
}
