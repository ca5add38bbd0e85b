// Requirements on `interval`, shared by klines of currencies and stocks (§4.1, §4.5).
import { KLINE_INTERVALS } from '../../src/spec/values.ts';
import type { Advice, Stated } from '../../src/requirements/definition.ts';
import { drawnFor, needsOf, parameterClause } from './of-endpoint.ts';
import type { SeriesFacts } from '../../src/judge/series.ts';

const INTERVAL: Advice = {
  why: 'Candles for the wrong interval look right, so the error goes unnoticed.',
  usually: [
    'A missing or unknown interval falls back to 1d instead of being refused.',
    'The enum is compared case-insensitively, so 1D is accepted.',
    'The refusal has the code for a missing parameter (400002) instead of the code for a wrong value (400003), or vice versa.',
  ],
};

interface IntervalWords {
  /** The list, such as `Klines`. */
  readonly list: string;
  /** With its article, such as `A stock klines interval`. */
  readonly interval: string;
}

export function intervalOf({ endpoint }: SeriesFacts, words: IntervalWords) {
  const clause = parameterClause(endpoint, 'interval');
  const common = { rulings: [6, 9], ...needsOf(endpoint), ...INTERVAL };
  return {
    required: {
      ...common,
      title: `${words.list} without \`interval\` are refused with 400 and code 400002`,
      clauses: [clause, '7 400002'],
      shownBy: 'a request without the parameter',
    },
    listed: {
      ...common,
      title: `${words.interval} other than ${KLINE_INTERVALS.join(', ')} is refused with 400 and code 400003`,
      clauses: [clause, '7 400003'],
      shownBy: 'a request with an unlisted value',
      ...drawnFor(endpoint),
    },
  } satisfies Readonly<Record<string, Stated>>;
}
