// Requirements that klines of currencies and of stocks share (§4.1, §4.5), and their requests.
import { endpoint } from '../../src/spec/endpoints.ts';
import { KLINE_INTERVALS } from '../../src/spec/values.ts';
import { about, must, type Advice } from '../../src/requirements/definition.ts';
import {
  CURRENCY_CANDLES,
  UNIT_OPEN,
  STOCK_CANDLES,
  type LimitedSeries,
} from '../../src/judge/series.ts';
import { limitOf } from './limit.ts';
import { parameterClause } from './of-endpoint.ts';
import { rangeOf, windowOf } from './range.ts';
import { refused } from './refusal.ts';
import {
  check,
  each,
  ifUntested,
  part,
  type Answer,
  type Check,
  type CheckContext,
  type Query,
} from '../../src/ask/index.ts';
import { byRestrictedKey } from './restricted-key-requests.ts';
import {
  anotherThan,
  badRanges,
  partsOf,
  rangedOrAlone,
  requestFor,
  richList,
  smallPart,
  together,
  ANY_ANSWER,
  type ListFinder,
} from './series-requests.ts';

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

const BASE = { interval: '1d' } as const;

/** Values that differ between currencies and stocks, to cover more of them. */
interface Values {
  /**
   * Invalid intervals, since an allow list may contain one by mistake: the one that the seed draws, and all of them for
   * the restricted key. Not 1D or a padded 1d, which a service may normalise.
   */
  readonly intervals: readonly string[];
  readonly limitsAbove: readonly Query[];
  readonly limitsInvalid: readonly Query[];
  readonly limitsAlone: readonly number[];
}

// Next to an invalid range, a limit shows only whether the server crashes, so most are sent alone.
const [NO_TIMES, EMPTY_START] = badRanges(CURRENCY_CANDLES);
const OVER = { limit: CURRENCY_CANDLES.limit.maximum + 1 };

const VALUES_OF_CURRENCIES: Values = {
  intervals: ['1h', '1w', '4h', '1m', '1M'],
  limitsAbove: [OVER],
  limitsInvalid: [
    { limit: 0, ...NO_TIMES },
    { limit: -1 },
    { limit: 'abc' },
    { limit: '', ...EMPTY_START },
  ],
  limitsAlone: [1],
};
const VALUES_OF_STOCKS: Values = {
  intervals: ['1w', '1h', '4h', '1m', '1M'],
  limitsAbove: [{ ...OVER, ...NO_TIMES }, OVER],
  limitsInvalid: [{ limit: 'abc', ...EMPTY_START }, { limit: 0 }, { limit: -1 }, { limit: '' }],
  limitsAlone: [],
};

/** Klines of two instruments: the first one with candles, and another. */
function listFinder(series: LimitedSeries): ListFinder {
  const find: ListFinder['find'] = (context) => richList(series.endpoint, BASE, context);
  const other = anotherThan(series, find);
  if (series.endpoint !== UNIT_OPEN) return { find, other };
  const again = requestFor(series, find);
  /** If a range in milliseconds returns nothing, retries in seconds and uses those if they return candles. */
  const inUnit = async (query: Query, context: CheckContext): Promise<Query> => {
    const known = await find(context)
      .then(({ answer }) => smallPart(series, answer, context))
      .catch(ifUntested(() => undefined));
    if (known === undefined) return query;
    const shows = async (asked: Query): Promise<boolean> => {
      const { status, records } = await again(asked, context, ANY_ANSWER);
      return status >= 500 || records.length > 0;
    };
    if (await shows(known)) return query;
    return (await shows(inSeconds(known))) ? inSeconds(query) : query;
  };
  return { find, other, inUnit };
}

const SECOND_MS = 1000;
const inSeconds = (query: Query): Query =>
  Object.fromEntries(
    Object.entries(query).map(([name, value]) => [
      name,
      typeof value === 'number' && name.endsWith('_time') ? Math.floor(value / SECOND_MS) : value,
    ]),
  );

function klineChecks(series: LimitedSeries, values: Values) {
  const finder = listFinder(series);
  const { find } = finder;
  const parts = partsOf(series, finder);
  const { plain: base, again, small, big, beyond, everything, outOfBounds } = parts;

  /** The plain request with another interval, or none. */
  const withInterval = (
    interval: string | undefined,
    context: CheckContext,
    more: Query = {},
  ): Promise<Answer> => again({ ...more, interval }, context, { control: { query: BASE } });
  /** A range that the instrument accepts, or nothing if there is too little data. */
  const accepted = (context: CheckContext): Promise<Query> =>
    base(context)
      .then(async (answer) => {
        const range = smallPart(series, answer, context);
        return (await again(range, context)).status === 200 ? range : {};
      })
      .catch(ifUntested(() => ({})));

  const limits = (queries: readonly Query[]): readonly Check[] =>
    each(queries, 'with %j', outOfBounds);

  const plain = [check(base)];
  const smallPartOfBase = together(base, small);
  const withoutRange = part('without a range', together(everything, base));

  return {
    answers: plain,
    own: [check(together(base, big))],
    intervalRequired: [
      check((context) => withInterval(undefined, context), { refused: 'missingParameter' }),
      part('refuses an empty interval', (context) => withInterval('', context), {
        refused: 'missingParameter',
      }),
    ],
    intervalEnum: [
      part(
        'refuses another interval with a range and a limit',
        async (context) => {
          const [interval] = context.api.rotated(values.intervals);
          return withInterval(interval, context, await accepted(context));
        },
        { refused: 'invalidValue' },
      ),
      ...each(
        values.intervals,
        'refuses interval=%j, with the restricted key',
        async (interval, context) => {
          const { path } = await find(context);
          const control = { query: BASE };
          return byRestrictedKey(context, series.endpoint, { interval }, { path, control });
        },
        { refused: 'invalidValue' },
      ),
    ],
    limitDefault: [check(smallPartOfBase), withoutRange],
    limitMaxAccepted: [check(together(rangedOrAlone(big, everything), base, beyond)), withoutRange],
    limitMax: limits(values.limitsAbove),
    limitInvalid: limits(values.limitsInvalid),
    limitExact: [
      check(smallPartOfBase),
      ...each(values.limitsAlone, 'with limit=%j and no range', (limit, context) =>
        together((same) => again({ limit }, same), everything)(context),
      ),
    ],
    limitPart: [check(smallPartOfBase)],
    range: [
      part('with both ends and a limit', smallPartOfBase),
      part('with both ends and the largest limit', together(big, beyond)),
    ],
    window: [check(together(beyond, big))],
    oneOrder: plain,
    // Observes unspecified behaviour in answers that other checks fetch anyway.
    order: [check(smallPartOfBase)],
  } as const satisfies Readonly<Record<string, readonly Check[]>>;
}

export type KlineChecks = ReturnType<typeof klineChecks>;

export const CURRENCY_KLINE_CHECKS = klineChecks(CURRENCY_CANDLES, VALUES_OF_CURRENCIES);
export const STOCK_KLINE_CHECKS = klineChecks(STOCK_CANDLES, VALUES_OF_STOCKS);
