import { requiredQuery, type FixtureKind } from '../spec/endpoints.ts';
import type { Exchange } from '../spec/exchange.ts';
import { openSession, type Session } from '../http/session.ts';
import { isObject } from '../text/json-value.ts';
import { FIXTURE_KINDS, fixturesOf } from '../target/discover.ts';
import type { Target } from '../target/target.ts';
import {
  ask,
  errorBodyOf,
  hurried,
  isSuccess,
  jsonBody,
  LIST,
  looksLost,
  describe,
  STATED,
  WHOLE_MS,
} from './ask.ts';
import { findBaseUrl, MOST_CONFIRMATIONS, MOST_GUESSES } from './base-path.ts';
import { announced, isWrapped } from './observe.ts';

/** The result of probing a target. Settings that differ from the given ones come with a remark. */
export interface Survey {
  readonly baseUrl: string;
  readonly authHeader: string;
  readonly envelope: 'data' | null;
  /** Rate limit announced by the target, or null. */
  readonly announcedLimit: number | null;
  /** Existing identifiers, a few of each kind. */
  readonly fixtures: Readonly<Partial<Record<FixtureKind, readonly string[]>>>;
  readonly exchanges: readonly string[];
  /** A currency id that the target rejects as malformed, or null. */
  readonly malformedCurrencyId: string | null;
  readonly remarks: readonly string[];
  readonly requests: number;
  /** Why probing stopped early; null when it did not. */
  readonly stopped: string | null;
}

const KEPT = 3;
/** Common key headers of services of this kind. */
const OTHER_HEADERS = ['X-API-KEY', 'Authorization', 'Api-Key', 'X-Auth-Token'] as const;
const MALFORMED = 'not-an-id';
/** Longest wait for a rate-limit window; a run discovers the rest, ms. */
const LONGEST_WAIT_MS = 3000;

/** Maximum number of requests of a survey, including retries of lists. Those with a valid key fit into one window. */
export const SURVEY_REQUESTS = {
  valid: 2 + (OTHER_HEADERS.length - 1) + MOST_CONFIRMATIONS + FIXTURE_KINDS.length + 2 + 2,
  none: MOST_GUESSES,
} as const;

/** Probes a target with a base URL and a valid key, to write a target file for it. @throws TimeoutError after a minute */
export async function survey(given: Target): Promise<Survey> {
  const signal = AbortSignal.timeout(WHOLE_MS);
  const remarks: string[] = [];
  let requests = 0;
  const asked = async (target: Target, role: 'valid' | 'none'): Promise<Exchange> => {
    requests += 1;
    return ask(target, LIST, { role, signal });
  };
  let target = hurried(given);
  let answer = await asked(target, 'valid');
  const surveyed = (found: Partial<Survey>): Survey => ({
    envelope: null,
    announcedLimit: announced(answer).limit,
    fixtures: {},
    exchanges: [],
    malformedCurrencyId: null,
    stopped: null,
    ...found,
    baseUrl: target.baseUrl,
    authHeader: target.auth.header,
    remarks,
    requests: requests + (found.requests ?? 0),
  });
  const nothing = (why: string): Survey => surveyed({ stopped: why });
  if (answer.response === null) return nothing(`${target.baseUrl} returned ${describe(answer)}`);

  if (answer.response.status === 401) {
    const header = await headerThatWorks(target, answer, (other) => asked(other, 'valid'));
    if (header === null) return nothing(`the key was rejected: ${describe(answer)}`);
    remarks.push(`The target expects the key in the header ${header}, not ${target.auth.header}.`);
    target = { ...target, auth: { header } };
    answer = await asked(target, 'valid');
  }
  if (!isSuccess(answer)) {
    if (!looksLost(answer)) return nothing(`${LIST} returned ${describe(answer)}`);
    const found = await findBaseUrl(target.baseUrl, (baseUrl, role) =>
      asked({ ...target, baseUrl }, role),
    );
    if (found === null)
      return nothing(`no endpoint found below ${target.baseUrl}: ${describe(answer)}`);
    remarks.push(`Endpoints found below ${found}, not below ${target.baseUrl}.`);
    target = { ...target, baseUrl: found };
  }
  return surveyed(await discover(target, signal, remarks));
}

/** The header in which the key is accepted: the one named in the 401, or a common one; null when none works. */
async function headerThatWorks(
  target: Target,
  refusal: Exchange,
  send: (target: Target) => Promise<Exchange>,
): Promise<string | null> {
  const named = errorBodyOf(refusal)?.details['header'];
  const usable = typeof named === 'string' && /^[A-Za-z0-9-]{1,64}$/.test(named) ? [named] : [];
  const candidates = new Map(
    [...usable, ...OTHER_HEADERS].map((header) => [header.toLowerCase(), header]),
  );
  candidates.delete(target.auth.header.toLowerCase());
  for (const header of [...candidates.values()].slice(0, OTHER_HEADERS.length - 1)) {
    // Sequentially: the first hit ends the search.
    const { response } = await send({ ...target, auth: { header } });
    if (response !== null && response.status !== 401 && response.status !== 403) return header;
  }
  return null;
}

/** Finds envelope, announced limit and identifiers in one session within the rate limit. */
async function discover(
  target: Target,
  signal: AbortSignal,
  remarks: string[],
): Promise<Partial<Survey>> {
  const patience = new AbortController();
  const session = openSession(target, {
    seed: 1,
    signal: AbortSignal.any([signal, patience.signal]),
    maxRequests: SURVEY_REQUESTS.valid,
    onWait: ({ ms }) => {
      if (ms > LONGEST_WAIT_MS) patience.abort(new Error("the key's rate limit is used up"));
    },
  });
  const get: Session['get'] = (path, options) => session.get(path, { ...options, repeat: false });
  const fixtures: Partial<Record<FixtureKind, readonly string[]>> = {};
  const found: { -readonly [Name in keyof Survey]?: Survey[Name] } = { fixtures };
  try {
    const stated = await get(STATED, { query: requiredQuery(STATED) });
    if (isWrapped(stated) === true) {
      found.envelope = 'data';
      remarks.push(
        'Bodies are wrapped in {code, message, data}. The file sets `envelope: data`, which every report will note.',
      );
    }
    const known = fixturesOf({}, get, 1);
    for (const kind of FIXTURE_KINDS) {
      // Sequentially, to keep what was found before a stop.
      const { ids, reason } = await known.get(kind);
      if (ids.length > 0) fixtures[kind] = ids.slice(0, KEPT);
      else remarks.push(`Found ${reason ?? `no value for fixtures.${kind}`}.`);
    }
    const currency = fixtures.currencyIds?.[0];
    if (currency !== undefined) {
      const path = '/currencies/{currency_id}/pairs';
      found.exchanges = marketsIn(await get(path, { pathParameters: { currency_id: currency } }));
      // Which ids are malformed is not specified (§7): tries one that fits no numbering scheme.
      const pathParameters = { currency_id: MALFORMED };
      const { response } = await get('/currencies/{currency_id}', { pathParameters });
      if (response?.status === 400) found.malformedCurrencyId = MALFORMED;
    }
  } catch (error) {
    signal.throwIfAborted();
    found.stopped = (error as Error).message;
  } finally {
    await session.close();
  }
  const all = session.exchanges;
  const announcedLimit = all.map((one) => announced(one).limit).find((limit) => limit !== null);
  return { ...found, announcedLimit: announcedLimit ?? null, requests: all.length };
}

/** Exchanges that list a currency, from its pairs, for their filter (§4.1). */
function marketsIn(exchange: Exchange): readonly string[] {
  const body = jsonBody(exchange);
  const page = isObject(body) && isObject(body['data']) ? body['data'] : body;
  const list: unknown = isObject(page) ? page['list'] : undefined;
  const markets = Array.isArray(list)
    ? list.flatMap((pair: unknown) =>
        isObject(pair) && typeof pair['market'] === 'string' ? [pair['market']] : [],
      )
    : [];
  return [...new Set(markets)].filter((market) => market !== '').slice(0, KEPT);
}
