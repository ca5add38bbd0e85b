// Letter case and the listing matrix of §4.3.
import { isJudgeable, type Context } from '../../src/judge/context.ts';
import { decimalOf, sameFigure } from '../../src/judge/text/decimals.ts';
import { dayRows, newest, SUMMARY, type DayRow } from '../../src/judge/etf-rows.ts';
import { codeOf, describeAnswer } from '../../src/judge/errors.ts';
import { expectationOf, matchesError } from '../../src/judge/expectation.ts';
import { show, type FindingText } from '../../src/judge/judgement.ts';
import { judgeAll, judgeEach, type Judge } from '../../src/judge/judge.ts';
import { accepted } from '../../src/judge/shapes.ts';
import type { StatedValue } from '../../src/judge/acceptance.ts';
import { hasStatedKind } from '../../src/judge/relations.ts';
import { isUnlistedMessage } from '../families/validation.ts';
import type { View } from '../../src/judge/view.ts';

/** Parameters whose letter case does not matter. */
const FOLDED = ['symbol', 'country_code'] as const;

const FIGURES = ['total_net_inflow', 'total_value_traded', 'total_net_assets', 'cum_net_inflow'];

const sent = (view: View, name: string): string => view.query.get(name) ?? '';
const isCanonical = (view: View, name: string): boolean =>
  sent(view, name) === sent(view, name).toUpperCase();
const isUpperCase = (view: View): boolean => FOLDED.every((name) => isCanonical(view, name));

/** Identifies requests that may differ only in the letter case of symbol and country. */
function seriesKey({ exchange }: View): string {
  const parameters = exchange.request.query
    .map(([name, value]) => {
      const folds = FOLDED.some((one) => one === name);
      return `${name}=${folds ? value.toUpperCase() : value}`;
    })
    .toSorted();
  return parameters.join('&');
}

/** Summary answers in the order sent, by request. */
function bySeries(views: readonly View[], context: Context): ReadonlyMap<string, readonly View[]> {
  const groups = new Map<string, View[]>();
  for (const view of views) {
    if (view.exchange.endpoint !== SUMMARY || !view.ok || !view.isJson || view.wrapped) continue;
    if (!isJudgeable(view, context) || !Array.isArray(view.body)) continue;
    const key = seriesKey(view);
    groups.set(key, [...(groups.get(key) ?? []), view]);
  }
  return groups;
}

/**
 * Letter case does not matter, so the rows are the same (ruling 22). Compares settled days: those before the newest day
 * of either answer.
 */
export const sameRowsInAnyCase = (parameter: (typeof FOLDED)[number]): Judge =>
  judgeAll((views, context, it) => {
    for (const group of bySeries(views, context).values()) {
      for (const view of group) {
        if (isCanonical(view, parameter)) continue;
        // The same request in upper case, closest in time.
        const [other] = group
          .filter(isUpperCase)
          .toSorted((a, b) => distance(a, view) - distance(b, view));
        if (other === undefined) continue;
        const compared = compare(view, other, context);
        if (compared === undefined) continue;
        it.judged(view);
        if (compared !== 'same') it.found(view, compared);
      }
    }
  });

const distance = (a: View, b: View): number =>
  Math.abs(a.exchange.receivedAt - b.exchange.receivedAt);

/** `same`, the difference, or `undefined` if there are no settled days to compare. */
function compare(view: View, other: View, context: Context): 'same' | FindingText | undefined {
  const rows = dayRows(view, context);
  const expected = dayRows(other, context);
  if (rows.length === 0 || expected.length === 0) {
    // A list of one or two days may change completely overnight; a month may not.
    if (Math.max(rows.length, expected.length) < 3) return undefined;
    return difference(view, `as many as for upper case: ${expected.length}`, `${rows.length} rows`);
  }
  const last = [newest(rows) ?? '', newest(expected) ?? ''].toSorted()[0] ?? '';
  const first = [oldest(rows), oldest(expected)].toSorted()[1] ?? '';
  const settled = (list: readonly DayRow[]): ReadonlyMap<string, DayRow> =>
    new Map(
      list.filter(({ date }) => date < last && date > first).map((row) => [row.date, row] as const),
    );
  const [mine, theirs] = [settled(rows), settled(expected)];
  for (const date of new Set([...mine.keys(), ...theirs.keys()])) {
    const [row, same] = [mine.get(date), theirs.get(date)];
    if (row === undefined || same === undefined) {
      const [here, there] = row === undefined ? ['none', 'a row'] : ['a row', 'none'];
      return difference(view, `${there} for ${date}, as for upper case`, here, row?.pointer);
    }
    const field = FIGURES.find((name) => !equal(row.fields[name], same.fields[name]));
    if (field !== undefined) {
      return difference(
        view,
        `${field} of ${date} as for upper case: ${show(same.fields[field])}`,
        show(row.fields[field]),
        `${row.pointer}/${field}`,
      );
    }
  }
  return mine.size === 0 ? undefined : 'same';
}

const oldest = (rows: readonly DayRow[]): string =>
  rows.map(({ date }) => date).toSorted()[0] ?? '';

function equal(a: unknown, b: unknown): boolean {
  const [one, two] = [decimalOf(a), decimalOf(b)];
  return one === undefined || two === undefined ? one === two : sameFigure(a, b);
}

function difference(
  view: View,
  expected: string,
  actual: string,
  pointer: string = view.root,
): FindingText {
  const asked = `symbol=${sent(view, 'symbol')} and country_code=${sent(view, 'country_code')}`;
  return { kind: 'other-rows', facts: { asked }, expected, actual, pointer };
}

/**
 * Judges acceptance in another letter case. A refusal that calls the pair unlisted is about the pair, unless the run also has
 * an answer to the same pair in upper case.
 */
const acceptanceInCase = (value: StatedValue): Judge =>
  judgeAll((views, context, it) => {
    const answered = new Set(
      views
        .filter((view) => view.exchange.endpoint === SUMMARY && view.ok && isUpperCase(view))
        .map(pairOf),
    );
    for (const view of views) {
      const unlisted = matchesError('invalidFormat', view.status, codeOf(view));
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
    pointer: '/code',
  }));
});
