import { STATUS } from '../contract/finding.ts';
import { DAY, HOUR } from '../contract/time.ts';
import { atMost, atMostRounded, decimalOf } from './decimals.ts';
import { isJudgeable } from './context.ts';
import { objectsOf, type ObjectAt } from './currency-values.ts';
import { show, type Judgement, type Rule } from './judgement.ts';
import { isSameTicker } from './tickers.ts';
import { judgePlaces, placesAt } from './places.ts';
import { place } from './transport.ts';
import { isObject, type View } from './view.ts';
import { criteria } from './criterion.ts';

/** What this file decides. */
export const MARKET_VALUES = criteria(
  'ohlcOrder',
  'dailySpacing',
  'nonNegative',
  'tickerEcho',
  'circulatingWithinTotal',
  'timeFieldListed',
  'namesUnique',
  'chartsResolve',
);

/** §2.4: a candle encloses its open and close. */
const candles: Rule = {
  name: 'candles',
  judges: [MARKET_VALUES.ohlcOrder],
  each(view, context, into) {
    judgePlaces(
      view,
      objectsOf(view, context, 'kline').filter(({ value }) => hasPrices(value)),
      {
        criterion: MARKET_VALUES.ohlcOrder,
        message: `${place(view)} has a candle whose figures contradict each other`,
        expected: 'low <= open, close <= high, no figure below 0',
        holds: (value) => isObject(value) && isCandle(value),
        actual: ({ value }) => show(value),
      },
      into,
    );
  },
};

type Values = Readonly<Record<string, unknown>>;

const hasPrices = ({ open, high, low, close }: Values): boolean =>
  [open, high, low, close].every((figure) => decimalOf(figure) !== undefined);

/** The figures of a candle may have been rounded to different numbers of digits. */
function isCandle({ open, high, low, close, volume }: Values): boolean {
  const inside = [open, close].every(
    (figure) => atMostRounded(low, figure) && atMostRounded(figure, high),
  );
  const negative = [low, volume].some((figure) => (decimalOf(figure) ?? 0) < 0);
  return inside && atMostRounded(low, high) && !negative;
}

/** §2.4: daily candles lie whole days apart. Equal timestamps are judged with the order (ruling 19). */
const dailySpacing: Rule = {
  name: 'daily-spacing',
  judges: [MARKET_VALUES.dailySpacing],
  each(view, context, into) {
    if (view.query.get('interval') !== '1d') return;
    const stamps = objectsOf(view, context, 'kline').flatMap(({ pointer, value }) => {
      const stamp = value['timestamp'];
      // The field's own requirement judges seconds and other units.
      return typeof stamp === 'number' && stamp >= 1e12 && stamp < 1e14
        ? [{ pointer: `${pointer}/timestamp`, stamp }]
        : [];
    });
    if (stamps.length < 2) return;
    const sorted = stamps.toSorted((a, b) => a.stamp - b.stamp);
    const gaps = sorted.slice(1).map((one, index) => ({
      pointer: one.pointer,
      value: one.stamp - (sorted[index]?.stamp ?? one.stamp),
    }));
    judgePlaces(
      view,
      gaps,
      {
        criterion: MARKET_VALUES.dailySpacing,
        message: `${place(view)} has candles that are not whole days apart`,
        expected: 'a multiple of 24 hours between one candle and the next, give or take an hour',
        holds: (gap) => offDay(Number(gap)) <= HOUR,
        actual: ({ value }) => `${(Number(value) / HOUR).toFixed(2)} hours after the one before`,
      },
      into,
    );
  },
};

const offDay = (gap: number): number => Math.min(gap % DAY, DAY - (gap % DAY));

/** §2.5: figures of a pair. */
const pairFigures: Rule = {
  name: 'pair-figures',
  judges: [MARKET_VALUES.nonNegative],
  each(view, context, into) {
    const figures = objectsOf(view, context, 'trading-pair').flatMap((record) =>
      ['price', 'turnover_24h', 'cost_to_move_up_usd', 'cost_to_move_down_usd']
        .flatMap((name) => placesAt(record, `/${name}`))
        .filter(({ value }) => decimalOf(value) !== undefined),
    );
    judgePlaces(
      view,
      figures,
      {
        criterion: MARKET_VALUES.nonNegative,
        message: `${place(view)} has a negative figure`,
        expected: 'at least 0',
        holds: (value) => (decimalOf(value) ?? 0) >= 0,
      },
      into,
    );
  },
};

/** §2.9: the snapshot is that of the stock asked for, and its parts are not above the whole. */
const stockSnapshot: Rule = {
  name: 'stock-snapshot',
  judges: [MARKET_VALUES.tickerEcho, MARKET_VALUES.circulatingWithinTotal],
  each(view, context, into) {
    const asked = view.exchange.pathParameters['stock_ticker'];
    for (const record of objectsOf(view, context, 'stock-snapshot')) {
      const { ticker } = record.value;
      if (asked !== undefined && typeof ticker === 'string') {
        into.expect(MARKET_VALUES.tickerEcho, view, isSameTicker(ticker, asked), () => ({
          message: `${place(view)} answers with another stock`,
          expected: `ticker "${asked}"`,
          actual: `ticker ${show(ticker)}`,
          pointer: `${record.pointer}/ticker`,
        }));
      }
      judgePart(view, record, 'circulating_marketcap', 'total_marketcap', into);
      judgePart(view, record, 'circulating_shares', 'total_shares', into);
    }
  },
};

function judgePart(
  view: View,
  { pointer, value }: ObjectAt,
  part: string,
  whole: string,
  into: Judgement,
): void {
  const [lower, upper] = [decimalOf(value[part]), decimalOf(value[whole])];
  if (lower === undefined || upper === undefined) return;
  into.expect(MARKET_VALUES.circulatingWithinTotal, view, atMost(lower, upper, 1e-6), () => ({
    message: `${place(view)}: ${part} is above ${whole}`,
    expected: `${part} of at most ${whole}`,
    actual: `${part} ${show(value[part])}, ${whole} ${show(value[whole])}`,
    pointer: `${pointer}/${part}`,
  }));
}

/** §2.11: metadata of charts. */
const charts: Rule = {
  name: 'charts',
  judges: [MARKET_VALUES.timeFieldListed, MARKET_VALUES.namesUnique],
  each(view, context, into) {
    const records = objectsOf(view, context, 'chart');
    const described = records.filter(
      ({ value }) =>
        typeof value['time_field'] === 'string' &&
        Array.isArray(value['fields']) &&
        value['fields'].length > 0,
    );
    const names = (record: ObjectAt): unknown[] =>
      placesAt(record, '/fields/*/name').map(({ value }) => value);
    // The time column may be known apart from the fields: where most charts leave it out, none has to list it.
    const listing = described.filter((one) => names(one).includes(one.value['time_field']));
    const custom = listing.length * 2 >= described.length ? described : [];
    judgePlaces(
      view,
      custom.map((record) => ({
        pointer: `${record.pointer}/time_field`,
        value: record.value['time_field'],
      })),
      {
        criterion: MARKET_VALUES.timeFieldListed,
        message: `${place(view)} names a time column that the chart does not list`,
        expected: 'the name of one of the fields',
        holds: (value, { pointer }) =>
          described.some(
            (record) => pointer === `${record.pointer}/time_field` && names(record).includes(value),
          ),
      },
      into,
    );
    const named = records.flatMap((record) => placesAt(record, '/chart_name'));
    const first = new Map(named.toReversed().map(({ pointer, value }) => [value, pointer]));
    judgePlaces(
      view,
      named,
      {
        criterion: MARKET_VALUES.namesUnique,
        message: `${place(view)} lists a chart name twice`,
        expected: 'each chart_name once',
        holds: (value, { pointer }) => first.get(value) === pointer,
      },
      into,
    );
  },
};

/** §4.6: what the chart list names can be fetched. */
const chartsResolve: Rule = {
  name: 'charts-resolve',
  judges: [MARKET_VALUES.chartsResolve],
  all(views, context, into) {
    const listed = new Set<unknown>();
    for (const view of views) {
      for (const { value } of objectsOf(view, context, 'chart')) listed.add(value['chart_name']);
    }
    for (const view of views) {
      const { endpoint, pathParameters, role } = view.exchange;
      const name = pathParameters['chart_name'];
      if (endpoint !== '/analyses/{chart_name}' || role !== 'valid' || !listed.has(name)) continue;
      // A complaint about parameters, which are not shown, says that the chart is there (ruling 16).
      if (!isJudgeable(view, context) || view.status === 400 || view.status === 422) continue;
      if (!view.isJson) continue;
      // What the data of a chart looks like is not shown, nor whether there is any today (ruling 16).
      into.expect(MARKET_VALUES.chartsResolve, view, view.ok && view.body !== null, () => ({
        message: `${place(view)} does not know the listed chart ${show(name)}`,
        expected: 'status 200 with data',
        actual: view.ok ? `status ${view.status} with null` : `status ${view.status}`,
        ...(view.ok ? { pointer: '' } : { header: STATUS }),
      }));
    }
  },
};

export const MARKET_VALUE_RULES: readonly Rule[] = [
  candles,
  dailySpacing,
  pairFigures,
  stockSnapshot,
  charts,
  chartsResolve,
];
