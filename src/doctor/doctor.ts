import type { Exchange } from '../spec/exchange.ts';
import { requiredQuery, type EndpointPath } from '../spec/endpoints.ts';
import { findIds } from '../target/find-ids.ts';
import type { ProxyChoice } from '../target/proxy.ts';
import { issuedKeys, type Target } from '../target/target.ts';
import {
  ask,
  hurried,
  isSuccess,
  jsonBody,
  LIST,
  looksLost,
  describe,
  STATED,
  WHOLE_MS,
  errorBodyOf,
} from './ask.ts';
import { findBaseUrl, MOST_CONFIRMATIONS, MOST_GUESSES } from './base-path.ts';
import { fail, ok, skip, warn, type Check } from './check.ts';
import { envelopeCheck, headersCheck, skewCheck } from './observe.ts';
import { nameCheck, proxyCheck, reachableCheck, secureCheck } from './tls.ts';
import { errorNamed, ERRORS, type ErrorName } from '../spec/error-codes.ts';

interface DoctorOptions {
  readonly target: Target;
  readonly proxy: ProxyChoice;
  readonly spendNearQuota: boolean;
}

const AT_ONCE = 4;

/** Maximum number of requests of a diagnosis, announced before the first one. */
export function doctorRequests(
  { keys }: Target,
  spendNearQuota: boolean,
): Readonly<Record<string, number>> {
  const { valid, nearQuota, ...others } = keys;
  return {
    'no key': 1,
    'the first valid key': valid.length === 0 ? 0 : 3,
    'other valid keys': Math.max(0, valid.length - 1),
    'keys with other roles':
      issuedKeys(others).length + Number(nearQuota !== undefined && spendNearQuota),
  };
}

/** Additional requests, sent only when no endpoint is found below the base URL. */
export const IF_BASE_PATH_IS_WRONG = {
  'no key': MOST_GUESSES,
  'the first valid key': MOST_CONFIRMATIONS,
};

/**
 * Checks everything about a target that a run depends on: DNS, connection, TLS, clock, base path, every key, headers,
 * envelope, fixtures. Sends at most {@link doctorRequests}, with a timeout of five seconds, and stops when the target
 * does not respond.
 */
export async function* diagnose(options: DoctorOptions): AsyncGenerator<Check> {
  const target = hurried(options.target);
  const signal = AbortSignal.timeout(WHOLE_MS);
  yield proxyCheck(options.proxy);
  const base = new URL(target.baseUrl);
  if (target.http.proxy === null) {
    const name = await nameCheck(base);
    yield name;
    if (name.status === 'fail') return;
  }
  if (base.protocol === 'https:') {
    const secure = await secureCheck(base, target);
    yield secure;
    if (secure.status === 'fail') return;
  }
  const keyless = await ask(target, LIST, { role: 'none', signal });
  yield reachableCheck(keyless, target);
  if (keyless.response === null) return;
  yield skewCheck(keyless);
  if (target.keys.valid.length === 0) {
    yield fail('key valid', 'no key', 'Set ASSAY_API_KEY, or keys.valid in the target file.', 2);
    return;
  }
  const list = await ask(target, LIST, { role: 'valid', signal });
  const stated = await ask(target, STATED, { role: 'valid', query: requiredQuery(STATED), signal });
  yield await basePathCheck(target, list, stated, signal);
  const first = !isSuccess(list) && isSuccess(stated) ? stated : list;
  yield validKeyCheck(keyName(target, 0), first, target.auth.header);
  yield* otherKeys(target, signal);
  yield* roles(target, list, signal, options.spendNearQuota);
  yield headersCheck([stated, list], target.limits.requests);
  yield envelopeCheck(stated, target.envelope);
  yield* fixtures(target, list, signal);
}

const keyName = ({ keys }: Target, index: number): string =>
  keys.valid.length === 1 ? 'key valid' : `key valid[${index}]`;

async function basePathCheck(
  target: Target,
  list: Exchange,
  stated: Exchange,
  signal: AbortSignal,
): Promise<Check> {
  const name = 'base path';
  const redirect = [list, stated].find(
    ({ response }) => response !== null && response.status >= 300 && response.status < 400,
  );
  if (redirect !== undefined) {
    return fail(
      name,
      describe(redirect),
      'Redirects are not followed because they could leak the key. Set baseUrl to the URL they point to.',
    );
  }
  if (isSuccess(list) || isSuccess(stated)) return ok(name, new URL(target.baseUrl).pathname);
  const wrong = looksLost(list) && looksLost(stated);
  if (!wrong) return skip(name, `unclear: ${describe(list)}`);
  const found = await findBaseUrl(target.baseUrl, (baseUrl, role) =>
    ask({ ...target, baseUrl }, LIST, { role, signal }),
  );
  const fix =
    found === null
      ? 'Correct baseUrl: paths such as /currencies are appended to it.'
      : `Set baseUrl to ${found}, where endpoints were found.`;
  return fail(name, `no endpoint found below ${target.baseUrl}: ${describe(list)}`, fix);
}

/** Checks the other valid keys, a few at a time to avoid load. */
async function* otherKeys(target: Target, signal: AbortSignal): AsyncGenerator<Check> {
  const indices = target.keys.valid.map((_, index) => index).slice(1);
  while (indices.length > 0) {
    const group = indices.splice(0, AT_ONCE).map(async (keyIndex) => {
      const exchange = await ask(target, LIST, { role: 'valid', keyIndex, signal });
      return validKeyCheck(keyName(target, keyIndex), exchange, target.auth.header);
    });
    yield* await Promise.all(group);
  }
}

async function* roles(
  target: Target,
  list: Exchange,
  signal: AbortSignal,
  spendNearQuota: boolean,
): AsyncGenerator<Check> {
  const { keys, auth } = target;
  const { restricted, nearQuota } = keys;
  const none = 'not configured; requirements that need this key stay untested';
  const missing = (role: string): Check =>
    skip(`key ${role}`, none, `Add keys.${role} to the target file if you have such a key.`);
  for (const role of ['disabled', 'expired'] as const) {
    if (keys[role] === undefined) yield missing(role);
    else yield roleCheck(role, await ask(target, LIST, { role, signal }));
  }
  if (restricted === undefined) yield missing('restricted');
  else yield await restrictedCheck(target, restricted, list, signal);
  const name = 'key nearQuota';
  if (nearQuota === undefined) yield missing('nearQuota');
  else if (!spendNearQuota) {
    yield skip(
      name,
      `not tested: a test would use one of the key's ${nearQuota.remaining} remaining requests`,
      'Use --spend-near-quota to test the key, then lower keys.nearQuota.remaining by one.',
    );
  } else {
    const answer = await ask(target, LIST, { role: 'nearQuota', signal });
    const check = validKeyCheck(name, answer, auth.header);
    const now = Math.max(0, nearQuota.remaining - 1);
    yield check.status === 'ok'
      ? warn(name, `accepted; ${now} left`, `Set keys.nearQuota.remaining to ${now}.`)
      : check;
  }
}

async function restrictedCheck(
  target: Target,
  restricted: NonNullable<Target['keys']['restricted']>,
  list: Exchange,
  signal: AbortSignal,
): Promise<Check> {
  const path =
    restricted.forbidden.find((one) => !one.includes('{')) ??
    restricted.forbidden.find((one) => one.startsWith('/currencies/{currency_id}'));
  const id = target.fixtures.currencyIds?.[0] ?? findIds('currencyIds', jsonBody(list))[0];
  if (path === undefined || (path.includes('{') && id === undefined)) {
    const why = 'every forbidden path needs an identifier, but no identifier is known';
    return skip('key restricted', why);
  }
  const pathParameters = id === undefined ? {} : { currency_id: id };
  // With the required parameters, so that only the key can be a reason to reject the request.
  const query = requiredQuery(path as EndpointPath);
  const question = { role: 'restricted', pathParameters, query, signal } as const;
  return roleCheck('restricted', await ask(target, path, question));
}

/** Checks the fixtures of two lists. The second list is the third request of the first valid key. */
async function* fixtures(
  target: Target,
  list: Exchange,
  signal: AbortSignal,
): AsyncGenerator<Check> {
  const kinds = [
    ['currencyIds', LIST],
    ['etfTickers', '/etfs'],
  ] as const;
  for (const [kind, path] of kinds) {
    const given = target.fixtures[kind]?.length ?? 0;
    const name = `fixtures ${kind}`;
    const fix = `Set fixtures.${kind} in the target file`;
    if (given > 0) yield ok(name, `${given} in the target file`);
    else if (!isSuccess(list)) {
      yield skip(name, `${LIST} returned no list (${describe(list)})`, `${fix}.`);
    } else {
      const exchange = path === LIST ? list : await ask(target, path, { role: 'valid', signal });
      const ids = findIds(kind, jsonBody(exchange));
      yield ids.length > 0
        ? ok(name, `${ids.length} found in ${path}`)
        : warn(
            name,
            `none found in ${path} (${describe(exchange)})`,
            `${fix}; requirements that need these values stay untested.`,
          );
    }
  }
}

/** Checks the response to a valid key, which was sent in `header`. */
export function validKeyCheck(name: string, exchange: Exchange, header: string): Check {
  const status = exchange.response?.status;
  const description = describe(exchange);
  if (isSuccess(exchange)) return ok(name, 'accepted');
  const code = errorNamed(errorBodyOf(exchange)?.code ?? 0);
  const rejected = (fix: string): Check => fail(name, `rejected: ${description}`, fix);
  if (code === 'expiredKey') return rejected('Get a new key: this one has expired.');
  if (status === 401 || code === 'invalidKey') {
    const named = errorBodyOf(exchange)?.details['header'];
    const other = typeof named === 'string' && named.toLowerCase() !== header.toLowerCase();
    return rejected(
      other
        ? `The target expects the key in the header ${named}: set auth.header.`
        : `Check the key, and check that the target expects it in the header ${header} (auth.header).`,
    );
  }
  if (status === 403) {
    return rejected(
      'Use a key that is allowed to call every endpoint; others belong under keys.restricted.',
    );
  }
  if (status === 429) {
    const fix =
      'Wait a minute. If the problem persists, the monthly quota is used up or someone else is using the key.';
    return warn(name, 'accepted, but its rate limit is used up (429)', fix);
  }
  if (status === 404) return ok(name, `not rejected (${description})`);
  return fail(
    name,
    `could not be checked: ${description}`,
    'Fix the failures above, then run the doctor again.',
  );
}

/** The error that each role must cause (§5 rule 3). */
const PROMISES = {
  disabled: 'invalidKey',
  expired: 'expiredKey',
  restricted: 'forbidden',
} as const satisfies Record<string, ErrorName>;

/**
 * Checks that a key is rejected as its role requires. A wrong code, or a key that is let in, is only a warning: a run
 * reports it.
 */
function roleCheck(role: keyof typeof PROMISES, exchange: Exchange): Check {
  const name = `key ${role}`;
  const { status, code, twin } = ERRORS[PROMISES[role]];
  const description = describe(exchange);
  const answered = exchange.response?.status;
  const promised = `${status} with code ${code}`;
  if (answered === undefined) {
    return fail(name, description, 'Fix the failures above, then run the doctor again.');
  }
  if (answered === status) {
    const given = errorBodyOf(exchange)?.code;
    if (given === code || given === twin) return ok(name, `rejected as expected: ${description}`);
    return warn(
      name,
      `rejected with ${description}, expected ${promised}`,
      'Check that the key has this role. If it does, the service answers with the wrong code, and a run will report that.',
    );
  }
  if (isSuccess(exchange) || answered === 404) {
    const what =
      role === 'restricted'
        ? `allowed to call ${exchange.endpoint ?? exchange.request.path}`
        : 'works';
    const check =
      role === 'restricted'
        ? 'Check keys.restricted.forbidden. If the list is right,'
        : `Check that the key is ${role}. If it is,`;
    return warn(
      name,
      `${what} (${description}), expected ${promised}`,
      `${check} the service lets the key in, and a run will report that.`,
    );
  }
  if (answered === 429) return warn(name, 'rejected with 429', 'Wait a minute, then try again.');
  return fail(name, `${description}, expected ${promised}`, `Check keys.${role}, or remove it.`);
}
