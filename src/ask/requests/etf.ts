// What the suites on ETFs share: the plain requests, and dates taken from the answers to them.
import {
  COUNTRIES,
  ETF_LISTINGS,
  ETF_SYMBOLS,
  type Country,
  type EtfSymbol,
} from '../../contract/values.ts';
import { countriesOf, isDate, listedCountries } from '../../rules/etf-rows.ts';
import { holidaysWithin } from '../../rules/etf-series.ts';
import { isObject, viewOf } from '../../rules/view.ts';
import { Untested, type Answer, type CheckContext, type Query } from '../index.ts';
import type { List } from './series.ts';

export const SUMMARY = '/etfs/summary-history';
export const HISTORY = '/etfs/{ticker}/history';
/** The summary request that refusals are compared with. */
export const BASE = { symbol: 'BTC', country_code: 'US' } as const;

/** A pair of the listing matrix, and how its request spells it: letter case must not matter (§4.3). */
export interface Listing {
  readonly pair: string;
  readonly listed: Query;
  readonly spelled: Query;
}

/** Forms of a text in letters: case must not matter. */
const lower = (text: string): string => text.toLowerCase();
const capital = (text: string): string => text.slice(0, 1) + text.slice(1).toLowerCase();
const inverse = (text: string): string => text.slice(0, 1).toLowerCase() + text.slice(1);
type Form = (text: string) => string;

/** What a country's requests are spelled like, in turn. */
const COUNTRY_FORMS: readonly Form[] = [lower, inverse, (text) => text];

/**
 * A pair with its symbol in the nth form. A symbol comes in lower case in the one country and in mixed case in the other
 * one, so that both are asked for by requests that are sent anyway.
 */
function spelling(symbol: EtfSymbol, country_code: Country): Query {
  const at = ETF_SYMBOLS.indexOf(symbol);
  const mixed = at % 4 < 2 ? inverse : capital;
  const turned = (at % 2 === 0) === (country_code === 'US');
  const country = COUNTRY_FORMS[(at + (country_code === 'US' ? 2 : 0)) % COUNTRY_FORMS.length];
  return {
    symbol: (turned ? mixed : lower)(symbol),
    country_code: country?.(country_code) ?? country_code,
  };
}

/** The first pair is the plain request of the endpoint. */
export const LISTINGS: readonly Listing[] = COUNTRIES.flatMap((country_code) =>
  ETF_LISTINGS[country_code].map((symbol) => ({ symbol, country_code })),
).map(({ symbol, country_code }, index) => {
  const listed = { symbol, country_code };
  return {
    pair: `${symbol} in ${country_code}`,
    listed,
    spelled: index === 0 ? listed : spelling(symbol, country_code),
  };
});

/** A pair that is not listed, spelled in another way than the listed pair of the symbol. */
export const unlistedPair = (symbol: EtfSymbol): Query => spelling(symbol, 'HK');

/** Rows that a listing needs to be looked at closely, and how many listings are tried at most. */
const ENOUGH_ROWS = 6;

/**
 * The first of some pairs whose list has enough rows; the longest where none has. The plain requests for the pairs of the
 * matrix are sent anyway.
 */
export async function summaryOf(pairs: readonly string[], { api }: CheckContext): Promise<List> {
  let best: List | undefined;
  for (const { pair, spelled } of LISTINGS.toSorted(
    (a, b) => pairs.indexOf(a.pair) - pairs.indexOf(b.pair),
  )) {
    if (!pairs.includes(pair)) continue;
    const answer = await api.get(SUMMARY, spelled);
    if (best === undefined || answer.records.length > best.answer.records.length) {
      best = { path: {}, query: spelled, answer };
    }
    if (answer.records.length >= ENOUGH_ROWS) break;
  }
  if (best === undefined) throw new TypeError(`none of ${pairs.join(', ')} is listed`);
  return best;
}

/** The list of the plain request. */
export const plainSummary = (context: CheckContext): Promise<List> =>
  summaryOf(['BTC in US', 'ETH in US', 'ETH in HK', 'SOL in US'], context);

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
