// What a run asks of the history of macro events (§4.6): the first one with rows, and another one beside it.
import { MACRO_RELEASES } from '../../rules/series.ts';
import type { Answer, Ask, CheckContext, Query } from '../index.ts';
import {
  anotherThan,
  badPart,
  partsOf,
  rangedOrAlone,
  requestFor,
  together,
  type Request,
} from './ranges-and-limits.ts';
import { byRestrictedKey } from './restricted-key.ts';
import { badRanges, innerPart, richList, withControl, type List } from './series.ts';

const MACRO = MACRO_RELEASES.endpoint;
export const [NO_DATES, EMPTY_START] = badRanges(MACRO_RELEASES);

const list = (context: CheckContext): Promise<List> => richList(MACRO, {}, context);
const other = anotherThan(MACRO_RELEASES, list);
const PARTS = partsOf(MACRO_RELEASES, { find: list, other });
const { again } = PARTS;

/** The plain history of the first event that has enough rows. */
export const history = PARTS.plain;

/** The plain history beside a range with a limit that cuts it. */
export const small = together(history, PARTS.small);

/** A range of another event with the largest limit. */
export const { big } = PARTS;

const ofOther = requestFor(MACRO_RELEASES, other);

/**
 * The largest limit and no range. A history that the default does not fill has nothing for it to show, so then it is that of
 * the other event, of which a range of older years is asked for, too: what it leaves out of them was cut below the limit.
 */
const everything: Request = async (context) => {
  const { records } = await history(context);
  const { fallback, maximum } = MACRO_RELEASES.limit;
  return (records.length < fallback ? ofOther : again)({ limit: maximum }, context);
};

/** The plain history beside the largest limit. */
export const all = together(history, everything);

/** The largest limit, in a range of another event where dates are taken as expected. */
export const largest = rangedOrAlone(big, everything);

/** A limit out of bounds, alone or with dates that are none, and the answer to its control. */
export const withLimit = (
  limit: number | string,
  context: CheckContext,
  dates: Query = {},
): Promise<readonly Answer[]> => PARTS.outOfBounds({ limit, ...dates }, context);

/** The same with the restricted key: what valid keys have no requests left for. */
export const byRestricted = async (
  query: Query,
  context: CheckContext,
): Promise<readonly Answer[]> => {
  const { path } = await list(context);
  return withControl(
    await byRestrictedKey(context, MACRO, query, { ...badPart(MACRO_RELEASES), path }),
  );
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

/**
 * Both ends of a range inside of the most that is shown of the event, beside that: with the largest limit, which hides
 * nothing, and with records of the days just outside.
 */
export const bothEnds = together(
  async (context) => {
    const plain = await history(context);
    const { fallback, maximum } = MACRO_RELEASES.limit;
    const most = plain.records.length < fallback ? plain : await everything(context);
    return again({ ...innerPart(MACRO_RELEASES, most, context), limit: maximum }, context);
  },
  history,
  everything,
);
