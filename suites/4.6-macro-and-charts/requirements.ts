import {
  plain,
  Untested,
  type Answer,
  type Ask,
  type CheckContext,
  type Query,
  check,
  each,
  serial,
  part,
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
import { answersOf } from '../families/of-endpoint.ts';
import { PLAIN_REQUEST } from '../../src/requirements/advice.ts';
import {
  about,
  must,
  observe,
  should,
  type Definition,
} from '../../src/requirements/definition.ts';
import { STATUS } from '../../src/spec/finding.ts';
import { isJudgeable } from '../../src/judge/context.ts';
import { show } from '../../src/judge/judgement.ts';
import { judgeAll } from '../../src/judge/judge.ts';
import { objectsOf } from '../../src/judge/values-at.ts';
import { limitOf } from '../families/limit.ts';
import { rangeOf } from '../families/range.ts';
import { atPosition, shownAt } from '../families/resource-requests.ts';
import { orderOf } from '../families/series-order.ts';

// Requests for histories of macro events: the first event with rows, and another one.

const MACRO = MACRO_RELEASES.endpoint;
const [NO_DATES, EMPTY_START] = badRanges(MACRO_RELEASES);

const first = (context: CheckContext): Promise<List> => richList(MACRO, {}, context);
const PARTS = partsOf(MACRO_RELEASES, { find: first, other: anotherThan(MACRO_RELEASES, first) });
const { again, ofOther } = PARTS;

/** The history of the first event with enough rows. */
export const history = PARTS.plain;

/** The plain history, and a range with a limit that cuts it. */
const small = together(history, PARTS.small);

/** A range of another event with the largest limit. */
const { big } = PARTS;

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
const largest = rangedOrAlone(big, everything);

/** A limit out of bounds, alone or with invalid dates, and its control. */
const withLimit = (
  limit: number | string,
  context: CheckContext,
  dates: Query = {},
): Promise<readonly Answer[]> => PARTS.outOfBounds({ limit, ...dates }, context);

/**
 * A small limit without a range and the plain history, both with the restricted key, since answers to different keys
 * are not compared. Uses an event that the key requests anyway.
 */
const cutByRestricted: Ask = async (context) => {
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
const bothEnds = together(
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
async function chartsOf(api: Api): Promise<{ list: Answer; names: readonly string[] }> {
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
const listedChart: Ask = async ({ api }) => {
  const { list, names } = await chartsOf(api);
  const [known] = await api.fixtures('chartNames');
  const name = known !== undefined && names.includes(known) ? known : names[0];
  return [list, await chart(api, name ?? '')];
};

/** The list, and all charts in it. */
const everyChart: Ask = async ({ api }) => {
  const { list, names } = await chartsOf(api);
  const answers = [list];
  for (const name of names) answers.push(await chart(api, name));
  return answers;
};

const LIMIT = limitOf(MACRO_RELEASES, {
  without: 'Macro history without `limit` is',
  limit: 'A macro `limit`',
  bounds: '8 macro history limit',
});

/** Positions in the list of events, after the two used by other checks. More are requested with the restricted key. */
const POSITIONS = [2, 3];

const limits = (values: readonly (string | number)[]) => each(values, 'with limit=%j', withLimit);

/** Requirements of §4.6, in the order of its text. */
export const MACRO_AND_CHART_REQUIREMENTS = {
  ...about(['/macro/events/{event}/history'], {
    '4.6/macro-history': answersOf('/macro/events/{event}/history', {
      title: 'The history of a macro event returns 200 with an array',
      clauses: ['1 Macro'],
      checks: [
        check(history),
        part('of another event', big),
        ...each(
          POSITIONS,
          'of the event at place %s of the list',
          atPosition('/macro/events/{event}/history'),
        ),
      ],
    }),
    '4.6/macro-limit-default': must({
      ...LIMIT.byDefault,
      checks: [check(small), part('with the largest limit', all)],
    }),
    '4.6/macro-limit-exact': must({
      ...LIMIT.exact,
      checks: [check(small), part('with the restricted key and no range', cutByRestricted, serial)],
    }),
    '4.6/macro-limit-max': must({
      ...LIMIT.maximum,
      checks: limits([MACRO_RELEASES.limit.maximum + 1]),
    }),
    '4.6/macro-limit-max-accepted': must({
      ...LIMIT.accepted,
      checks: [check(largest), part('without a range', all)],
    }),
    '4.6/macro-limit-invalid': must({
      ...LIMIT.invalid,
      checks: [
        ...limits([0, -1, '']),
        ...each([NO_DATES, EMPTY_START], 'with the dates %j', (dates, context) =>
          withLimit('abc', context, dates),
        ),
      ],
    }),
    '4.6/macro-range': must({
      ...rangeOf(MACRO_RELEASES, 'macro rows'),
      checks: [
        part('with both ends and a limit', small),
        part('with both ends and the largest limit', big),
        part('with both ends', bothEnds),
      ],
    }),
    '4.6/macro-order': observe({
      title: 'Order of macro rows',
      clauses: [`4.6 GET ${MACRO}`],
      checks: [check(history)],
      judge: orderOf(MACRO_RELEASES, 'Order of macro rows'),
    }),
  }),
  '4.6/analyses': answersOf('/analyses', {
    title: 'The chart list returns 200 with an array',
    clauses: ['1 Analysis charts'],
    checks: [check(shownAt('/analyses'))],
  }),
  '4.6/charts-resolve': should({
    title: 'A listed chart can be fetched',
    clauses: ['4.6 GET /analyses', '4.7 GET /analyses/{chart_name}'],
    endpoints: ['/analyses', '/analyses/{chart_name}'],
    needs: ['chartNames'],
    ...PLAIN_REQUEST,
    checks: [part('a listed chart', listedChart), part('every listed chart', everyChart)],
    // Their shape, and whether they have data today, is unspecified (ruling 16).
    judge: judgeAll((views, context, it) => {
      const listed = new Set<unknown>();
      for (const view of views) {
        for (const { value } of objectsOf(view, context, 'chart')) listed.add(value['chart_name']);
      }
      for (const view of views) {
        const { endpoint, pathParameters, role } = view.exchange;
        const name = pathParameters['chart_name'];
        if (endpoint !== '/analyses/{chart_name}' || role !== 'valid' || !listed.has(name))
          continue;
        // An error about parameters, which are unspecified, shows that the chart exists.
        if (!isJudgeable(view, context) || view.status === 400 || view.status === 422) continue;
        if (!view.isJson) continue;
        it.expect(view, view.ok && view.body !== null, () => ({
          kind: 'listed-chart-unknown',
          facts: { chart: show(name) },
          expected: 'status 200 with data',
          actual: view.ok ? `status ${view.status} with null` : `status ${view.status}`,
          ...(view.ok ? { pointer: '' } : { header: STATUS }),
        }));
      }
    }),
  }),
} as const satisfies Record<string, Definition>;
