import type { Exchange } from '../spec/exchange.ts';
import { findIds } from '../target/find-ids.ts';
import type { ProxyChoice } from '../target/proxy.ts';
import type { Target } from '../target/target.ts';
import { ask, bodyOf, hurried, isSuccess, looksLost, wordsFor } from './ask.ts';
import { findBaseUrl, MOST_CONFIRMATIONS, MOST_GUESSES } from './base-path.ts';
import { fail, ok, skip, warn } from './check.ts';
import type { Check } from './check.ts';
import { forbiddenPath, roleCheck, validKeyCheck } from './keys.ts';
import { envelopeCheck, headersCheck, skewCheck } from './observe.ts';
import { nameCheck, proxyCheck, reachableCheck, secureCheck } from './way.ts';

export interface DoctorOptions {
  readonly target: Target;
  readonly proxy: ProxyChoice;
  /** Spends one request of the key near its quota too. */
  readonly spendNearQuota: boolean;
  /** Told of each line as it is known. */
  readonly onCheck?: (check: Check) => void;
}

/** An answer of a stated shape at the price of one request (§4.3). */
const STATED = {
  path: '/etfs/summary-history',
  query: { symbol: 'BTC', country_code: 'US' },
} as const;
/** The list that costs one request and whose identifiers most requirements need (§4.7). */
const LIST = '/currencies';
/** Keys that are asked at the same time. */
const AT_ONCE = 4;
/** No diagnosis takes longer, ms, however many keys there are. */
const WHOLE_MS = 60_000;

/** Requests that a diagnosis sends at most, to be said before the first of them. */
export function doctorRequests(
  { keys }: Target,
  spendNearQuota: boolean,
): Readonly<Record<string, number>> {
  const { valid, disabled, expired, restricted, nearQuota } = keys;
  return {
    'no key': 1,
    'the first valid key': valid.length === 0 ? 0 : 3,
    'other valid keys': Math.max(0, valid.length - 1),
    'keys of other roles':
      Number(disabled !== undefined) +
      Number(expired !== undefined) +
      Number(restricted !== undefined) +
      Number(nearQuota !== undefined && spendNearQuota),
  };
}

/** More requests that are sent only when no endpoint is found below the base URL; those without a key cost none. */
export const IF_BASE_PATH_IS_WRONG = {
  'no key': MOST_GUESSES,
  'the first valid key': MOST_CONFIRMATIONS,
};

/**
 * Looks at everything about a target that a run depends on: name, way, TLS, clock, base path, every key, headers,
 * envelope, fixtures. Sends at most what {@link doctorRequests} says, waits at most five seconds for each, and asks
 * nothing further of a target that does not answer.
 */
export async function diagnose(options: DoctorOptions): Promise<readonly Check[]> {
  const { proxy, spendNearQuota, onCheck } = options;
  const target = hurried(options.target);
  const checks: Check[] = [];
  const say = (...found: readonly Check[]): void => {
    for (const check of found) {
      checks.push(check);
      onCheck?.(check);
    }
  };
  const signal = AbortSignal.timeout(WHOLE_MS);
  say(proxyCheck(proxy));
  const base = new URL(target.baseUrl);
  if (target.http.proxy === null) say(await nameCheck(base));
  if (checks.some(({ status }) => status === 'fail')) return checks;
  if (base.protocol === 'https:') say(await secureCheck(base, target));
  if (checks.some(({ status }) => status === 'fail')) return checks;

  const keyless = await ask(target, LIST, { role: 'none', signal });
  say(reachableCheck(keyless, target));
  if (keyless.response === null) return checks;
  say(skewCheck(keyless));
  if (target.keys.valid.length === 0) {
    say(
      fail('key valid', 'there is none', 'Set ASSAY_API_KEY, or keys.valid in the target file.', 2),
    );
    return checks;
  }
  const list = await ask(target, LIST, { role: 'valid', keyIndex: 0, signal });
  const stated = await ask(target, STATED.path, {
    role: 'valid',
    keyIndex: 0,
    query: STATED.query,
    signal,
  });
  say(await basePathCheck(target, list, stated, signal));
  const first = isSuccess(list) ? list : isSuccess(stated) ? stated : list;
  say(validKeyCheck(keyName(target, 0), first, target.auth.header));
  say(...(await otherKeys(target, signal)));
  say(...(await roles(target, list, signal, spendNearQuota)));
  say(headersCheck([stated, list], target.limits.requests));
  say(envelopeCheck(stated, target.envelope));
  say(...(await fixtures(target, list, signal)));
  return checks;
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
      wordsFor(redirect),
      'Redirects are not followed, for the key would go along: use the address that they lead to.',
    );
  }
  if (isSuccess(list) || isSuccess(stated)) return ok(name, new URL(target.baseUrl).pathname);
  const wrong = looksLost(list) && looksLost(stated);
  if (!wrong) return skip(name, `cannot be told: ${wordsFor(list)}`);
  const found = await findBaseUrl(
    target.baseUrl,
    (baseUrl, role) =>
      ask({ ...target, baseUrl }, LIST, {
        role,
        signal,
        ...(role === 'valid' ? { keyIndex: 0 } : {}),
      }),
    true,
  );
  const fix =
    found === null
      ? 'Correct baseUrl: paths such as /currencies are appended to it.'
      : `Set baseUrl to ${found}: endpoints are found there.`;
  return fail(name, `no endpoint below ${target.baseUrl}: ${wordsFor(list)}`, fix);
}

/** The valid keys after the first, a few at a time. */
async function otherKeys(target: Target, signal: AbortSignal): Promise<Check[]> {
  const indices = target.keys.valid.map((_, index) => index).slice(1);
  const checks: Check[] = [];
  for (let start = 0; start < indices.length; start += AT_ONCE) {
    // In small groups, so that a service is not flooded by a diagnosis.
    const group = indices.slice(start, start + AT_ONCE).map(async (keyIndex) => {
      const exchange = await ask(target, LIST, { role: 'valid', keyIndex, signal });
      return validKeyCheck(keyName(target, keyIndex), exchange, target.auth.header);
    });
    checks.push(...(await Promise.all(group)));
  }
  return checks;
}

async function roles(
  target: Target,
  list: Exchange,
  signal: AbortSignal,
  spendNearQuota: boolean,
): Promise<Check[]> {
  const { disabled, expired, restricted, nearQuota } = target.keys;
  const missing = (role: string): Check =>
    skip(
      `key ${role}`,
      `none given; what needs it stays untested`,
      `Add keys.${role} to the target file if you have one.`,
    );
  const checks: Check[] = [];
  for (const [role, key] of [
    ['disabled', disabled],
    ['expired', expired],
  ] as const) {
    checks.push(
      key === undefined
        ? missing(role)
        : roleCheck(role, await ask(target, LIST, { role, signal })),
    );
  }
  checks.push(
    restricted === undefined
      ? missing('restricted')
      : await restrictedCheck(target, restricted, list, signal),
  );
  if (nearQuota === undefined) checks.push(missing('nearQuota'));
  else if (!spendNearQuota) {
    const detail = `not asked: it would take one of the ${nearQuota.remaining} requests that are left`;
    checks.push(
      skip(
        'key nearQuota',
        detail,
        'With --spend-near-quota it is; lower keys.nearQuota.remaining by one then.',
      ),
    );
  } else {
    const check = validKeyCheck(
      'key nearQuota',
      await ask(target, LIST, { role: 'nearQuota', signal }),
      target.auth.header,
    );
    const now = Math.max(0, nearQuota.remaining - 1);
    checks.push(
      check.status === 'ok'
        ? warn(check.name, `accepted; ${now} left`, `Set keys.nearQuota.remaining to ${now}.`)
        : check,
    );
  }
  return checks;
}

async function restrictedCheck(
  target: Target,
  restricted: NonNullable<Target['keys']['restricted']>,
  list: Exchange,
  signal: AbortSignal,
): Promise<Check> {
  const path =
    forbiddenPath(restricted) ??
    restricted.forbidden.find((one) => one.startsWith('/currencies/{currency_id}'));
  const id = target.fixtures.currencyIds?.[0] ?? findIds('currencyIds', bodyOf(list))[0];
  if (path === undefined || (path.includes('{') && id === undefined)) {
    return skip('key restricted', 'every forbidden path needs an identifier that is not at hand');
  }
  const pathParameters = id === undefined ? {} : { currency_id: id };
  const query = requiredQuery(path);
  return roleCheck(
    'restricted',
    await ask(target, path, { role: 'restricted', pathParameters, query, signal }),
  );
}

/** Required parameters, so that nothing but the key is a reason to refuse. */
function requiredQuery(path: string): Record<string, string> {
  if (path === STATED.path) return STATED.query;
  if (path === '/news/featured') return { page: '1', page_size: '20' };
  return path.endsWith('/klines') ? { interval: '1d' } : {};
}

/** The third request of the first valid key: whether a second list can be read, too. */
async function fixtures(target: Target, list: Exchange, signal: AbortSignal): Promise<Check[]> {
  const checks: Check[] = [];
  const kinds = [
    ['currencyIds', LIST],
    ['etfTickers', '/etfs'],
  ] as const;
  for (const [kind, path] of kinds) {
    const given = target.fixtures[kind]?.length ?? 0;
    const name = `fixtures ${kind}`;
    if (given > 0) {
      checks.push(ok(name, `${given} in the target file`));
      continue;
    }
    if (!isSuccess(list)) {
      checks.push(
        skip(
          name,
          `${LIST} gave no list (${wordsFor(list)})`,
          `Set fixtures.${kind} in the target file.`,
        ),
      );
      continue;
    }
    const exchange =
      path === LIST ? list : await ask(target, path, { role: 'valid', keyIndex: 0, signal });
    const ids = findIds(kind, bodyOf(exchange));
    checks.push(
      ids.length > 0
        ? ok(name, `${ids.length} found in ${path}`)
        : warn(
            name,
            `none found in ${path} (${wordsFor(exchange)})`,
            `Set fixtures.${kind} in the target file; what needs them stays untested.`,
          ),
    );
  }
  return checks;
}
