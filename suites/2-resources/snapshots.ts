import { groupBy } from '../../src/text/group-by.ts';
import { MOVING_SHARE, PRICE_FACTOR, TRAILING_SHARE, MIN_PAIRS } from '../numbers.ts';
import { check } from '../../src/ask/index.ts';
import { about, should, must, observe } from '../../src/requirements/definition.ts';
import { decimalOf, isDecimalText } from '../../src/judge/text/decimals.ts';
import { show } from '../../src/judge/judgement.ts';
import { judgeAll } from '../../src/judge/judge.ts';
import { objectsOf, type ObjectAt } from '../../src/judge/values-at.ts';
import { fieldsOf } from '../families/field.ts';
import { areNear, currencyOf, hasSide, namesOf } from '../families/of-currency.ts';
import { withPairs, shownAt } from '../families/resource-requests.ts';
import {
  CONTRADICTING_FIGURES,
  NON_NEGATIVE,
  IDENTIFIER_ECHO,
  ascending,
  everyValue,
  isDecimal,
  isText,
  everyRecord,
  timestampUnit,
} from './judge.ts';
import { expectationOf } from '../../src/judge/expectation.ts';
import { isSameTicker } from '../../src/judge/tickers.ts';

// §2.2: the market snapshot of a currency.

const SNAPSHOT = '/currencies/{currency_id}/market-snapshot';
const STOCK = '/crypto-stocks/{stock_ticker}/market-snapshot';
const RESOURCE = 'currency-snapshot';
const checks = [check(shownAt(SNAPSHOT))];

/** What requirements on figures that must agree have in common. */
const CONSISTENT = {
  rulings: [22],
  ...CONTRADICTING_FIGURES,
  usually: [
    ...CONTRADICTING_FIGURES.usually,
    'The high or low is updated only once a day, and a new one has been reached since.',
  ],
  checks,
};

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

const SUPPLIES = ['/circulating_supply', '/total_supply', '/max_supply'];

const MOVING = { tolerance: MOVING_SHARE, where: hasRange };

export const CURRENCY_SNAPSHOT = {
  ...fieldsOf('currency-snapshot'),
  ...about([SNAPSHOT], {
    '2.2/high-low': should({
      title: '`high_24h` is not below `low_24h`',
      clauses: ['2.2 high_24h, low_24h'],
      ...CONSISTENT,
      judge: ascending(RESOURCE, { low: 'low_24h', high: 'high_24h' }),
    }),
    '2.2/price-in-range': should({
      title: 'The current price is between `low_24h` and `high_24h`, give or take 5 %',
      clauses: ['2.2 price', '2.2 high_24h, low_24h'],
      hinderedBy: ['2.2/high-low'],
      ...CONSISTENT,
      judge: ascending(
        RESOURCE,
        { low: 'low_24h', high: 'price', ...MOVING, at: 'low_24h' },
        { low: 'price', high: 'high_24h', ...MOVING },
      ),
    }),
    '2.2/ath-covers-price': should({
      title: 'The all-time high is not below the current price',
      clauses: ['2.2 ath'],
      ...CONSISTENT,
      judge: ascending(RESOURCE, { low: 'price', high: 'ath', tolerance: TRAILING_SHARE }),
    }),
    '2.2/cycle-low-below-price': should({
      title: 'The cycle low is not above the current price',
      clauses: ['2.2 cycle_low'],
      ...CONSISTENT,
      judge: ascending(RESOURCE, {
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
      judge: ascending(RESOURCE, { low: 'marketcap', high: 'fdv', tolerance: TRAILING_SHARE }),
    }),
    '2.2/supply-strings': should({
      title: 'Supplies are decimal strings, with circulating <= total <= maximum',
      clauses: ['2.2 max_supply', '2.2 total_supply', '2.2 circulating_supply'],
      ...CONSISTENT,
      // null means no maximum.
      judge: [
        everyValue(RESOURCE, SUPPLIES, isText, {
          kind: 'supply-not-decimal',
          expected: 'a decimal string without separators or units',
          holds: isDecimalText,
        }),
        ascending(
          RESOURCE,
          { low: 'circulating_supply', high: 'total_supply', above: true },
          { low: 'total_supply', high: 'max_supply', above: true },
        ),
      ],
    }),
    '2.2/percent-strings': should({
      title: 'Distances from the all-time high and the cycle low are empty or numeric strings',
      clauses: ['2.2 down_from_ath', '2.2 up_from_cycle_low'],
      why: 'Clients that compute with these values get NaN.',
      usually: ['The text is formatted for people, with words or thousands separators.'],
      checks,
      judge: everyValue(RESOURCE, ['/down_from_ath', '/up_from_cycle_low'], isText, {
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
      judge: everyValue(RESOURCE, [...FIGURES, '/marketcap_rank'], isDecimal, {
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
      judge: judgeAll((views, context, it) => {
        const known = namesOf(views, context);
        const lists = views.flatMap((view) => {
          const pairs = objectsOf(view, context, 'trading-pair');
          const names = known.get(currencyOf(view));
          // Pairs of another currency have other prices.
          const own = pairs.filter(({ value }) => names === undefined || hasSide(value, names));
          const middle = middlePrice(own);
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
            it.expect(
              view,
              price <= middle * PRICE_FACTOR && price >= middle / PRICE_FACTOR,
              () => ({
                kind: 'prices-differ',
                expected: `about ${middle}, going by ${list.view.exchange.id}`,
                against: [list.view],
                actual: `price ${show(value['price'])}`,
                pointer: `${pointer}/price`,
              }),
            );
          }
        }
      }),
    }),
  }),
};

/** Whether both extremes exist and are ordered. A currency without trades may have zeros. */
function hasRange({ value }: ObjectAt): boolean {
  const [lowest, highest] = [decimalOf(value['low_24h']), decimalOf(value['high_24h'])];
  return lowest !== undefined && highest !== undefined && highest > 0 && lowest <= highest;
}

/** Quotes worth about a US dollar. */
const DOLLARS: ReadonlySet<string> = new Set(['USD', 'USDT', 'USDC', 'FDUSD', 'DAI', 'TUSD']);

/** The median price of the pairs in dollars, if there are enough. */
function middlePrice(pairs: readonly ObjectAt[]): number | undefined {
  const inDollars = pairs.flatMap(({ value: { base, target, price } }) => {
    const figure = decimalOf(price);
    if (typeof base !== 'string' || typeof target !== 'string' || figure === undefined) return [];
    return DOLLARS.has(target.toUpperCase()) && figure > 0 ? [{ base, figure }] : [];
  });
  // Most pairs have the currency as base; in the others it is the quote.
  const byBase = [...groupBy(inDollars, ({ base }) => base).values()];
  const [most = []] = byBase.toSorted((a, b) => b.length - a.length);
  const prices = most.map(({ figure }) => figure).toSorted((a, b) => a - b);
  return prices.length < MIN_PAIRS ? undefined : prices[Math.floor(prices.length / 2)];
}

// §2.9: the market snapshot of a stock.

export const STOCK_SNAPSHOT = {
  ...fieldsOf('stock-snapshot'),
  ...about([STOCK], {
    '2.9/ticker-echo': must({
      title: 'The stock snapshot has the requested ticker',
      clauses: ['2.9 ticker'],
      ...IDENTIFIER_ECHO,
      checks: [check(shownAt(STOCK))],
      judge: everyRecord('stock-snapshot', ({ pointer, value: { ticker } }, view, it, context) => {
        const asked = view.exchange.pathParameters['stock_ticker'];
        if (asked === undefined || typeof ticker !== 'string') return;
        // An unknown one has no record (§7).
        if (expectationOf(view, context).kind === 'refused') return;
        it.expect(view, isSameTicker(ticker, asked), () => ({
          kind: 'other-stock',
          expected: `ticker "${asked}"`,
          actual: `ticker ${show(ticker)}`,
          pointer: `${pointer}/ticker`,
        }));
      }),
    }),
    '2.9/circulating-within-total': should({
      title: 'Circulating shares and market cap do not exceed the totals',
      clauses: [
        '2.9 circulating_marketcap, total_marketcap',
        '2.9 total_shares, circulating_shares',
      ],
      shownBy: 'a stock snapshot with a circulating figure and its total',
      rulings: [22],
      ...CONTRADICTING_FIGURES,
      checks: [check(shownAt(STOCK))],
      judge: ascending(
        'stock-snapshot',
        { low: 'circulating_marketcap', high: 'total_marketcap', tolerance: 1e-6, above: true },
        { low: 'circulating_shares', high: 'total_shares', tolerance: 1e-6, above: true },
      ),
    }),
    '2.9/timestamp-unit': observe({
      title: 'Unit of the stock snapshot timestamp',
      clauses: ['2.9 timestamp'],
      rulings: [2],
      checks: [check(shownAt(STOCK))],
      judge: everyRecord('stock-snapshot', ({ value: { timestamp } }, view, it) => {
        if (typeof timestamp !== 'number') return;
        const question = 'Unit of the timestamp in the snapshot of a stock';
        it.read(question, timestampUnit(timestamp), view);
      }),
    }),
  }),
};
