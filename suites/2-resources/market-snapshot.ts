// §2.2: the market snapshot of a currency.
import { MOVING_SHARE, PRICE_FACTOR, TRAILING_SHARE, MIN_PAIRS } from '../numbers.ts';
import { check } from '../../src/ask/index.ts';
import { about, should } from '../../src/requirements/definition.ts';
import type { Context } from '../../src/judge/context.ts';
import { atMost, atMostRounded, decimalOf, isDecimalText } from '../../src/judge/text/decimals.ts';
import { show } from '../../src/judge/judgement.ts';
import { judgeAll, judgeEach, type Judge, type OwnJudgement } from '../../src/judge/judge.ts';
import { objectsOf, valuesAt, type ObjectAt } from '../../src/judge/values-at.ts';
import type { View } from '../../src/judge/view.ts';
import { fieldsOf } from '../families/field.ts';
import { areNear, currencyOf } from '../families/of-currency.ts';
import { withPairs, shownAt } from '../families/resource-requests.ts';
import { CONTRADICTING_FIGURES, NON_NEGATIVE } from './advice.ts';
import { everyValue, isDecimal, isText, judgeValues } from './judge.ts';

const SNAPSHOT = '/currencies/{currency_id}/market-snapshot';
const checks = [check(shownAt(SNAPSHOT))];

/** What requirements on figures that must agree have in common. */
const CONSISTENT = { rulings: [22], ...CONTRADICTING_FIGURES, checks };

const FIGURES = [
  '/price',
  '/turnover_24h',
  '/turnover_rate',
  '/high_24h',
  '/low_24h',
  '/marketcap',
  '/fdv',
  '/ath',
  '/cycle_low',
];

export const CURRENCY_SNAPSHOT = {
  ...fieldsOf('currency-snapshot'),
  ...about([SNAPSHOT], {
    '2.2/high-low': should({
      title: '`high_24h` is not below `low_24h`',
      clauses: ['2.2 high_24h, low_24h'],
      ...CONSISTENT,
      judge: ascending({ low: 'low_24h', high: 'high_24h', tolerance: 1e-9, at: 'high_24h' }),
    }),
    '2.2/price-in-range': should({
      title: 'The current price is between `low_24h` and `high_24h`, give or take 5 %',
      clauses: ['2.2 price', '2.2 high_24h, low_24h'],
      ...CONSISTENT,
      judge: ascending(
        { low: 'low_24h', high: 'price', tolerance: MOVING_SHARE, at: 'low_24h', where: hasRange },
        {
          low: 'price',
          high: 'high_24h',
          tolerance: MOVING_SHARE,
          at: 'high_24h',
          where: hasRange,
        },
      ),
    }),
    '2.2/ath-covers-price': should({
      title: 'The all-time high is not below the current price',
      clauses: ['2.2 ath'],
      ...CONSISTENT,
      judge: ascending({ low: 'price', high: 'ath', tolerance: TRAILING_SHARE, at: 'ath' }),
    }),
    '2.2/cycle-low-below-price': should({
      title: 'The cycle low is not above the current price',
      clauses: ['2.2 cycle_low'],
      ...CONSISTENT,
      judge: ascending({
        low: 'cycle_low',
        high: 'price',
        tolerance: TRAILING_SHARE,
        at: 'cycle_low',
      }),
    }),
    '2.2/fdv-covers-marketcap': should({
      title: 'Fully diluted valuation is not below market capitalisation',
      clauses: ['2.2 fdv', '2.2 marketcap'],
      ...CONSISTENT,
      judge: ascending({ low: 'marketcap', high: 'fdv', tolerance: TRAILING_SHARE, at: 'fdv' }),
    }),
    '2.2/supply-strings': should({
      title: 'Supplies are decimal strings, with circulating <= total <= maximum',
      clauses: ['2.2 max_supply', '2.2 total_supply', '2.2 circulating_supply'],
      ...CONSISTENT,
      // null means no maximum.
      judge: judgeEach((view, context, it) => {
        for (const record of objectsOf(view, context, 'currency-snapshot')) {
          const sent = ['/circulating_supply', '/total_supply', '/max_supply']
            .flatMap((path) => valuesAt(record, path))
            .filter(({ value }) => isText(value));
          judgeValues(view, sent, DECIMAL_SUPPLY, it);
          judgeSupplies(view, record, 'circulating_supply', 'total_supply', it);
          judgeSupplies(view, record, 'total_supply', 'max_supply', it);
        }
      }),
    }),
    '2.2/percent-strings': should({
      title: 'Distances from the all-time high and the cycle low are empty or numeric strings',
      clauses: ['2.2 down_from_ath', '2.2 up_from_cycle_low'],
      ...CONTRADICTING_FIGURES,
      checks,
      judge: everyValue('currency-snapshot', ['/down_from_ath', '/up_from_cycle_low'], isText, {
        kind: 'percentage-not-a-number',
        expected: 'a decimal string, with or without a percent sign, or an empty string',
        // The text may be formatted with a percent sign.
        holds: (value) => value === '' || isDecimalText(String(value).replace(/\s?%$/, '')),
      }),
    }),
    '2.2/non-negative': should({
      title: 'Prices, volumes and capitalisations are not negative, and the rank is at least 1',
      clauses: ['2.2 price', '2.2 turnover_24h', '2.2 marketcap_rank'],
      ...NON_NEGATIVE,
      checks,
      judge: everyValue('currency-snapshot', [...FIGURES, '/marketcap_rank'], isDecimal, {
        kind: 'figure-too-small',
        expected: 'at least 0; marketcap_rank at least 1',
        holds: (value, { pointer }) =>
          (decimalOf(value) ?? 0) >= (pointer.endsWith('/marketcap_rank') ? 1 : 0),
      }),
    }),
    '2.2/price-agrees': should({
      title: "A currency's price is close to the prices of its US-dollar pairs",
      clauses: ['2.2 price', '2.5 price'],
      rulings: [22],
      why: 'Two responses about one currency with very different prices cannot both be right.',
      usually: [
        'The snapshot belongs to another currency, often the first, because it comes from a cache whose key lacks the identifier.',
        'One of the prices is in a different currency, or is for a thousand or a million tokens.',
      ],
      checks: [check(withPairs(SNAPSHOT))],
      judge: judgeAll(isNearPairs),
    }),
  }),
};

/** Two figures of a record in ascending order. */
interface Comparison {
  readonly low: string;
  readonly high: string;
  /** Share by which `low` may exceed `high`. */
  readonly tolerance: number;
  /** Field that the finding points to. */
  readonly at: string;
  /** Records to compare (default: all). */
  readonly where?: (record: ObjectAt) => boolean;
}

/** Ruling 22: figures of a snapshot that must be consistent. */
function ascending(...comparisons: readonly Comparison[]): Judge {
  return judgeEach((view, context, it) => {
    for (const record of objectsOf(view, context, 'currency-snapshot')) {
      for (const comparison of comparisons) compare(view, record, comparison, it);
    }
  });
}

function compare(view: View, record: ObjectAt, comparison: Comparison, it: OwnJudgement): void {
  const { low, high, tolerance, at, where } = comparison;
  const [lower, upper] = [decimalOf(record.value[low]), decimalOf(record.value[high])];
  if (lower === undefined || upper === undefined || where?.(record) === false) return;
  const holds =
    atMost(lower, upper, tolerance) || atMostRounded(record.value[low], record.value[high]);
  it.expect(view, holds, () => ({
    kind: 'below',
    facts: { field: high, other: low },
    expected: `${high} of at least ${low}`,
    actual: `${high} ${show(record.value[high])}, ${low} ${show(record.value[low])}`,
    pointer: `${record.pointer}/${at}`,
  }));
}

/** Whether both extremes exist and are ordered. A currency without trades may have zeros. */
function hasRange({ value }: ObjectAt): boolean {
  const [lowest, highest] = [decimalOf(value['low_24h']), decimalOf(value['high_24h'])];
  return lowest !== undefined && highest !== undefined && highest > 0 && lowest <= highest;
}

const DECIMAL_SUPPLY = {
  kind: 'supply-not-decimal' as const,
  expected: 'a decimal string without separators or units',
  holds: isDecimalText,
};

function judgeSupplies(
  view: View,
  { pointer, value }: ObjectAt,
  low: string,
  high: string,
  it: OwnJudgement,
): void {
  const [lower, upper] = [value[low], value[high]];
  if (!isDecimalText(lower) || !isDecimalText(upper)) return;
  it.expect(view, atMost(Number(lower), Number(upper)), () => ({
    kind: 'above',
    facts: { field: low, other: high },
    expected: `${low} of at most ${high}`,
    actual: `${low} ${show(lower)}, ${high} ${show(upper)}`,
    pointer: `${pointer}/${low}`,
  }));
}

/** Ruling 22: the snapshot belongs to the currency whose pairs are listed. */
function isNearPairs(views: readonly View[], context: Context, it: OwnJudgement): void {
  const lists = views.flatMap((view) => {
    const middle = middlePrice(objectsOf(view, context, 'trading-pair'));
    return middle === undefined ? [] : [{ view, middle }];
  });
  for (const view of views) {
    for (const { pointer, value } of objectsOf(view, context, 'currency-snapshot')) {
      const price = decimalOf(value['price']);
      const list = lists.find(
        (one) => currencyOf(one.view) === currencyOf(view) && areNear(one.view, view),
      );
      if (price === undefined || list === undefined) continue;
      const { middle } = list;
      it.expect(view, price <= middle * PRICE_FACTOR && price >= middle / PRICE_FACTOR, () => ({
        kind: 'prices-differ',
        expected: `about ${middle}, going by ${list.view.exchange.id}`,
        against: [list.view],
        actual: `price ${show(value['price'])}`,
        pointer: `${pointer}/price`,
      }));
    }
  }
}

/** Quotes worth about a US dollar. */
const DOLLARS: ReadonlySet<string> = new Set(['USD', 'USDT', 'USDC', 'FDUSD', 'DAI', 'TUSD']);

/** The median price of the pairs in dollars, if there are enough. */
function middlePrice(pairs: readonly ObjectAt[]): number | undefined {
  const bases = new Map<string, number>();
  const inDollars = pairs.flatMap(({ value: { base, target, price } }) => {
    const figure = decimalOf(price);
    if (typeof base !== 'string' || typeof target !== 'string' || figure === undefined) return [];
    if (!DOLLARS.has(target.toUpperCase()) || figure <= 0) return [];
    bases.set(base, (bases.get(base) ?? 0) + 1);
    return [{ base, figure }];
  });
  // Most pairs have the currency as base; in the others it is the quote.
  const [most] = [...bases].toSorted((a, b) => b[1] - a[1]);
  const prices = inDollars
    .filter(({ base }) => base === most?.[0])
    .map(({ figure }) => figure)
    .toSorted((a, b) => a - b);
  return prices.length < MIN_PAIRS ? undefined : prices[Math.floor(prices.length / 2)];
}
