// §4.3 ETF summary history: the days of all ETFs of one asset in one country.
import { ETF_LISTINGS, ETF_SYMBOLS, type EtfSymbol } from '../src/contract/values.ts';
import {
  requirement,
  type Answer,
  type CheckContext,
  type GetOptions,
  type Query,
} from '../src/suite/index.ts';
import {
  BASE,
  baseSummary,
  conforms,
  countriesBehind,
  LISTINGS,
  mustSpanHoliday,
  plainSummary,
  rangeBeyond,
  SUMMARY,
  summaryOf,
  unlistedPair,
  type Listing,
  type SummaryList,
} from './etf.ts';
import { byRestrictedKey } from './restricted-key.ts';
import { badRanges, bigPart, smallPart } from './series.ts';

const smoke = { profile: 'smoke' } as const;
const full = { profile: 'full' } as const;
const [NO_DATES, EMPTY_START] = badRanges(SUMMARY);

requirement('4.3/summary-history', conforms(baseSummary), smoke);

/** Pairs that are asked for a part of their list, so that each parameter is seen alone, too. */
const partOf = (pair: string, context: CheckContext): Query => {
  const { start_date, end_date } = bigPart(SUMMARY, context);
  const parts: Readonly<Record<string, Query>> = {
    'LINK in US': { start_date },
    'AVAX in US': { end_date },
    'DOGE in US': { limit: 9 },
  };
  return parts[pair] ?? {};
};
const listing = async ({ pair, spelled }: Listing, context: CheckContext): Promise<Answer> =>
  context.api.get(SUMMARY, { ...spelled, ...partOf(pair, context) });

// Listing matrix. All pairs but the first are spelled in another letter case, which must not matter.
for (const one of LISTINGS) {
  requirement('4.3/listed', one.pair, async (context) => {
    const answer = await listing(one, context);
    // A target that minds the letter case, or the form of dates, still gets a word on its listing.
    const other = answer.status === 200 ? answer : await context.api.get(SUMMARY, one.listed);
    context.expect(other).toConform();
  });
}
for (const [id, pair] of [
  ['4.3/range', 'LINK in US'],
  ['4.3/range', 'AVAX in US'],
  ['4.3/limit-exact', 'DOGE in US'],
] as const) {
  const [one] = LISTINGS.filter((candidate) => candidate.pair === pair);
  if (one === undefined) continue;
  const what = { 'LINK in US': 'start_date', 'AVAX in US': 'end_date', 'DOGE in US': 'limit' };
  requirement(
    id,
    `with ${what[pair]} alone, of ${pair}`,
    conforms((context) => listing(one, context)),
  );
}

const accepts = async (pair: string, { api, expect }: CheckContext): Promise<void> => {
  expect(await api.get(SUMMARY, spelledAs(pair))).toConform();
};
const spelledAs = (pair: string): Query => LISTINGS.find((one) => one.pair === pair)?.spelled ?? {};
const sameAsBase = async (query: Query, context: CheckContext): Promise<void> => {
  const upper = await context.api.get(SUMMARY, BASE);
  context.expect([upper, await context.api.get(SUMMARY, query)]).toConform();
};
requirement.for('4.3/symbol-case', ['ETH in US', 'SOL in US', 'SOL in HK'])('accepts %j', accepts);
requirement.for(
  '4.3/symbol-case',
  // The same rows cost a request of their own; that case is accepted shows in the pairs above.
  [
    { symbol: 'bTc', country_code: 'US' },
    { symbol: 'btc', country_code: 'US' },
    { symbol: 'Btc', country_code: 'us' },
  ],
  full,
)('gives the rows of upper case for %j', sameAsBase);
requirement.for('4.3/country-case', ['ETH in US', 'ETH in HK', 'SOL in US'])('accepts %j', accepts);
requirement.for(
  '4.3/country-case',
  [
    { symbol: 'BTC', country_code: 'us' },
    { symbol: 'BTC', country_code: 'uS' },
  ],
  full,
)('gives the rows of upper case for %j', sameAsBase);

// Refusals. An empty value may be read as a missing one.
const refusesMissing = (
  id: '4.3/symbol-required' | '4.3/country-required',
  name: 'symbol' | 'country_code',
): void => {
  const { [name]: value, ...rest } = BASE;
  const control = { query: { [name]: value } };
  const check =
    (query: Query) =>
    async ({ api, expect }: CheckContext): Promise<void> => {
      expect(await api.get(SUMMARY, query, { control })).toBeRefused('missingParameter');
    };
  requirement(id, check(rest));
  requirement(id, `refuses an empty ${name}`, check({ ...rest, [name]: '' }), full);
};
refusesMissing('4.3/symbol-required', 'symbol');
refusesMissing('4.3/country-required', 'country_code');

const control = { query: BASE };
const UNKNOWN_SYMBOL = { ...BASE, symbol: 'USDT' };
const refusesSymbol = async (symbol: string, { api, expect }: CheckContext): Promise<void> => {
  expect(await api.get(SUMMARY, { ...BASE, symbol }, { control })).toBeRefused('invalidValue');
};
requirement.for('4.3/symbol-enum', ['USDT'])('refuses symbol=%j', refusesSymbol);
requirement.for(
  '4.3/symbol-enum',
  ['BT', 'BTCX', 'BTC,ETH', 'BTCUSD', '1', '*'],
  full,
)('refuses symbol=%j', refusesSymbol);
requirement('4.3/symbol-message', async ({ api, expect }) => {
  expect(await api.get(SUMMARY, UNKNOWN_SYMBOL, { control })).toConform();
});
requirement('4.3/symbol-constraint', async ({ api, expect }) => {
  expect(await api.get(SUMMARY, UNKNOWN_SYMBOL, { control })).toConform();
});

const refusesCountry = async (
  country_code: string,
  { api, expect }: CheckContext,
): Promise<void> => {
  expect(await api.get(SUMMARY, { ...BASE, country_code }, { control })).toBeRefused('invalid');
};
requirement.for('4.3/country-enum', ['GB'])('refuses country_code=%j', refusesCountry);
requirement.for(
  '4.3/country-enum',
  ['USA', 'HKG', 'U', 'US,HK', '1'],
  full,
)('refuses country_code=%j', refusesCountry);
requirement('4.3/country-enum-code', async ({ api, expect }) => {
  expect(await api.get(SUMMARY, { ...BASE, country_code: 'GB' }, { control })).toConform();
});

// Pairs that are not listed: the same symbol in US is the control.
const UNLISTED = ETF_SYMBOLS.filter((symbol) => !ETF_LISTINGS.HK.includes(symbol));
const inHongKong = (symbol: EtfSymbol, context: CheckContext): Promise<Answer> => {
  // The request of the listing matrix is the control: it is sent anyway.
  const pair = `${symbol} in US`;
  const listed = { ...spelledAs(pair), ...partOf(pair, context) };
  return context.api.get(SUMMARY, unlistedPair(symbol), { control: { query: listed } });
};
// The seed of a run says which of them standard asks for; full asks for all.
const drawn = ({ session }: CheckContext, nth: number): EtfSymbol =>
  UNLISTED[(session.seed + nth * 3 + UNLISTED.length - 1) % UNLISTED.length] ?? 'LTC';
for (const [nth, which] of ['a pair', 'another pair'].entries()) {
  requirement('4.3/unlisted', `refuses ${which} that is not listed`, async (context) => {
    context.expect(await inHongKong(drawn(context, nth), context)).toBeRefused('invalidFormat');
  });
  requirement(
    '4.3/unlisted-message',
    `says why ${which} that is not listed is refused`,
    (context) => conforms(() => inHongKong(drawn(context, nth), context))(context),
  );
}
// What valid keys have no requests left for.
const inHongKongToo = (symbol: EtfSymbol, context: CheckContext): Promise<Answer> => {
  const pair = `${symbol} in US`;
  const listed = { ...spelledAs(pair), ...partOf(pair, context) };
  return byRestrictedKey(context, SUMMARY, unlistedPair(symbol), { control: { query: listed } });
};
for (const nth of [2, 3, 4, 5, 6]) {
  const which = `pair ${nth + 1} that is not listed, with the restricted key`;
  requirement('4.3/unlisted', `refuses ${which}`, async (context) => {
    context.expect(await inHongKongToo(drawn(context, nth), context)).toBeRefused('invalidFormat');
  });
  requirement('4.3/unlisted-message', `says why ${which}`, (context) =>
    conforms(() => inHongKongToo(drawn(context, nth), context))(context),
  );
}
requirement.for(
  '4.3/unlisted',
  UNLISTED,
  full,
)('refuses %s in HK', async (symbol, context) => {
  context.expect(await inHongKong(symbol, context)).toBeRefused('invalidFormat');
});
requirement.for(
  '4.3/unlisted-message',
  UNLISTED,
  full,
)('says why %s in HK is refused', (symbol, context) =>
  conforms(() => inHongKong(symbol, context))(context),
);
// Rows. Every other answer of the run is judged in the same way when the run ends.
for (const id of [
  '4.3/order',
  '4.3/weekends',
  '4.3/date-unique',
  '4.3/cumulative',
  '4.3/recent',
] as const) {
  requirement(id, conforms(baseSummary), smoke);
}
requirement(
  '4.3/own-rows',
  conforms(async (context) => {
    const answers: Answer[] = [];
    for (const one of LISTINGS) answers.push(await listing(one, context));
    return answers;
  }),
);
requirement('4.3/holidays', async (context) => {
  const answer = await baseSummary(context);
  mustSpanHoliday(answer, countriesBehind(answer, null, context));
  context.expect(answer).toConform();
});

// Range and window. What is asked of which pair differs, so that one that ignores its symbol or country is seen.
type Ask = (context: CheckContext) => Promise<readonly Answer[]>;
/** The plain request of a list, and one with what is made of its answer. The plain one is the control of the other. */
const beside =
  (
    list: (context: CheckContext) => Promise<SummaryList>,
    more: (base: Answer, context: CheckContext) => Query,
    options: GetOptions = {},
  ): Ask =>
  async (context) => {
    const { query, answer } = await list(context);
    const changed = { ...query, ...more(answer, context) };
    return [answer, await context.api.get(SUMMARY, changed, options)];
  };
/** A failure of the server is an answer to a request out of bounds. */
const whatever = { anyAnswer: true } as const;
const small = beside(
  (context) => summaryOf(['SOL in HK', 'SOL in US', 'BTC in US'], context),
  (base, context) => smallPart(SUMMARY, base, context),
);
const ofEth = (context: CheckContext): Promise<SummaryList> =>
  summaryOf(['ETH in HK', 'ETH in US', 'BTC in US'], context);
const big = beside(ofEth, (_base, context) => bigPart(SUMMARY, context));
requirement('4.3/range', 'with both ends and a limit', conforms(small));
requirement('4.3/range', 'with both ends and the largest limit', conforms(big));
for (const end of ['start_date', 'end_date'] as const) {
  const ask = beside(plainSummary, (_base, context) => ({ [end]: bigPart(SUMMARY, context)[end] }));
  requirement('4.3/range', `with ${end} alone`, conforms(ask), full);
}
const bothEnds = beside(plainSummary, (_base, context) => ({
  ...bigPart(SUMMARY, context),
  limit: undefined,
}));
requirement('4.3/range', 'with both ends', conforms(bothEnds), full);
const beyond = beside(plainSummary, (_base, context) => rangeBeyond(context), whatever);
requirement('4.3/window', conforms(beyond));
requirement('4.3/window-answer', conforms(beyond));
requirement('8/beyond-window', async (context) => {
  context.observe(await beyond(context));
});

// Limit. A month holds fewer trading days than the default, so 300, 50 and no limit show the same rows.
/** The symbol of an answer's request with a capital letter at its end only. */
const mixedCase = ({ exchange }: Answer): string => {
  const [, symbol = ''] = exchange.request.query.find(([name]) => name === 'symbol') ?? [];
  return symbol.slice(0, -1).toLowerCase() + symbol.slice(-1).toUpperCase();
};
const withLimit = (limit: string | number, more: Query = {}): Ask =>
  beside(plainSummary, () => ({ limit, ...more }), whatever);
requirement('4.3/limit-default', conforms(small));
requirement('4.3/limit-default', 'beside limit=300', conforms(withLimit(300)), full);
requirement('4.3/limit-max-accepted', async (context) => {
  // Dates of another form than expected may be refused; then the limit is asked for alone.
  const [base, part] = await big(context);
  const answers = part?.status === 200 && base !== undefined ? [base, part] : undefined;
  context.expect(answers ?? (await withLimit(300)(context))).toConform();
});
requirement('4.3/limit-max-accepted', 'without a range', conforms(withLimit(300)), full);
requirement('4.3/limit-exact', 'inside of a range', conforms(small));
requirement('4.3/limit-part', 'inside of a range', conforms(small));

const limits = (
  id: '4.3/limit-exact' | '4.3/limit-part' | '4.3/limit-max' | '4.3/limit-invalid',
  profile: 'standard' | 'full',
  values: readonly (string | number)[],
): void => {
  for (const limit of values) {
    requirement(id, `limit=${limit}`, conforms(withLimit(limit)), { profile });
  }
};
limits('4.3/limit-exact', 'full', [1, 2, 9]);
limits('4.3/limit-part', 'full', [2, 9]);
// A limit out of bounds needs no exact case: the request shows another spelling of the symbol as well.
const mixedOver = beside(
  plainSummary,
  (base) => ({ limit: 301, symbol: mixedCase(base) }),
  whatever,
);
requirement('4.3/limit-max', 'limit=301', conforms(mixedOver));
limits('4.3/limit-max', 'full', [1000, 2_147_483_648]);
limits('4.3/limit-invalid', 'full', ['0', '-1', 'abc', '1.5', '1e2']);
requirement(
  '4.3/limit-invalid',
  'limit=0 beside dates that are none',
  conforms(withLimit(0, NO_DATES)),
);
requirement(
  '4.3/limit-invalid',
  'an empty limit beside dates that are none',
  conforms(withLimit('', EMPTY_START)),
  full,
);
