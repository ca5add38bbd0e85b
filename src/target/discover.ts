import { createHmac } from 'node:crypto';
import type { FixtureKind } from '../spec/endpoints.ts';
import type { Exchange } from '../spec/exchange.ts';
import { isObject } from '../text/json-value.ts';
import { findIdLists } from './find-ids.ts';
import type { TargetFixtures } from './target.ts';
import { DEFAULT_SEED, turned } from './turn.ts';

/** Fixtures of one kind, or the reason why there are none. */
export interface FixtureAnswer {
  readonly ids: readonly string[];
  readonly source: 'target file' | 'discovered' | 'derived' | 'none';
  /** What the records of the list call themselves otherwise, should the path not take `ids`. */
  readonly others?: readonly (readonly string[])[];
  /** Set when the seed drew another one than is asked for by default: that is the second of `ids` then. */
  readonly drawn?: true;
  /** The order that the default seed asks in, where `ids` have another one. */
  readonly listed?: readonly string[];
  /** The same of `others`. */
  readonly listedOthers?: readonly (readonly string[])[];
  /** Set when the list was there and had no entry: there is nothing to find. */
  readonly empty?: true;
  /** Why `ids` is empty, with the setting that helps; null when it is not. */
  readonly reason: string | null;
  /** Ids of the exchanges that the answer rests on. */
  readonly exchanges: readonly string[];
}

/** What discovery needs of a session. */
export interface FixtureReader {
  get(path: string, options?: { query?: Readonly<Record<string, string>> }): Promise<Exchange>;
  /** The parsed JSON body; `undefined` when there is none. */
  json(exchange: Exchange): unknown;
}

interface Source {
  readonly noun: string;
  readonly path: string;
  /** Queries to try in turn while the answer is a refusal of class 400: parameters of lists are not stated (§4.7). */
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

/**
 * Identifiers that exist on the target: those of the target file, else those found in the list endpoints. A list is
 * asked for when its kind is first needed, so kinds that no check needs cost no request.
 */
export class Fixtures {
  readonly #given: TargetFixtures;
  readonly #reader: FixtureReader;
  readonly #seed: number;
  readonly #found = new Map<FixtureKind, Promise<FixtureAnswer>>();

  constructor(given: TargetFixtures, reader: FixtureReader, options: { readonly seed: number }) {
    this.#given = given;
    this.#reader = reader;
    this.#seed = options.seed;
  }

  /**
   * Fixtures of a kind in the order in which the seed takes them. Rejects only when the request cannot be sent at all
   * (budget, unreachable, interrupted).
   */
  async get(kind: FixtureKind): Promise<FixtureAnswer> {
    const given = this.#given[kind];
    if (given !== undefined && given.length > 0) {
      return inTurn(kind, fromTargetFile(given), this.#seed);
    }
    let found = this.#found.get(kind);
    if (found === undefined) {
      found = this.#discover(kind);
      this.#found.set(kind, found);
      // A request that was never sent says nothing about the target: the next caller may try again.
      found.catch(() => this.#found.delete(kind));
    }
    return found;
  }

  /**
   * Currency ids that look like the real ones and are none of the known ones (400401, §7), the one that is least likely
   * to exist first: a list shows only some of those that do. Needs a known id as model unless the target file gives
   * `unknownCurrencyId`.
   */
  async unknownCurrencyId(): Promise<FixtureAnswer> {
    const given = this.#given.unknownCurrencyId;
    if (given !== undefined) return fromTargetFile([given]);
    const known = await this.get('currencyIds');
    if (known.ids.length === 0) {
      const reason = `no unknown currency id: there is no known one to model it on; set fixtures.unknownCurrencyId`;
      return { ids: [], source: 'none', reason, exchanges: known.exchanges };
    }
    return {
      ids: unlikely(known.ids, this.#seed),
      source: 'derived',
      reason: null,
      exchanges: known.exchanges,
    };
  }

  /** A currency id of the wrong form (400001, §7). Which form is right is not stated, so it cannot be derived. */
  malformedCurrencyId(): FixtureAnswer {
    const given = this.#given.malformedCurrencyId;
    if (given !== undefined) return fromTargetFile([given]);
    const reason =
      'no malformed currency id: its form is not stated; set fixtures.malformedCurrencyId';
    return { ids: [], source: 'none', reason, exchanges: [] };
  }

  /** Exchange names of the target file, for the filter of the pairs list (§4.1); empty when none are given. */
  exchanges(): readonly string[] {
    return this.#given.exchanges ?? [];
  }

  async #discover(kind: FixtureKind): Promise<FixtureAnswer> {
    const { noun, path, queries } = SOURCES[kind];
    const exchanges: string[] = [];
    let seen = '';
    for (const query of queries) {
      // One after the other: a second query is sent only when the first was refused.
      const exchange = await this.#reader.get(path, { query });
      exchanges.push(exchange.id);
      if (exchange.response === null) {
        seen = `got no answer (${exchange.error?.kind ?? 'unknown'})`;
        break;
      }
      const { status } = exchange.response;
      if (status === 200) {
        const body = this.#reader.json(exchange);
        const [ids = [], ...others] = findIdLists(kind, body).map(secondFirst);
        if (ids.length > 0) {
          const answer = { ids, others, source: 'discovered', reason: null, exchanges } as const;
          return inTurn(kind, answer, this.#seed);
        }
        if (isEmptyList(body)) {
          const reason = `no ${noun}: ${path} lists none`;
          return { ids: [], source: 'none', empty: true, reason, exchanges };
        }
        seen = `answered 200, but none was found in the body`;
        break;
      }
      seen = `answered ${status}`;
      if (status !== 400 && status !== 422) break;
    }
    const reason = `no ${noun}: ${path} ${seen}; set fixtures.${kind}`;
    return { ids: [], source: 'none', reason, exchanges };
  }
}

/** True for an empty array, and for an object that holds nothing but empty arrays and figures, such as an empty page. */
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
 * An ETF is drawn for two seeds in a row, and so for two days: the row that was not settled on the first is seen settled
 * on the second (§4.4 rule 1).
 */
const SEEDS_EACH: Readonly<Partial<Record<FixtureKind, number>>> = { etfTickers: 2 };

/** True for what lists of a target and its target file name. */
export const isFixtureKind = (kind: string): kind is FixtureKind => Object.hasOwn(SOURCES, kind);

/** What a seed takes of a kind, in that order. */
export function fixturesInTurn(
  kind: FixtureKind,
  ids: readonly string[],
  seed: number,
): readonly string[] {
  return turned(ids, ownSeed(kind, seed));
}

const ownSeed = (kind: FixtureKind, seed: number): number =>
  DEFAULT_SEED + Math.floor((seed - DEFAULT_SEED) / (SEEDS_EACH[kind] ?? 1));

function inTurn(kind: FixtureKind, answer: FixtureAnswer, seed: number): FixtureAnswer {
  const own = ownSeed(kind, seed);
  const ids = turned(answer.ids, own);
  if (ids === answer.ids) return answer;
  // Other names of the same records stand at the same places.
  const { ids: listed, others: listedOthers = [] } = answer;
  const others = listedOthers.map((names) => turned(names, own));
  return { ...answer, ids, others, drawn: true, listed, listedOthers };
}

/** The first of a list is what everybody tries: what works for it only shows with the second. */
function secondFirst([first, second, ...others]: readonly string[]): readonly string[] {
  return [second, first, ...others].filter((id) => id !== undefined);
}

/**
 * An identifier of the same length and kind of characters as the known ones that is none of them. Varies the last
 * characters, since the first ones of an id often carry a prefix or a time.
 */
export function deriveUnknown(known: readonly string[], seed: number): string {
  const model = known[0] ?? '';
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const stream = createHmac('sha256', `unknown id ${seed} ${attempt}`).update(model).digest();
    const kept = Math.max(0, model.length - 8);
    const tail = Array.from(model.slice(kept), (character, index) => {
      const value = stream[index] ?? 0;
      if (/[0-9]/.test(character)) return String(value % 10);
      if (/[a-f]/.test(character)) return 'abcdef'.charAt(value % 6);
      if (/[g-z]/.test(character)) return 'ghijklmnopqrstuvwxyz'.charAt(value % 20);
      if (/[A-Z]/.test(character)) return 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.charAt(value % 26);
      return character;
    });
    const candidate = model.slice(0, kept) + tail.join('');
    if (!known.includes(candidate)) return candidate;
  }
  return `${model}0`;
}

/** Length up to which ids of different lengths are made longer: so many that a service may use all of them. */
const DENSE = 12;

/** Three identifiers that are none of the known ones, the least likely one to exist first. */
function unlikely(known: readonly string[], seed: number): readonly string[] {
  const byLength = known.toSorted((a, b) => b.length - a.length);
  const longest = byLength[0] ?? '';
  const varied = longest.length > (byLength.at(-1)?.length ?? 0);
  // Short ids, such as 1, 825 and 1027, leave no gaps; where lengths vary, a longer one is as well-formed.
  const short = longest.length < DENSE && (varied || longest.length < 5);
  const long = short ? longest.repeat(DENSE).slice(0, DENSE) : longest;
  const models = [[long, ...known], byLength, known];
  return models.map((model, index) => deriveUnknown(model, seed + index));
}

function fromTargetFile(ids: readonly string[]): FixtureAnswer {
  return { ids, source: 'target file', reason: null, exchanges: [] };
}
