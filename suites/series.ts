// What the suites on klines and macro history share: requests, ranges taken from answers, and the checks of both klines.
import { endpoint, type EndpointPath } from '../src/contract/endpoints.ts';
import { SERIES, timedRecords, type SeriesFacts } from '../src/rules/series.ts';
import { viewOf } from '../src/rules/view.ts';
import {
  requirement,
  Untested,
  type Answer,
  type CheckContext,
  type Query,
} from '../src/suite/index.ts';

const DAY = 86_400_000;
const smoke = { profile: 'smoke' } as const;
const full = { profile: 'full' } as const;

function seriesAt(path: EndpointPath): SeriesFacts {
  const found = SERIES.find((series) => series.endpoint === path);
  if (found === undefined) throw new TypeError(`${path} has no range`);
  return found;
}

/**
 * A range in the older half of what an answer shows, with a dozen records or more in it: fewer than there are, more than
 * the limit that goes with it. Its ends are records of the answer and keep away from both ends of the window.
 * @throws Untested when the answer holds too few records
 */
export function olderHalf(
  path: EndpointPath,
  answer: Answer,
  { session }: CheckContext,
): { start: number; end: number } {
  const view = viewOf(answer.exchange, session.facts);
  const rows = view === undefined ? [] : timedRecords(seriesAt(path), view);
  const times = [...new Set(rows.map(({ time }) => time))].toSorted((a, b) => a - b);
  const start = times[Math.floor(times.length * 0.15)];
  const end = times[Math.floor(times.length * 0.5)];
  const fixture = Object.values(endpoint(path).path)[0] ?? '';
  if (times.length < 40 || start === undefined || end === undefined) {
    throw new Untested(
      `the answer shows ${times.length} records with a time, too few to ask for a part of them; put one with a longer history first in fixtures.${fixture}`,
    );
  }
  return { start, end };
}

/** Requirements that klines of currencies and of stocks have in common. */
interface KlineSuite {
  readonly path: '/currencies/{currency_id}/klines' | '/crypto-stocks/{stock_ticker}/klines';
  readonly section: '4.1' | '4.5';
}

const BASE = { interval: '1d' } as const;
/** The control of a request whose limit is wrong: the same without it. */
const withoutLimit = { query: { limit: undefined } };

/** Checks of everything that klines take (§4.1, §4.5, §8). */
export function klineSuite({ path, section }: KlineSuite): void {
  const base = ({ api }: CheckContext): Promise<Answer> => api.get(path, BASE);
  const everything = ({ api }: CheckContext): Promise<Answer> =>
    api.get(path, { ...BASE, limit: 500 });

  requirement(
    section === '4.1' ? '4.1/klines' : '4.5/klines',
    async (context) => {
      context.expect(await base(context)).toConform();
    },
    smoke,
  );

  // interval
  requirement(`${section}/klines-interval-required`, async ({ api, expect }) => {
    const answer = await api.get(path, {}, { control: { query: BASE } });
    expect(answer).toBeRefused('missingParameter');
  });
  requirement(
    `${section}/klines-interval-required`,
    'refuses an empty interval',
    async ({ api, expect }) => {
      const answer = await api.get(path, { interval: '' }, { control: { query: BASE } });
      expect(answer).toBeRefused('missingParameter');
    },
    full,
  );
  const refusesInterval = async (
    interval: string,
    { api, expect }: CheckContext,
  ): Promise<void> => {
    const answer = await api.get(path, { interval }, { control: { query: BASE } });
    expect(answer).toBeRefused('invalidValue');
  };
  const [sent, others] = section === '4.1' ? ['1h', ['1w', '1']] : ['1w', ['1h', 'd']];
  requirement.for(`${section}/klines-interval-enum`, [sent])(
    'refuses interval=%j',
    refusesInterval,
  );
  // 1D and a 1d with spaces around it are no such values: a service may fold the case and trim.
  requirement.for(
    `${section}/klines-interval-enum`,
    [...others, '1m', '1M', '1d,1h'],
    full,
  )('refuses interval=%j', refusesInterval);

  // limit
  requirement(`${section}/klines-limit-default`, async (context) => {
    context.expect([await base(context), await everything(context)]).toConform();
  });
  requirement(`${section}/klines-limit-max-accepted`, async (context) => {
    context.expect([await everything(context), await base(context)]).toConform();
  });
  const outOfBounds = async (
    limit: number | string,
    { api, expect }: CheckContext,
  ): Promise<void> => {
    const query = { ...BASE, limit };
    const answer = await api.get(path, query, { control: withoutLimit, anyAnswer: true });
    expect(withControl(answer)).toConform();
  };
  requirement.for(`${section}/klines-limit-max`, [501])('with limit=%j', outOfBounds);
  requirement.for(
    `${section}/klines-limit-max`,
    [502, 1000, 2_147_483_648, 999_999_999_999],
    full,
  )('with limit=%j', outOfBounds);
  requirement.for(`${section}/klines-limit-invalid`, [0])('with limit=%j', outOfBounds);
  requirement.for(
    `${section}/klines-limit-invalid`,
    [-1, 'abc', '', '1.5', '1e2', '0x10', '١'],
    full,
  )('with limit=%j', outOfBounds);

  const inOlderHalf = async (context: CheckContext, more: Query = {}): Promise<Answer[]> => {
    const plain = await base(context);
    const { start, end } = olderHalf(path, plain, context);
    const query = { ...BASE, start_time: start, end_time: end, ...more };
    return [plain, await everything(context), await context.api.get(path, query)];
  };
  requirement(`${section}/klines-limit-exact`, async (context) => {
    context.expect(await inOlderHalf(context, { limit: 5 })).toConform();
  });
  requirement.for(
    `${section}/klines-limit-exact`,
    [1, 30],
    full,
  )('with limit=%j and no range', async (limit, context) => {
    const answer = await context.api.get(path, { ...BASE, limit });
    context.expect([answer, await everything(context)]).toConform();
  });
  if (section === '4.1') {
    requirement('4.1/klines-limit-part', async (context) => {
      context.expect(await inOlderHalf(context, { limit: 5 })).toConform();
    });
    requirement(
      '4.1/klines-limit-part',
      'without a range',
      async (context) => {
        const answer = await context.api.get(path, { ...BASE, limit: 30 });
        context.expect([answer, await everything(context)]).toConform();
      },
      full,
    );
  }

  // range and window
  requirement(`${section}/klines-range`, 'with both ends and a limit', async (context) => {
    context.expect(await inOlderHalf(context, { limit: 5 })).toConform();
  });
  requirement(
    `${section}/klines-range`,
    'with both ends',
    async (context) => {
      context.expect(await inOlderHalf(context)).toConform();
    },
    full,
  );
  requirement.for(
    `${section}/klines-range`,
    ['start_time', 'end_time'] as const,
    full,
  )('with %s alone', async (name, context) => {
    const other = name === 'start_time' ? 'end_time' : 'start_time';
    context.expect(await inOlderHalf(context, { [other]: undefined })).toConform();
  });
  const beyond = async ({ api, session }: CheckContext): Promise<Answer> => {
    // A whole day, so that the same moment is asked for by every check of a run.
    const now = Math.floor(session.http.targetNow() / DAY) * DAY;
    const query = { ...BASE, start_time: now - 150 * DAY, end_time: now - 20 * DAY };
    const control = { query: { start_time: undefined, end_time: undefined } };
    return api.get(path, query, { control, anyAnswer: true });
  };
  requirement(`${section}/klines-window`, async (context) => {
    const answers = [await base(context), await everything(context), await beyond(context)];
    context.expect(answers).toConform();
  });
  requirement(`${section}/klines-window-answer`, async (context) => {
    context.expect(withControl(await beyond(context))).toConform();
  });
  requirement(
    `${section}/klines-window-answer`,
    'when the whole range lies beyond the window',
    async ({ api, session, expect }) => {
      const now = Math.floor(session.http.targetNow() / DAY) * DAY;
      const query = { ...BASE, start_time: now - 400 * DAY, end_time: now - 300 * DAY };
      const control = { query: { start_time: undefined, end_time: undefined } };
      expect(withControl(await api.get(path, query, { control, anyAnswer: true }))).toConform();
    },
    full,
  );

  // order
  requirement(
    `${section}/klines-one-order`,
    async (context) => {
      context.expect(await base(context)).toConform();
    },
    smoke,
  );
}

/** An answer and the answer to its control, which shows that there was something to answer with. */
export function withControl(answer: Answer): Answer[] {
  return answer.control === null ? [answer] : [answer, answer.control];
}
