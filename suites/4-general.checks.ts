// §1 and §4 in general: JSON over HTTP, bare bodies, no server errors.
import { ENDPOINT_PATHS, endpoint, type EndpointPath } from '../src/contract/endpoints.ts';
import { plain, requirement, SMOKE_ENDPOINTS, Untested, type Answer } from '../src/suite/index.ts';
import { mustBeAllowed, notAsked } from '../src/ask/requests/restricted-key.ts';

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

/** Lists that no identifier narrows; what their parameters are is not stated. */
const LISTS = ENDPOINT_PATHS.filter(
  (path) => endpoint(path).section === '4.7' && Object.keys(endpoint(path).path).length === 0,
);

// Here and not with §5: the requests of the restricted key are spread over the run, so that nothing waits for its window.
requirement.for('5/restricted-elsewhere', LISTS)('asks %s', async (path, context) => {
  await mustBeAllowed(context, path);
  context.expect(await plain(context.api, path, { role: 'restricted' })).toConform();
});

/** Endpoints of which a run asks for one or two records with a valid key. */
const ONE_RECORD: readonly EndpointPath[] = [
  '/currencies/{currency_id}',
  '/currencies/{currency_id}/market-snapshot',
  '/currencies/{currency_id}/token-economics',
  '/currencies/{currency_id}/klines',
  '/crypto-stocks/{stock_ticker}/market-snapshot',
  '/macro/events/{event}/history',
];
for (const [most, profile] of [
  [2, 'standard'],
  [10, 'full'],
] as const) {
  requirement.for('5/restricted-elsewhere', ONE_RECORD, { profile })(
    `asks %s for ${most} other ones`,
    async (path, context) => {
      await mustBeAllowed(context, path);
      const [name = ''] = Object.keys(endpoint(path).path);
      const answers: Answer[] = [];
      for (const id of await notAsked(context, path, most)) {
        answers.push(
          await plain(context.api, path, {
            role: 'restricted',
            path: { [name]: id },
            anyAnswer: true,
          }),
        );
      }
      if (answers.length === 0)
        throw new Untested(`the run asked for all that is known of ${path}`);
      context.expect(answers).toConform();
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
