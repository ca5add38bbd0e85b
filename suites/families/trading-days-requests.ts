// What is asked of both lists of trading days (§4.3, §4.4): dates taken from their answers.
import { COUNTRIES, type Country } from '../../src/spec/values.ts';
import { countriesOf, holidaysWithin, isDate, listedCountries } from '../../src/judge/etf-rows.ts';
import { isObject, viewOf } from '../../src/judge/view.ts';
import { Untested, type Answer, type CheckContext } from '../../src/ask/index.ts';

/** Dates of an answer, newest first; the field judges texts of another form. */
export function datesOf({ records }: Answer): string[] {
  const dates = records.flatMap(({ value }) =>
    isObject(value) && isDate(value['date']) ? [value['date']] : [],
  );
  return dates.toSorted().toReversed();
}

/** Countries whose calendar may apply to the rows of an answer, as far as the ETF list says it. */
export function countriesBehind(
  answer: Answer,
  list: Answer | null,
  { session }: CheckContext,
): readonly Country[] {
  const view = viewOf(answer.exchange, session.facts);
  const listed = list === null ? undefined : viewOf(list.exchange, session.facts);
  const known = listedCountries(listed === undefined ? [] : [listed], session.context());
  return view === undefined ? COUNTRIES : countriesOf(view, known);
}

/** @throws Untested when no holiday lies between the days that an answer shows */
export function mustSpanHoliday(answer: Answer, countries: readonly Country[]): void {
  const dates = datesOf(answer);
  if (holidaysWithin(dates, countries).length > 0) return;
  throw new Untested(
    `no exchange holiday of ${countries.join(' and ')} lies between ${dates.at(-1) ?? 'no row'} and ${dates[0] ?? 'no row'}`,
  );
}
