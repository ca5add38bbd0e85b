import type { FixtureKind } from '../spec/endpoints.ts';
import type { Exchange } from '../spec/exchange.ts';
import { createSession } from '../http/session.ts';
import type { Session } from '../http/session.ts';
import { isObject } from '../text/json-value.ts';
import { Fixtures } from '../target/discover.ts';
import type { Target } from '../target/target.ts';
import { ask, bodyOf, errorBodyOf, hurried, isSuccess, looksLost, wordsFor } from './ask.ts';
import { findBaseUrl, MOST_CONFIRMATIONS, MOST_GUESSES } from './base-path.ts';
import { announced, isWrapped } from './observe.ts';

/** What a first look at a target showed. Settings that differ from what was given come with a remark. */
export interface Survey {
  readonly baseUrl: string;
  readonly authHeader: string;
  readonly envelope: 'data' | null;
  /** Limit that the target announces; null when it announces none. */
  readonly announcedLimit: number | null;
  /** Identifiers that exist, a few of each kind. */
  readonly fixtures: Readonly<Partial<Record<FixtureKind, readonly string[]>>>;
  readonly exchanges: readonly string[];
  /** A currency id that the target refuses as malformed; null when the one tried is not. */
  readonly malformedCurrencyId: string | null;
  /** Sentences for the user, in the order of discovery. */
  readonly remarks: readonly string[];
  /** Requests that were sent. */
  readonly requests: number;
  /** Why nothing further could be looked at; null when all was. */
  readonly stopped: string | null;
}

const KINDS: readonly FixtureKind[] = [
  'currencyIds',
  'etfTickers',
  'stockTickers',
  'sectorNames',
  'indexTickers',
  'projectIds',
  'macroEvents',
  'chartNames',
];
/** Identifiers of a kind that are kept: enough to be varied, few enough to be looked after. */
const KEPT = 3;
/** Headers that services of this kind are seen to take keys in. */
const OTHER_HEADERS = ['X-API-KEY', 'Authorization', 'Api-Key', 'X-Auth-Token'] as const;
const MALFORMED = 'not-an-id';
/** A wait longer than this for a window is not worth it: a run discovers the rest, ms. */
const LONGEST_WAIT_MS = 3000;
const WHOLE_MS = 60_000;

/**
 * Requests that a survey sends at most, retries of lists included; one window of one key admits those with a valid key.
 */
export const SURVEY_REQUESTS = {
  valid: 2 + (OTHER_HEADERS.length - 1) + MOST_CONFIRMATIONS + KINDS.length + 2 + 2,
  none: MOST_GUESSES,
} as const;

const LIST = '/currencies';

/**
 * Looks at a target that has a base URL and a valid key, to write a target file for it. The target is given as it would
 * be without further knowledge.
 * @throws the reason of the signal when it aborts
 */
export async function survey(given: Target, interrupt?: AbortSignal): Promise<Survey> {
  const deadline = AbortSignal.timeout(WHOLE_MS);
  const signal = interrupt === undefined ? deadline : AbortSignal.any([deadline, interrupt]);
  const remarks: string[] = [];
  let requests = 0;
  const asked = async (target: Target, role: 'valid' | 'none'): Promise<Exchange> => {
    requests += 1;
    return ask(target, LIST, { role, signal, ...(role === 'valid' ? { keyIndex: 0 } : {}) });
  };
  let target = hurried(given);
  let answer = await asked(target, 'valid');
  const nothing = (why: string): Survey => ({
    baseUrl: target.baseUrl,
    authHeader: target.auth.header,
    envelope: null,
    announcedLimit: announced(answer).limit,
    fixtures: {},
    exchanges: [],
    malformedCurrencyId: null,
    remarks,
    requests,
    stopped: why,
  });
  if (answer.response === null) return nothing(`${target.baseUrl} gives ${wordsFor(answer)}`);

  if (answer.response.status === 401) {
    const header = await headerThatWorks(target, answer, (other) => asked(other, 'valid'));
    if (header === null) return nothing(`the key is refused: ${wordsFor(answer)}`);
    remarks.push(`The key is taken in the header ${header}, not in ${target.auth.header}.`);
    target = { ...target, auth: { header } };
    answer = await asked(target, 'valid');
  }
  if (!isSuccess(answer) && looksLost(answer)) {
    const askAt = (baseUrl: string, role: 'valid' | 'none'): Promise<Exchange> =>
      asked({ ...target, baseUrl }, role);
    const found = await findBaseUrl(target.baseUrl, askAt, true);
    if (found === null)
      return nothing(`no endpoint is found below ${target.baseUrl}: ${wordsFor(answer)}`);
    remarks.push(`Endpoints are found below ${found}, not below ${target.baseUrl}.`);
    target = { ...target, baseUrl: found };
  } else if (!isSuccess(answer)) {
    return nothing(`${LIST} answers ${wordsFor(answer)}`);
  }
  const found = await discover(target, signal, remarks);
  return {
    ...found,
    baseUrl: target.baseUrl,
    authHeader: target.auth.header,
    remarks,
    requests: requests + found.requests,
  };
}

/** The header that the target names in its refusal, or a usual one, in which the key is not refused; else null. */
async function headerThatWorks(
  target: Target,
  refusal: Exchange,
  send: (target: Target) => Promise<Exchange>,
): Promise<string | null> {
  const named = errorBodyOf(refusal)?.details['header'];
  const usable = typeof named === 'string' && /^[A-Za-z0-9-]{1,64}$/.test(named) ? [named] : [];
  const candidates = [...usable, ...OTHER_HEADERS].filter(
    (header) => header.toLowerCase() !== target.auth.header.toLowerCase(),
  );
  const unique = [...new Map(candidates.map((header) => [header.toLowerCase(), header])).values()];
  for (const header of unique.slice(0, OTHER_HEADERS.length - 1)) {
    // One after the other: the first that works ends the search.
    const { response } = await send({ ...target, auth: { header } });
    if (response !== null && response.status !== 401 && response.status !== 403) return header;
  }
  return null;
}

type Found = Omit<Survey, 'baseUrl' | 'authHeader' | 'remarks'>;

/** Envelope, announced limit and identifiers, in one session that keeps within the limits of the keys. */
async function discover(target: Target, signal: AbortSignal, remarks: string[]): Promise<Found> {
  const patience = new AbortController();
  const { clock: _clock, ...still } = target;
  const session = createSession(still, {
    seed: 1,
    signal: AbortSignal.any([signal, patience.signal]),
    maxRequests: SURVEY_REQUESTS.valid,
    onWait: ({ ms }) => {
      if (ms > LONGEST_WAIT_MS) patience.abort(new Error('the window of the key is used up'));
    },
  });
  const fixtures: Partial<Record<FixtureKind, readonly string[]>> = {};
  let envelope: 'data' | null = null;
  let exchanges: readonly string[] = [];
  let malformedCurrencyId: string | null = null;
  let stopped: string | null = null;
  try {
    const stated = await session.get('/etfs/summary-history', {
      query: { symbol: 'BTC', country_code: 'US' },
      repeat: false,
    });
    if (isWrapped(stated) === true) {
      envelope = 'data';
      remarks.push(
        'Bodies are wrapped in {code, message, data}: envelope: data is set, and every report will say so.',
      );
    }
    const known = new Fixtures({}, reader(session), { seed: 1 });
    for (const kind of KINDS) {
      // In turn, so that a stop leaves what was found before it.
      const { ids, reason } = await known.get(kind);
      if (ids.length > 0) fixtures[kind] = ids.slice(0, KEPT);
      else remarks.push(`There is ${reason ?? `no value for fixtures.${kind}`}.`);
    }
    const currency = fixtures.currencyIds?.[0];
    if (currency !== undefined) {
      exchanges = await marketsOf(session, currency);
      malformedCurrencyId = await malformed(session);
    }
  } catch (error) {
    signal.throwIfAborted();
    stopped = error instanceof Error ? error.message : String(error);
  } finally {
    await session.close();
  }
  const all = session.exchanges;
  return {
    envelope,
    announcedLimit: all.map((one) => announced(one).limit).find((limit) => limit !== null) ?? null,
    fixtures,
    exchanges,
    malformedCurrencyId,
    requests: all.length,
    stopped,
  };
}

const reader = (session: Session): ConstructorParameters<typeof Fixtures>[1] => ({
  get: (path, options) => session.get(path, { ...options, repeat: false }),
  json: bodyOf,
});

/** Names of exchanges that list a currency, for the filter of its pairs (§4.1). */
async function marketsOf(session: Session, currency: string): Promise<readonly string[]> {
  const exchange = await session.get('/currencies/{currency_id}/pairs', {
    pathParameters: { currency_id: currency },
    repeat: false,
  });
  const body = bodyOf(exchange);
  const page = isObject(body) && isObject(body['data']) ? body['data'] : body;
  const list: unknown = isObject(page) ? page['list'] : undefined;
  const markets = Array.isArray(list)
    ? list.flatMap((pair: unknown) =>
        isObject(pair) && typeof pair['market'] === 'string' ? [pair['market']] : [],
      )
    : [];
  return [...new Set(markets)].filter((market) => market !== '').slice(0, KEPT);
}

/** Which ids are malformed is not stated (§7): one is tried that no numbering scheme would have. */
async function malformed(session: Session): Promise<string | null> {
  const exchange = await session.get('/currencies/{currency_id}', {
    pathParameters: { currency_id: MALFORMED },
    repeat: false,
  });
  return exchange.response?.status === 400 ? MALFORMED : null;
}
