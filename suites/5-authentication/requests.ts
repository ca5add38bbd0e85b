// Requests with invalid and restricted keys (§5).
import { ENDPOINT_PATHS, endpoint, type EndpointPath } from '../../src/spec/endpoints.ts';
import type { KeyRole } from '../../src/spec/exchange.ts';
import {
  plain,
  PLAIN_QUERY,
  someOf,
  Untested,
  type Answer,
  type Ask,
  type CheckContext,
  type GetOptions,
  type Query,
} from '../../src/ask/index.ts';
import { allowed } from '../families/restricted-key-requests.ts';

/** Second pages may be served by other code than first ones. */
export const SECOND_PAGES: readonly (readonly [EndpointPath, Query])[] = [
  ['/currencies/{currency_id}/pairs', { page: 2 }],
  ['/news', { page: 2 }],
  ['/news/featured', { page: 2, page_size: 20 }],
];

/**
 * The answer to a bad key. If it is not a 401, adds the plain answer with a valid key to show that nothing else is
 * wrong. Requests with bad keys cost the valid keys nothing, so every endpoint is tested with every kind.
 */
export async function withKey(
  path: EndpointPath,
  key: Pick<GetOptions, 'role' | 'keyIndex' | 'emptyKey'>,
  { api }: CheckContext,
  query = PLAIN_QUERY[path],
): Promise<readonly Answer[]> {
  const refused = await api.get(path, query, key);
  return refused.status === UNAUTHENTICATED ? [refused] : [refused, await plain(api, path)];
}

const UNAUTHENTICATED = 401;

/**
 * Endpoints closed to the restricted key.
 * @throws Untested if the target file lists none
 */
function closed({ session }: CheckContext): readonly EndpointPath[] {
  const named = new Set<string>(session.target.keys.restricted?.forbidden);
  const paths = ENDPOINT_PATHS.filter((path) => named.has(path));
  if (paths.length === 0) throw new Untested('name endpoints of §4 in keys.restricted.forbidden');
  return paths;
}

/** All endpoints closed to the restricted key: a gap at one of them lets it in. Throws like `closed`. */
export const forbidden: Ask = async (context) => {
  const { api } = context;
  const paths = closed(context);
  // A key that works somewhere is valid, so refusals elsewhere are about access.
  const [open] = allowed(context);
  if (open !== undefined) await plain(api, open, { role: 'restricted', anyAnswer: true });
  const answers: Answer[] = [];
  for (const path of paths) {
    answers.push(...(await withKey(path, { role: 'restricted' }, context)));
  }
  // Access depends on the path: a query must not bypass it.
  const paged = paths.find((path) => 'page' in endpoint(path).query);
  if (paged !== undefined) {
    const query = { ...PLAIN_QUERY[paged], page: 2 };
    answers.push(await api.get(paged, query, { role: 'restricted' }));
  }
  return answers;
};

/** Values of the optional parameters that every service accepts: the last one listed, or the maximum. */
function optional(path: EndpointPath): Query {
  const facts = Object.entries(endpoint(path).query).filter(([, { required }]) => !required);
  return Object.fromEntries(facts.map(([name, one]) => [name, one.enum?.at(-1) ?? one.maximum]));
}

/**
 * The same endpoints with their optional parameters.
 * @throws Untested if none has any
 */
export const forbiddenWithParameters: Ask = async (context) => {
  const queries = closed(context).flatMap((path): [EndpointPath, Query][] => {
    const query = optional(path);
    const some = Object.values(query).some((value) => value !== undefined);
    return some ? [[path, { ...PLAIN_QUERY[path], ...query }]] : [];
  });
  if (queries.length === 0) throw new Untested('no forbidden endpoint has optional parameters');
  return someOf(
    queries.map(
      ([path, query]) =>
        () =>
          withKey(path, { role: 'restricted' }, context, query),
    ),
  );
};

/** The refusal of a bad key by one endpoint. */
export async function keyRefusal(role: KeyRole, { api }: CheckContext): Promise<Answer> {
  await plain(api, '/currencies');
  return plain(api, '/currencies', { role });
}

/** Refusals of all bad keys that the target file has. */
export const keyRefusals: Ask = async (context) => {
  const { keys } = context.session.target;
  const answers = [await keyRefusal('none', context), await keyRefusal('unknown', context)];
  for (const role of ['disabled', 'expired'] as const) {
    if (keys[role] !== undefined) answers.push(await keyRefusal(role, context));
  }
  return answers;
};

/** A valid key in a header spelled in another letter case. */
export const inHeaderCase = (
  headerCase: 'lower' | 'mixed',
  { api }: CheckContext,
): Promise<Answer> =>
  plain(api, '/currencies', { headerCase, control: { role: 'valid' }, anyAnswer: true });
