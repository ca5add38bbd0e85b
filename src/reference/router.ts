import FindMyWay from 'find-my-way';
import { ENDPOINT_PATHS } from '../spec/endpoints.ts';
import type { EndpointPath } from '../spec/endpoints.ts';

export interface Route {
  readonly endpoint: EndpointPath;
  /** Path parameters, decoded. */
  readonly path: Readonly<Record<string, string>>;
}

/** Maximum length of path parameters: long ones must reach validation. */
const LONGEST_PARAMETER = 8192;

/** Required by the router, but never called. */
const noHandler = (): void => undefined;

/** Shared by all servers, because creating it is slow. */
let router: ReturnType<typeof createRouter> | undefined;

function createRouter(): ReturnType<typeof FindMyWay> {
  const made = FindMyWay({ maxParamLength: LONGEST_PARAMETER, querystringParser: () => ({}) });
  for (const endpoint of ENDPOINT_PATHS) {
    made.on('GET', endpoint.replaceAll(/\{(\w+)\}/g, ':$1'), noHandler, endpoint);
  }
  return made;
}

/**
 * Finds the endpoint of a path (relative to the base path, optionally with a query). Uses only the router of Fastify: the
 * server answers 31 fixed GETs from memory, and `handle` must work without a socket.
 */
export function findRoute(path: string): Route | undefined {
  router ??= createRouter();
  const found = router.find('GET', path);
  if (found === null) return undefined;
  const parameters: Record<string, string> = {};
  for (const [name, value] of Object.entries(found.params)) {
    // The router matches `/currencies/` with an empty identifier, which is another path.
    if (value === undefined || value === '') return undefined;
    parameters[name] = value;
  }
  const endpoint: EndpointPath = found.store;
  return { endpoint, path: parameters };
}
