// §4.4 ETF history: the days of one ETF, of which the newest settles a day later. See also 9-after-a-day.
import {
  requirement,
  type Answer,
  type CheckContext,
  type GetOptions,
  type Query,
} from '../src/suite/index.ts';
import { figuresOf } from '../src/rules/etf-settlement.ts';
import { Untested } from '../src/suite/index.ts';
import {
  baseHistory,
  conforms,
  countriesBehind,
  HISTORY,
  mustShowUnsettled,
  mustSpanHoliday,
  plainHistory,
  rangeBeyond,
} from '../src/ask/requests/etf.ts';
import { badRanges, bigPart, otherPath, smallPart } from '../src/ask/requests/series.ts';

const smoke = { profile: 'smoke' } as const;
const full = { profile: 'full' } as const;
const [NO_DATES, EMPTY_START] = badRanges(HISTORY);

requirement('4.4/history', conforms(baseHistory), smoke);

// Rows. Every other answer of the run is judged in the same way when the run ends.
for (const id of [
  '2.8/ticker-echo',
  '4.4/order',
  '4.4/weekends',
  '4.4/date-unique',
  '4.4/recent',
  '4.4/t1-newest-only',
  '4.4/t1-not-zero',
  '4.4/volume-of-shares',
  '4.4/volume-equals-turnover',
] as const) {
  requirement(id, conforms(baseHistory), smoke);
}
// The list says in which country the ETF trades, and so which days follow each other.
requirement(
  '4.4/cumulative',
  conforms(async (context) => [await baseHistory(context), await context.api.get('/etfs')]),
  smoke,
);
for (const id of ['2.8/currency-share-unit', '4.4/volume-reading'] as const) {
  requirement(id, async (context) => context.observe(await baseHistory(context)), smoke);
}
requirement('4.4/holidays', async (context) => {
  const [answer, list] = [await baseHistory(context), await context.api.get('/etfs')];
  mustSpanHoliday(answer, countriesBehind(answer, list, context));
  context.expect([answer, list]).toConform();
});

// Other ETFs of the target: the rows of a second and a last one show what the first does not.
const others = ['4.4/history', '2.8/ticker-echo', '4.4/order', '4.4/cumulative'] as const;
for (const [name, pick] of [
  ['second', (tickers: readonly string[]) => tickers[1]],
  ['last', (tickers: readonly string[]) => (tickers.length > 2 ? tickers.at(-1) : undefined)],
] as const) {
  for (const id of others) {
    requirement(
      id,
      `for the ${name} ETF`,
      async ({ api, expect }) => {
        const tickers = await api.fixtures('etfTickers');
        const ticker = pick(tickers);
        if (ticker === undefined) {
          throw new Untested(
            `there are ${tickers.length} ETF tickers: add more to fixtures.etfTickers`,
          );
        }
        expect(await api.get(HISTORY, {}, { path: { ticker } })).toConform();
      },
      full,
    );
  }
}

// T+1 (rules 1 and 2), where the newest row is unsettled.
const unsettledHistory = async (context: CheckContext): Promise<Answer> => {
  const answer = await baseHistory(context);
  mustShowUnsettled(answer);
  return answer;
};
for (const id of ['4.4/t1-group', '4.4/t1-filled', '4.4/t1-current-day'] as const) {
  requirement(id, conforms(unsettledHistory), smoke);
}
requirement('4.4/snapshot-settled', async ({ api, expect }) => {
  const answer = await api.get('/etfs/{ticker}/market-snapshot');
  if (figuresOf(answer.body, '').length === 0) {
    throw new Untested('the snapshot shows none of the settlement figures under their names');
  }
  expect(answer).toConform();
});

// Range and window. Two ETFs are asked: the first one with rows, and another one.
type Ask = (context: CheckContext) => Promise<readonly Answer[]>;
/** The plain request, and one with what is made of its answer. The plain one is the control of the other. */
const besideBase =
  (more: (base: Answer, context: CheckContext) => Query, options: GetOptions = {}): Ask =>
  async (context) => {
    const { path, answer } = await plainHistory(context);
    const query = more(answer, context);
    return [answer, await context.api.get(HISTORY, query, { ...options, path })];
  };
const ofOther = async (
  query: Query,
  context: CheckContext,
  options: GetOptions = {},
): Promise<Answer> => {
  const path = await otherPath(HISTORY, await plainHistory(context), context);
  return context.api.get(HISTORY, query, { ...options, path });
};
/** A failure of the server is an answer to a request out of bounds. */
const whatever = { anyAnswer: true } as const;
const small = besideBase((base, context) => smallPart(HISTORY, base, context));
const big = (context: CheckContext): Promise<Answer> => ofOther(bigPart(HISTORY, context), context);
const beyond: Ask = async (context) => [
  await ofOther(rangeBeyond(context), context, whatever),
  await big(context),
];
requirement('4.4/range', 'with both ends and a limit', conforms(small));
requirement('4.4/range', 'with both ends and the largest limit', conforms(beyond));
requirement(
  '4.4/own-rows',
  conforms(async (context) => [await baseHistory(context), ...(await beyond(context))]),
);
for (const end of ['start_date', 'end_date'] as const) {
  const ask = besideBase((_base, context) => ({ [end]: bigPart(HISTORY, context)[end] }));
  requirement('4.4/range', `with ${end} alone`, conforms(ask), full);
}
const bothEnds = besideBase((_base, context) => ({
  ...bigPart(HISTORY, context),
  limit: undefined,
}));
requirement('4.4/range', 'with both ends', conforms(bothEnds), full);
requirement('4.4/window', conforms(beyond));
requirement('4.4/window-answer', conforms(beyond));

// Limit. A month holds fewer trading days than the default, so 300, 50 and no limit show the same rows.
const withLimit = (limit: string | number, more: Query = {}): Ask =>
  besideBase(() => ({ limit, ...more }), whatever);
requirement('4.4/limit-default', conforms(small));
requirement('4.4/limit-default', 'beside limit=300', conforms(withLimit(300)), full);
requirement('4.4/limit-max-accepted', async (context) => {
  // Dates of another form than expected may be refused; then the limit is asked for alone.
  const part = await big(context);
  context.expect(part.status === 200 ? part : await withLimit(300)(context)).toConform();
});
requirement('4.4/limit-max-accepted', 'without a range', conforms(withLimit(300)), full);
requirement('4.4/limit-exact', 'inside of a range', conforms(small));

const limits = (
  id: '4.4/limit-exact' | '4.4/limit-max' | '4.4/limit-invalid',
  profile: 'standard' | 'full',
  values: readonly (string | number)[],
): void => {
  for (const limit of values) {
    requirement(id, `limit=${limit}`, conforms(withLimit(limit)), { profile });
  }
};
limits('4.4/limit-exact', 'full', [1, 9]);
limits('4.4/limit-max', 'full', [301, 1000, 2_147_483_648]);
limits('4.4/limit-invalid', 'full', ['', 'abc', '0', '-1', '1.5', '1e2']);
requirement(
  '4.4/limit-max',
  'limit=301 beside dates that are none',
  conforms(withLimit(301, NO_DATES)),
);
requirement(
  '4.4/limit-invalid',
  'limit="abc" beside dates that are none',
  conforms(withLimit('abc', EMPTY_START)),
);
