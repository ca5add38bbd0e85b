// Requests for the ETF summary history. Each pair gets different parameters, to detect services that ignore symbol or
// country.
import type { Answer, Ask, CheckContext, Query } from '../../src/ask/index.ts';
import { byRestrictedKey } from '../families/restricted-key-requests.ts';
import {
  COUNTRIES,
  ETF_LISTINGS,
  ETF_SYMBOLS,
  type Country,
  type EtfSymbol,
} from '../../src/spec/values.ts';
import { SUMMARY } from '../../src/judge/etf-rows.ts';
import { SUMMARY_DAYS } from '../../src/judge/series.ts';
import {
  badRanges,
  bigPart,
  partsOf,
  rangedOrAlone,
  richestOf,
  together,
  ANY_ANSWER,
  type List,
} from '../families/series-requests.ts';
import { countriesBehind, mustSpanHoliday } from '../families/trading-days.ts';

/** The control of refused requests. */
const BASE = { symbol: 'BTC', country_code: 'US' } as const;

/**
 * How requests spell a pair, because letter case must not matter (§4.3): the symbol is in lower case for one country and
 * in mixed case for the other. Only the first pair, the plain request of the endpoint, is in upper case.
 */
const SPELLED: Readonly<Record<EtfSymbol, Readonly<Record<Country, string>>>> = {
  BTC: { US: 'BTC US', HK: 'btc hk' },
  ETH: { US: 'eth us', HK: 'eTH hK' },
  SOL: { US: 'Sol uS', HK: 'sol HK' },
  LTC: { US: 'ltc US', HK: 'Ltc hk' },
  HBAR: { US: 'hBAR us', HK: 'hbar hK' },
  XRP: { US: 'xrp uS', HK: 'xRP HK' },
  DOGE: { US: 'Doge US', HK: 'doge hk' },
  LINK: { US: 'link us', HK: 'Link hK' },
  AVAX: { US: 'aVAX uS', HK: 'avax HK' },
  DOT: { US: 'dot US', HK: 'dOT hk' },
};

function spelling(of: EtfSymbol, country: Country): Query {
  const [symbol, country_code] = SPELLED[of][country].split(' ');
  return { symbol, country_code };
}

/** The listing matrix by the name of the pair: in upper case, and as requests spell it. */
const LISTINGS = new Map<string, { readonly listed: Query; readonly spelled: Query }>(
  COUNTRIES.flatMap((country_code) =>
    ETF_LISTINGS[country_code].map((symbol) => {
      const pair = { listed: { symbol, country_code }, spelled: spelling(symbol, country_code) };
      return [`${symbol} in ${country_code}`, pair] as const;
    }),
  ),
);

/** Names of the listed pairs. All but the first are spelled in another letter case. */
export const PAIRS = [...LISTINGS.keys()];

const spellingOf = (pair: string): Query => LISTINGS.get(pair)?.spelled ?? {};

/** The first pair with enough rows, otherwise the longest. The matrix sends these requests anyway. */
const summaryOf = (pairs: readonly string[], context: CheckContext): Promise<List> =>
  richestOf(
    SUMMARY,
    pairs.map((pair) => ({ path: {}, query: spellingOf(pair) })),
    context,
  );

const plainSummary = (context: CheckContext): Promise<List> =>
  summaryOf(['BTC in US', 'ETH in US', 'ETH in HK', 'SOL in US'], context);

export const [NO_DATES, EMPTY_START] = badRanges(SUMMARY_DAYS);

const PLAIN = partsOf(SUMMARY_DAYS, { find: plainSummary });

/** The plain list. At the end of the run all other answers are judged the same way. */
export const base = async (context: CheckContext): Promise<Answer> =>
  (await plainSummary(context)).answer;

/** Pairs requested with one range or limit parameter, so that each parameter is also tested alone. */
const partOf = (pair: string, context: CheckContext): Query => {
  const { start_date, end_date } = bigPart(SUMMARY_DAYS, context);
  const parts: Readonly<Record<string, Query>> = {
    'LINK in US': { start_date },
    'AVAX in US': { end_date },
    'DOGE in US': { limit: 9 },
  };
  return parts[pair] ?? {};
};

/** The list of a pair as the matrix requests it. */
export const listing = (pair: string, context: CheckContext): Promise<Answer> =>
  context.api.get(SUMMARY, { ...spellingOf(pair), ...partOf(pair, context) });

/** The same, with a second attempt for targets that reject the letter case or date format. */
export const listed = async (pair: string, context: CheckContext): Promise<Answer> => {
  const answer = await listing(pair, context);
  return answer.status === 200
    ? answer
    : context.api.get(SUMMARY, { ...LISTINGS.get(pair)?.listed });
};

/** Pairs that valid keys request in standard. */
const IN_STANDARD = ['BTC in US', 'DOGE in US', 'HBAR in US', 'XRP in US', 'ETH in HK'];
/** The others, for the restricted key. */
export const PAIRS_OF_RESTRICTED = PAIRS.filter((pair) => !IN_STANDARD.includes(pair));

/** The lists of pairs with the restricted key, and the plain one, without which a refusal may be about the key. */
export const listedByRestrictedKey =
  (...pairs: readonly string[]): Ask =>
  async (context) => {
    const answers: Answer[] = [];
    for (const query of [BASE, ...pairs.map(spellingOf)])
      answers.push(await byRestrictedKey(context, SUMMARY, query));
    return answers;
  };

/** The lists of all pairs. */
export const allListings: Ask = async (context) => {
  const answers: Answer[] = [];
  for (const pair of PAIRS) answers.push(await listing(pair, context));
  return answers;
};

/** The whole list of a pair in its spelling. */
export const spelled = (pair: string, { api }: CheckContext): Promise<Answer> =>
  api.get(SUMMARY, spellingOf(pair));

/** The plain list in another spelling and in upper case. */
export const withUpperCase = async (query: Query, { api }: CheckContext): Promise<Answer[]> => [
  await api.get(SUMMARY, BASE),
  await api.get(SUMMARY, query),
];

/** The plain request without a parameter, or with an empty one, which may count as missing. */
export const without =
  (name: keyof typeof BASE, value?: ''): Ask =>
  ({ api }) =>
    api.get(SUMMARY, { ...BASE, [name]: value }, { control: { query: { [name]: BASE[name] } } });

/** The plain request with another symbol or country. */
export const withOther = (
  name: keyof typeof BASE,
  value: string,
  { api }: CheckContext,
): Promise<Answer> => api.get(SUMMARY, { ...BASE, [name]: value }, { control: { query: BASE } });

/** The list of BTC in HK as the matrix requests it, with an unknown symbol: fewer symbols are listed there. */
export const unknownInHongKong = ({ api }: CheckContext): Promise<Answer> => {
  const query = spellingOf('BTC in HK');
  return api.get(SUMMARY, { ...query, symbol: 'XBT' }, { control: { query } });
};

/** Symbols listed only in US. */
export const UNLISTED = ETF_SYMBOLS.filter((symbol) => !ETF_LISTINGS.HK.includes(symbol));

/** The same symbols in the order in which checks use them. */
const DRAWN: readonly EtfSymbol[] = ['LTC', 'DOGE', 'DOT', 'XRP', 'AVAX', 'HBAR', 'LINK'];
/** Positions that may be swapped: the controls of the first two are requested in standard anyway. */
const ALIKE: readonly (readonly number[])[] = [
  [3, 5],
  [0, 2, 4, 6],
];

/**
 * The nth unlisted symbol; the seed permutes those of equal cost. DOGE has a check of its own name and stays in place,
 * as do listed pairs requested in part: another pair would need its whole list as well.
 */
const drawn = ({ api }: CheckContext, nth: number): EtfSymbol => {
  const alike = ALIKE.find((positions) => positions.includes(nth)) ?? [nth];
  return DRAWN[api.shifted(alike, alike.indexOf(nth)) ?? nth] ?? 'LTC';
};

/** An unlisted pair. The control is the list of the symbol in US, which the matrix requests anyway. */
export function inHongKong(symbol: EtfSymbol, context: CheckContext): Promise<Answer> {
  const pair = `${symbol} in US`;
  const control = { query: { ...spellingOf(pair), ...partOf(pair, context) } };
  return context.api.get(SUMMARY, spelling(symbol, 'HK'), { control });
}

/** The nth pair drawn by the seed. */
export const drawnInHongKong = (nth: number, context: CheckContext): Promise<Answer> =>
  inHongKong(drawn(context, nth), context);

/** The same with the restricted key, with a list that exists anyway as control. */
export const drawnByRestrictedKey = async (nth: number, context: CheckContext): Promise<Answer> => {
  const symbol = drawn(context, nth);
  const pair = `${symbol} in US`;
  const role = IN_STANDARD.includes(pair) ? 'valid' : 'restricted';
  // A key without access says nothing about the pair.
  if (role === 'restricted') await listedByRestrictedKey(pair)(context);
  const control = { query: spellingOf(pair), role } as const;
  return byRestrictedKey(context, SUMMARY, spelling(symbol, 'HK'), { control });
};

/** The plain request with another symbol or country, with the restricted key. */
export const withOtherByRestrictedKey = (
  name: keyof typeof BASE,
  value: string,
  context: CheckContext,
): Promise<Answer> =>
  byRestrictedKey(context, SUMMARY, { ...BASE, [name]: value }, { control: { query: BASE } });

/** @throws Untested if the plain list spans no holiday */
export const spanningHoliday: Ask = async (context) => {
  const { answer } = await plainSummary(context);
  mustSpanHoliday(answer, countriesBehind(answer, null, context));
  return answer;
};

// The plain list is the control of its parts.

/** Parts of the list of the first pair with enough rows. */
const ofPairs = (...pairs: readonly string[]) =>
  partsOf(SUMMARY_DAYS, { find: (context) => summaryOf(pairs, context) });
const OF_SOL = ofPairs('SOL in HK', 'SOL in US', 'BTC in US');
const OF_ETH = ofPairs('ETH in HK', 'ETH in US', 'BTC in US');

/** A range with a limit that cuts it. */
export const small = together(OF_SOL.plain, OF_SOL.small);

/** A range with the largest limit. */
export const big = together(OF_ETH.plain, OF_ETH.big);

/** A range that starts before the window. */
export const beyond = together(base, PLAIN.beyond);

// A month has fewer trading days than the default limit, so 300, 50 and no limit return the same rows.
export const { withLimit } = PLAIN;

/** The largest limit, in a range if the service accepts the dates. */
export const largest = rangedOrAlone(big, withLimit(SUMMARY_DAYS.limit.maximum));

/** A limit out of bounds works with any letter case, so this also covers another spelling. */
export const overInMixedCase: Ask = async (context) => {
  const answer = await base(context);
  const { symbol = '' } = Object.fromEntries(answer.exchange.request.query);
  const mixed = symbol.slice(0, -1).toLowerCase() + symbol.slice(-1).toUpperCase();
  const query = { limit: SUMMARY_DAYS.limit.maximum + 1, symbol: mixed };
  return [answer, await PLAIN.again(query, context, ANY_ANSWER)];
};
