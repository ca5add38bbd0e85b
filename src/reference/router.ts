import FindMyWay from 'find-my-way';
import { ENDPOINT_PATHS } from '../spec/endpoints.ts';
import type { EndpointPath } from '../spec/endpoints.ts';

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

/** One for all servers: the paths are always the same, and to make it takes longer than some servers are asked for. */
let router: ReturnType<typeof createRouter> | undefined;

function createRouter(): ReturnType<typeof FindMyWay> {
  const made = FindMyWay({ maxParamLength: LONGEST_PARAMETER, querystringParser: () => ({}) });
  for (const endpoint of ENDPOINT_PATHS) {
    made.on('GET', endpoint.replaceAll(/\{(\w+)\}/g, ':$1'), noHandler, endpoint);
  }
  return made;
}

/**
 * Where a path (relative to the base path, may carry a query) leads. Uses the router of Fastify alone: the
 * whole server answers 31 fixed GETs from memory, so the rest of a framework would only stand between a request
 * and the answer, and `handle` must work without a socket.
 */
export function findRoute(path: string): Route | undefined {
  router ??= createRouter();
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
}
