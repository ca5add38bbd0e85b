// §4.1 Currencies: information, snapshot, token economics, klines, trading pairs and fundraising.
import { isObject } from '../src/rules/view.ts';
import {
  requirement,
  Untested,
  type Answer,
  type CheckContext,
  type Query,
} from '../src/suite/index.ts';
import { steadyPages } from './pages.ts';
import { klineSuite, withControl } from './series.ts';

const PAIRS = '/currencies/{currency_id}/pairs';
const smoke = { profile: 'smoke' } as const;
const full = { profile: 'full' } as const;

// Every endpoint answers.
requirement(
  '4.1/info',
  async ({ api, expect }) => {
    expect(await api.get('/currencies/{currency_id}')).toConform();
  },
  smoke,
);
requirement(
  '4.1/market-snapshot',
  async ({ api, expect }) => {
    expect(await api.get('/currencies/{currency_id}/market-snapshot')).toConform();
  },
  smoke,
);
requirement('4.1/token-economics', async ({ api, expect }) => {
  expect(await api.get('/currencies/{currency_id}/token-economics')).toConform();
});
requirement('4.1/fundraising', async ({ api, expect }) => {
  expect(await api.get('/currencies/{currency_id}/fundraising')).toConform();
});
requirement(
  '4.1/pairs',
  async ({ api, expect }) => {
    expect(await api.get(PAIRS)).toConform();
  },
  smoke,
);

// Other currencies than the first: their answers go through all rules of the run.
for (const [id, path] of [
  ['4.1/info', '/currencies/{currency_id}'],
  ['4.1/market-snapshot', '/currencies/{currency_id}/market-snapshot'],
  ['4.1/token-economics', '/currencies/{currency_id}/token-economics'],
  ['4.1/fundraising', '/currencies/{currency_id}/fundraising'],
] as const) {
  requirement.for(
    id,
    [1, 2, 3, 4],
    full,
  )('for the currency at place %s of the list', async (at, { api, expect }) => {
    const currency_id = await currencyAt(at, api);
    expect(await api.get(path, {}, { path: { currency_id } })).toConform();
  });
}

async function currencyAt(at: number, api: CheckContext['api']): Promise<string> {
  const id = (await api.fixtures('currencyIds'))[at];
  if (id === undefined)
    throw new Untested(`needs ${at + 1} currencies: add to fixtures.currencyIds`);
  return id;
}

klineSuite({ path: '/currencies/{currency_id}/klines', section: '4.1' });

// What the specification leaves open of klines is seen in the answers that are there anyway.
requirement('4.1/klines-order', async ({ api, observe }) => {
  const query = { interval: '1d' };
  observe([
    await api.get('/currencies/{currency_id}/klines', query),
    await api.get('/currencies/{currency_id}/klines', { ...query, limit: 500 }),
  ]);
});

// Pairs: sizes of pages.
const page1 = ({ api }: CheckContext): Promise<Answer> => api.get(PAIRS);
const of100 = ({ api }: CheckContext): Promise<Answer> => api.get(PAIRS, { page_size: 100 });

/** How many items an envelope says there are. */
function totalOf({ body }: Answer): number | undefined {
  const total = isObject(body) ? body['total'] : undefined;
  return typeof total === 'number' ? total : undefined;
}

/**
 * The answer, when it says that there are more items than fit on its page.
 * @throws Untested when a single page holds them all
 */
function withMore(answer: Answer): Answer {
  const total = totalOf(answer);
  if (answer.status === 200 && total !== undefined && total <= 20) {
    throw new Untested(
      `the currency has ${total} pairs, which one page holds; put one with more than 20 first in fixtures.currencyIds`,
    );
  }
  return answer;
}

requirement('4.1/pairs-page-size-default', async (context) => {
  context.expect(withMore(await page1(context))).toConform();
});
requirement('4.1/pairs-page-size-max-accepted', async (context) => {
  context.expect(await of100(context)).toConform();
});
const outOfBounds = async (query: Query, { api, expect }: CheckContext): Promise<void> => {
  const control = { query: { page: undefined, page_size: undefined } };
  expect(withControl(await api.get(PAIRS, query, { control, anyAnswer: true }))).toConform();
};
requirement.for('4.1/pairs-page-size-max', [{ page_size: 101 }])('with %j', outOfBounds);
requirement.for(
  '4.1/pairs-page-size-max',
  [{ page_size: 200 }, { page_size: 1000 }, { page_size: 2_147_483_648 }],
  full,
)('with %j', outOfBounds);
requirement.for('4.1/pairs-page-invalid', [{ page: 0 }])('with %j', outOfBounds);
requirement.for(
  '4.1/pairs-page-invalid',
  [
    { page: -1 },
    { page: 'abc' },
    { page: '1.5' },
    { page_size: 0 },
    { page_size: -1 },
    { page_size: 'abc' },
    { page_size: '' },
  ],
  full,
)('with %j', outOfBounds);
requirement('4.1/pairs-page-full', async (context) => {
  context.expect([withMore(await page1(context)), await of100(context)]).toConform();
});
requirement.for(
  '4.1/pairs-page-full',
  [{ page_size: 1 }, { page: 3, page_size: 7 }],
  full,
)('with %j', async (query, context) => {
  withMore(await page1(context));
  context.expect(await context.api.get(PAIRS, query)).toConform();
});
requirement('4.1/pairs-page-echo', async (context) => {
  context.expect([await page1(context), await of100(context)]).toConform();
});

// Pairs: pages of one list.
async function parts(context: CheckContext): Promise<readonly Answer[]> {
  withMore(await page1(context));
  return steadyPages(context, PAIRS, [{}, { page: 2 }, { page_size: 100 }]);
}
requirement(
  '4.1/pairs-pages-join',
  async (context) => {
    context.expect(await parts(context)).toConform();
  },
  full,
);
requirement(
  '4.1/pairs-page-echo',
  'on page 2',
  async (context) => {
    context.expect(await parts(context)).toConform();
  },
  full,
);
requirement('4.1/pairs-total', 'on pages of 20 and 100', async (context) => {
  context.expect([await page1(context), await of100(context)]).toConform();
});
requirement(
  '4.1/pairs-total',
  'on pages 1 and 2',
  async (context) => {
    context.expect(await parts(context)).toConform();
  },
  full,
);

// Pairs: order and filter.
requirement(
  '4.1/pairs-order-default',
  async (context) => {
    context.expect(await page1(context)).toConform();
  },
  smoke,
);
requirement.for(
  '4.1/pairs-order-by',
  ['turnover_24h', 'price', 'market', 'no_such_field'],
  full,
)('order_by=%s', async (order_by, { api, observe }) => {
  observe(await api.get(PAIRS, { order_by }));
});
requirement(
  '4.1/pairs-beyond-last',
  async (context) => {
    const beyond = await context.api.get(PAIRS, { page: 100_000 });
    context.observe([await page1(context), beyond]);
  },
  full,
);

/**
 * An exchange to filter by: the first one of the target file that pairs name, or the one of which the first hundred pairs
 * show the fewest, but two or more.
 */
async function exchangeSeen(context: CheckContext): Promise<string> {
  const seen = new Map<string, number>();
  for (const { value } of (await of100(context)).records) {
    const market = isObject(value) ? value['market'] : undefined;
    if (typeof market === 'string') seen.set(market, (seen.get(market) ?? 0) + 1);
  }
  const given = context.session.http.fixtures.exchanges();
  const known = given.find((name) => seen.has(name)) ?? given[0];
  if (known !== undefined) return known;
  const [fewest] = [...seen].filter(([, pairs]) => pairs > 1).toSorted((a, b) => a[1] - b[1]);
  if (fewest === undefined) {
    throw new Untested('no exchange is named by two pairs; set fixtures.exchanges');
  }
  return fewest[0];
}
const ofExchange = async (context: CheckContext, more: Query = {}): Promise<Answer> =>
  context.api.get(PAIRS, { exchange: await exchangeSeen(context), ...more });

/**
 * All pairs of the exchange in one answer.
 * @throws Untested when there are more than a page can hold
 */
async function allOfExchange(context: CheckContext): Promise<Answer> {
  const first = await ofExchange(context);
  const total = totalOf(first);
  if (total === undefined || total <= first.records.length) return first;
  // A page that is cut although it need not be is judged as it is.
  if (total <= 20) return first;
  if (total > 100) {
    throw new Untested(`the exchange has ${total} pairs; set fixtures.exchanges to a smaller one`);
  }
  return ofExchange(context, { page_size: 100 });
}

requirement('4.1/pairs-exchange-filter', async (context) => {
  context.expect(await ofExchange(context)).toConform();
});
requirement(
  '4.1/pairs-exchange-filter',
  'on page 2',
  async (context) => {
    const first = await ofExchange(context);
    if (first.records.length < 3) throw new Untested('the exchange has fewer than three pairs');
    context.expect(await ofExchange(context, { page: 2, page_size: 2 })).toConform();
  },
  full,
);
requirement('4.1/pairs-exchange-complete', async (context) => {
  const filtered = await allOfExchange(context);
  context.expect([await page1(context), await of100(context), filtered]).toConform();
});
requirement('4.1/pairs-order-default', 'with a filter', async (context) => {
  const answer = await ofExchange(context);
  if (answer.records.length < 2) throw new Untested('the exchange has fewer than two pairs');
  context.expect(answer).toConform();
});
requirement('4.1/pairs-total', 'with a filter', async (context) => {
  context.expect(await allOfExchange(context)).toConform();
});
