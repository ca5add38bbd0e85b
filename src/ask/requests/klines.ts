// What a run asks of klines, those of currencies and those of stocks alike (§4.1, §4.5).
import { DAY } from '../../contract/time.ts';
import { UNIT_OPEN } from '../../rules/range-unit.ts';
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
  type GetOptions,
  type Query,
} from '../index.ts';
import {
  badRanges,
  bigPart,
  otherPath,
  richList,
  smallPart,
  withControl,
  type List,
} from './series.ts';

const CURRENCIES = '/currencies/{currency_id}/klines';
const STOCKS = '/crypto-stocks/{stock_ticker}/klines';
type KlinePath = typeof CURRENCIES | typeof STOCKS;

const BASE = { interval: '1d' } as const;
const MAXIMUM = 500;
/** No part of a list in particular. */
const ALL: Query = { limit: undefined, start_time: undefined, end_time: undefined };
/** A failure of the server is an answer to a request out of bounds. */
const whatever = { anyAnswer: true } as const;

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
const [NO_TIMES, EMPTY_START] = badRanges(CURRENCIES);
const OVER = { limit: MAXIMUM + 1 };
const ABOVE = [502, 1000, 2_147_483_648, 999_999_999_999].map((limit) => ({ limit }));
const INVALID = [0, -1, 'abc', '', '1.5', '1e2', '0x10', '١'].map((limit) => ({ limit }));
// 1D and a 1d with spaces around it are no such values: a service may fold the case and trim.
const INTERVALS = ['1m', '1M', '1d,1h'];

/** Standard sends other values to stocks than to currencies, so that more of them are seen. */
const WRONG: Readonly<Record<KlinePath, Wrong>> = {
  [CURRENCIES]: {
    intervals: { standard: '1h', further: ['1w', '1', ...INTERVALS] },
    limitsAbove: { standard: OVER, further: ABOVE },
    limitsInvalid: {
      standard: { limit: 0, ...NO_TIMES },
      further: [...INVALID, { limit: '', ...EMPTY_START }],
    },
  },
  [STOCKS]: {
    intervals: { standard: '1w', further: ['1h', 'd', ...INTERVALS] },
    limitsAbove: { standard: { ...OVER, ...NO_TIMES }, further: [OVER, ...ABOVE] },
    limitsInvalid: { standard: { limit: 'abc', ...EMPTY_START }, further: INVALID },
  },
};

type Request = (context: CheckContext) => Promise<Answer>;
type RequestWith = (query: Query, context: CheckContext, options?: GetOptions) => Promise<Answer>;

interface Requests {
  /** The plain request: the first instrument with candles. */
  readonly base: Request;
  /** The same instrument as in the plain request, with more parameters. */
  readonly again: RequestWith;
  /** The same as `again`, in the unit of time that the service reads. */
  readonly ranged: RequestWith;
  /** The same as `ranged`, of another instrument. */
  readonly otherRanged: RequestWith;
}

/** Requests for klines. Two instruments are asked: the first one with candles, and another one. */
function requestsOf(path: KlinePath): Requests {
  const list = (context: CheckContext): Promise<List> => richList(path, BASE, context);
  const base: Request = async (context) => (await list(context)).answer;
  const again: RequestWith = async (query, context, options) => {
    const { path: parameters } = await list(context);
    return context.api.get(path, { ...BASE, ...query }, { path: parameters, ...options });
  };
  const other: RequestWith = async (query, context, options) => {
    const parameters = await otherPath(path, await list(context), context);
    return context.api.get(path, { ...BASE, ...query }, { path: parameters, ...options });
  };
  /** The range in the unit that the service reads: one that shows nothing for a range of the list is asked in seconds. */
  const inUnit = async (query: Query, context: CheckContext): Promise<Query> => {
    if (path !== UNIT_OPEN) return query;
    const known = await ifTested(async () => smallPart(path, await base(context), context));
    if (known === undefined) return query;
    const shows = async (asked: Query): Promise<boolean> => {
      const { status, records } = await again(asked, context, whatever);
      return status >= 500 || records.length > 0;
    };
    if (await shows(known)) return query;
    return (await shows(inSeconds(known))) ? inSeconds(query) : query;
  };
  return {
    base,
    again,
    ranged: async (query, context, options) =>
      again(await inUnit(query, context), context, options),
    otherRanged: async (query, context, options) =>
      other(await inUnit(query, context), context, options),
  };
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

/** Several requests, one after the other. */
const together =
  (...requests: readonly Request[]) =>
  async (context: CheckContext): Promise<readonly Answer[]> => {
    const answers: Answer[] = [];
    for (const request of requests) answers.push(await request(context));
    return answers;
  };

/** A range between two days back from the start of this one: every check of a run asks for the same moments. */
function daysBack(from: number, to: number, { session }: CheckContext): Query {
  const today = Math.floor(session.http.targetNow() / DAY) * DAY;
  return { start_time: today - from * DAY, end_time: today - to * DAY };
}

/** Checks of all that klines take, by what they look at. Requirements take those of what is stated of their klines. */
function klineChecks(path: KlinePath) {
  const { base, again, ranged, otherRanged } = requestsOf(path);
  const wrong = WRONG[path];

  const small: Request = async (context) =>
    ranged(smallPart(path, await base(context), context), context);
  const big: Request = async (context) => otherRanged(bigPart(path, context), context);
  const withLimit =
    (limit: number): Request =>
    (context) =>
      again({ limit }, context);
  const everything = withLimit(MAXIMUM);
  /** From well before the three months to inside of them. */
  const beyond: Request = (context) => otherRanged(daysBack(150, 20, context), context, whatever);

  /** The plain request with another interval or without any. */
  const withInterval = (
    interval: string | undefined,
    context: CheckContext,
    more: Query = {},
  ): Promise<Answer> => again({ ...more, interval }, context, { control: { query: BASE } });
  /** What the instrument is known to accept beside the interval; nothing when there is too little data to say. */
  const accepted = async (context: CheckContext): Promise<Query> => {
    const known = await ifTested(async () => {
      const range = smallPart(path, await base(context), context);
      return (await again(range, context)).status === 200 ? range : {};
    });
    return known ?? {};
  };

  const outOfBounds = async (query: Query, context: CheckContext): Promise<Answer[]> =>
    withControl(await again(query, context, { control: { query: ALL }, ...whatever }));
  const limits = ({ standard, further }: Values<Query>): readonly Check[] => [
    ...each([standard], 'with %j', outOfBounds),
    ...each(further, 'with %j', outOfBounds, full),
  ];

  /** One end of a range, or both of them, and no limit. */
  const ends =
    (...names: readonly ('start_time' | 'end_time')[]): Request =>
    (context) => {
      const range = bigPart(path, context);
      return ranged(Object.fromEntries(names.map((name) => [name, range[name]])), context);
    };
  /** A range all of which lies beyond the window. */
  const old = async (context: CheckContext): Promise<Answer[]> => {
    const control = { query: { start_time: undefined, end_time: undefined } };
    const range = daysBack(400, 300, context);
    return withControl(await ranged(range, context, { control, ...whatever }));
  };

  const plain = [check(base, smoke)];
  const smallPartOfBase = together(base, small);
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
    limitMaxAccepted: [
      check(async (context) => {
        // Dates of another form than expected may be refused; then the limit is asked for alone.
        const answer = await big(context);
        const largest = answer.status === 200 ? answer : await everything(context);
        return [largest, await base(context), await beyond(context)];
      }),
      withoutRange,
    ],
    limitMax: limits(wrong.limitsAbove),
    limitInvalid: limits(wrong.limitsInvalid),
    limitExact: [
      check(smallPartOfBase),
      ...each(
        [1, 30],
        'with limit=%j and no range',
        (limit, context) => together(withLimit(limit), everything)(context),
        full,
      ),
    ],
    limitPart: [
      check(smallPartOfBase),
      part('without a range', together(withLimit(30), everything), full),
    ],
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

export const CURRENCY_KLINE_CHECKS = klineChecks(CURRENCIES);
export const STOCK_KLINE_CHECKS = klineChecks(STOCKS);
