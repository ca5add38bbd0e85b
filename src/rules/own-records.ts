import type { Context } from './context.ts';
import { objectsOf, type ObjectAt } from './currency-values.ts';
import { decimalOf } from './decimals.ts';
import { show, type Rule } from './judgement.ts';
import { hasSide, namesOf, symbolsOf } from './pair-sides.ts';
import { place } from './transport.ts';
import type { View } from './view.ts';
import { criteria } from './criterion.ts';

/** What this file decides. */
export const OWN_RECORDS = criteria('ownRecord', 'priceAgrees');

/** Answers further apart than this are not compared, ms. */
const NEAR_MS = 600_000;

const currencyOf = (view: View): string => view.exchange.pathParameters['currency_id'] ?? '';

/** Figures that two currencies do not have in common: all of them together name a currency. */
const FIGURES = ['price', 'turnover_24h', 'marketcap', 'ath', 'circulating_supply'];

/** What stands for a record of a currency; undefined when it says too little, as that of a coin without trading. */
function fingerprintOf(view: View, context: Context): string | undefined {
  const [snapshot] = objectsOf(view, context, 'currency-snapshot');
  if (snapshot !== undefined) {
    const figures = FIGURES.map((name) => decimalOf(snapshot.value[name]));
    const telling = figures.filter((figure) => figure !== undefined && figure !== 0).length;
    return telling < FIGURES.length - 1 ? undefined : `snapshot ${figures.join(' ')}`;
  }
  const pairs = objectsOf(view, context, 'trading-pair');
  if (pairs.length < 3 || view.query.has('exchange')) return undefined;
  const rows = pairs.map(({ value }) => [value['market'], value['base'], value['target']]);
  // The same list is the same page of it.
  return `pairs ${JSON.stringify([view.query.get('page'), view.query.get('page_size'), rows])}`;
}

/** §4.1, ruling 22: what is sent for one currency is not what is sent for another one. */
const ownRecord: Rule = {
  name: 'own-record',
  judges: [OWN_RECORDS.ownRecord],
  all(views, context, into) {
    const symbols = symbolsOf(views, context);
    const told = views.flatMap((view) => {
      const fingerprint = fingerprintOf(view, context);
      return fingerprint === undefined ? [] : [{ view, fingerprint }];
    });
    for (const [index, { view, fingerprint }] of told.entries()) {
      const kind = fingerprint.slice(0, fingerprint.indexOf(' '));
      const others = told.slice(0, index).filter((other) => {
        const sameKind = other.fingerprint.startsWith(`${kind} `);
        const near = Math.abs(other.view.now - view.now) <= NEAR_MS;
        return sameKind && near && currencyOf(other.view) !== currencyOf(view);
      });
      if (others.length === 0) continue;
      const same = others.find((other) => other.fingerprint === fingerprint);
      // One currency under two identifiers.
      const symbol = symbols.get(currencyOf(view));
      const alias =
        same !== undefined &&
        symbol !== undefined &&
        symbol === symbols.get(currencyOf(same.view)) &&
        symbols.size > 1;
      if (alias) continue;
      into.expect(OWN_RECORDS.ownRecord, view, same === undefined, () => ({
        message: `${place(view)} has the same record for two currencies`,
        expected: `another ${kind === 'pairs' ? 'list' : 'snapshot'} than ${same?.view.exchange.id ?? ''} has`,
        actual: `${currencyOf(view)} is answered as ${same === undefined ? '' : currencyOf(same.view)} is`,
        pointer: view.root,
      }));
    }
  },
};

/** Fewer pairs than this may all be of a token that goes by another name. */
const ENOUGH = 3;

/** §2.5, ruling 22: a list of pairs of which none has the currency is that of another one. */
const ownPairs: Rule = {
  name: 'own-pairs',
  judges: [OWN_RECORDS.ownRecord],
  all(views, context, into) {
    const known = namesOf(views, context);
    for (const view of views) {
      const names = known.get(currencyOf(view));
      const pairs = objectsOf(view, context, 'trading-pair');
      if (names === undefined || pairs.length < ENOUGH) continue;
      const [first] = pairs;
      const own = pairs.some(({ value }) => hasSide(value, names));
      into.expect(OWN_RECORDS.ownRecord, view, own, () => ({
        message: `${place(view)} has no pair that the currency is part of`,
        expected: `${names.symbol} as base or target`,
        actual: `base ${show(first?.value['base'])}, target ${show(first?.value['target'])}`,
        pointer: first?.pointer ?? view.root,
      }));
    }
  },
};

/** Quotes that are a US dollar, give or take some percent. */
const DOLLARS: ReadonlySet<string> = new Set(['USD', 'USDT', 'USDC', 'FDUSD', 'DAI', 'TUSD']);
/** Markets are apart, and prices move between two requests: only what is beyond this factor is another price. */
const FACTOR = 1.5;

/** The price in the middle of those of the pairs in dollars; undefined when there are too few. */
function middlePrice(pairs: readonly ObjectAt[]): number | undefined {
  const bases = new Map<string, number>();
  const inDollars = pairs.flatMap(({ value: { base, target, price } }) => {
    const figure = decimalOf(price);
    if (typeof base !== 'string' || typeof target !== 'string' || figure === undefined) return [];
    if (!DOLLARS.has(target.toUpperCase()) || figure <= 0) return [];
    bases.set(base, (bases.get(base) ?? 0) + 1);
    return [{ base, figure }];
  });
  // Most pairs of a currency have it as base; the others are pairs of something else with it.
  const [most] = [...bases].toSorted((a, b) => b[1] - a[1]);
  const prices = inDollars
    .filter(({ base }) => base === most?.[0])
    .map(({ figure }) => figure)
    .toSorted((a, b) => a - b);
  return prices.length < ENOUGH ? undefined : prices[Math.floor(prices.length / 2)];
}

/** §2.2, §2.5, ruling 22: the snapshot is of the currency whose pairs are listed. */
const priceAgrees: Rule = {
  name: 'price-agrees',
  judges: [OWN_RECORDS.priceAgrees],
  all(views, context, into) {
    const lists = views.flatMap((view) => {
      const middle = middlePrice(objectsOf(view, context, 'trading-pair'));
      return middle === undefined ? [] : [{ view, middle }];
    });
    for (const view of views) {
      for (const { pointer, value } of objectsOf(view, context, 'currency-snapshot')) {
        const price = decimalOf(value['price']);
        const list = lists.find(
          (one) =>
            currencyOf(one.view) === currencyOf(view) &&
            Math.abs(one.view.now - view.now) <= NEAR_MS,
        );
        if (price === undefined || list === undefined) continue;
        const { middle } = list;
        into.expect(
          OWN_RECORDS.priceAgrees,
          view,
          price <= middle * FACTOR && price >= middle / FACTOR,
          () => ({
            message: `${place(view)} and the pairs of the currency give different prices`,
            expected: `about ${middle}, going by ${list.view.exchange.id}`,
            actual: `price ${show(value['price'])}`,
            pointer: `${pointer}/price`,
          }),
        );
      }
    }
  },
};

export const OWN_RECORD_RULES: readonly Rule[] = [ownRecord, ownPairs, priceAgrees];
