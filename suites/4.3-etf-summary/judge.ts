// Letter case and the listing matrix of §4.3.
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
import { withRowsOfOthers, type Owned } from '../families/own-rows.ts';
import { isUnlistedMessage } from '../families/validation.ts';
import type { View } from '../../src/judge/view.ts';

/** Parameters whose letter case does not matter. */
const FOLDED = ['symbol', 'country_code'] as const;

/** What shows that two pairs have the same rows. */
export const OWN_ROWS: Owned = {
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
export const sameRowsInAnyCase = (parameter: (typeof FOLDED)[number]): Judge =>
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
export const calledListed: Judge = judgeEach((view, context, it) => {
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
