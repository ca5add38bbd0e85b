import type { EndpointPath } from '../../src/spec/endpoints.ts';
import { each, plain, type Ask, type Check, type CheckContext } from '../../src/ask/index.ts';

/** One check per endpoint. */
export const everywhere = (
  paths: readonly EndpointPath[],
  ask: (path: EndpointPath, context: CheckContext) => ReturnType<Ask>,
): readonly Check[] => paths.flatMap((path) => each([path], '%s', ask));

/** One plain request per endpoint. */
export const plainOf = (paths: readonly EndpointPath[]): readonly Check[] =>
  each(paths, '%s', (path, { api }) => plain(api, path));
