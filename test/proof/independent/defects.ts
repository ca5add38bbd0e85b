import type { Hooks } from './conduct/hooks.ts';
import { keysOf } from './conduct/keys.ts';
import type { Call } from './core/call.ts';
import { LISTED } from './data/etfs.ts';

/** A deliberate violation of a stated clause that no change of a request or an answer could show: it needs the inside. */
export interface Defect extends Hooks {
  readonly id: string;
  /** What is wrong, in one sentence. */
  readonly text: string;
}

/** Turns entries by id into defects. */
const defectsOf = (
  entries: Readonly<Record<string, readonly [text: string, hooks: Hooks]>>,
): readonly Defect[] =>
  Object.entries(entries).map(([id, [text, hooks]]) => ({ id, text, ...hooks }));

/** How requests are counted, what is admitted, and which keys are let in. */
const COUNTING = defectsOf({
  'limit-19': ['The twentieth request of a minute is refused.', { limits: { requests: 19 } }],
  'limit-21': ['The twenty-first request of a minute is admitted.', { limits: { requests: 21 } }],
  'limit-none': ['There is no limit.', { limits: { requests: 1_000_000 } }],
  'limit-shared': ['All keys share one count.', { countedAs: () => 'all' }],
  'limit-shared-two': [
    'The first two keys share one count.',
    { countedAs: (_call, key) => (/-(one|two)$/.test(key) ? 'both' : key) },
  ],
  'limit-per-path': [
    'Every path has a count of its own.',
    { countedAs: (call, key) => `${key} ${call.pathname}` },
  ],
  'limit-per-area': [
    'News and everything else are counted apart.',
    { countedAs: (call, key) => `${key} ${call.pathname.startsWith('/news')}` },
  ],
  'limit-etfs-apart': [
    'ETFs are counted apart.',
    { countedAs: (call, key) => `${key} ${call.pathname.startsWith('/etfs')}` },
  ],
  'limit-query-free': [
    'Requests with parameters are not counted.',
    { countedAs: (call, key) => (call.query.size > 0 ? undefined : key) },
  ],
  'limit-hot-free': [
    'Hot news are not counted.',
    { countedAs: (call, key) => (call.pathname === '/news/hot' ? undefined : key) },
  ],
  'limit-window-30': ['The window ends after 30 seconds.', { limits: { windowMs: 30_000 } }],
  'limit-window-120': ['The window ends after two minutes.', { limits: { windowMs: 120_000 } }],
  'limit-reset-not-kept': [
    'The window goes on for half a minute after the announced reset.',
    { limits: { windowMs: 90_000 }, ...announcing(-30_000) },
  ],
  'limit-reset-too-late': [
    'The window ends half a minute before the announced reset.',
    { limits: { windowMs: 30_000 }, ...announcing(30_000) },
  ],
  'limit-later-more': ['From the second window on 25 requests are admitted.', later()],
  'limit-forgets': ['A later page of news sets the count back.', forgets()],
  'quota-none': ['The monthly quota has no end.', { quotaOff: 100_000 }],
  'quota-early': ['The monthly quota ends one request early.', { quotaOff: -1 }],
  'quota-late': ['The monthly quota ends one request late.', { quotaOff: 1 }],
  'key-prefix': [
    'A good key with something appended is good.',
    lets((key, good) => key.startsWith(good)),
  ],
  'key-cut': [
    'A good key without its last letter is good.',
    lets((key, good) => key === good.slice(0, -1)),
  ],
  'key-case': [
    'Keys are compared without regard to case.',
    lets((key, good) => key.toLowerCase() === good.toLowerCase()),
  ],
  'key-empty': ['An empty key is good.', lets((key) => key === '')],
  'key-missing-page-two': [
    'Page 2 does without a key.',
    {
      status: (call, status) =>
        call.key === undefined && call.query.get('page') === '2' ? 'good' : status,
    },
  ],
  'key-second-refused': [
    'The second good key is refused now and then.',
    {
      status: (call, status) =>
        call.key === keysOf(call.world).valid[1] && call.count % 5 === 0 ? 'unknown' : status,
    },
  ],
  'restricted-featured': [
    'The restricted key may call featured news.',
    { forbidden: (call, refused) => refused && call.template !== '/news/featured' },
  ],
  'restricted-hot': [
    'The restricted key may call hot news.',
    { forbidden: (call, refused) => refused && call.template !== '/news/hot' },
  ],
  'restricted-query': [
    'The restricted key is refused only without parameters.',
    { forbidden: (call, refused) => refused && call.query.size === 0 },
  ],
});

/** Lets in a key that resembles a good one. */
function lets(resembles: (key: string, good: string) => boolean): Hooks {
  return {
    status: ({ key, world }: Call, status) =>
      key !== undefined && keysOf(world).valid.some((good) => resembles(key, good))
        ? 'good'
        : status,
  };
}

/** Announces the end of a window so many ms off. */
function announcing(off: number): Hooks {
  return {
    limiter: (inner) => ({
      take: (key, now) => {
        const ticket = inner.take(key, now);
        return { ...ticket, reset: ticket.reset + off };
      },
    }),
  };
}

/** Right in the first window of a key, wrong afterwards. */
function later(): Hooks {
  return {
    limits: { requests: 100 },
    limiter: (inner) => {
      const resets = new Map<string, { reset: number; windows: number; used: number }>();
      return {
        take: (key, now) => {
          const { reset } = inner.take(key, now);
          let one = resets.get(key);
          if (one === undefined || one.reset !== reset) {
            one = { reset, windows: (one?.windows ?? 0) + 1, used: 0 };
            resets.set(key, one);
          }
          const allowed = one.windows > 1 ? 25 : 20;
          const admitted = one.used < allowed;
          if (admitted) one.used += 1;
          return { admitted, remaining: Math.max(0, Math.min(20, allowed) - one.used), reset };
        },
      };
    },
  };
}

function forgets(): Hooks {
  let generation = 0;
  return {
    countedAs: (call, key) => {
      if (call.pathname === '/news' && Number(call.query.get('page')) > 1) generation += 1;
      return `${key} ${generation}`;
    },
  };
}

const KLINES = '/currencies/{currency_id}/klines';
const PAIRS = '/currencies/{currency_id}/pairs';
const SUMMARY = '/etfs/summary-history';
const STOCKS = '/crypto-stocks/{stock_ticker}/klines';
const MACRO = '/macro/events/{event}/history';

/** Checked parameters that are taken for others. */
const READING = defectsOf({
  'summary-country-ignored': [
    'The rows of the US come for Hong Kong too.',
    on(SUMMARY, ({ values }) => {
      if (LISTED.HK.includes(String(values['symbol']))) values['country_code'] = 'US';
    }),
  ],
  'summary-eth-is-btc': [
    'The rows of BTC come for ETH.',
    on(SUMMARY, ({ values }) => {
      if (values['symbol'] === 'ETH') values['symbol'] = 'BTC';
    }),
  ],
  'klines-limit-long': ['Klines give one row more than limit.', counted(KLINES, 1)],
  'summary-limit-short': ['ETF totals give one row less than limit.', counted(SUMMARY, -1)],
  'stock-limit-long': ['Candles of stocks give one row more than limit.', counted(STOCKS, 1)],
  'macro-default-20': [
    'Macro history gives 20 rows by default.',
    on(MACRO, ({ values, query }) => {
      if (!query.has('limit')) values['limit'] = 20;
    }),
  ],
  'pairs-by-price': [
    'Pairs are ordered by price when no order is asked for.',
    on(PAIRS, ({ values }) => {
      values['order_by'] ??= 'price';
    }),
  ],
  'pairs-default-size': [
    'Pairs come 50 a page when no size was asked for.',
    on(PAIRS, ({ values, query }) => {
      if (!query.has('page_size')) values['page_size'] = 50;
    }),
  ],
  'news-page-three': [
    'GET /news gives page 2 again as page 3.',
    on('/news', ({ values }) => {
      if (values['page'] === 3) values['page'] = 2;
    }),
  ],
});

/** Changes checked parameters of an endpoint. */
function on(template: string, change: (call: Call) => void): Hooks {
  return {
    values: (call) => {
      if (call.template === template) change(call);
    },
  };
}

/** Takes a limit that was asked for as so many more. */
function counted(template: string, more: number): Hooks {
  return on(template, ({ values, query }) => {
    const { limit } = values;
    if (typeof limit === 'number' && query.has('limit'))
      values['limit'] = Math.max(0, limit + more);
  });
}

/** All defects. */
export const DEFECTS: readonly Defect[] = [...COUNTING, ...READING];

/** A defect by id; throws a RangeError. */
export function defectById(id: string): Defect {
  const found = DEFECTS.find((one) => one.id === id);
  if (found === undefined) throw new RangeError(`no defect is called ${id}`);
  return found;
}
