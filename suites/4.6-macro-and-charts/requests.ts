// Requests for macro event histories and analysis charts.
import {
  plain,
  Untested,
  type Answer,
  type Ask,
  type CheckContext,
  type Query,
} from '../../src/ask/index.ts';
import { describe } from '../../src/ask/answer.ts';
import { NO_DATA } from '../../src/spec/cause.ts';
import { byRestrictedKey } from '../families/restricted-key-requests.ts';
import { MACRO_RELEASES } from '../../src/judge/series.ts';
import {
  anotherThan,
  badRanges,
  innerPart,
  partsOf,
  rangedOrAlone,
  richList,
  together,
  type List,
  type Request,
} from '../families/series-requests.ts';

// The first event with rows, and another one.

const MACRO = MACRO_RELEASES.endpoint;
export const [NO_DATES, EMPTY_START] = badRanges(MACRO_RELEASES);

const first = (context: CheckContext): Promise<List> => richList(MACRO, {}, context);
const PARTS = partsOf(MACRO_RELEASES, { find: first, other: anotherThan(MACRO_RELEASES, first) });
const { again, ofOther } = PARTS;

/** The history of the first event with enough rows. */
export const history = PARTS.plain;

/** The plain history, and a range with a limit that cuts it. */
export const small = together(history, PARTS.small);

/** A range of another event with the largest limit. */
export const { big } = PARTS;

/**
 * The largest limit without a range. If the history does not fill the default, uses the other event, of which older
 * years are requested too: what is missing from them was cut below the limit.
 */
const everything: Request = async (context) => {
  const { records } = await history(context);
  const { fallback, maximum } = MACRO_RELEASES.limit;
  return (records.length < fallback ? ofOther : again)({ limit: maximum }, context);
};

/** The plain history, and the largest limit. */
export const all = together(history, everything);

/** The largest limit, in a range of another event if the service accepts the dates. */
export const largest = rangedOrAlone(big, everything);

/** A limit out of bounds, alone or with invalid dates, and its control. */
export const withLimit = (
  limit: number | string,
  context: CheckContext,
  dates: Query = {},
): Promise<readonly Answer[]> => PARTS.outOfBounds({ limit, ...dates }, context);

/**
 * A small limit without a range and the plain history, both with the restricted key, since answers to different keys
 * are not compared. Uses an event that the key requests anyway.
 */
export const cutByRestricted: Ask = async (context) => {
  const asked = context.session.exchanges.find(
    ({ endpoint, role, request, response }) =>
      endpoint === MACRO &&
      role === 'restricted' &&
      response?.status === 200 &&
      request.query.length === 0,
  );
  const path = asked?.pathParameters ?? (await first(context)).path;
  const whole = await byRestrictedKey(context, MACRO, {}, { path });
  return [whole, await byRestrictedKey(context, MACRO, { limit: 2 }, { path })];
};

/**
 * Both ends of a range inside the most that is shown of the event: with the largest limit, and with records on the days
 * just outside.
 */
export const bothEnds = together(
  async (context) => {
    const shown = await history(context);
    const { fallback, maximum } = MACRO_RELEASES.limit;
    const most = shown.records.length < fallback ? shown : await everything(context);
    return again({ ...innerPart(MACRO_RELEASES, most, context), limit: maximum }, context);
  },
  history,
  everything,
);

// Charts.

type Api = CheckContext['api'];

/**
 * The chart list and its names.
 * @throws Untested if it names none
 */
async function listed(api: Api): Promise<{ list: Answer; names: readonly string[] }> {
  const list = await plain(api, '/analyses');
  const names = list.records.flatMap(({ value }) => {
    const name = (value as Partial<Record<string, unknown>> | null)?.['chart_name'];
    return typeof name === 'string' && name !== '' ? [name] : [];
  });
  if (names.length === 0) {
    const { exchange, status } = list;
    const reason = `no chart is listed in ${describe(exchange)} (${status})`;
    throw new Untested(reason, NO_DATA, { hinderedBy: [exchange.id] });
  }
  return { list, names: [...new Set(names)] };
}

const chart = (api: Api, name: string): Promise<Answer> =>
  plain(api, '/analyses/{chart_name}', { path: { chart_name: name } });

/** The list, and the chart requested anyway if it is listed, otherwise the first one. */
export const listedChart: Ask = async ({ api }) => {
  const { list, names } = await listed(api);
  const [known] = await api.fixtures('chartNames');
  const name = known !== undefined && names.includes(known) ? known : names[0];
  return [list, await chart(api, name ?? '')];
};

/** The list, and all charts in it. */
export const everyChart: Ask = async ({ api }) => {
  const { list, names } = await listed(api);
  const answers = [list];
  for (const name of names) answers.push(await chart(api, name));
  return answers;
};
