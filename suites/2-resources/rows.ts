import * as macro from '../4.6-macro-and-charts/requirements.ts';
import { check, part } from '../../src/ask/index.ts';
import { DAY, HOUR } from '../../src/spec/time.ts';
import { about, should, must, observe } from '../../src/requirements/definition.ts';
import { atMostRounded, decimalOf } from '../../src/judge/text/decimals.ts';
import { judgeEach, judgeAll } from '../../src/judge/judge.ts';
import { objectsOf, valuesAt } from '../../src/judge/values-at.ts';
import { isObject } from '../../src/judge/view.ts';
import { fieldsOf, pageFields } from '../families/field.ts';
import { shownAt, withPairs } from '../families/resource-requests.ts';
import {
  everyValue,
  judgeValues,
  isDecimal,
  NON_NEGATIVE,
  IDENTIFIER_ECHO,
  readTimes,
} from './judge.ts';
import { PAIRS } from '../4.1-currencies/requests.ts';
import { show } from '../../src/judge/judgement.ts';
import { currencyOf, hasSide, namesOf, sidesOf } from '../families/of-currency.ts';
import { history } from '../4.4-etf-history/requests.ts';
import { historyRows } from '../../src/judge/etf-rows.ts';
import { expectationOf } from '../../src/judge/expectation.ts';
import { isSameTicker } from '../../src/judge/tickers.ts';
import { ENOUGH_RELEASES, RELEASE_LATE_MS } from '../numbers.ts';
import { isJudgeable } from '../../src/judge/context.ts';
import { MACRO_RELEASES } from '../../src/judge/series.ts';
import { readShape } from '../families/unstated-shapes.ts';

// §2.4: candles of currencies and stocks.

const KLINES = [
  '/currencies/{currency_id}/klines',
  '/crypto-stocks/{stock_ticker}/klines',
] as const;

const checks = [check(shownAt(...KLINES))];

export const CANDLES = {
  ...fieldsOf('kline'),
  ...about(KLINES, {
    '2.4/ohlc-order': should({
      title:
        'The open and close of a candle are between its low and high, and no figure is negative',
      clauses: ['2.4 open, high, low, close', '2.4 volume'],
      rulings: [22],
      needs: ['currencyIds'],
      why: 'Indicators and charts assume that open and close are between low and high.',
      usually: [
        'For the current day, high and low come from one source, and open and close from another.',
      ],
      checks,
      judge: everyValue('kline', [''], hasPrices, {
        kind: 'candle-contradicts-itself',
        expected: 'open and close between low and high, and no figure below 0',
        holds: isCandle,
      }),
    }),
    '2.4/daily-spacing': should({
      title:
        'Candles for the `interval` 1d are whole days apart, give or take an hour for daylight saving',
      clauses: ['2.4 timestamp'],
      needs: ['currencyIds'],
      why: 'Indicators assume that days are consecutive.',
      usually: ['Days are split in local time, so that one day has 23 or 25 hours, or is missing.'],
      checks,
      // The order requirement judges equal timestamps (ruling 19).
      judge: judgeEach((view, context, it) => {
        if (view.query.get('interval') !== '1d') return;
        const stamps = objectsOf(view, context, 'kline').flatMap(({ pointer, value }) => {
          const stamp = value['timestamp'];
          // The field's own requirement judges other units.
          return typeof stamp === 'number' && stamp >= 1e12 && stamp < 1e14
            ? [{ pointer: `${pointer}/timestamp`, stamp }]
            : [];
        });
        const sorted = stamps.toSorted((a, b) => a.stamp - b.stamp);
        const gaps = sorted.slice(1).map((one, index) => ({
          pointer: one.pointer,
          value: one.stamp - (sorted[index]?.stamp ?? one.stamp),
        }));
        judgeValues(
          view,
          gaps,
          {
            kind: 'candles-not-days-apart',
            expected:
              'a multiple of 24 hours between one candle and the next, give or take an hour',
            holds: (gap) => Math.min(Number(gap) % DAY, DAY - (Number(gap) % DAY)) <= HOUR,
            actual: ({ value }) =>
              `${(Number(value) / HOUR).toFixed(2)} hours after the one before`,
          },
          it,
        );
      }),
    }),
  }),
};

function hasPrices(candle: unknown): boolean {
  if (!isObject(candle)) return false;
  const { open, high, low, close } = candle;
  return [open, high, low, close].every((figure) => decimalOf(figure) !== undefined);
}

/** Figures of a candle may be rounded to different numbers of digits. */
function isCandle(candle: unknown): boolean {
  if (!isObject(candle)) return false;
  const { open, high, low, close, volume } = candle;
  const inside = [open, close].every(
    (figure) => atMostRounded(low, figure) && atMostRounded(figure, high),
  );
  const negative = [low, volume].some((figure) => (decimalOf(figure) ?? 0) < 0);
  return inside && atMostRounded(low, high) && !negative;
}

// §2.5: trading pairs, and the envelope of every paged list.

export const TRADING_PAIRS = {
  ...fieldsOf('trading-pair'),
  ...pageFields(),
  ...about([PAIRS], {
    '2.5/base-or-target': should({
      title: 'Every pair of a currency has that currency as base or target',
      clauses: ['2.5 base', '2.5 target'],
      why: 'Clients add the volume of unrelated pairs to that of the currency.',
      usually: [
        'Pairs are looked up by a name that two currencies share.',
        'Wrapped or bridged tokens are counted as the original.',
      ],
      checks: [check(withPairs('/currencies/{currency_id}'))],
      // Names of the currency come from currency info (§2.1).
      judge: judgeAll((views, context, it) => {
        const known = namesOf(views, context);
        for (const view of views) {
          const names = known.get(currencyOf(view));
          if (names === undefined) continue;
          judgeValues(
            view,
            objectsOf(view, context, 'trading-pair').filter(
              ({ value }) => sidesOf(value).length === 2,
            ),
            {
              kind: 'foreign-pair',
              expected: `${names.symbol} as base or target`,
              holds: (value) => isObject(value) && hasSide(value, names),
              actual: ({ value }) =>
                isObject(value)
                  ? `base ${show(value['base'])}, target ${show(value['target'])}`
                  : show(value),
            },
            it,
          );
        }
      }),
    }),
    '2.5/non-negative': should({
      title: 'Price, turnover and costs of a pair are not negative',
      clauses: ['2.5 price', '2.5 turnover_24h'],
      ...NON_NEGATIVE,
      checks: [check(shownAt(PAIRS))],
      judge: everyValue(
        'trading-pair',
        ['/price', '/turnover_24h', '/cost_to_move_up_usd', '/cost_to_move_down_usd'],
        isDecimal,
        {
          kind: 'negative-figure',
          expected: 'at least 0',
          holds: (value) => (decimalOf(value) ?? 0) >= 0,
        },
      ),
    }),
  }),
};

// §2.8: rows of the ETF summary history (table 1) and of an ETF's history (table 2).

export const ETF_ROWS = {
  ...fieldsOf('etf-summary-row', 'etf-history-row'),
  ...about(['/etfs/summary-history', '/etfs/{ticker}/history'], {
    '2.8/currency-share-unit': observe({
      title: 'Whether market share is a fraction or a percentage',
      clauses: ['2.8 table 2 currency_share'],
      checks: [check(history)],
      // A value above 1 must be a percentage, but smaller ones may be either, so all values are judged together.
      judge: judgeAll((views, context, it) => {
        const shares = views.flatMap((view) =>
          historyRows(view, context).map(({ fields }) => ({
            view,
            share: decimalOf(fields['currency_share']) ?? -Infinity,
          })),
        );
        const [top] = shares.toSorted((a, b) => b.share - a.share);
        if (top === undefined || top.share === -Infinity) return;
        const answer =
          top.share > 1 ? 'a percentage' : 'never above 1: a fraction, or small percentages';
        it.read('Unit of currency_share in ETF history', answer, top.view);
      }),
    }),
    '2.8/ticker-echo': must({
      title: 'Rows of an ETF have the requested ticker',
      clauses: ['2.8 table 2 ticker'],
      hinderedBy: ['2.8/history-ticker'],
      ...IDENTIFIER_ECHO,
      checks: [check(history)],
      // Letter case is unspecified.
      judge: judgeEach((view, context, it) => {
        const asked = view.exchange.pathParameters['ticker'];
        if (asked === undefined || expectationOf(view, context).kind === 'refused') return;
        const rows = historyRows(view, context).filter(
          ({ fields }) => typeof fields['ticker'] === 'string',
        );
        if (rows.length === 0) return;
        const others = rows.filter(({ fields }) => !isSameTicker(String(fields['ticker']), asked));
        it.none(view, others, ({ pointer, fields }) => ({
          kind: 'other-ticker',
          facts: { others: others.length, rows: rows.length },
          expected: `"${asked}"`,
          actual: show(fields['ticker']),
          pointer: `${pointer}/ticker`,
        }));
      }),
    }),
  }),
};

// §2.10: rows of the history of a macro event.

const MACRO = '/macro/events/{event}/history';

export const MACRO_ROWS = {
  ...fieldsOf('macro-history-row'),
  ...about([MACRO], {
    '2.10/date-format': observe({
      title: 'Date format of macro rows',
      clauses: ['2.10 date'],
      checks: [check(shownAt(MACRO))],
      judge: readTimes('dateText'),
    }),
    '2.10/released': should({
      title: 'Rows of past releases have figures',
      clauses: ['2.10 actual', '2.10 previous'],
      rulings: [3],
      why: 'A history without figures is useless.',
      usually: [
        'The figures are stored under other names, and null is sent in their place.',
        'Only the calendar was imported, not the figures.',
      ],
      checks: [check(macro.all), part('in the plain answer', macro.history)],
      // Future releases have null, but not all past ones (ruling 3).
      judge: judgeEach((view, context, it) => {
        if (view.exchange.endpoint !== MACRO || !view.ok) return;
        if (view.wrapped || !isJudgeable(view, context)) return;
        const past = view.records.filter(({ value }) => {
          const time = MACRO_RELEASES.timeOf(value);
          return time !== undefined && time < view.now - RELEASE_LATE_MS;
        });
        if (past.length < ENOUGH_RELEASES) return;
        for (const field of ['actual', 'previous']) {
          const empty = past.every(({ value }) => isObject(value) && value[field] === null);
          const [first] = past;
          it.expect(view, !empty, () => ({
            kind: 'null-in-past',
            facts: { field, rows: past.length },
            expected: `the ${field} of at least one release`,
            actual: show(first?.value),
            pointer: `${first?.pointer ?? view.root}/${field}`,
          }));
        }
      }),
    }),
  }),
};

// §2.11: metadata and data of charts.

const ANALYSES = '/analyses';
const CHART = '/analyses/{chart_name}';

export const CHARTS = {
  ...fieldsOf('chart'),
  ...about([ANALYSES], {
    '2.11/time-field-listed': should({
      title: '`time_field` names one of the listed fields of the chart',
      clauses: ['2.11 time_field', '2.11 fields'],
      why: 'Clients draw charts from this list: the time column must be one of the listed fields.',
      usually: [
        'The column name is an internal one, or differs in case from the name in `fields`.',
      ],
      checks: [check(shownAt(ANALYSES))],
      judge: judgeEach((view, context, it) => {
        const described = objectsOf(view, context, 'chart')
          .filter(
            ({ value }) =>
              typeof value['time_field'] === 'string' &&
              Array.isArray(value['fields']) &&
              value['fields'].length > 0,
          )
          .map((record) => ({
            pointer: `${record.pointer}/time_field`,
            value: record.value['time_field'],
            isListed: valuesAt(record, '/fields/*/name').some(
              ({ value }) => value === record.value['time_field'],
            ),
          }));
        // Services may keep the time column separate from the fields: if most charts omit it, it is not required.
        const listing = described.filter(({ isListed }) => isListed);
        if (listing.length * 2 < described.length) return;
        judgeValues(
          view,
          described,
          {
            kind: 'unlisted-time-field',
            expected: 'the name of one of the fields',
            holds: (_value, { pointer }) => listing.some((one) => one.pointer === pointer),
          },
          it,
        );
      }),
    }),
    '2.11/names-unique': should({
      title: 'Chart names are unique',
      clauses: ['2.11 chart_name'],
      why: 'Clients find charts by their names.',
      usually: ['A chart was renamed, and both entries are listed.'],
      checks: [check(shownAt(ANALYSES))],
      judge: judgeEach((view, context, it) => {
        const named = objectsOf(view, context, 'chart').flatMap((record) =>
          valuesAt(record, '/chart_name'),
        );
        const first = new Map(named.toReversed().map(({ pointer, value }) => [value, pointer]));
        judgeValues(
          view,
          named,
          {
            kind: 'chart-twice',
            expected: 'each chart_name once',
            holds: (value, { pointer }) => first.get(value) === pointer,
          },
          it,
        );
      }),
    }),
  }),
  '2.11/data-shape': observe({
    title: 'Shape of the records of one chart',
    endpoints: [CHART],
    clauses: ['2.11 chart data'],
    needs: ['chartNames'],
    checks: [check(shownAt(CHART))],
    judge: readShape([CHART]),
  }),
};
