import type { FixtureKind } from '../spec/endpoints.ts';
import type { Exchange } from '../spec/exchange.ts';
import { isObject, parsedJson } from '../text/json-value.ts';
import { findIdLists } from './find-ids.ts';
import { lookalike } from './lookalike.ts';
import type { TargetFixtures } from './target.ts';
import { DEFAULT_SEED, rotated } from './rotate.ts';

/** Fixtures of one kind, or the reason why there are none. */
export interface FixtureAnswer {
  readonly ids: readonly string[];
  readonly source: 'target file' | 'discovered' | 'derived' | 'none';
  /** Other identifying fields of the records, in case the path does not accept `ids`. */
  readonly others?: readonly (readonly string[])[];
  /** Set when the seed selects a different first fixture; the default one is the second of `ids` then. */
  readonly drawn?: true;
  /** The order of the default seed, if `ids` has a different one. */
  readonly listed?: readonly string[];
  /** The same for `others`. */
  readonly listedOthers?: readonly (readonly string[])[];
  /** Set when the list exists but is empty. */
  readonly empty?: true;
  /** Why `ids` is empty, with the setting to add; null when it is not. */
  readonly reason: string | null;
  readonly exchanges: readonly string[];
}

/** The part of an exchange that discovery needs. */
export type Answer = Pick<Exchange, 'id' | 'response' | 'error'>;

/** Requests a path with a query. */
export type FixtureReader = (
  path: string,
  options?: { query?: Readonly<Record<string, string>> },
) => Promise<Answer>;

interface Source {
  readonly noun: string;
  readonly path: string;
  /** Queries to try in order while the response is a 400 or 422: parameters of lists are not specified (§4.7). */
  readonly queries: readonly Readonly<Record<string, string>>[];
}

const SOURCES: Readonly<Record<FixtureKind, Source>> = {
  currencyIds: { noun: 'currency id', path: '/currencies', queries: [{}] },
  etfTickers: {
    noun: 'ETF ticker',
    path: '/etfs',
    queries: [{}, { symbol: 'BTC', country_code: 'US' }],
  },
  stockTickers: { noun: 'stock ticker', path: '/crypto-stocks', queries: [{}] },
  sectorNames: { noun: 'sector name', path: '/crypto-stocks/sector', queries: [{}] },
  indexTickers: { noun: 'index ticker', path: '/indices', queries: [{}] },
  projectIds: {
    noun: 'project id',
    path: '/fundraising/projects',
    queries: [{}, { page: '1', page_size: '20' }],
  },
  macroEvents: { noun: 'macro event', path: '/macro/events', queries: [{}] },
  chartNames: { noun: 'chart name', path: '/analyses', queries: [{}] },
};

/** Identifiers that exist on the target. */
export type Fixtures = ReturnType<typeof fixturesOf>;

/**
 * Identifiers that exist on the target, from the target file or the list endpoints. A list is requested when its kind
 * is first needed, so unused kinds cost no request.
 */
export function fixturesOf(given: TargetFixtures, read: FixtureReader, seed: number) {
  const found = new Map<FixtureKind, Promise<FixtureAnswer>>();

  /**
   * Fixtures of a kind in the order of the seed. Rejects only when the request cannot be sent (budget, unreachable,
   * interrupted).
   */
  const get = async (kind: FixtureKind): Promise<FixtureAnswer> => {
    const ids = given[kind] ?? [];
    if (ids.length > 0) return rotatedAnswer(kind, fromTargetFile(ids), seed);
    const answer = found.get(kind) ?? discovered(kind, read, seed);
    found.set(kind, answer);
    // If the request was not sent, the next caller may try again.
    answer.catch(() => found.delete(kind));
    return answer;
  };

  return {
    get,

    /**
     * Well-formed currency ids that are probably unknown (400401, §7), least likely to exist first: lists show only some
     * of the existing ids. Needs a known id as a model unless the target file sets `unknownCurrencyId`.
     */
    async unknownCurrencyId(): Promise<FixtureAnswer> {
      if (given.unknownCurrencyId !== undefined) return fromTargetFile([given.unknownCurrencyId]);
      const { ids, exchanges } = await get('currencyIds');
      return ids.length === 0
        ? none(
            'no unknown currency id, because no known id is available as a model; set fixtures.unknownCurrencyId',
            exchanges,
          )
        : { ids: unlikely(ids, seed), source: 'derived', reason: null, exchanges };
    },

    /** A malformed currency id (400001, §7). The format is not specified, so it cannot be derived. */
    malformedCurrencyId: (): FixtureAnswer =>
      given.malformedCurrencyId === undefined
        ? none(
            'no malformed currency id, because the format is not specified; set fixtures.malformedCurrencyId',
          )
        : fromTargetFile([given.malformedCurrencyId]),

    /** Exchange names of the target file, for the filter of the pairs list (§4.1). */
    exchanges: (): readonly string[] => given.exchanges ?? [],
  };
}

async function discovered(
  kind: FixtureKind,
  read: FixtureReader,
  seed: number,
): Promise<FixtureAnswer> {
  const { noun, path, queries } = SOURCES[kind];
  const exchanges: string[] = [];
  let seen = '';
  for (const query of queries) {
    // Sequentially: a second query is sent only when the first was rejected.
    const { id, response, error } = await read(path, { query });
    exchanges.push(id);
    if (response === null) {
      seen = `did not respond (${error?.kind ?? 'unknown'})`;
      break;
    }
    const { status } = response;
    if (status === 200) {
      const body = parsedJson(response.text);
      const [ids = [], ...others] = findIdLists(kind, body).map(secondFirst);
      if (ids.length > 0) {
        const answer = { ids, others, source: 'discovered', reason: null, exchanges } as const;
        return rotatedAnswer(kind, answer, seed);
      }
      if (isEmptyList(body)) {
        return { ...none(`no ${noun}: ${path} is empty`, exchanges), empty: true };
      }
      seen = `answered 200 without one in the body`;
      break;
    }
    seen = `answered ${status}`;
    if (status !== 400 && status !== 422) break;
  }
  return none(`no ${noun}: ${path} ${seen}; set fixtures.${kind}`, exchanges);
}

/** True for an empty array, and for an object with only empty arrays and scalars, such as an empty page. */
function isEmptyList(body: unknown): boolean {
  if (Array.isArray(body)) return body.length === 0;
  if (!isObject(body)) return false;
  const values = Object.values(body);
  return (
    values.some((value) => Array.isArray(value) || isObject(value)) &&
    values.every((value) => (isObject(value) || Array.isArray(value) ? isEmptyList(value) : true))
  );
}

/**
 * Consecutive seeds per fixture. An ETF is selected on two consecutive days, so that a row that is unsettled on the
 * first can be checked on the second (§4.4 rule 1).
 */
const SEEDS_EACH: Readonly<Partial<Record<FixtureKind, number>>> = { etfTickers: 2 };

/** Kinds of fixtures from lists or the target file. */
export const FIXTURE_KINDS = Object.keys(SOURCES) as readonly FixtureKind[];

/** True for the name of such a kind. */
export const isFixtureKind = (kind: string): kind is FixtureKind => Object.hasOwn(SOURCES, kind);

/** The fixtures of a kind in the order of a seed. */
export const rotatedFixtures = (
  kind: FixtureKind,
  ids: readonly string[],
  seed: number,
): readonly string[] => rotated(ids, ownSeed(kind, seed));

const ownSeed = (kind: FixtureKind, seed: number): number =>
  DEFAULT_SEED + Math.floor((seed - DEFAULT_SEED) / (SEEDS_EACH[kind] ?? 1));

function rotatedAnswer(kind: FixtureKind, answer: FixtureAnswer, seed: number): FixtureAnswer {
  const own = ownSeed(kind, seed);
  const ids = rotated(answer.ids, own);
  if (ids === answer.ids) return answer;
  // Other names of the same records have the same order.
  const { ids: listed, others: listedOthers = [] } = answer;
  const others = listedOthers.map((names) => rotated(names, own));
  return { ...answer, ids, others, drawn: true, listed, listedOthers };
}

/** Starts with the second entry: implementations are often tested with the first one only. */
function secondFirst([first, second, ...others]: readonly string[]): readonly string[] {
  return [second, first, ...others].filter((id) => id !== undefined);
}

/** An unknown identifier in the form of the known ones. The first characters stay, because they often are a prefix or a time. */
export function deriveUnknown(known: readonly string[], seed: number): string {
  const [model = ''] = known;
  return lookalike(model, known, `unknown id ${seed}`, 8) ?? `${model}0`;
}

/** Length below which ids of varying lengths are extended, because a service may use all short ones. */
const DENSE = 12;

/** Three unknown identifiers, least likely to exist first. */
function unlikely(known: readonly string[], seed: number): readonly string[] {
  const byLength = known.toSorted((a, b) => b.length - a.length);
  const longest = byLength[0] ?? '';
  const varied = longest.length > (byLength.at(-1)?.length ?? 0);
  // Short ids such as 1, 825 and 1027 leave no gaps; where lengths vary, a longer one is well-formed, too.
  const short = longest.length < DENSE && (varied || longest.length < 5);
  const long = short ? longest.repeat(DENSE).slice(0, DENSE) : longest;
  const models = [[long, ...known], byLength, known];
  return models.map((model, index) => deriveUnknown(model, seed + index));
}

const fromTargetFile = (ids: readonly string[]): FixtureAnswer => ({
  ids,
  source: 'target file',
  reason: null,
  exchanges: [],
});

const none = (reason: string, exchanges: readonly string[] = []): FixtureAnswer => ({
  ids: [],
  source: 'none',
  reason,
  exchanges,
});
