// §1 and §4 in general: JSON over HTTP, bare bodies, no server errors.
import { ENDPOINT_PATHS, endpoint, type EndpointPath } from '../src/contract/endpoints.ts';
import { plain, requirement, SMOKE_ENDPOINTS, Untested } from '../src/suite/index.ts';

const STATED = ENDPOINT_PATHS.filter((path) => endpoint(path).response.kind !== 'unstated');

/** Runs the checks of the smoke endpoints in the profile `smoke`, the others from `standard` on. */
function profiles(
  paths: readonly EndpointPath[],
): readonly (readonly [readonly EndpointPath[], 'smoke' | 'standard'])[] {
  return [
    [paths.filter((path) => SMOKE_ENDPOINTS.includes(path)), 'smoke'],
    [paths.filter((path) => !SMOKE_ENDPOINTS.includes(path)), 'standard'],
  ];
}

for (const [paths, profile] of profiles(ENDPOINT_PATHS)) {
  requirement.for('4/json-body', paths, { profile })('%s', async (path, { api, expect }) => {
    expect(await plain(api, path)).toConform();
  });

  requirement.for('4/content-type', paths, { profile })('%s', async (path, { api, expect }) => {
    expect(await plain(api, path)).toConform();
  });

  requirement.for('4/no-5xx', paths, { profile })('%s', async (path, { api, expect }) => {
    expect(await plain(api, path, { anyAnswer: true })).toConform();
  });
}

for (const [paths, profile] of profiles(STATED)) {
  requirement.for('4/bare-body', paths, { profile })(
    '%s',
    async (path, { api, expect, session }) => {
      const { envelope } = session.target;
      if (envelope !== null) {
        throw new Untested(
          `the target file names the envelope "${envelope}"; its inside is judged`,
        );
      }
      expect(await plain(api, path)).toConform();
    },
  );
}

// Methods that a read-only service is safe from: nothing is deleted or replaced.
requirement.for('4/other-methods', ['HEAD', 'OPTIONS', 'POST'], { profile: 'full' })(
  '%s',
  async (method, { api, observe }) => {
    observe(await api.send(method, '/currencies'));
  },
);
