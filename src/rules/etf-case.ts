import type { Context } from './context.ts';
import { isJudgeable } from './context.ts';
import { decimalOf, sameFigure } from './decimals.ts';
import { dayRows, newest, SUMMARY, type DayRow } from './etf-rows.ts';
import { codeOf, describeAnswer } from './errors.ts';
import { expectationOf, matchesError } from './expectation.ts';
import { show, type FindingText, type Rule } from './judgement.ts';
import { hasStatedKind } from './relations.ts';
import { place } from './transport.ts';
import { isUnlistedMessage } from './validation.ts';
import type { View } from './view.ts';
import { criteria, type Criterion } from './criterion.ts';

/** What this file decides. */
export const ETF_CASE = criteria('symbolCase', 'countryCase', 'listed');

const FIGURES = ['total_net_inflow', 'total_value_traded', 'total_net_assets', 'cum_net_inflow'];

const sent = (view: View, name: string): string => view.query.get(name) ?? '';
const isCanonical = (view: View, name: string): boolean =>
  sent(view, name) === sent(view, name).toUpperCase();

/** What two requests must share to be compared: everything but the letter case of symbol and country. */
function seriesKey({ exchange }: View): string {
  const parameters = exchange.request.query
    .map(([name, value]) => {
      const folds = name === 'symbol' || name === 'country_code';
      return `${name}=${folds ? value.toUpperCase() : value}`;
    })
    .toSorted();
  return parameters.join('&');
}

/** Answers of the summary in the order sent, by what was asked for. */
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
 * §4.3: the letter case of symbol and of country_code does not matter, so the same rows come back (ruling 22). Days
 * before the newest one of either answer are settled and cannot have moved between the two requests.
 */
const sameRows: Rule = {
  name: 'etf-letter-case',
  judges: [ETF_CASE.symbolCase, ETF_CASE.countryCase],
  all(views, context, into) {
    for (const group of bySeries(views, context).values()) {
      for (const view of group) {
        const differing = differs(view);
        // The same request in upper case; of several the nearest in time.
        const [other] = group
          .filter((one) => differs(one).length === 0)
          .toSorted((a, b) => distance(a, view) - distance(b, view));
        if (differing.length === 0 || other === undefined) continue;
        const compared = compare(view, other, context);
        if (compared === undefined) continue;
        for (const criterion of differing) {
          into.judged(criterion, view);
          if (compared !== 'same') into.found(criterion, view, compared);
        }
      }
    }
  },
};

/** Requirements about the parameters that were not sent in upper case. */
function differs(view: View): Criterion[] {
  return [
    ...(isCanonical(view, 'symbol') ? [] : [ETF_CASE.symbolCase]),
    ...(isCanonical(view, 'country_code') ? [] : [ETF_CASE.countryCase]),
  ];
}

const distance = (a: View, b: View): number =>
  Math.abs(a.exchange.receivedAt - b.exchange.receivedAt);

/** `same`, the difference, or `undefined` when the answers have no settled days to compare. */
function compare(view: View, other: View, context: Context): 'same' | FindingText | undefined {
  const rows = dayRows(view, context);
  const expected = dayRows(other, context);
  if (rows.length === 0 || expected.length === 0) {
    // A list of a day or two may change completely overnight, a month of days may not.
    if (Math.max(rows.length, expected.length) < 3) return undefined;
    return difference(
      view,
      `as many as upper case gets: ${expected.length}`,
      `${rows.length} rows`,
    );
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
      return difference(view, `${there} for ${date}, as in upper case`, here, row?.pointer);
    }
    const field = FIGURES.find((name) => !equal(row.fields[name], same.fields[name]));
    if (field !== undefined) {
      return difference(
        view,
        `${field} of ${date} as in upper case: ${show(same.fields[field])}`,
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
  return { message: `${place(view)} gets other rows with ${asked}`, expected, actual, pointer };
}

/**
 * §4.3 listing matrix: an answer shows that the pair is listed, a refusal as not listed (400001) that it is not. Any
 * other refusal in another letter case is about the letter case. In upper case every refusal of a pair is a finding
 * already, but for the pair that the plain request of the endpoint uses.
 */
const listed: Rule = {
  name: 'etf-listed',
  judges: [ETF_CASE.listed],
  each(view, context, into) {
    if (view.exchange.endpoint !== SUMMARY || !isJudgeable(view, context) || view.wrapped) return;
    // Whatever is open about a date or a limit, an answer with rows shows the pair.
    const { kind } = expectationOf(view, context);
    if (kind === 'refused' || (kind === 'open' && !view.ok && !isUnlistedMessage(view))) return;
    const plain = sent(view, 'symbol') === 'BTC' && sent(view, 'country_code') === 'US';
    const unlisted = matchesError('invalidFormat', view.status, codeOf(view));
    // A body of another kind shows nothing about the pair.
    if (view.ok && !hasStatedKind(view)) return;
    if (!view.ok && !(unlisted && (plain || differs(view).length > 0))) return;
    into.expect(ETF_CASE.listed, view, !unlisted, () => ({
      message: `${place(view)} calls a listed pair not listed`,
      expected: `status 200: ${sent(view, 'symbol').toUpperCase()} is listed in ${sent(view, 'country_code').toUpperCase()}`,
      actual: describeAnswer(view),
      pointer: '/code',
    }));
  },
};

export const ETF_CASE_RULES: readonly Rule[] = [sameRows, listed];
