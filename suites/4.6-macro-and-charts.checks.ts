// §4.6 Macro history.
import {
  requirement,
  Untested,
  type Answer,
  type CheckContext,
  type Query,
} from '../src/suite/index.ts';
import { byRestrictedKey } from '../src/ask/requests/restricted-key.ts';
import { badRanges, bigPart, otherPath, richList, smallPart, withControl } from '../src/ask/requests/series.ts';

const MACRO = '/macro/events/{event}/history';
const MAXIMUM = 100;
const [NO_DATES, EMPTY_START] = badRanges(MACRO);
const smoke = { profile: 'smoke' } as const;
const full = { profile: 'full' } as const;

// Two events are asked: the first one with rows, and another one.
const list = (context: CheckContext) => richList(MACRO, {}, context);
const base = async (context: CheckContext): Promise<Answer> => (await list(context)).answer;
const again = async (query: Query, context: CheckContext, options = {}): Promise<Answer> => {
  const { path } = await list(context);
  return context.api.get(MACRO, query, { path, ...options });
};
const everything = (context: CheckContext): Promise<Answer> => again({ limit: MAXIMUM }, context);
const small = async (context: CheckContext): Promise<Answer> =>
  again(smallPart(MACRO, await base(context), context), context);
const big = async (context: CheckContext): Promise<Answer> => {
  const path = await otherPath(MACRO, await list(context), context);
  return context.api.get(MACRO, bigPart(MACRO, context), { path });
};

type Ask = (context: CheckContext) => Promise<Answer | readonly Answer[]>;
const conforms =
  (ask: Ask) =>
  async (context: CheckContext): Promise<void> => {
    context.expect(await ask(context)).toConform();
  };
const smallBesideBase: Ask = async (context) => [await base(context), await small(context)];
const allBesideBase: Ask = async (context) => [await base(context), await everything(context)];

requirement('4.6/macro-history', conforms(base), smoke);
requirement('4.6/macro-history', 'of another event', conforms(big));
// Events differ: what holds for one or two of them may not hold for the others.
requirement.for(
  '4.6/macro-history',
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
  full,
)('of the event at place %s of the list', async (at, { api, expect }) => {
  const event = (await api.fixtures('macroEvents'))[at];
  if (event === undefined) {
    throw new Untested(`needs ${at + 1} events: add to fixtures.macroEvents`);
  }
  expect(await api.get(MACRO, {}, { path: { event } })).toConform();
});
requirement('2.10/released', conforms(allBesideBase), full);
requirement('2.10/released', 'in the plain answer', conforms(base), smoke);

// limit
requirement('4.6/macro-limit-default', conforms(smallBesideBase));
requirement('4.6/macro-limit-default', 'beside the largest limit', conforms(allBesideBase), full);
requirement('4.6/macro-limit-max-accepted', async (context) => {
  // Dates of another form than expected may be refused; then the limit is asked for alone.
  const part = await big(context);
  context.expect(part.status === 200 ? part : await everything(context)).toConform();
});
requirement('4.6/macro-limit-max-accepted', 'without a range', conforms(allBesideBase), full);
const outOfBounds = async (
  limit: number | string,
  context: CheckContext,
  dates: Query = {},
): Promise<void> => {
  const control = { query: { limit: undefined, start_date: undefined, end_date: undefined } };
  const answer = await again({ limit, ...dates }, context, { control, anyAnswer: true });
  context.expect(withControl(answer)).toConform();
};
requirement.for('4.6/macro-limit-max', [MAXIMUM + 1])('with limit=%j', (limit, context) =>
  outOfBounds(limit, context),
);
requirement.for(
  '4.6/macro-limit-max',
  [200, 1000, 2_147_483_648],
  full,
)('with limit=%j', (limit, context) => outOfBounds(limit, context));
requirement.for('4.6/macro-limit-invalid', [0])('with limit=%j', (limit, context) =>
  outOfBounds(limit, context),
);
requirement.for(
  '4.6/macro-limit-invalid',
  [-1, 'abc', '', '1.5', '1e2'],
  full,
)('with limit=%j', (limit, context) => outOfBounds(limit, context));
requirement.for(
  '4.6/macro-limit-invalid',
  [NO_DATES, EMPTY_START],
  full,
)('beside the dates %j', (dates, context) => outOfBounds('abc', context, dates));
// What valid keys have no requests left for.
const ALL: Query = { limit: undefined, start_date: undefined, end_date: undefined };
requirement.for('4.6/macro-limit-invalid', [
  { limit: 'abc', ...EMPTY_START },
  { limit: '', ...NO_DATES },
])('with the restricted key and %j', async (query, context) => {
  const { path } = await list(context);
  const options = { path, control: { query: ALL }, anyAnswer: true };
  const answer = await byRestrictedKey(context, MACRO, query, options);
  context.expect(withControl(answer)).toConform();
});
requirement('4.6/macro-limit-exact', conforms(smallBesideBase));
// Of an event that the restricted key is asked for anyway: what two keys are shown is not compared.
requirement('4.6/macro-limit-exact', 'with the restricted key and no range', async (context) => {
  const asked = context.session.exchanges.find(
    ({ endpoint, role, request, response }) =>
      endpoint === MACRO &&
      role === 'restricted' &&
      response?.status === 200 &&
      request.query.length === 0,
  );
  const path = asked?.pathParameters ?? (await list(context)).path;
  const whole = await byRestrictedKey(context, MACRO, {}, { path });
  const part = await byRestrictedKey(context, MACRO, { limit: 2 }, { path });
  context.expect([whole, part]).toConform();
});
requirement.for(
  '4.6/macro-limit-exact',
  [1, 30],
  full,
)('with limit=%j and no range', async (limit, context) => {
  context.expect([await again({ limit }, context), await everything(context)]).toConform();
});

// range
requirement('4.6/macro-range', 'with both ends and a limit', conforms(smallBesideBase));
requirement('4.6/macro-range', 'with both ends and the largest limit', conforms(big));
requirement.for(
  '4.6/macro-range',
  ['with both ends', 'with start_date alone', 'with end_date alone'],
  full,
)('%s', async (which, context) => {
  const { start_date, end_date } = smallPart(MACRO, await base(context), context);
  const answer = await again(
    {
      start_date: which === 'with end_date alone' ? undefined : start_date,
      end_date: which === 'with start_date alone' ? undefined : end_date,
      limit: MAXIMUM,
    },
    context,
  );
  context.expect([answer, await base(context), await everything(context)]).toConform();
});

requirement('4.6/macro-order', async (context) => context.observe(await base(context)));
