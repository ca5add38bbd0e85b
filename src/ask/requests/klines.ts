// What a run asks of klines, those of currencies and those of stocks alike (§4.1, §4.5).
import { UNIT_OPEN } from '../../rules/range-unit.ts';
import { CURRENCY_CANDLES, STOCK_CANDLES, type LimitedSeries } from '../../rules/series.ts';
import {
  check,
  each,
  full,
  part,
  smoke,
  Untested,
  type Answer,
  type Check,
  type CheckContext,
  type Query,
} from '../index.ts';
import {
  anotherThan,
  badPart,
  partsOf,
  rangedOrAlone,
  requestFor,
  together,
  whatever,
  type Ways,
} from './ranges-and-limits.ts';
import { badRanges, daysBack, richList, smallPart, withControl } from './series.ts';

const BASE = { interval: '1d' } as const;

/** One value that standard sends, and those that full adds. */
interface Values<Value> {
  readonly standard: Value;
  readonly further: readonly Value[];
}

/** Values that are not allowed. */
interface Wrong {
  readonly intervals: Values<string>;
  readonly limitsAbove: Values<Query>;
  readonly limitsInvalid: Values<Query>;
}

// Beside times that are none, a value shows only whether the server stumbles: full sends each of them alone, too.
const [NO_TIMES, EMPTY_START] = badRanges(CURRENCY_CANDLES);
const OVER = { limit: CURRENCY_CANDLES.limit.maximum + 1 };
const ABOVE = [502, 1000, 2_147_483_648, 999_999_999_999].map((limit) => ({ limit }));
const INVALID = [0, -1, 'abc', '', '1.5', '1e2', '0x10', '١'].map((limit) => ({ limit }));
// 1D and a 1d with spaces around it are no such values: a service may fold the case and trim.
const INTERVALS = ['1m', '1M', '1d,1h'];

// Standard sends other values to stocks than to currencies, so that more of them are seen.
const WRONG_OF_CURRENCIES: Wrong = {
  intervals: { standard: '1h', further: ['1w', '1', ...INTERVALS] },
  limitsAbove: { standard: OVER, further: ABOVE },
  limitsInvalid: {
    standard: { limit: 0, ...NO_TIMES },
    further: [...INVALID, { limit: '', ...EMPTY_START }],
  },
};
const WRONG_OF_STOCKS: Wrong = {
  intervals: { standard: '1w', further: ['1h', 'd', ...INTERVALS] },
  limitsAbove: { standard: { ...OVER, ...NO_TIMES }, further: [OVER, ...ABOVE] },
  limitsInvalid: { standard: { limit: 'abc', ...EMPTY_START }, further: INVALID },
};

/** How klines are asked for. Two instruments are: the first one with candles, and another one. */
function waysOf(series: LimitedSeries): Ways {
  const find: Ways['find'] = (context) => richList(series.endpoint, BASE, context);
  const other = anotherThan(series, find);
  if (series.endpoint !== UNIT_OPEN) return { find, other };
  const again = requestFor(series, find);
  /** A service that shows nothing for a range of the list is asked in seconds, once that shows something. */
  const inUnit = async (query: Query, context: CheckContext): Promise<Query> => {
    const known = await ifTested(async () =>
      smallPart(series, (await find(context)).answer, context),
    );
    if (known === undefined) return query;
    const shows = async (asked: Query): Promise<boolean> => {
      const { status, records } = await again(asked, context, whatever);
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

/** What is found; undefined where the target has not what it takes. */
async function ifTested<Found>(find: () => Promise<Found>): Promise<Found | undefined> {
  try {
    return await find();
  } catch (error) {
    if (error instanceof Untested) return undefined;
    throw error;
  }
}

/** Checks of all that klines take, by what they look at. Requirements take those of what is stated of their klines. */
function klineChecks(series: LimitedSeries, wrong: Wrong) {
  const parts = partsOf(series, waysOf(series));
  const { plain: base, again, small, big, beyond, everything, ends, outOfBounds } = parts;

  /** The plain request with another interval or without any. */
  const withInterval = (
    interval: string | undefined,
    context: CheckContext,
    more: Query = {},
  ): Promise<Answer> => again({ ...more, interval }, context, { control: { query: BASE } });
  /** What the instrument is known to accept beside the interval; nothing when there is too little data to say. */
  const accepted = async (context: CheckContext): Promise<Query> => {
    const known = await ifTested(async () => {
      const range = smallPart(series, await base(context), context);
      return (await again(range, context)).status === 200 ? range : {};
    });
    return known ?? {};
  };

  const limits = ({ standard, further }: Values<Query>): readonly Check[] => [
    ...each([standard], 'with %j', outOfBounds),
    ...each(further, 'with %j', outOfBounds, full),
  ];

  /** A range all of which lies beyond the window. */
  const old = async (context: CheckContext): Promise<Answer[]> => {
    const range = daysBack(series, [400, 300], context);
    return withControl(await parts.ranged(range, context, badPart(series)));
  };

  const plain = [check(base, smoke)];
  const smallPartOfBase = together(base, small);
  const besideEverything = (limit: number) =>
    together((context) => again({ limit }, context), everything);
  const withoutRange = part('without a range', together(everything, base), full);

  return {
    answers: plain,
    own: [check(together(base, big))],
    intervalRequired: [
      check((context) => withInterval(undefined, context), { refused: 'missingParameter' }),
      part('refuses an empty interval', (context) => withInterval('', context), {
        refused: 'missingParameter',
        ...full,
      }),
    ],
    intervalEnum: [
      part(
        `refuses interval=${JSON.stringify(wrong.intervals.standard)} beside a range and a limit`,
        async (context) => withInterval(wrong.intervals.standard, context, await accepted(context)),
        { refused: 'invalidValue' },
      ),
      ...each(wrong.intervals.further, 'refuses interval=%j', withInterval, {
        refused: 'invalidValue',
        ...full,
      }),
    ],
    limitDefault: [check(smallPartOfBase), withoutRange],
    limitMaxAccepted: [check(together(rangedOrAlone(big, everything), base, beyond)), withoutRange],
    limitMax: limits(wrong.limitsAbove),
    limitInvalid: limits(wrong.limitsInvalid),
    limitExact: [
      check(smallPartOfBase),
      ...each(
        [1, 30],
        'with limit=%j and no range',
        (limit, context) => besideEverything(limit)(context),
        full,
      ),
    ],
    limitPart: [check(smallPartOfBase), part('without a range', besideEverything(30), full)],
    range: [
      part('with both ends and a limit', smallPartOfBase),
      part('with both ends and the largest limit', together(big, beyond)),
      part('with both ends', together(ends('start_time', 'end_time'), base), full),
      part('with start_time alone', together(ends('start_time'), base), full),
      part('with end_time alone', together(ends('end_time'), base), full),
    ],
    window: [check(together(beyond, big))],
    windowAnswer: [
      check(together(beyond, big)),
      part('when the whole range lies beyond the window', old, full),
    ],
    oneOrder: plain,
    // What the specification leaves open is seen in the answers that are there anyway.
    order: [check(smallPartOfBase)],
  } as const satisfies Readonly<Record<string, readonly Check[]>>;
}

export const CURRENCY_KLINE_CHECKS = klineChecks(CURRENCY_CANDLES, WRONG_OF_CURRENCIES);
export const STOCK_KLINE_CHECKS = klineChecks(STOCK_CANDLES, WRONG_OF_STOCKS);
