import { oneOf, paging, same, TEXT, type Call, type Endpoints } from './call.ts';
import { at, noise, times } from './core.ts';
import { currencyOf, type Currency } from './currencies.ts';
import NAMES from './names.json' with { type: 'json' };
import { priceNow, pulse, rounded } from './prices.ts';
import { Refusal, wrong } from './refusals.ts';
import { envelope, figures, nameOf, slugOf } from './texts.ts';
import type { World } from './world.ts';

const FIGURES = ['turnover_24h', 'price', 'cost_to_move_up_usd', 'cost_to_move_down_usd'] as const;

/** Names of the exchanges as a filter takes them. */
export const exchanges = (world: World): readonly string[] =>
  world.is('exchanges', 'slug') ? NAMES.exchanges.map(slugOf) : NAMES.exchanges;

/** Pairs of a currency as they were at the beginning, their prices for a currency that costs 1. */
function pairsAtFirst(world: World, one: Currency) {
  const most = world.count('pairs');
  const count = world.of('pair-spread', {
    'fewer-down-the-list': Math.floor(most / (one.index + 1)),
    'third-only': one.index === 2 ? most : 0,
    'all-alike': most,
  });
  return world.once(`pairs of ${one.id}`, () =>
    times(count, (index) => {
      const round = Math.floor(index / NAMES.exchanges.length);
      const depth = 1e6 / (index + 1);
      const plain =
        (4e9 / (one.index + 1) / (index + 1) ** 1.1) *
        (0.7 + noise(world.seed, 'turnover', one.symbol, index) * 0.6);
      const turnover_24h = world.of('pair-ties', {
        none: rounded(plain, 9),
        many: 10 ** Math.floor(Math.log10(plain)),
        'zero-volumes': index > count / 3 ? 0 : rounded(plain, 9),
      });
      return {
        target: NAMES.targets[round] ?? nameOf(index).symbol,
        market: at(NAMES.exchanges, index),
        price: 1 + (noise(one.symbol, 'pair', index) - 0.5) * 0.002,
        turnover_24h,
        cost_to_move_up_usd: rounded(depth * (0.8 + noise('up', index)), 8),
        cost_to_move_down_usd: rounded(depth * (0.8 + noise('down', index)), 8),
      };
    }),
  );
}

function pairs(call: Call) {
  const { world, values } = call;
  const one = currencyOf(call);
  const { exchange = '', order_by: by = 'turnover_24h' } = values;
  const price = priceNow(call, one);
  const market = NAMES.exchanges.find((name) =>
    world.of('exchanges', {
      name: name === exchange,
      folded: same(name, exchange, true),
      slug: slugOf(name) === exchange,
      'name-or-slug': [name, slugOf(name)].includes(exchange),
    }),
  );
  if (exchange !== '' && market === undefined && world.is('unknown-exchange', 'refuse'))
    throw wrong('value', 'exchange', exchange, 'no such exchange');
  if (exchange !== '' && market === undefined && world.is('unknown-exchange', '404'))
    throw new Refusal('resource', { message: 'Exchange not found', details: { exchange } });
  const rows = pairsAtFirst(world, one).map((pair, index) => ({
    ...pair,
    price: rounded(price * pair.price),
    turnover_24h: rounded(pair.turnover_24h * pulse(call, `${one.symbol} ${index}`), 9),
  }));
  const figure = FIGURES.find((name) => name === by);
  rows.sort((a, b) =>
    figure === undefined ? (a.market < b.market ? -1 : 1) : b[figure] - a[figure],
  );
  const found = exchange === '' ? rows : rows.filter((pair) => pair.market === market);
  return envelope(found, values, ({ target, market: place, ...numbers }) => ({
    base: one.symbol,
    target,
    market: place,
    ...figures(world, numbers),
  }));
}

const isIgnored = (world: World): undefined | false =>
  world.is('unknown-order', 'ignore') ? undefined : false;

/** The endpoint of pairs. */
export const PAIRS: Endpoints = {
  '/currencies/{currency_id}/pairs': {
    params: { ...paging(), order_by: oneOf([...FIGURES, 'market'], isIgnored), exchange: TEXT },
    answer: pairs,
  },
};
