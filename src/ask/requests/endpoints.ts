// Checks that look at one endpoint after the other.
import type { EndpointPath } from '../../contract/endpoints.ts';
import { each, plain, SMOKE_ENDPOINTS, type Ask, type Check, type CheckContext } from '../index.ts';

/** The smallest profile that sends the plain requests of all these endpoints anyway. */
export const profileOf = (paths: readonly EndpointPath[]): Required<Pick<Check, 'profile'>> => ({
  profile: paths.every((path) => SMOKE_ENDPOINTS.includes(path)) ? 'smoke' : 'standard',
});

/** One check an endpoint, in the smallest profile that sends its plain request anyway. */
export const everywhere = (
  paths: readonly EndpointPath[],
  ask: (path: EndpointPath, context: CheckContext) => ReturnType<Ask>,
): readonly Check[] => paths.flatMap((path) => each([path], '%s', ask, profileOf([path])));

/** The plain answers, one check an endpoint. */
export const plainOf = (paths: readonly EndpointPath[]): readonly Check[] =>
  each(paths, '%s', (path, { api }) => plain(api, path));
