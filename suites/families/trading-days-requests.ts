// Requests for both lists of trading days (§4.3, §4.4), based on the dates in their answers.
import { COUNTRIES, type Country } from '../../src/spec/values.ts';
import { countriesOf, holidaysWithin, isDate, listedCountries } from '../../src/judge/etf-rows.ts';
import { isObject, viewOf } from '../../src/judge/view.ts';
import { Untested, type Answer, type CheckContext } from '../../src/ask/index.ts';

/** Valid dates of an answer, newest first. */
export function datesOf({ records }: Answer): string[] {
  const dates = records.flatMap(({ value }) =>
    isObject(value) && isDate(value['date']) ? [value['date']] : [],
  );
  return dates.toSorted().toReversed();
}

/** Countries whose holidays may apply, as far as the ETF list shows. */
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

/** @throws Untested if the answer spans no holiday */
export function mustSpanHoliday(answer: Answer, countries: readonly Country[]): void {
  const dates = datesOf(answer);
  if (holidaysWithin(dates, countries).length > 0) return;
  throw new Untested(
    `no exchange holiday (${countries.join(', ')}) lies between ${dates.at(-1) ?? 'no row'} and ${dates[0] ?? 'no row'}`,
  );
}
