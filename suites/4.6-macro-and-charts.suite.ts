// §4.6 Macro history.
import { isoDay } from '../src/rules/series.ts';
import { requirement, type Answer, type CheckContext, type Query } from '../src/suite/index.ts';
import { olderHalf, withControl } from './series.ts';

const MACRO = '/macro/events/{event}/history';
const smoke = { profile: 'smoke' } as const;
const full = { profile: 'full' } as const;

const base = ({ api }: CheckContext): Promise<Answer> => api.get(MACRO);
const everything = ({ api }: CheckContext): Promise<Answer> => api.get(MACRO, { limit: 100 });

requirement(
  '4.6/macro-history',
  async (context) => {
    context.expect(await base(context)).toConform();
  },
  smoke,
);

// limit
requirement('4.6/macro-limit-default', async (context) => {
  context.expect([await base(context), await everything(context)]).toConform();
});
requirement('4.6/macro-limit-max-accepted', async (context) => {
  context.expect([await everything(context), await base(context)]).toConform();
});
const outOfBounds = async (
  limit: number | string,
  { api, expect }: CheckContext,
): Promise<void> => {
  const control = { query: { limit: undefined } };
  expect(withControl(await api.get(MACRO, { limit }, { control, anyAnswer: true }))).toConform();
};
requirement.for('4.6/macro-limit-max', [101])('with limit=%j', outOfBounds);
requirement.for(
  '4.6/macro-limit-max',
  [200, 1000, 2_147_483_648],
  full,
)('with limit=%j', outOfBounds);
requirement.for('4.6/macro-limit-invalid', [0])('with limit=%j', outOfBounds);
requirement.for(
  '4.6/macro-limit-invalid',
  [-1, 'abc', '', '1.5', '1e2'],
  full,
)('with limit=%j', outOfBounds);

// range: rows of the answer to limit=100 say what there is
const inOlderHalf = async (context: CheckContext, more: Query = {}): Promise<Answer[]> => {
  const all = await everything(context);
  const { start, end } = olderHalf(MACRO, all, context);
  const query = { start_date: isoDay(start), end_date: isoDay(end), ...more };
  return [await base(context), all, await context.api.get(MACRO, query)];
};
requirement('4.6/macro-limit-exact', async (context) => {
  context.expect(await inOlderHalf(context, { limit: 5 })).toConform();
});
requirement.for(
  '4.6/macro-limit-exact',
  [1, 30],
  full,
)('with limit=%j and no range', async (limit, context) => {
  const answer = await context.api.get(MACRO, { limit });
  context.expect([answer, await everything(context)]).toConform();
});
requirement('4.6/macro-range', 'with both ends and a limit', async (context) => {
  context.expect(await inOlderHalf(context, { limit: 5 })).toConform();
});
requirement(
  '4.6/macro-range',
  'with both ends',
  async (context) => {
    context.expect(await inOlderHalf(context)).toConform();
  },
  full,
);
requirement.for(
  '4.6/macro-range',
  ['start_date', 'end_date'] as const,
  full,
)('with %s alone', async (name, context) => {
  const other = name === 'start_date' ? 'end_date' : 'start_date';
  context.expect(await inOlderHalf(context, { [other]: undefined, limit: 100 })).toConform();
});

requirement('4.6/macro-order', async (context) => context.observe(await base(context)));
