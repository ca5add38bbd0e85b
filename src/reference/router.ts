import FindMyWay from 'find-my-way';
import { ENDPOINT_PATHS } from '../contract/endpoints.ts';
import type { EndpointPath } from '../contract/endpoints.ts';

/** Where a path leads. */
export interface Route {
  readonly endpoint: EndpointPath;
  /** Path parameters, decoded. */
  readonly path: Readonly<Record<string, string>>;
}

/** Longest path parameter that is still looked at. Long ones must reach validation, not miss the route. */
const LONGEST_PARAMETER = 8192;

/** Routes are looked up, never run, but the router wants a handler. */
const noHandler = (): void => undefined;

/**
 * A lookup from path (relative to the base path, may carry a query) to endpoint. Uses the router of Fastify alone: the
 * whole server answers 31 fixed GETs from memory, so the rest of a framework would only stand between a request
 * and the answer, and `handle` must work without a socket.
 */
export function createRouter(): (path: string) => Route | undefined {
  const router = FindMyWay({ maxParamLength: LONGEST_PARAMETER, querystringParser: () => ({}) });
  for (const endpoint of ENDPOINT_PATHS) {
    router.on('GET', endpoint.replaceAll(/\{(\w+)\}/g, ':$1'), noHandler, endpoint);
  }
  return (path) => {
    const found = router.find('GET', path);
    if (found === null) return undefined;
    const parameters: Record<string, string> = {};
    for (const [name, value] of Object.entries(found.params)) {
      // The router lets `/currencies/` match with an empty identifier; that is another path.
      if (value === undefined || value === '') return undefined;
      parameters[name] = value;
    }
    const endpoint: EndpointPath = found.store;
    return { endpoint, path: parameters };
  };
}
