import { isTradingDay } from '../contract/trading-days.ts';
import type { Context } from './context.ts';
import {
  countriesOf,
  dayRows,
  daysAfter,
  HISTORY,
  isoDate,
  listedCountries,
  newest,
  SUMMARY,
} from './etf-rows.ts';
import type { Judgement, Rule } from './judgement.ts';
import { place } from './transport.ts';
import type { View } from './view.ts';
import { criteria, type Criterion } from './criterion.ts';

/** What this file decides. */
export const ETF_RECENT = criteria('summaryRecent', 'historyRecent');

/** Trading days that the newest row may lie back. */
const FEW_DAYS = 5;
/** Days that are looked back at most. */
const FAR = 40;

/** How a request leaves the newest rows out, or may do so. */
const CUTS = ['end_date', 'limit'] as const;

/**
 * Ruling 17: the newest row is at most a few trading days old. An ETF that was closed has no new rows, so the newest of
 * all lists that were asked for counts.
 */
const recent: Rule = {
  name: 'etf-recent',
  judges: [ETF_RECENT.summaryRecent, ETF_RECENT.historyRecent],
  all(views, context, into) {
    judgeNewest(SUMMARY, ETF_RECENT.summaryRecent, views, context, into);
    judgeNewest(HISTORY, ETF_RECENT.historyRecent, views, context, into);
  },
};

function judgeNewest(
  endpoint: typeof SUMMARY | typeof HISTORY,
  criterion: Criterion,
  views: readonly View[],
  context: Context,
  into: Judgement,
): void {
  const listed = listedCountries(views, context);
  const lists = views.flatMap((view) => {
    if (view.exchange.endpoint !== endpoint || CUTS.some((name) => view.query.has(name))) return [];
    const date = newest(dayRows(view, context));
    return date === undefined ? [] : [{ view, date }];
  });
  const [latest] = lists.toSorted((a, b) => b.date.localeCompare(a.date));
  if (latest === undefined) return;
  const { view, date } = latest;
  const countries = countriesOf(view, listed);
  const today = isoDate(view.now);
  let missing = 0;
  let day = daysAfter(date, 1);
  for (let days = 0; day < today && days < FAR; days += 1, day = daysAfter(day, 1)) {
    if (countries.every((country) => isTradingDay(country, day))) missing += 1;
  }
  into.expect(criterion, view, missing <= FEW_DAYS, () => ({
    message: `${place(view)} has no row of the last ${missing} trading days`,
    expected: `a newest row that is at most ${FEW_DAYS} trading days old`,
    actual: `${date}, seen on ${today}`,
    pointer: view.root,
  }));
}

export const ETF_RECENT_RULES: readonly Rule[] = [recent];
