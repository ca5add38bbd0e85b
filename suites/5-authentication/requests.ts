// Requests with invalid and restricted keys (§5).
import {
  ENDPOINT_PATHS,
  endpoint,
  type EndpointPath,
  identifierOf,
} from '../../src/spec/endpoints.ts';
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
  ifUntested,
} from '../../src/ask/index.ts';
import {
  allowed,
  allOrSome,
  mayAsk,
  mustBeAllowed,
  notAsked,
} from '../families/restricted-key-requests.ts';
import { LEFT_TO_OTHERS } from '../../src/ask/properties.ts';
import {
  belowUnknown,
  IDENTIFIED,
  INFO,
  malformed,
  OF_CURRENCY,
  unknownResource,
} from '../7-errors/unknown-id-requests.ts';

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

// The restricted key where it has access. A run spreads these requests, so that none waits for the key's window.

/** How many endpoints to try. */
const MAX_ENDPOINTS = 3;

/**
 * The first endpoints open to the restricted key.
 * @throws Untested if there are none
 */
export const elsewhere: Ask = async (context) => {
  const paths = allowed(context);
  if (paths.length === 0) throw new Untested('keys.restricted.forbidden names every endpoint');
  const answers: Answer[] = [];
  for (const path of paths.slice(0, MAX_ENDPOINTS)) {
    const [answer] = await withKey(path, { role: 'restricted' }, context);
    if (answer !== undefined) answers.push(answer);
  }
  return answers;
};

type AskOf = (path: EndpointPath, context: CheckContext) => Promise<Answer | readonly Answer[]>;

/** Asks only if the restricted key has access and a valid key succeeds. Throws like `mustBeAllowed`. */
const whereAllowed =
  (ask: AskOf): AskOf =>
  async (path, context) => {
    await mustBeAllowed(context, path);
    return ask(path, context);
  };

/** Lists without identifiers, whose parameters are unspecified. */
export const LISTS = ENDPOINT_PATHS.filter(
  (path) => endpoint(path).section === '4.7' && Object.keys(endpoint(path).path).length === 0,
);

/** The plain request of an endpoint. */
export const plainly = whereAllowed((path, { api }) => plain(api, path, { role: 'restricted' }));

/** Endpoints of which valid keys request one or two records. */
export const ONE_RECORD: readonly EndpointPath[] = [
  '/currencies/{currency_id}',
  '/currencies/{currency_id}/market-snapshot',
  '/currencies/{currency_id}/token-economics',
  '/currencies/{currency_id}/klines',
  '/crypto-stocks/{stock_ticker}/market-snapshot',
  '/macro/events/{event}/history',
];

/** The same for endpoints whose other records are requested only in full. */
export const ONE_IN_FULL = [...OF_CURRENCY, ...IDENTIFIED].filter(
  (path) => !ONE_RECORD.includes(path) && path !== '/analyses/{chart_name}',
);

/**
 * Records not yet requested with a valid key, with the restricted key.
 * @throws Untested if there are none left
 */
export const others = (wanted: (known: number) => number): AskOf =>
  whereAllowed(async (path, context) => {
    const answers: Answer[] = [];
    for (const id of await notAsked(context, path, wanted)) {
      answers.push(await recordOf(path, id, 'restricted', context));
    }
    if (answers.length === 0)
      throw new Untested(`the run has already requested every known identifier for ${path}`);
    return answers;
  });

const recordOf = (
  path: EndpointPath,
  id: string,
  role: KeyRole,
  { api }: CheckContext,
): Promise<Answer> =>
  plain(api, path, { role, path: { [identifierOf(path).name]: id }, anyAnswer: true });

/** Most records to request with valid keys where the restricted key has no access. */
const MOST_BY_VALID_KEY = 16;
/** Requests to leave for later checks, such as a burst that fills a window and the last lists with a valid key. */
const LEFT = LEFT_TO_OTHERS + 12;

/**
 * The same with valid keys where the restricted key has no access: one record of each endpoint in turn, as far as the
 * budget allows.
 * @throws Untested if there are none, or no requests are left
 */
export const othersElsewhere: Ask = async (context) => {
  const left = context.session.http.budgetLeft('valid') - LEFT;
  const most = Math.max(0, Math.min(left, MOST_BY_VALID_KEY));
  const turns: { at: number; path: EndpointPath; id: string }[] = [];
  for (const path of most > 0 ? [...ONE_RECORD, ...ONE_IN_FULL] : []) {
    if (mayAsk(context, path)) continue;
    const ids = await notAsked(context, path, allOrSome).catch(ifUntested(() => []));
    turns.push(...ids.map((id, at) => ({ at, path, id })));
  }
  const requests = turns.toSorted((a, b) => a.at - b.at).slice(0, most);
  if (requests.length === 0)
    throw new Untested('the restricted key may call every endpoint, or no requests are left');
  return someOf(
    requests.map(
      ({ path, id }) =>
        () =>
          recordOf(path, id, 'valid', context),
    ),
  );
};

/** A currency that does not exist. */
export const unknownCurrencyOf = whereAllowed((path, context) =>
  belowUnknown(context, path, 'restricted'),
);

/** Endpoints below a currency. Valid keys request the info itself with a malformed id. */
export const BELOW_CURRENCY = OF_CURRENCY.filter((path) => path !== INFO);

/** A malformed currency_id. */
export const malformedCurrencyOf = whereAllowed((path, context) =>
  malformed(context, path, 'restricted'),
);

/** An identifier of another kind that does not exist. */
export const unknownOf = whereAllowed((path, context) =>
  unknownResource(context, path, 'restricted'),
);
