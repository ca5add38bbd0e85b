import { bounded } from '../data/memo.ts';
import { isObject, textOf } from '../json.ts';
import {
  asList,
  counts,
  data,
  dimension,
  fixtures,
  newsLists,
  slugOf,
  type Choice,
  type Dimension,
} from './choice.ts';
import { renaming } from './names.ts';
import type { JsonObject, NewsRecord, World } from '../world.ts';

/** One currency of a resized list: which one of the generated data it is like, and how often that was used before. */
interface Member {
  readonly id: string;
  readonly like: string;
  readonly copy: number;
}

const SCALED: ReadonlySet<string> = new Set(
  'price high_24h low_24h marketcap fdv ath cycle_low turnover_24h open high low close cost_to_move_up_usd cost_to_move_down_usd'.split(
    ' ',
  ),
);

/** Prices and everything that is a multiple of them, times `factor`. */
function scaled(record: JsonObject, factor: number): JsonObject {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name,
      typeof value === 'number' && SCALED.has(name)
        ? Number((value * factor).toPrecision(12))
        : value,
    ]),
  );
}

/** A service with `count` currencies: the first ones, and beyond these similar ones with other prices and names. */
function sized(world: World, count: number): Partial<World> {
  const base = world.currencyIds;
  const members: readonly Member[] = Array.from({ length: count }, (_, index) => {
    const like = base[index % base.length] ?? '';
    const copy = Math.floor(index / base.length);
    return {
      id: copy === 0 ? like : String(7_100_000_000_000_000_000n + BigInt(index)),
      like,
      copy,
    };
  });
  const byId = new Map(members.map((member) => [member.id, member]));
  const of = <Found>(
    id: string,
    find: (like: string) => Found | undefined,
    clone: (found: Found, member: Member) => Found,
  ): Found | undefined => {
    const member = byId.get(id);
    const found = member && find(member.like);
    return member === undefined || found === undefined || member.copy === 0
      ? found
      : clone(found, member);
  };
  const factor = ({ copy }: Member): number => 1 / (1 + copy * 0.37);
  const rename = (record: JsonObject, { copy, id }: Member): JsonObject => ({
    ...record,
    currency_id: id,
    symbol: `${textOf(record['symbol'])}${copy}`,
    name: `${textOf(record['name'])} ${copy}`,
  });
  const list = world.currencyList(0);
  return {
    currencyIds: members.map(({ id }) => id),
    currencyList: () =>
      members.flatMap((member, index) => {
        const record = list[index % base.length];
        if (!isObject(record)) return [];
        return [member.copy === 0 ? record : rename(record, member)];
      }),
    currencyInfo: (id) => of(id, (like) => world.currencyInfo(like), rename),
    currencySnapshot: (id, now) =>
      of(
        id,
        (like) => world.currencySnapshot(like, now),
        (record, member) => ({
          ...scaled(record, factor(member)),
          marketcap_rank: Number(record['marketcap_rank']) + member.copy * base.length,
        }),
      ),
    tokenEconomics: (id) => world.tokenEconomics(byId.get(id)?.like ?? ''),
    currencyKlines: (id, now) =>
      of(
        id,
        (like) => world.currencyKlines(like, now),
        (rows, member) => rows.map((row) => scaled(row, factor(member))),
      ),
    pairs: (id, now) =>
      of(
        id,
        (like) => world.pairs(like, now),
        (rows, member) =>
          rows.map((row) => ({
            ...scaled(row, factor(member)),
            base: `${textOf(row['base'])}${member.copy}`,
          })),
      ),
    // Newer ones have not told anybody about their money.
    fundraising: (id) => (byId.get(id)?.copy === 0 ? world.fundraising(id) : undefined),
    ...newsAbout(world, (id) => (byId.has(id) ? id : undefined)),
    fundraisingProjects: (now) =>
      world.fundraisingProjects(now).map((project) => {
        const id = isObject(project) ? project['currency_id'] : null;
        return isObject(project) && typeof id === 'string' && !byId.has(id)
          ? { ...project, currency_id: null }
          : project;
      }),
  };
}

/** News in which each currency_id is replaced, or left out where there is no such currency. */
function newsAbout(
  world: World,
  rename: (id: string) => string | undefined,
): ReturnType<typeof newsLists> {
  const known = bounded<NewsRecord>(6000);
  const change = (record: NewsRecord): NewsRecord =>
    known(record, () => ({
      ...record,
      currencyIds: record.currencyIds.flatMap((id) => rename(id) ?? []),
      item(language) {
        const item = record.item(language);
        return {
          ...item,
          matched_currencies: asList(item['matched_currencies']).flatMap((one) => {
            const id = isObject(one) ? rename(textOf(one['id'])) : undefined;
            return isObject(one) && id !== undefined ? [{ ...one, id }] : [];
          }),
        };
      },
    }));
  return newsLists(world, (list) => list.map(change));
}

/** Currencies under other identifiers. */
function identified(
  world: World,
  idOf: (symbol: string, name: string, index: number) => string,
): Partial<World> {
  const names = new Map(
    world.currencyList(0).flatMap((record, index) => {
      if (!isObject(record)) return [];
      const [old, symbol, name] = ['currency_id', 'symbol', 'name'].map((key) =>
        textOf(record[key]),
      );
      return [[old ?? '', idOf(symbol ?? '', name ?? '', index)] as const];
    }),
  );
  return {
    ...renaming(world, 'currencyIds', names),
    ...newsAbout(world, (id) => names.get(id)),
  };
}

/** Identifiers of one form, with texts that are none: one that looks like one, and one that does not. */
const ids = (
  currencyIdForm: RegExp,
  unknownCurrencyId: string,
  malformedCurrencyId: string | undefined,
  idOf: Parameters<typeof identified>[1],
): Choice => ({
  settings: { currencyIdForm },
  world: (world) => identified(world, idOf),
  target: fixtures(() => ({ unknownCurrencyId, malformedCurrencyId })),
});

const ANY = /^/;
const HEX = '[0-9a-f]';
const bySlug = (_symbol: string, name: string): string => slugOf(name);

/** How many currencies there are, and what they are called. */
export const CURRENCIES: readonly Dimension[] = [
  dimension(
    'currencies',
    'usual',
    counts([0, 1, 2, 3, 5, 300, 3000], (count) => data((world) => sized(world, count))),
  ),
  dimension('currency-ids', 'nineteen-digits', {
    'small-numbers': data((world) =>
      identified(world, (_symbol, _name, index) => String(index + 1)),
    ),
    'numbers-of-a-catalogue': data((world) =>
      identified(world, (_symbol, _name, index) =>
        String([1, 1027, 825, 52, 2][index] ?? 3000 + index),
      ),
    ),
    slugs: ids(ANY, 'no-such-coin', undefined, bySlug),
    'slugs-of-one-form': ids(/^[a-z0-9-]{1,64}$/, 'no-such-coin', '!!', bySlug),
    symbols: ids(ANY, 'NOSUCHCOIN', undefined, (symbol) => symbol),
    uuids: ids(
      new RegExp(`^${HEX}{8}(-${HEX}{4}){3}-${HEX}{12}$`),
      '5b1f0c52-93ad-4c1e-8f00-ffffffffffff',
      'not-a-currency-id',
      (_symbol, _name, index) =>
        `5b1f0c52-93ad-4c1e-8f00-${(0xa1_0000_0000 + index * 7919).toString(16).padStart(12, '0')}`,
    ),
  }),
  dimension('form-of-currency-ids', 'digits', {
    // Whatever is no known identifier is simply unknown.
    any: {
      settings: { currencyIdForm: ANY },
      target: fixtures(() => ({ malformedCurrencyId: undefined })),
    },
  }),
];
