// What a run asks of the history of macro events (§4.6): the first one with rows, and another one beside it.
import {
  Untested,
  type Answer,
  type Ask,
  type CheckContext,
  type GetOptions,
  type Query,
} from '../index.ts';
import { byRestrictedKey } from './restricted-key.ts';
import {
  badRanges,
  bigPart,
  otherPath,
  richList,
  smallPart,
  withControl,
  type List,
} from './series.ts';

const MACRO = '/macro/events/{event}/history';
export const MAXIMUM = 100;
export const [NO_DATES, EMPTY_START] = badRanges(MACRO);

const list = (context: CheckContext): Promise<List> => richList(MACRO, {}, context);

/** The plain history of the first event that has enough rows. */
export const history = async (context: CheckContext): Promise<Answer> =>
  (await list(context)).answer;

/** Another request for the same event. */
const again = async (
  query: Query,
  context: CheckContext,
  options: GetOptions = {},
): Promise<Answer> => {
  const { path } = await list(context);
  return context.api.get(MACRO, query, { ...options, path });
};

/** The largest limit and no range. */
const everything = (context: CheckContext): Promise<Answer> => again({ limit: MAXIMUM }, context);

/** The plain history beside a range with a limit that cuts it. */
export const small: Ask = async (context) => {
  const answer = await history(context);
  return [answer, await again(smallPart(MACRO, answer, context), context)];
};

/** A range of another event with the largest limit. */
export const big = async (context: CheckContext): Promise<Answer> => {
  const path = await otherPath(MACRO, await list(context), context);
  return context.api.get(MACRO, bigPart(MACRO, context), { path });
};

/** The plain history beside that with the largest limit. */
export const all: Ask = async (context) => [await history(context), await everything(context)];

/** The largest limit. Dates of another form than expected may be refused; then the limit is asked for alone. */
export const largest: Ask = async (context) => {
  const ranged = await big(context);
  return ranged.status === 200 ? ranged : everything(context);
};

/**
 * The plain history of any event of the list: what holds for one or two of them may not hold for the others.
 * @throws Untested when fewer events are known
 */
export const eventAt = async (at: number, { api }: CheckContext): Promise<Answer> => {
  const event = (await api.fixtures('macroEvents'))[at];
  if (event === undefined) {
    throw new Untested(`needs ${at + 1} events: add to fixtures.macroEvents`);
  }
  return api.get(MACRO, {}, { path: { event } });
};

/** A bad request has the plain one as its control. A failure of the server is an answer to it. */
const bad = {
  control: { query: { limit: undefined, start_date: undefined, end_date: undefined } },
  anyAnswer: true,
} as const;

/** A limit out of bounds, alone or with dates that are none, and the answer to its control. */
export const withLimit = async (
  limit: number | string,
  context: CheckContext,
  dates: Query = {},
): Promise<readonly Answer[]> => withControl(await again({ limit, ...dates }, context, bad));

/** The same with the restricted key: what valid keys have no requests left for. */
export const byRestricted = async (
  query: Query,
  context: CheckContext,
): Promise<readonly Answer[]> => {
  const { path } = await list(context);
  return withControl(await byRestrictedKey(context, MACRO, query, { ...bad, path }));
};

/**
 * A small limit and no range beside the plain history, both with the restricted key. Of an event that it is asked for
 * anyway: what two keys are shown is not compared.
 */
export const cutByRestricted: Ask = async (context) => {
  const asked = context.session.exchanges.find(
    ({ endpoint, role, request, response }) =>
      endpoint === MACRO &&
      role === 'restricted' &&
      response?.status === 200 &&
      request.query.length === 0,
  );
  const path = asked?.pathParameters ?? (await list(context)).path;
  const whole = await byRestrictedKey(context, MACRO, {}, { path });
  return [whole, await byRestrictedKey(context, MACRO, { limit: 2 }, { path })];
};

/** A limit without a range beside the largest one. */
export const cut = async (limit: number, context: CheckContext): Promise<readonly Answer[]> => [
  await again({ limit }, context),
  await everything(context),
];

/** One end of a range, or both of them, beside the plain history and that with the largest limit. */
export const ends =
  (...names: readonly ('start_date' | 'end_date')[]): Ask =>
  async (context) => {
    const range = smallPart(MACRO, await history(context), context);
    const within = Object.fromEntries(names.map((name) => [name, range[name]]));
    const answer = await again({ ...within, limit: MAXIMUM }, context);
    return [answer, await history(context), await everything(context)];
  };
