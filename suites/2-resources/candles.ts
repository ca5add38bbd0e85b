// §2.4: candles of currencies and stocks.
import { check } from '../../src/ask/index.ts';
import { DAY, HOUR } from '../../src/spec/time.ts';
import { about, should, type Advice } from '../../src/requirements/definition.ts';
import { atMostRounded, decimalOf } from '../../src/judge/text/decimals.ts';
import { judgeEach } from '../../src/judge/judge.ts';
import { objectsOf } from '../../src/judge/values-at.ts';
import { isObject } from '../../src/judge/view.ts';
import { fieldsOf } from '../families/field.ts';
import { shownAt } from '../families/resource-requests.ts';
import { everyValue, judgeValues } from './judge.ts';

const KLINES = [
  '/currencies/{currency_id}/klines',
  '/crypto-stocks/{stock_ticker}/klines',
] as const;

const checks = [check(shownAt(...KLINES))];

const ADVICE: Advice = {
  why: 'Indicators assume that open and close are between low and high, and that days are consecutive.',
  usually: [
    'For the current day, high and low come from one source, and open and close from another.',
    'Days are split in local time, so that one day has 23 or 25 hours, or is missing.',
  ],
};

export const CANDLES = {
  ...fieldsOf('kline'),
  ...about(KLINES, {
    '2.4/ohlc-order': should({
      title:
        'The open and close of a candle are between its low and high, and no figure is negative',
      clauses: ['2.4 open, high, low, close', '2.4 volume'],
      rulings: [22],
      needs: ['currencyIds'],
      ...ADVICE,
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
      ...ADVICE,
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
