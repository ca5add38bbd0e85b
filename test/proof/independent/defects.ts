import type { Call, Values } from './call.ts';
import { LISTED } from './etfs.ts';
import { keysOf, type Hooks } from './service.ts';

/** A deliberate violation of a stated clause that no change of a request or an answer could show: it needs the inside. */
export interface Defect extends Hooks {
  readonly id: string;
  /** What is wrong, in one sentence. */
  readonly text: string;
}

/** Requests are counted under the name that `as` makes of a key; undefined for not at all. */
const counted = (as: (call: Call, key: string) => string | undefined): Hooks => ({ countedAs: as });

/** A path area has a count to itself. */
const apart = (area: string): Hooks =>
  counted(({ pathname }, key) => `${key} ${pathname.startsWith(area)}`);

/** A key that resembles a good one is let in. */
const lets = (resembles: (key: string, good: string) => boolean): Hooks => ({
  status: ({ key, world }, status) =>
    key !== undefined && keysOf(world).valid.some((good) => resembles(key, good)) ? 'good' : status,
});

/** The restricted key is refused only some of what it may not call. */
const refused = (still: (call: Call) => boolean): Hooks => ({
  forbidden: (call, forbidden) => forbidden && still(call),
});

/** The end of a window is announced that many ms off. */
const announcing = (off: number): Hooks => ({
  limiter: (take) => (key, now) => {
    const ticket = take(key, now);
    return { ...ticket, reset: ticket.reset + off };
  },
});

/** 20 requests are admitted in the first window of a key, and 25 afterwards. */
const later: Hooks = {
  limits: { requests: 25 },
  limiter(take) {
    const first = new Map<string, number>();
    return (key, now) => {
      const { admitted, remaining, reset } = take(key, now);
      if (!first.has(key)) first.set(key, reset);
      const spent = first.get(key) === reset && remaining < 5;
      return { admitted: admitted && !spent, remaining: Math.max(0, remaining - 5), reset };
    };
  },
};

/** A later page of news sets the count back. */
function forgetting(): Hooks {
  let generation = 0;
  return counted(({ pathname, query }, key) => {
    if (pathname === '/news' && Number(query.get('page')) > 1) generation += 1;
    return `${key} ${generation}`;
  });
}

/** Checked parameters of an endpoint are replaced by others. */
const on = (
  template: string,
  change: (values: Values, query: URLSearchParams) => Partial<Values> | false,
): Hooks => ({
  values({ template: own, values, query }) {
    if (own === template) Object.assign(values, change(values, query));
  },
});

/** A limit that was asked for is taken as that many more. */
const limitOff = (template: string, more: number): Hooks =>
  on(template, ({ limit }, query) => query.has('limit') && { limit: Math.max(0, limit + more) });

const SUMMARY = '/etfs/summary-history';
const PAIRS = '/currencies/{currency_id}/pairs';

/** What is wrong, in one sentence, by id. */
const TEXTS = {
  'limit-19': 'The twentieth request of a minute is refused.',
  'limit-21': 'The twenty-first request of a minute is admitted.',
  'limit-none': 'There is no limit.',
  'limit-shared': 'All keys share one count.',
  'limit-shared-two': 'The first two keys share one count.',
  'limit-per-path': 'Every path has a count of its own.',
  'limit-per-area': 'News and everything else are counted apart.',
  'limit-etfs-apart': 'ETFs are counted apart.',
  'limit-query-free': 'Requests with parameters are not counted.',
  'limit-hot-free': 'Hot news are not counted.',
  'limit-window-30': 'The window ends after 30 seconds.',
  'limit-window-120': 'The window ends after two minutes.',
  'limit-reset-not-kept': 'The window goes on for half a minute after the announced reset.',
  'limit-reset-too-late': 'The window ends half a minute before the announced reset.',
  'limit-later-more': 'From the second window on 25 requests are admitted.',
  'limit-forgets': 'A later page of news sets the count back.',
  'quota-none': 'The monthly quota has no end.',
  'quota-early': 'The monthly quota ends one request early.',
  'quota-late': 'The monthly quota ends one request late.',
  'key-prefix': 'A good key with something appended is good.',
  'key-cut': 'A good key without its last letter is good.',
  'key-case': 'Keys are compared without regard to case.',
  'key-empty': 'An empty key is good.',
  'key-missing-page-two': 'Page 2 does without a key.',
  'key-second-refused': 'The second good key is refused now and then.',
  'restricted-featured': 'The restricted key may call featured news.',
  'restricted-hot': 'The restricted key may call hot news.',
  'restricted-query': 'The restricted key is refused only without parameters.',
  'summary-country-ignored': 'The rows of the US come for Hong Kong too.',
  'summary-eth-is-btc': 'The rows of BTC come for ETH.',
  'klines-limit-long': 'Klines give one row more than limit.',
  'summary-limit-short': 'ETF totals give one row less than limit.',
  'stock-limit-long': 'Candles of stocks give one row more than limit.',
  'macro-default-20': 'Macro history gives 20 rows by default.',
  'pairs-by-price': 'Pairs are ordered by price when no order is asked for.',
  'pairs-default-size': 'Pairs come 50 a page when no size was asked for.',
  'news-page-three': 'GET /news gives page 2 again as page 3.',
};

/** First how requests are counted and which keys are let in, then which parameters are taken for others. */
const HOOKS: Readonly<Record<keyof typeof TEXTS, Hooks>> = {
  'limit-19': { limits: { requests: 19 } },
  'limit-21': { limits: { requests: 21 } },
  'limit-none': { limits: { requests: 1_000_000 } },
  'limit-shared': counted(() => 'all'),
  'limit-shared-two': counted((_call, key) => (/-(one|two)$/.test(key) ? 'both' : key)),
  'limit-per-path': counted(({ pathname }, key) => `${key} ${pathname}`),
  'limit-per-area': apart('/news'),
  'limit-etfs-apart': apart('/etfs'),
  'limit-query-free': counted(({ query }, key) => (query.size > 0 ? undefined : key)),
  'limit-hot-free': counted(({ pathname }, key) => (pathname === '/news/hot' ? undefined : key)),
  'limit-window-30': { limits: { windowMs: 30_000 } },
  'limit-window-120': { limits: { windowMs: 120_000 } },
  'limit-reset-not-kept': { limits: { windowMs: 90_000 }, ...announcing(-30_000) },
  'limit-reset-too-late': { limits: { windowMs: 30_000 }, ...announcing(30_000) },
  'limit-later-more': later,
  'limit-forgets': forgetting(),
  'quota-none': { quotaOff: 100_000 },
  'quota-early': { quotaOff: -1 },
  'quota-late': { quotaOff: 1 },
  'key-prefix': lets((key, good) => key.startsWith(good)),
  'key-cut': lets((key, good) => key === good.slice(0, -1)),
  'key-case': lets((key, good) => key.toLowerCase() === good.toLowerCase()),
  'key-empty': lets((key) => key === ''),
  'key-missing-page-two': {
    status: ({ key, query }, status) =>
      key === undefined && query.get('page') === '2' ? 'good' : status,
  },
  'key-second-refused': {
    status: ({ key, world, count }, status) =>
      key === keysOf(world).valid[1] && count % 5 === 0 ? 'unknown' : status,
  },
  'restricted-featured': refused(({ template }) => template !== '/news/featured'),
  'restricted-hot': refused(({ template }) => template !== '/news/hot'),
  'restricted-query': refused(({ query }) => query.size === 0),
  'summary-country-ignored': on(
    SUMMARY,
    ({ symbol }) => LISTED.HK.includes(symbol) && { country_code: 'US' },
  ),
  'summary-eth-is-btc': on(SUMMARY, ({ symbol }) => symbol === 'ETH' && { symbol: 'BTC' }),
  'klines-limit-long': limitOff('/currencies/{currency_id}/klines', 1),
  'summary-limit-short': limitOff(SUMMARY, -1),
  'stock-limit-long': limitOff('/crypto-stocks/{stock_ticker}/klines', 1),
  'macro-default-20': on(
    '/macro/events/{event}/history',
    (_values, query) => !query.has('limit') && { limit: 20 },
  ),
  'pairs-by-price': on(PAIRS, ({ order_by }) => ({ order_by: order_by ?? 'price' })),
  'pairs-default-size': on(PAIRS, (_values, query) => !query.has('page_size') && { page_size: 50 }),
  'news-page-three': on('/news', ({ page }) => page === 3 && { page: 2 }),
};

/** All defects. */
export const DEFECTS = (Object.keys(TEXTS) as (keyof typeof TEXTS)[]).map((id): Defect => ({
  id,
  text: TEXTS[id],
  ...HOOKS[id],
}));

/** A defect by id; throws a RangeError. */
export function defectById(id: string): Defect {
  const found = DEFECTS.find((one) => one.id === id);
  if (found === undefined) throw new RangeError(`no defect is called ${id}`);
  return found;
}
