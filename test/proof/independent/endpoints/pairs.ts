import { Refusal } from '../conduct/errors.ts';
import { numberOf, textValue, type Call } from '../core/call.ts';
import type { Json, JsonObject } from '../core/json.ts';
import { at, noise } from '../core/random.ts';
import type { Currency } from '../data/currencies.ts';
import { nameOf, slugOf } from '../data/names.ts';
import { pulse, rounded } from '../data/prices.ts';
import type { World } from '../worlds/world.ts';
import { currencyOf, priceNow } from './currencies.ts';
import { paging, type Param } from './params.ts';
import { envelope, figure } from './write.ts';

/** Names of the exchanges. */
export const EXCHANGES = [
  'Binance',
  'Coinbase Exchange',
  'OKX',
  'Bybit',
  'Kraken',
  'Gate.io',
  'Bitget',
  'KuCoin',
  'HTX',
  'Upbit',
  'MEXC',
  'Uniswap V3',
];

/** Fields that pairs can be sorted by. */
const SORTS = ['turnover_24h', 'price', 'market', 'cost_to_move_up_usd', 'cost_to_move_down_usd'];

export const PAIR_PARAMS: readonly Param[] = [
  ...paging(),
  {
    name: 'order_by',
    kind: 'enum',
    allowed: SORTS,
    unknown: (world) => (world.choice('unknown-order') === 'ignore' ? 'drop' : 'refuse'),
  },
  { name: 'exchange', kind: 'text' },
];

interface Pair {
  readonly target: string;
  readonly market: string;
  readonly price: number;
  readonly turnover: number;
  readonly up: number;
  readonly down: number;
}

function countOf(world: World, one: Currency): number {
  const most = world.count('pairs');
  return world.of('pair-spread', {
    'fewer-down-the-list': Math.floor(most / (one.index + 1)),
    'third-only': one.index === 2 ? most : 0,
    'all-alike': most,
  });
}

function turnoverOf(world: World, one: Currency, index: number, count: number): number {
  const plain =
    (4e9 / (one.index + 1) / (index + 1) ** 1.1) *
    (0.7 + noise(world.seed, 'turnover', one.symbol, index) * 0.6);
  const ties = world.choice('pair-ties');
  if (ties === 'many') return 10 ** Math.floor(Math.log10(plain));
  return ties === 'zero-volumes' && index > count / 3 ? 0 : rounded(plain, 9);
}

const known = new WeakMap<World, Map<number, readonly Pair[]>>();

/** Pairs of a currency as they were at the beginning, their prices for a currency that costs 1. */
function pairsAtFirst(world: World, one: Currency): readonly Pair[] {
  let cache = known.get(world);
  if (cache === undefined) known.set(world, (cache = new Map<number, readonly Pair[]>()));
  const found = cache.get(one.index);
  if (found !== undefined) return found;
  const count = countOf(world, one);
  const list = Array.from({ length: count }, (_, index) => {
    const target = at(['USDT', 'USD', 'USDC', 'EUR', 'KRW'], Math.floor(index / EXCHANGES.length));
    const other = index >= 5 * EXCHANGES.length ? nameOf(index)[1] : target;
    const depth = 1e6 / (index + 1);
    return {
      target: other,
      market: at(EXCHANGES, index),
      price: 1 + (noise(one.symbol, 'pair', index) - 0.5) * 0.002,
      turnover: turnoverOf(world, one, index, count),
      up: rounded(depth * (0.8 + noise('up', index)), 8),
      down: rounded(depth * (0.8 + noise('down', index)), 8),
    };
  });
  cache.set(one.index, list);
  return list;
}

function pairsOf(call: Call, one: Currency): Pair[] {
  const { world, now, count } = call;
  const price = priceNow(call, one);
  return pairsAtFirst(world, one).map((pair, index) => ({
    ...pair,
    price: rounded(price * pair.price),
    turnover: rounded(pair.turnover * pulse(world, `${one.symbol} ${index}`, now, count), 9),
  }));
}

function sorted(list: readonly Pair[], by: string | undefined): Pair[] {
  const value: Record<string, (pair: Pair) => number> = {
    turnover_24h: (pair) => pair.turnover,
    price: (pair) => pair.price,
    cost_to_move_up_usd: (pair) => pair.up,
    cost_to_move_down_usd: (pair) => pair.down,
  };
  if (by === 'market') return list.toSorted((a, b) => (a.market < b.market ? -1 : 1));
  const figureOf = value[by ?? 'turnover_24h'];
  return figureOf === undefined ? [...list] : list.toSorted((a, b) => figureOf(b) - figureOf(a));
}

/** The exchange that a filter names; undefined when none is. */
function exchangeOf(call: Call, text: string): string | undefined {
  const choice = call.world.choice('exchanges');
  return EXCHANGES.find((name) => {
    if (choice === 'name') return name === text;
    if (choice === 'folded') return name.toLowerCase() === text.toLowerCase();
    return slugOf(name) === text || (choice === 'name-or-slug' && name === text);
  });
}

/** GET /currencies/{currency_id}/pairs */
export function pairs(call: Call): Json {
  const { world } = call;
  const one = currencyOf(call);
  const wanted = textValue(call, 'exchange') ?? '';
  let rows = sorted(pairsOf(call, one), textValue(call, 'order_by'));
  if (wanted !== '') {
    const market = exchangeOf(call, wanted);
    if (market === undefined && world.choice('unknown-exchange') === 'refuse') {
      throw new Refusal('value', {
        fields: ['exchange'],
        value: wanted,
        issue: 'no such exchange',
      });
    }
    rows = rows.filter((pair) => pair.market === market);
  }
  const page = numberOf(call, 'page', 1);
  const size = numberOf(call, 'page_size', 20);
  const records = rows.map((pair): JsonObject => ({
    base: one.symbol,
    target: pair.target,
    market: pair.market,
    price: figure(world, pair.price),
    turnover_24h: figure(world, pair.turnover),
    cost_to_move_up_usd: figure(world, pair.up),
    cost_to_move_down_usd: figure(world, pair.down),
  }));
  return envelope(records, page, size);
}
