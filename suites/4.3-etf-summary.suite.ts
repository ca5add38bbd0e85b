// §4.3 ETF summary history: the days of all ETFs of one asset in one country.
import { ETF_LISTINGS, ETF_SYMBOLS, type EtfSymbol } from '../src/contract/values.ts';
import { requirement, type CheckContext, type Query } from '../src/suite/index.ts';
import {
  BASE,
  baseSummary,
  countriesBehind,
  mustSpanHoliday,
  olderRange,
  rangeBeyond,
  SUMMARY,
} from './etf.ts';

const smoke = { profile: 'smoke' } as const;
const full = { profile: 'full' } as const;

requirement(
  '4.3/summary-history',
  async (context) => context.expect(await baseSummary(context)).toConform(),
  smoke,
);

// Listing matrix. Four pairs are spelled in another letter case, which must not matter.
interface Listing {
  readonly pair: string;
  readonly listed: Query;
  readonly spelled?: Query;
}
const SPELLED: Readonly<Record<string, Query>> = {
  'ETH in US': { symbol: 'eth', country_code: 'US' },
  'XRP in US': { symbol: 'xRp', country_code: 'US' },
  'ETH in HK': { symbol: 'ETH', country_code: 'hk' },
  'SOL in HK': { symbol: 'SOL', country_code: 'Hk' },
};
const LISTINGS = (['US', 'HK'] as const).flatMap((country_code) =>
  ETF_LISTINGS[country_code].map((symbol): Listing => {
    const pair = `${symbol} in ${country_code}`;
    const spelled = SPELLED[pair];
    const listed = { symbol, country_code };
    return spelled === undefined ? { pair, listed } : { pair, listed, spelled };
  }),
);

for (const { pair, listed, spelled = listed } of LISTINGS) {
  requirement('4.3/listed', pair, async ({ api, expect }) => {
    const answer = await api.get(SUMMARY, spelled);
    // A target that minds the letter case still gets a word on its listing.
    const accepted = answer.status === 200 || spelled === listed;
    expect(accepted ? answer : await api.get(SUMMARY, listed)).toConform();
  });
}

const accepts = async (query: Query, { api, expect }: CheckContext): Promise<void> => {
  expect(await api.get(SUMMARY, query)).toConform();
};
const sameAsBase = async (query: Query, context: CheckContext): Promise<void> => {
  const upper = await baseSummary(context);
  context.expect([upper, await context.api.get(SUMMARY, query)]).toConform();
};
requirement.for('4.3/symbol-case', [
  { symbol: 'eth', country_code: 'US' },
  { symbol: 'xRp', country_code: 'US' },
])('accepts %j', accepts);
requirement.for('4.3/symbol-case', [{ symbol: 'bTc', country_code: 'US' }])(
  'gives the rows of upper case for %j',
  sameAsBase,
);
requirement.for(
  '4.3/symbol-case',
  [
    { symbol: 'btc', country_code: 'US' },
    { symbol: 'Btc', country_code: 'us' },
  ],
  full,
)('gives the rows of upper case for %j', sameAsBase);
requirement.for('4.3/country-case', [
  { symbol: 'ETH', country_code: 'hk' },
  { symbol: 'SOL', country_code: 'Hk' },
])('accepts %j', accepts);
requirement.for('4.3/country-case', [{ symbol: 'BTC', country_code: 'uS' }])(
  'gives the rows of upper case for %j',
  sameAsBase,
);
requirement.for(
  '4.3/country-case',
  [{ symbol: 'BTC', country_code: 'us' }],
  full,
)('gives the rows of upper case for %j', sameAsBase);

// Refusals.
requirement('4.3/symbol-required', async ({ api, expect }) => {
  const { symbol, country_code } = BASE;
  const answer = await api.get(SUMMARY, { country_code }, { control: { query: { symbol } } });
  expect(answer).toBeRefused('missingParameter');
});
requirement('4.3/country-required', async ({ api, expect }) => {
  const { symbol, country_code } = BASE;
  const answer = await api.get(SUMMARY, { symbol }, { control: { query: { country_code } } });
  expect(answer).toBeRefused('missingParameter');
});

const control = { query: BASE };
const UNKNOWN_SYMBOL = { ...BASE, symbol: 'USDT' };
const refusesSymbol = async (symbol: string, { api, expect }: CheckContext): Promise<void> => {
  expect(await api.get(SUMMARY, { ...BASE, symbol }, { control })).toBeRefused('invalidValue');
};
requirement.for('4.3/symbol-enum', ['USDT'])('refuses symbol=%j', refusesSymbol);
requirement.for(
  '4.3/symbol-enum',
  ['BT', 'BTCX', 'BTC,ETH', 'BTC ', '1', '*', ''],
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
const inHongKong = (symbol: EtfSymbol, { api }: CheckContext) =>
  api.get(
    SUMMARY,
    { symbol, country_code: 'HK' },
    { control: { query: { symbol, country_code: 'US' } } },
  );
const unlisted = (profile: 'standard' | 'full', symbols: readonly EtfSymbol[]): void => {
  requirement.for('4.3/unlisted', symbols, { profile })(
    'refuses %s in HK',
    async (symbol, context) =>
      context.expect(await inHongKong(symbol, context)).toBeRefused('invalidFormat'),
  );
  requirement.for('4.3/unlisted-message', symbols, { profile })(
    'says why %s in HK is refused',
    async (symbol, context) => context.expect(await inHongKong(symbol, context)).toConform(),
  );
};
unlisted('standard', UNLISTED.slice(0, 1));
unlisted('full', UNLISTED.slice(1));
requirement(
  '4.3/unlisted-message',
  'names a pair that was sent in lower case',
  async ({ api, expect }) => {
    const query = { symbol: 'ltc', country_code: 'hk' };
    const upper = { symbol: 'LTC', country_code: 'US' };
    expect(await api.get(SUMMARY, query, { control: { query: upper } })).toConform();
  },
  full,
);

// Rows. Every other answer of the run is judged in the same way when the run ends.
for (const id of ['4.3/order', '4.3/weekends', '4.3/date-unique', '4.3/cumulative'] as const) {
  requirement(id, async (context) => context.expect(await baseSummary(context)).toConform(), smoke);
}
requirement('4.3/holidays', async (context) => {
  const answer = await baseSummary(context);
  mustSpanHoliday(answer, countriesBehind(answer, null, context));
  context.expect(answer).toConform();
});

// Range and window.
const inOlderRange = async (context: CheckContext, more: Query = {}) => {
  const base = await baseSummary(context);
  return [base, await context.api.get(SUMMARY, { ...BASE, ...olderRange(base), ...more })] as const;
};
requirement('4.3/range', 'with both ends and a limit', async (context) => {
  context.expect(await inOlderRange(context, { limit: 5 })).toConform();
});
requirement(
  '4.3/range',
  'with both ends',
  async (context) => context.expect(await inOlderRange(context)).toConform(),
  full,
);
requirement.for(
  '4.3/range',
  ['start_date', 'end_date'] as const,
  full,
)('with %s alone', async (end, context) => {
  const [base] = await inOlderRange(context, { limit: 5 });
  const alone = { [end]: olderRange(base)[end] };
  context.expect([base, await context.api.get(SUMMARY, { ...BASE, ...alone })]).toConform();
});
const beyond = async (context: CheckContext) => {
  const base = await baseSummary(context);
  const query = { ...BASE, ...rangeBeyond(context) };
  return [base, await context.api.get(SUMMARY, query)] as const;
};
requirement('4.3/window', async (context) => context.expect(await beyond(context)).toConform());
requirement('4.3/window-answer', async (context) =>
  context.expect(await beyond(context)).toConform(),
);

// Limit. A month holds fewer trading days than the default, so 300, 50 and no limit show the same rows.
const withLimit = async (context: CheckContext, limit: string | number) => {
  const base = await baseSummary(context);
  return [base, await context.api.get(SUMMARY, { ...BASE, limit })] as const;
};
for (const id of ['4.3/limit-default', '4.3/limit-max-accepted'] as const) {
  requirement(id, async (context) => context.expect(await withLimit(context, 300)).toConform());
}
for (const id of ['4.3/limit-exact', '4.3/limit-part'] as const) {
  requirement(id, 'inside of a range', async (context) =>
    context.expect(await inOlderRange(context, { limit: 5 })).toConform(),
  );
  requirement.for(
    id,
    [1, 2, 9],
    full,
  )('limit=%s', async (limit, context) => {
    if (id === '4.3/limit-exact' || limit > 1) {
      context.expect(await withLimit(context, limit)).toConform();
    }
  });
}
requirement.for('4.3/limit-max', [301])('limit=%s', async (limit, context) =>
  context.expect(await withLimit(context, limit)).toConform(),
);
requirement.for(
  '4.3/limit-max',
  [1000, 2_147_483_648],
  full,
)('limit=%s', async (limit, context) =>
  context.expect(await withLimit(context, limit)).toConform(),
);
requirement.for('4.3/limit-invalid', ['-1'])('limit=%s', async (limit, context) =>
  context.expect(await withLimit(context, limit)).toConform(),
);
requirement.for(
  '4.3/limit-invalid',
  ['0', 'abc', '1.5', '1e2'],
  full,
)('limit=%s', async (limit, context) =>
  context.expect(await withLimit(context, limit)).toConform(),
);
