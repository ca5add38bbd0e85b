// §5 Authentication: every endpoint needs the key, and every kind of bad key has its own refusal.
import { ENDPOINT_PATHS, endpoint, type EndpointPath } from '../src/contract/endpoints.ts';
import type { KeyRole } from '../src/contract/exchange.ts';
import { isInvalidRequestStatus } from '../src/rules/expectation.ts';
import {
  Inconclusive,
  plain,
  requirement,
  Untested,
  type Answer,
  type Api,
  type CheckContext,
} from '../src/suite/index.ts';

const control = { role: 'valid' } as const;

/**
 * The answer of an endpoint to a bad key. With a valid key the same request must succeed; where the parameters are not
 * stated (§4.7), a complaint about them also shows that the key was let in.
 */
async function withKey(api: Api, path: EndpointPath, role: KeyRole): Promise<Answer> {
  if (endpoint(path).response.kind !== 'unstated') return plain(api, path, { role, control });
  const { status } = await plain(api, path);
  if (status >= 400 && !isInvalidRequestStatus(status)) {
    throw new Inconclusive(
      `GET ${path} answers ${status} to a valid key, so a refusal proves nothing`,
    );
  }
  return plain(api, path, { role });
}

requirement.for('5/key-required', ENDPOINT_PATHS)(
  'refuses %s without a key',
  async (path, { api, expect }) => {
    expect(await withKey(api, path, 'none')).toBeRefused('unauthenticated');
  },
);

requirement.for('5/unknown-key', ENDPOINT_PATHS)(
  'refuses %s with an unknown key',
  async (path, { api, expect }) => {
    expect(await withKey(api, path, 'unknown')).toBeRefused('invalidKey');
  },
);

/** One endpoint an area: a bad key that is on record is looked up in the same place for all of them. */
const SAMPLE: readonly EndpointPath[] = [
  '/currencies',
  '/news',
  '/etfs/summary-history',
  '/crypto-stocks',
];

requirement.for('5/disabled-key', SAMPLE)(
  'refuses %s with a disabled key',
  async (path, { api, expect }) => {
    expect(await withKey(api, path, 'disabled')).toBeRefused('invalidKey');
  },
);

requirement.for('5/expired-key', SAMPLE)(
  'refuses %s with an expired key',
  async (path, { api, expect }) => {
    expect(await withKey(api, path, 'expired')).toBeRefused('expiredKey');
  },
);

/** Endpoints that the restricted key may call, those without path parameters first. */
function allowed({ session }: CheckContext): EndpointPath[] {
  const forbidden = new Set<string>(session.target.keys.restricted?.forbidden);
  return ENDPOINT_PATHS.filter((path) => !forbidden.has(path)).toSorted(
    (a, b) => Object.keys(endpoint(a).path).length - Object.keys(endpoint(b).path).length,
  );
}

/** How many endpoints are asked with the restricted key: it has a window of its own to stay within. */
const MOST_RESTRICTED = 6;

requirement('5/forbidden', async (context) => {
  const { api, expect, session } = context;
  const forbidden = new Set<string>(session.target.keys.restricted?.forbidden);
  const paths = ENDPOINT_PATHS.filter((path) => forbidden.has(path));
  if (paths.length === 0) throw new Untested('name endpoints of §4 in keys.restricted.forbidden');
  // A key that works somewhere is no bad key: a refusal elsewhere is then about access.
  const [open] = allowed(context);
  if (open !== undefined) await plain(api, open, { role: 'restricted', anyAnswer: true });
  const answers: Answer[] = [];
  for (const path of paths.slice(0, MOST_RESTRICTED)) {
    answers.push(await withKey(api, path, 'restricted'));
  }
  expect(answers).toConform();
});

requirement('5/restricted-elsewhere', async (context) => {
  const { api, expect } = context;
  const paths = allowed(context);
  if (paths.length === 0) throw new Untested('keys.restricted.forbidden names every endpoint');
  const answers: Answer[] = [];
  for (const path of paths.slice(0, 3)) {
    answers.push(await withKey(api, path, 'restricted'));
  }
  expect(answers).toConform();
});

/** Refusals of all bad keys that the target offers. */
async function refusals({ api, session }: CheckContext): Promise<Answer[]> {
  const { disabled, expired } = session.target.keys;
  const roles: readonly KeyRole[] = [
    'none',
    'unknown',
    ...(disabled === undefined ? [] : (['disabled'] as const)),
    ...(expired === undefined ? [] : (['expired'] as const)),
  ];
  const answers: Answer[] = [];
  for (const role of roles) answers.push(await refusal(api, role));
  return answers;
}

const refusal = (api: Api, role: KeyRole): Promise<Answer> => withKey(api, '/currencies', role);

requirement('5/details-header', async (context) => {
  context.expect(await refusals(context)).toConform();
});

requirement('5/details-solution', async (context) => {
  context.expect(await refusals(context)).toConform();
});

requirement('5/missing-key-code', async ({ api, observe }) => {
  observe(await refusal(api, 'none'));
});

requirement.for('5/header-case', ['lower', 'mixed'] as const, { profile: 'full' })(
  'finds the key in a header name in %s case',
  async (headerCase, { api, expect }) => {
    expect(await plain(api, '/currencies', { headerCase, control, anyAnswer: true })).toConform();
  },
);
