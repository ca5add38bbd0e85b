// 4.1/own-record: a currency gets its own snapshot and pairs.
import { MIN_PAIRS } from '../numbers.ts';
import type { Context } from '../../src/judge/context.ts';
import { decimalOf } from '../../src/judge/text/decimals.ts';
import { show } from '../../src/judge/judgement.ts';
import { judgeAll } from '../../src/judge/judge.ts';
import { objectsOf } from '../../src/judge/values-at.ts';
import type { View } from '../../src/judge/view.ts';
import { areNear, currencyOf, hasSide, namesOf } from '../families/of-currency.ts';

/** Figures that together identify a currency. */
const FIGURES = ['price', 'turnover_24h', 'marketcap', 'ath', 'circulating_supply'];

/** A fingerprint of the record; undefined if it has too little data, as without trading. */
function fingerprintOf(view: View, context: Context): string | undefined {
  const [snapshot] = objectsOf(view, context, 'currency-snapshot');
  if (snapshot !== undefined) {
    const figures = FIGURES.map((name) => decimalOf(snapshot.value[name]));
    const conclusive = figures.filter((figure) => figure !== undefined && figure !== 0).length;
    return conclusive < FIGURES.length - 1 ? undefined : figures.join(' ');
  }
  const pairs = objectsOf(view, context, 'trading-pair');
  if (pairs.length < 3 || view.query.has('exchange')) return undefined;
  const rows = pairs.map(({ value }) => [value['market'], value['base'], value['target']]);
  // Only the same page of a list is comparable.
  return JSON.stringify([view.query.get('page'), view.query.get('page_size'), rows]);
}

/** A snapshot or list of pairs differs from those of other currencies. */
const distinct = judgeAll((views, context, it) => {
  const names = namesOf(views, context);
  const fingerprinted = views.flatMap((view) => {
    const isUnknown = context.unknownIds['currency_id']?.includes(currencyOf(view) ?? '') === true;
    const fingerprint = isUnknown ? undefined : fingerprintOf(view, context);
    return fingerprint === undefined ? [] : [{ view, fingerprint }];
  });
  for (const [index, { view, fingerprint }] of fingerprinted.entries()) {
    const others = fingerprinted
      .slice(0, index)
      .filter(
        (other) =>
          other.view.exchange.endpoint === view.exchange.endpoint &&
          areNear(other.view, view) &&
          currencyOf(other.view) !== currencyOf(view),
      );
    if (others.length === 0) continue;
    const same = others.find((other) => other.fingerprint === fingerprint);
    // One currency under two identifiers.
    const symbol = names.get(currencyOf(view))?.symbol;
    const alias =
      same !== undefined &&
      symbol !== undefined &&
      symbol === names.get(currencyOf(same.view))?.symbol &&
      names.size > 1;
    if (alias) continue;
    it.expect(view, same === undefined, () => ({
      kind: 'same-record',
      expected: `a ${view.endpoint?.response.kind === 'page' ? 'list' : 'snapshot'} other than that in ${same?.view.exchange.id ?? ''}`,
      against: same === undefined ? [] : [same.view],
      actual: `the same for ${currencyOf(view)} and ${same === undefined ? '' : currencyOf(same.view)}`,
      pointer: view.root,
    }));
  }
});

/** A list of pairs without the currency belongs to another one (§2.5). */
const withOwnPairs = judgeAll((views, context, it) => {
  const known = namesOf(views, context);
  for (const view of views) {
    const names = known.get(currencyOf(view));
    const pairs = objectsOf(view, context, 'trading-pair');
    if (names === undefined || pairs.length < MIN_PAIRS) continue;
    const [first] = pairs;
    const own = pairs.some(({ value }) => hasSide(value, names));
    it.expect(view, own, () => ({
      kind: 'no-own-pair',
      expected: `${names.symbol} as base or target`,
      actual: `base ${show(first?.value['base'])}, target ${show(first?.value['target'])}`,
      pointer: first?.pointer ?? view.root,
    }));
  }
});

/** Ruling 22: two currencies do not share records. */
export const ownRecord = [distinct, withOwnPairs];
