// The checks that klines of currencies and of stocks have in common (§4.1, §4.5, §8).
import { DAY } from '../../contract/time.ts';
import { UNIT_OPEN } from '../../rules/range-unit.ts';
import { requirement, Untested, type Answer, type CheckContext, type Query } from '../index.ts';
import {
  badRanges,
  bigPart,
  otherPath,
  richList,
  smallPart,
  withControl,
  type List,
} from './series.ts';

const BASE = { interval: '1d' } as const;
const MAXIMUM = 500;
/** No part of a list in particular. */
const ALL: Query = { limit: undefined, start_time: undefined, end_time: undefined };
const smoke = { profile: 'smoke' } as const;
const full = { profile: 'full' } as const;
/** A failure of the server is an answer to a request out of bounds. */
const whatever = { anyAnswer: true } as const;

const SECOND_MS = 1000;
const inSeconds = (query: Query): Query =>
  Object.fromEntries(
    Object.entries(query).map(([name, value]) => [
      name,
      typeof value === 'number' && name.endsWith('_time') ? Math.floor(value / SECOND_MS) : value,
    ]),
  );

interface KlineSuite {
  readonly path: '/currencies/{currency_id}/klines' | '/crypto-stocks/{stock_ticker}/klines';
  readonly section: '4.1' | '4.5';
}

type Ask = (context: CheckContext) => Promise<Answer | readonly Answer[]>;
const conforms =
  (ask: Ask) =>
  async (context: CheckContext): Promise<void> => {
    context.expect(await ask(context)).toConform();
  };

/** Checks of everything that klines take. Two instruments are asked: the first one with candles, and another one. */
export function klineSuite({ path, section }: KlineSuite): void {
  const list = (context: CheckContext): Promise<List> => richList(path, BASE, context);
  const base = async (context: CheckContext): Promise<Answer> => (await list(context)).answer;
  /** The same instrument as in the plain request, with more parameters. */
  const again = async (query: Query, context: CheckContext, options = {}): Promise<Answer> => {
    const { path: parameters } = await list(context);
    return context.api.get(path, { ...BASE, ...query }, { path: parameters, ...options });
  };
  const other = async (query: Query, context: CheckContext, options = {}): Promise<Answer> => {
    const parameters = await otherPath(path, await list(context), context);
    return context.api.get(path, { ...BASE, ...query }, { path: parameters, ...options });
  };
  /** The range in the unit that the service reads: one that shows nothing for a range of the list is asked in seconds. */
  const inUnit = async (query: Query, context: CheckContext): Promise<Query> => {
    if (path !== UNIT_OPEN) return query;
    let part: Query;
    try {
      part = smallPart(path, await base(context), context);
    } catch (error) {
      if (error instanceof Untested) return query;
      throw error;
    }
    const shows = async (asked: Query): Promise<boolean> => {
      const { status, records } = await again(asked, context, whatever);
      return status >= 500 || records.length > 0;
    };
    if (await shows(part)) return query;
    return (await shows(inSeconds(part))) ? inSeconds(query) : query;
  };
  const small = async (context: CheckContext): Promise<Answer> =>
    again(await inUnit(smallPart(path, await base(context), context), context), context);
  const big = async (context: CheckContext): Promise<Answer> =>
    other(await inUnit(bigPart(path, context), context), context);
  const everything = (context: CheckContext): Promise<Answer> => again({ limit: MAXIMUM }, context);
  /** From well before the three months to inside of them. */
  const beyond = async (context: CheckContext): Promise<Answer> => {
    // A whole day, so that the same moment is asked for by every check of a run.
    const now = Math.floor(context.session.http.targetNow() / DAY) * DAY;
    const range = { start_time: now - 150 * DAY, end_time: now - 20 * DAY };
    return other(await inUnit(range, context), context, whatever);
  };

  requirement(section === '4.1' ? '4.1/klines' : '4.5/klines', conforms(base), smoke);
  requirement(
    `${section}/klines-own`,
    conforms(async (context) => [await base(context), await big(context)]),
  );

  // interval
  const missing = async (context: CheckContext, query: Query): Promise<void> => {
    const { path: parameters } = await list(context);
    const answer = await context.api.get(path, query, {
      path: parameters,
      control: { query: BASE },
    });
    context.expect(answer).toBeRefused('missingParameter');
  };
  requirement(`${section}/klines-interval-required`, (context) => missing(context, {}));
  requirement(
    `${section}/klines-interval-required`,
    'refuses an empty interval',
    (context) => missing(context, { interval: '' }),
    full,
  );
  const refusesInterval = async (
    interval: string,
    context: CheckContext,
    more: Query = {},
  ): Promise<void> => {
    const { path: parameters } = await list(context);
    const answer = await context.api.get(
      path,
      { ...more, interval },
      { path: parameters, control: { query: BASE } },
    );
    context.expect(answer).toBeRefused('invalidValue');
  };
  /** What the instrument is known to accept beside the interval; nothing when there is too little data to say. */
  const accepted = async (context: CheckContext): Promise<Query> => {
    try {
      const part = smallPart(path, await base(context), context);
      return (await again(part, context)).status === 200 ? part : {};
    } catch (error) {
      if (error instanceof Untested) return {};
      throw error;
    }
  };
  const [sent, others] = section === '4.1' ? ['1h', ['1w', '1']] : ['1w', ['1h', 'd']];
  requirement(
    `${section}/klines-interval-enum`,
    `refuses interval=${JSON.stringify(sent)} beside a range and a limit`,
    async (context) => refusesInterval(sent, context, await accepted(context)),
  );
  // 1D and a 1d with spaces around it are no such values: a service may fold the case and trim.
  requirement.for(
    `${section}/klines-interval-enum`,
    [...others, '1m', '1M', '1d,1h'],
    full,
  )('refuses interval=%j', refusesInterval);

  // limit
  requirement(
    `${section}/klines-limit-default`,
    conforms(async (context) => [await base(context), await small(context)]),
  );
  requirement(`${section}/klines-limit-max-accepted`, async (context) => {
    // Dates of another form than expected may be refused; then the limit is asked for alone.
    const part = await big(context);
    const answer = part.status === 200 ? part : await everything(context);
    context.expect([answer, await base(context), await beyond(context)]).toConform();
  });
  for (const id of [
    `${section}/klines-limit-default`,
    `${section}/klines-limit-max-accepted`,
  ] as const) {
    const both: Ask = async (context) => [await everything(context), await base(context)];
    requirement(id, 'without a range', conforms(both), full);
  }
  const outOfBounds = async (query: Query, context: CheckContext): Promise<void> => {
    const answer = await again(query, context, { control: { query: ALL }, ...whatever });
    context.expect(withControl(answer)).toConform();
  };
  // Beside times that are none, a value shows only whether the server stumbles: full sends each of them alone, too.
  const [noTimes, emptyStart] = badRanges(path);
  const over = { limit: MAXIMUM + 1 };
  requirement.for(`${section}/klines-limit-max`, [
    section === '4.1' ? over : { ...over, ...noTimes },
  ])('with %j', outOfBounds);
  requirement.for(
    `${section}/klines-limit-max`,
    [
      ...(section === '4.1' ? [] : [over]),
      { limit: 502 },
      { limit: 1000 },
      { limit: 2_147_483_648 },
      { limit: 999_999_999_999 },
    ],
    full,
  )('with %j', outOfBounds);
  requirement.for(`${section}/klines-limit-invalid`, [
    section === '4.1' ? { limit: 0, ...noTimes } : { limit: 'abc', ...emptyStart },
  ])('with %j', outOfBounds);
  requirement.for(
    `${section}/klines-limit-invalid`,
    [
      ...[0, -1, 'abc', '', '1.5', '1e2', '0x10', '١'].map((limit) => ({ limit })),
      ...(section === '4.1' ? [{ limit: '', ...emptyStart }] : []),
    ],
    full,
  )('with %j', outOfBounds);

  const smallBesideBase: Ask = async (context) => [await base(context), await small(context)];
  requirement(`${section}/klines-limit-exact`, conforms(smallBesideBase));
  requirement.for(
    `${section}/klines-limit-exact`,
    [1, 30],
    full,
  )('with limit=%j and no range', async (limit, context) => {
    context.expect([await again({ limit }, context), await everything(context)]).toConform();
  });
  if (section === '4.1') {
    requirement('4.1/klines-limit-part', conforms(smallBesideBase));
    requirement(
      '4.1/klines-limit-part',
      'without a range',
      conforms(async (context) => [await again({ limit: 30 }, context), await everything(context)]),
      full,
    );
  }

  // range and window
  requirement(`${section}/klines-range`, 'with both ends and a limit', conforms(smallBesideBase));
  requirement(
    `${section}/klines-range`,
    'with both ends and the largest limit',
    conforms(async (context) => [await big(context), await beyond(context)]),
  );
  requirement.for(
    `${section}/klines-range`,
    ['with both ends', 'with start_time alone', 'with end_time alone'],
    full,
  )('%s', async (which, context) => {
    const { start_time, end_time } = bigPart(path, context);
    const range = {
      start_time: which === 'with end_time alone' ? undefined : start_time,
      end_time: which === 'with start_time alone' ? undefined : end_time,
    };
    const answer = await again(await inUnit(range, context), context);
    context.expect([answer, await base(context)]).toConform();
  });
  requirement(
    `${section}/klines-window`,
    conforms(async (context) => [await beyond(context), await big(context)]),
  );
  requirement(
    `${section}/klines-window-answer`,
    conforms(async (context) => [await beyond(context), await big(context)]),
  );
  requirement(
    `${section}/klines-window-answer`,
    'when the whole range lies beyond the window',
    async (context) => {
      const now = Math.floor(context.session.http.targetNow() / DAY) * DAY;
      const query = { start_time: now - 400 * DAY, end_time: now - 300 * DAY };
      const control = { query: { start_time: undefined, end_time: undefined } };
      const asked = await inUnit(query, context);
      const answer = await again(asked, context, { control, ...whatever });
      context.expect(withControl(answer)).toConform();
    },
    full,
  );

  // order
  if (section === '4.1') {
    // What the specification leaves open is seen in the answers that are there anyway.
    requirement('4.1/klines-order', async (context) => {
      const answer = await base(context);
      context.observe(answer);
      context.observe([answer, await small(context)]);
    });
  }
  requirement(`${section}/klines-one-order`, conforms(base), smoke);
}
