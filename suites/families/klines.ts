// Requirements that klines of currencies and of stocks share (§4.1, §4.5).
import { endpoint } from '../../src/spec/endpoints.ts';
import { KLINE_INTERVALS } from '../../src/spec/values.ts';
import { about, must, type Advice } from '../../src/requirements/definition.ts';
import type { CURRENCY_CANDLES } from '../../src/judge/series.ts';
import type { KlineChecks } from './klines-requests.ts';
import { limitOf } from './limit.ts';
import { drawnFor, parameterClause } from './of-endpoint.ts';
import { rangeOf, windowOf } from './range.ts';
import { refused } from './refusal.ts';

const INTERVAL: Advice = {
  why: 'Candles for the wrong interval look right, so the error goes unnoticed.',
  usually: [
    'A missing or unknown interval falls back to 1d instead of being refused.',
    'The enum is compared case-insensitively, so 1D is accepted.',
    'The refusal has the code for a missing parameter (400002) instead of the code for a wrong value (400003), or vice versa.',
  ],
};

interface KlineWords {
  /** The list, such as `Klines`. */
  readonly list: string;
  /** Parameters with their article, such as `A klines limit`. */
  readonly interval: string;
  readonly limit: string;
  readonly range: string;
  /** A record, such as `currency candle`. */
  readonly candle: string;
  /** Records, such as `stock candles`. */
  readonly candles: string;
}

/** Requirements on interval and limit, and on range and window. */
export function klinesOf(series: typeof CURRENCY_CANDLES, checks: KlineChecks, words: KlineWords) {
  const { endpoint: path } = series;
  const { section } = endpoint(path);
  const clause = parameterClause(path, 'interval');
  const interval = { rulings: [6, 9], ...INTERVAL };
  const limit = limitOf(series, {
    without: `${words.list} without \`limit\` are`,
    limit: words.limit,
    bounds: '8 klines limit',
  });
  const window = windowOf(series, {
    none: `No ${words.candle} is`,
    range: words.range,
    beyond: 'the window',
    stated: [`${section} GET ${path}`],
    bounds: '8 klines limit',
  });
  return {
    parameters: about([path], {
      [`${section}/klines-interval-required`]: must({
        ...interval,
        title: `${words.list} without \`interval\` are refused with 400 and code 400002`,
        clauses: [clause, '7 400002'],
        shownBy: 'a request without the parameter',
        checks: checks.intervalRequired,
        judge: refused('missing interval'),
      }),
      [`${section}/klines-interval-enum`]: must({
        ...interval,
        title: `${words.interval} other than ${KLINE_INTERVALS.join(', ')} is refused with 400 and code 400003`,
        clauses: [clause, '7 400003', '8 klines limit'],
        shownBy: 'a request with an unlisted value',
        ...drawnFor(path),
        checks: checks.intervalEnum,
        judge: refused('value of interval'),
      }),
      [`${section}/klines-limit-default`]: must({
        ...limit.byDefault,
        checks: checks.limitDefault,
      }),
      [`${section}/klines-limit-exact`]: must({ ...limit.exact, checks: checks.limitExact }),
      [`${section}/klines-limit-max`]: must({ ...limit.maximum, checks: checks.limitMax }),
      [`${section}/klines-limit-max-accepted`]: must({
        ...limit.accepted,
        checks: checks.limitMaxAccepted,
      }),
      [`${section}/klines-limit-invalid`]: must({ ...limit.invalid, checks: checks.limitInvalid }),
    }),
    range: about([path], {
      [`${section}/klines-window`]: must({ ...window.older, checks: checks.window }),
      [`${section}/klines-window-answer`]: must({ ...window.answer, checks: checks.window }),
      [`${section}/klines-range`]: must({
        ...rangeOf(series, words.candles),
        checks: checks.range,
      }),
    }),
  };
}
