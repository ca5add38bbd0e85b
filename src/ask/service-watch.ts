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
export function serviceWatch(baseUrl: string) {
  const endpoints = new Set<string>();
  const areas = new Set<string>();
  let foreign = 0;
  let ofValidKeys = 0;
  let settled = false;
  let isThere = false;
  return {
    /** True once an answer came from the service. */
    isThere: (): boolean => isThere,

    /** The reason to end the run, or null. */
    observe(exchange: Exchange, facts: Facts): SessionError | null {
      if (settled || exchange.request.method !== 'GET') return null;
      const view = viewOf(exchange, facts);
      if (view === undefined) return null;
      const recognition = recognize(view);
      if (recognition === 'service' && exchange.role === 'valid') {
        settled = true;
        isThere = true;
      }
      if (recognition !== 'foreign') return null;
      // A gateway may answer bad keys in its own way; good keys get through.
      if (exchange.role === 'valid') ofValidKeys += 1;
      else if (ofValidKeys < FROM_VALID_KEYS) return null;
      foreign += 1;
      const endpoint = exchange.endpoint ?? exchange.request.path;
      endpoints.add(endpoint);
      areas.add(endpoint.split('/')[1] ?? '');
      if (foreign < FOREIGN_ANSWERS || endpoints.size < ENDPOINTS || areas.size < AREAS)
        return null;
      settled = true;
      return new SessionError(
        'ASSAY_NOT_THIS_SERVICE',
        `${baseUrl} is not the service under test: none of the ${ofValidKeys} responses to requests with valid keys contains a resource of the service. Received ${describeForeign(view)}.`,
        'Check the base URL: the host and the base path, such as /v1.',
      );
    },
  };
}
