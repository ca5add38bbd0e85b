// §5 Authentication: every endpoint needs the key, and every kind of bad key has its own refusal.
import { ENDPOINT_PATHS, endpoint, type EndpointPath } from '../src/contract/endpoints.ts';
import type { KeyRole } from '../src/contract/exchange.ts';
import { NEAR_KEYS, WORD_KEYS } from '../src/contract/near-keys.ts';
import {
  plain,
  PLAIN_QUERY,
  requirement,
  Untested,
  type Answer,
  type Api,
  type CheckContext,
} from '../src/suite/index.ts';
import { allowed, mustBeAllowed } from '../src/ask/requests/restricted-key.ts';
import { unknownResource } from '../src/ask/requests/unknown-resource.ts';

/** Endpoints with an identifier that is none of a currency. */
const OTHERS = ENDPOINT_PATHS.filter((path) => {
  const [name] = Object.keys(endpoint(path).path);
  return name !== undefined && name !== 'currency_id';
});

/**
 * The answer of an endpoint to a bad key, and what the same request gets with a valid one: nothing else is then wrong
 * with it. Requests without a good key cost the valid keys nothing, so that every endpoint is asked with every kind.
 */
async function withKey(api: Api, path: EndpointPath, role: KeyRole): Promise<readonly Answer[]> {
  const good = await plain(api, path);
  return [await plain(api, path, { role }), good];
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

/** Second pages, which may be put together elsewhere than first ones. */
const SECOND_PAGES = [
  ['/currencies/{currency_id}/pairs', { page: 2 }],
  ['/news', { page: 2 }],
  ['/news/featured', { page: 2, page_size: 20 }],
] as const;
const BAD_KEYS = [
  ['5/key-required', 'none', 'unauthenticated', 'without a key'],
  ['5/unknown-key', 'unknown', 'invalidKey', 'with an unknown key'],
  ['5/disabled-key', 'disabled', 'invalidKey', 'with a disabled key'],
  ['5/expired-key', 'expired', 'expiredKey', 'with an expired key'],
] as const;
for (const [id, role, error, how] of BAD_KEYS) {
  for (const [path, query] of SECOND_PAGES) {
    requirement(id, `refuses page 2 of ${path} ${how}`, async ({ api, expect }) => {
      const good = await plain(api, path);
      expect([await api.get(path, query, { role }), good]).toBeRefused(error);
    });
  }
}

/**
 * Keys that are nearly the first valid one: a service that looks at a part of the key lets them in. And words that stand
 * for no key.
 */
const LIKE_KEYS = [...NEAR_KEYS, ...WORD_KEYS.map((word) => `the word ${word} for a key`)];
for (const [index, form] of LIKE_KEYS.entries()) {
  requirement.for('5/unknown-key', ['/currencies', '/news'] as const)(
    `refuses %s with ${form}`,
    async (path, { api, expect }) => {
      const good = await plain(api, path);
      const bad = await plain(api, path, { role: 'unknown', keyIndex: index + 1 });
      expect([bad, good]).toBeRefused('invalidKey');
    },
  );
}

requirement.for('5/disabled-key', ENDPOINT_PATHS)(
  'refuses %s with a disabled key',
  async (path, { api, expect }) => {
    expect(await withKey(api, path, 'disabled')).toBeRefused('invalidKey');
  },
);

requirement.for('5/expired-key', ENDPOINT_PATHS)(
  'refuses %s with an expired key',
  async (path, { api, expect }) => {
    expect(await withKey(api, path, 'expired')).toBeRefused('expiredKey');
  },
);

/** How many endpoints are asked in vain with the restricted key: it has a window of its own to stay within. */
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
    answers.push(...(await withKey(api, path, 'restricted')));
  }
  // Access is looked up by path: another query must not lead around it.
  const paged = paths.find((path) => 'page' in endpoint(path).query);
  if (paged !== undefined) {
    const query = { ...PLAIN_QUERY[paged], page: 2 };
    answers.push(await api.get(paged, query, { role: 'restricted' }));
  }
  expect(answers).toConform();
});

requirement('5/restricted-elsewhere', async (context) => {
  const { api, expect } = context;
  const paths = allowed(context);
  if (paths.length === 0) throw new Untested('keys.restricted.forbidden names every endpoint');
  const answers: Answer[] = [];
  for (const path of paths.slice(0, 3)) {
    const [answer] = await withKey(api, path, 'restricted');
    if (answer !== undefined) answers.push(answer);
  }
  expect(answers).toConform();
});

requirement.for('5/restricted-elsewhere', OTHERS)(
  'asks for what %s does not have',
  async (path, context) => {
    await mustBeAllowed(context, path);
    context.expect(await unknownResource(context, path, 'restricted')).toConform();
  },
);

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

async function refusal(api: Api, role: KeyRole): Promise<Answer> {
  await plain(api, '/currencies');
  return plain(api, '/currencies', { role });
}

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
    expect(
      await plain(api, '/currencies', { headerCase, control: { role: 'valid' }, anyAnswer: true }),
    ).toConform();
  },
);
