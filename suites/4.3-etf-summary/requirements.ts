import { isJudgeable, type Context } from '../../src/judge/context.ts';
import { decimalOf, sameFigure } from '../../src/judge/text/decimals.ts';
import { dayRows, SUMMARY } from '../../src/judge/etf-rows.ts';
import { codeOf, describeAnswer } from '../../src/judge/errors.ts';
import { expectationOf, matchesError } from '../../src/judge/expectation.ts';
import { show } from '../../src/judge/judgement.ts';
import { judgeAll, judgeEach, type Judge, type OwnJudgement } from '../../src/judge/judge.ts';
import { accepted, type StatedValue } from '../../src/judge/shapes.ts';
import { hasStatedKind, sameList } from '../../src/judge/relations.ts';
import { isSettledIn, SUMMARY_DAYS } from '../../src/judge/series.ts';
import { STATUS } from '../../src/spec/finding.ts';
import { withRowsOfOthers, type Owned, ownRows } from '../families/own-rows.ts';
import { isUnlistedMessage } from '../families/validation.ts';
import type { View } from '../../src/judge/view.ts';
import { answersOf } from '../families/of-endpoint.ts';
import { check, each, part } from '../../src/ask/index.ts';
import { about, must, should, type Advice } from '../../src/requirements/definition.ts';
import { limitOf, limitPartOf } from '../families/limit.ts';
import { rangeOf, windowOf } from '../families/range.ts';
import { tradingDays } from '../families/trading-days.ts';
import { PARAMETER_REFUSALS, RULES } from './refusals.ts';
import {
  allListings,
  base,
  withUpperCase,
  beyond,
  big,
  EMPTY_START,
  largest,
  listed,
  listedByRestrictedKey,
  listing,
  NO_DATES,
  overInMixedCase,
  PAIRS,
  PAIRS_OF_RESTRICTED,
  small,
  spanningHoliday,
  spelled,
  withLimit,
} from './requests.ts';

// Letter case and the listing matrix of §4.3.

/** Parameters whose letter case does not matter. */
const FOLDED = ['symbol', 'country_code'] as const;

/** What shows that two pairs have the same rows. */
const OWN_ROWS: Owned = {
  series: SUMMARY_DAYS,
  figures: ['total_value_traded', 'total_net_assets', 'cum_net_inflow'],
  named: FOLDED,
};

const FIGURES = ['total_net_inflow', 'total_value_traded', 'total_net_assets', 'cum_net_inflow'];

const sent = (view: View, name: string): string => view.query.get(name) ?? '';
const isCanonical = (view: View, name: string): boolean =>
  sent(view, name) === sent(view, name).toUpperCase();
const isUpperCase = (view: View): boolean => FOLDED.every((name) => isCanonical(view, name));

/** Letter case does not matter, so the rows of settled days are the same (ruling 22). */
const sameRowsInAnyCase = (parameter: (typeof FOLDED)[number]): Judge =>
  judgeAll((views, context, it) => {
    for (const list of sameList(views, SUMMARY, [], context)) {
      const group = list.filter(({ ok, body }) => ok && Array.isArray(body));
      for (const view of group) {
        if (isCanonical(view, parameter)) continue;
        // The same request in upper case, closest in time.
        const [other] = group
          .filter(isUpperCase)
          .toSorted((a, b) => distance(a, view) - distance(b, view));
        if (other !== undefined) compare(view, other, context, it);
      }
    }
  });

const distance = (a: View, b: View): number =>
  Math.abs(a.exchange.receivedAt - b.exchange.receivedAt);

function compare(view: View, other: View, context: Context, it: OwnJudgement): void {
  const lists = [view, other].map(
    (one) => new Map(dayRows(one, context).map((row) => [row.date, row])),
  );
  const [rows, due] = lists;
  const days = [...new Set(lists.flatMap((list) => [...list.keys()]))].filter(
    (date) =>
      [view, other].every(({ now }) => isSettledIn(SUMMARY_DAYS, Date.parse(date), now)) &&
      // Older days may have left the list.
      lists.every((list) => list.size === 0 || [...list.keys()].some((own) => own <= date)),
  );
  if (days.length === 0) return;
  const differences = days.flatMap((date) => {
    const [row, same] = [rows?.get(date), due?.get(date)];
    const field = FIGURES.find((name) => !equal(row?.fields[name], same?.fields[name]));
    return field === undefined ? [] : [{ date, field, row, same }];
  });
  it.none(view, differences, ({ date, field, row, same }) => ({
    kind: 'other-rows',
    facts: {
      asked: `symbol=${sent(view, 'symbol')} and country_code=${sent(view, 'country_code')}`,
    },
    ...(row && same
      ? {
          expected: `${field} of ${date} as for upper case: ${show(same.fields[field])}`,
          actual: show(row.fields[field]),
          pointer: `${row.pointer}/${field}`,
        }
      : {
          expected: `${row ? 'none' : 'a row'} for ${date}, as for upper case`,
          actual: row ? 'a row' : 'none',
          pointer: row?.pointer ?? view.root,
        }),
  }));
}

function equal(a: unknown, b: unknown): boolean {
  const [one, two] = [decimalOf(a), decimalOf(b)];
  return one === undefined || two === undefined ? one === two : sameFigure(a, b);
}

/**
 * Judges acceptance in another letter case. A refusal that calls the pair unlisted is about the pair, unless the run also has
 * an answer to the same pair in upper case.
 */
const acceptanceInCase = (value: StatedValue): Judge =>
  judgeAll((views, context, it) => {
    // Rows of another pair may be those of another letter case, so no answer shows that it does not matter.
    const isMixedUp = withRowsOfOthers(OWN_ROWS, views, context).some((view) => !isUpperCase(view));
    const answered = new Set(
      views
        .filter((view) => view.exchange.endpoint === SUMMARY && view.ok && isUpperCase(view))
        .map(pairOf),
    );
    for (const view of views) {
      const unlisted = matchesError('invalidFormat', view.status, codeOf(view));
      if (view.ok && isMixedUp) continue;
      if (!unlisted || answered.has(pairOf(view))) accepted(value).each?.(view, context, it);
    }
  });

/** Acceptance of both parameters in another letter case. */
export const ACCEPTED_IN_CASE = {
  symbol: acceptanceInCase('symbol in another case'),
  country: acceptanceInCase('country in another case'),
} as const;

const pairOf = (view: View): string =>
  FOLDED.map((name) => sent(view, name).toUpperCase()).join(' in ');

/**
 * An answer shows that a pair is listed; a refusal with 400001 claims that it is not. Other refusals in another letter
 * case are about the letter case. Refusals in upper case are findings elsewhere, except for the pair of the plain
 * request.
 */
const calledListed: Judge = judgeEach((view, context, it) => {
  if (view.exchange.endpoint !== SUMMARY || !isJudgeable(view, context) || view.wrapped) return;
  // An answer with rows confirms the pair even if a date or limit is open.
  const { kind } = expectationOf(view, context);
  if (kind === 'refused' || (kind === 'open' && !view.ok && !isUnlistedMessage(view))) return;
  const plain = sent(view, 'symbol') === 'BTC' && sent(view, 'country_code') === 'US';
  const unlisted = matchesError('invalidFormat', view.status, codeOf(view));
  // A body of another kind shows nothing about the pair.
  if (view.ok && !hasStatedKind(view)) return;
  if (!view.ok && !(unlisted && (plain || !isUpperCase(view)))) return;
  it.expect(view, !unlisted, () => ({
    kind: 'listed-pair-refused',
    expected: `status 200: ${sent(view, 'symbol').toUpperCase()} is listed in ${sent(view, 'country_code').toUpperCase()}`,
    actual: describeAnswer(view),
    header: STATUS,
  }));
});

const ROWS = tradingDays({
  endpoint: '/etfs/summary-history',
  name: 'ETF summary',
  inflow: 'total_net_inflow',
  cumulative: 'cum_net_inflow',
});
const { maximum } = SUMMARY_DAYS.limit;
const LIMIT = limitOf(SUMMARY_DAYS, {
  without: 'ETF summary without `limit` is',
  limit: 'An ETF summary `limit`',
  bounds: '8 ETF summary limit',
});
const WINDOW = windowOf(SUMMARY_DAYS, {
  none: 'No ETF summary row is',
  range: 'An ETF summary range',
  stated: ['4.3 start_date', '4.3 end_date'],
  bounds: '8 ETF summary limit',
});

const limits = (values: readonly (string | number)[]) =>
  each(values, 'limit=%s', (limit, context) => withLimit(limit)(context));

const LETTER_CASE: Advice = {
  shownBy: 'the same request in two letter cases',
  why: 'The specification promises that btc and BTC are equivalent.',
  usually: [
    'Only all-lowercase and all-uppercase values are handled; mixed case is refused.',
    'The cache key is case-sensitive, so the two spellings return data of different ages.',
  ],
};

/** Requirements of §4.3, in the order of its text. What must be refused stands in `refusals.ts`. */
export const ETF_SUMMARY_REQUIREMENTS = about(['/etfs/summary-history'], {
  // GET /etfs/summary-history
  '4.3/summary-history': answersOf('/etfs/summary-history', {
    title: 'ETF summary history returns 200 with an array',
    clauses: ['4.3 response', '1 ETFs'],
    checks: [check(base)],
  }),

  // symbol, country_code
  ...PARAMETER_REFUSALS,
  '4.3/symbol-case': must({
    title: '`symbol` is case-insensitive',
    clauses: ['4.3 symbol'],
    rulings: [22],
    ...LETTER_CASE,
    hinderedBy: ['4.3/own-rows'],
    checks: [
      ...each(['ETH in US', 'SOL in US', 'SOL in HK'], 'accepts %j', spelled),
      // Comparing rows needs another request; the pairs above only show that the case is accepted.
      ...each(
        [{ symbol: 'Btc', country_code: 'us' }],
        'returns the same rows as in upper case for %j',
        withUpperCase,
      ),
    ],
    judge: [ACCEPTED_IN_CASE.symbol, sameRowsInAnyCase('symbol')],
  }),
  '4.3/country-case': must({
    title: '`country_code` is case-insensitive',
    clauses: ['4.3 country_code'],
    rulings: [22],
    ...LETTER_CASE,
    hinderedBy: ['4.3/own-rows'],
    checks: [
      ...each(['ETH in US', 'ETH in HK', 'SOL in US'], 'accepts %j', spelled),
      ...each(
        [{ symbol: 'BTC', country_code: 'uS' }],
        'returns the same rows as in upper case for %j',
        withUpperCase,
      ),
    ],
    judge: [ACCEPTED_IN_CASE.country, sameRowsInAnyCase('country_code')],
  }),
  '4.3/own-rows': must({
    title: 'Each pair of symbol and country has its own rows',
    clauses: ['4.3 symbol', '4.3 country_code'],
    rulings: [22],
    why: 'Clients cannot tell that the flows belong to another asset.',
    usually: [
      'The symbol or the country is validated, but not used in the query.',
      'The cache key lacks the symbol or the country.',
    ],
    checks: [
      check(allListings),
      part('with the restricted key', listedByRestrictedKey(...PAIRS_OF_RESTRICTED)),
    ],
    judge: ownRows(OWN_ROWS),
  }),

  // start_date, end_date
  '4.3/range': must({
    ...rangeOf(SUMMARY_DAYS, 'rows'),
    checks: [
      part('with start_date alone, of LINK in US', (context) => listing('LINK in US', context)),
      part('with end_date alone, of AVAX in US', (context) => listing('AVAX in US', context)),
      part('with both ends and a limit', small),
      part('with both ends and the largest limit', big),
    ],
  }),
  '4.3/window': must({
    ...WINDOW.older,
    clauses: ['4.3 start_date', '8 ETF summary limit'],
    checks: [check(beyond)],
  }),
  '4.3/window-answer': must({ ...WINDOW.answer, checks: [check(beyond)] }),

  // limit
  '4.3/limit-default': must({
    ...LIMIT.byDefault,
    checks: [check(small), part(`with limit=${maximum}`, withLimit(maximum))],
  }),
  '4.3/limit-exact': must({
    ...LIMIT.exact,
    checks: [
      part('with limit alone, of DOGE in US', (context) => listing('DOGE in US', context)),
      part('inside of a range', small),
      ...limits([2]),
    ],
  }),
  '4.3/limit-part': should({
    ...limitPartOf(SUMMARY_DAYS, 'ETF summary `limit`'),
    checks: [part('inside of a range', small), ...limits([2])],
  }),
  '4.3/limit-max': must({
    ...LIMIT.maximum,
    checks: [part(`limit=${maximum + 1}`, overInMixedCase), ...limits([2_147_483_648])],
  }),
  '4.3/limit-max-accepted': must({
    ...LIMIT.accepted,
    checks: [check(largest), part('without a range', withLimit(maximum))],
  }),
  '4.3/limit-invalid': must({
    ...LIMIT.invalid,
    checks: [
      ...limits(['-1', 'abc']),
      part('limit=0 with invalid dates', withLimit(0, NO_DATES)),
      part('an empty limit with invalid dates', withLimit('', EMPTY_START)),
    ],
  }),

  // Listing matrix
  '4.3/listed': must({
    title: 'Each of the 13 listed pairs of symbol and country returns data',
    clauses: ['4.3 listing matrix', '4.3 symbol', '4.3 country_code'],
    why: 'Clients get no data for a market that the specification lists.',
    usually: [
      "The service's list of pairs lacks this one, or does not contain it in this letter case.",
      'The pair has no data in this environment, and that is treated as an error.',
    ],
    checks: [
      ...each(PAIRS, '%s', listed),
      ...each(PAIRS_OF_RESTRICTED, '%s, with the restricted key', (pair, context) =>
        listedByRestrictedKey(pair)(context),
      ),
    ],
    judge: [accepted('listed pair'), calledListed],
  }),

  // Response
  '4.3/order': must({ ...ROWS.order, checks: [check(base)] }),
  '4.3/weekends': must({ ...ROWS.weekends, checks: [check(base)] }),
  '4.3/holidays': must({
    ...ROWS.holidays,
    title: 'ETF summary has no row for an exchange holiday in the requested country',
    checks: [check(spanningHoliday)],
  }),
  '4.3/date-unique': should({ ...ROWS.unique, clauses: ['2.8 date'], checks: [check(base)] }),
  '4.3/recent': should({
    ...ROWS.recent,
    clauses: ['4.3 response'],
    why: 'Outdated flows look current to anyone who does not check the dates.',
    usually: [
      'The feed stopped, and the service keeps returning old data.',
      'A time zone or date format error excludes the newest rows from the query.',
    ],
    checks: [check(base)],
  }),
  '4.3/cumulative': should({
    ...ROWS.cumulative,
    title: "Cumulative inflow grows by each day's inflow",
    clauses: ['2.8 cum_net_inflow', '2.8 total_net_inflow'],
    checks: [check(base)],
  }),

  ...RULES,
});
