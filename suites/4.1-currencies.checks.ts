// §4.1 Currencies: information, snapshot, token economics, klines, trading pairs and fundraising.
import {
  requirement,
  Untested,
  type Answer,
  type CheckContext,
  type Query,
} from '../src/suite/index.ts';
import {
  bothPages,
  busyCurrency,
  filtered,
  inSteadyOrder,
  of100,
  OF_100,
  PAIRS,
  pairs,
  pairsSeen,
  secondPage,
  totalOf,
} from '../src/ask/requests/pairs.ts';
import { steadyPages } from '../src/ask/requests/pages.ts';
import { klineSuite } from '../src/ask/requests/klines.ts';
import { withControl } from '../src/ask/requests/series.ts';

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
    expect(await of100(api)).toConform();
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

requirement('4.1/own-record', async ({ api, expect }) => {
  const path = { currency_id: await busyCurrency(api) };
  const info = await api.get('/currencies/{currency_id}', {}, { path });
  expect([info, ...(await pairsSeen(api))]).toConform();
});
requirement(
  '4.1/own-record',
  'beside the records of others',
  async ({ api, expect }) => {
    const answers: Answer[] = [];
    for (const at of [0, 1, 2]) {
      const path = { currency_id: await currencyAt(at, api) };
      answers.push(await api.get('/currencies/{currency_id}/market-snapshot', {}, { path }));
    }
    expect(answers).toConform();
  },
  full,
);

async function currencyAt(at: number, api: CheckContext['api']): Promise<string> {
  const id = (await api.fixtures('currencyIds'))[at];
  if (id === undefined)
    throw new Untested(`needs ${at + 1} currencies: add to fixtures.currencyIds`);
  return id;
}

klineSuite({ path: '/currencies/{currency_id}/klines', section: '4.1' });

// Pairs: sizes of pages.
requirement('4.1/pairs-page-size-default', async (context) => {
  context.expect(await secondPage(context)).toConform();
});
requirement(
  '4.1/pairs-page-size-default',
  'on the first page',
  async (context) => {
    await secondPage(context);
    context.expect(await pairs(context.api)).toConform();
  },
  full,
);
requirement('4.1/pairs-page-size-max-accepted', async ({ api, expect }) => {
  expect(await of100(api)).toConform();
});
const outOfBounds = async (query: Query, { api, expect }: CheckContext): Promise<void> => {
  const good = { page: undefined, page_size: 100, order_by: undefined, exchange: undefined };
  const options = { control: { query: good }, anyAnswer: true };
  expect(withControl(await pairs(api, query, options))).toConform();
};
requirement.for('4.1/pairs-page-size-max', [{ page_size: 101 }])('with %j', outOfBounds);
requirement.for(
  '4.1/pairs-page-size-max',
  [{ page_size: 200 }, { page_size: 1000 }, { page_size: 2_147_483_648 }],
  full,
)('with %j', outOfBounds);
requirement.for('4.1/pairs-page-invalid', [
  // Whichever of them is refused: each of them alone may be what a server stumbles over.
  { page: 0, page_size: 'abc', order_by: 'turnover_24h', exchange: '' },
])('with %j', outOfBounds);
requirement.for(
  '4.1/pairs-page-invalid',
  [
    { page: 0 },
    { page: -1 },
    { page: 'abc' },
    { page: '1.5' },
    { page_size: 0 },
    { page_size: -1 },
    { page_size: 'abc' },
    { page: '', page_size: '', order_by: '' },
  ],
  full,
)('with %j', outOfBounds);
requirement('4.1/pairs-page-full', async (context) => {
  context.expect([await of100(context.api), await secondPage(context)]).toConform();
});
requirement.for(
  '4.1/pairs-page-full',
  [{ page_size: 1 }, { page: 3, page_size: 7 }],
  full,
)('with %j', async (query, context) => {
  await secondPage(context);
  context.expect(await pairs(context.api, query)).toConform();
});

// Pairs: pages of one list. Page 2 of 20 beside page 1 of 100 shows what is ignored, repeated, left out or counted wrong.
for (const id of ['4.1/pairs-pages-join', '4.1/pairs-page-echo', '4.1/pairs-total'] as const) {
  requirement(id, 'on page 2', async (context) => {
    context.expect(await bothPages(context)).toConform();
  });
  requirement(
    id,
    'on page 1, page 2 and a page of both',
    async (context) => {
      await secondPage(context);
      const currency_id = await busyCurrency(context.api);
      const queries = [{}, { page: 2 }, { page_size: 100 }];
      context
        .expect(await steadyPages(context, PAIRS, queries, { path: { currency_id } }))
        .toConform();
    },
    full,
  );
}
requirement('4.1/pairs-page-echo', async ({ api, expect }) => {
  expect(await of100(api)).toConform();
});
requirement('4.1/pairs-total', async ({ api, expect }) => {
  expect(await of100(api)).toConform();
});
requirement(
  '4.1/pairs-total',
  'on the last page',
  async ({ api, expect }) => {
    const total = totalOf(await of100(api)) ?? 0;
    // A last page that is neither full nor nearly empty tells a total that is one off.
    const size = [97, 89, 83].find((one) => total > one && total % one > 3);
    if (size === undefined) throw new Untested(`the currency has ${total} pairs`);
    const page = Math.ceil(total / size);
    expect(await pairs(api, { page, page_size: size })).toConform();
  },
  full,
);

// Pairs: order and filter.
requirement(
  '4.1/pairs-order-default',
  async ({ api, expect }) => {
    expect(await inSteadyOrder(api, OF_100)).toConform();
  },
  smoke,
);
/** Fields that pairs may be sorted by, each beside another parameter, which has to hold all the same. */
requirement.for(
  '4.1/pairs-order-by',
  [
    { order_by: 'turnover_24h', page: 2, page_size: 7 },
    { order_by: 'price', page_size: 9 },
    { order_by: 'market' },
    { order_by: 'no_such_field' },
  ],
  full,
)('with %j', async (query, { api, observe }) => {
  observe(await pairs(api, query));
});
requirement(
  '4.1/pairs-pages-join',
  'beside order_by',
  async (context) => {
    const sorted = { order_by: 'turnover_24h', page_size: 7 };
    const pages = [
      await pairs(context.api, sorted),
      await pairs(context.api, { ...sorted, page: 2 }),
    ];
    if (pages.some(({ status }) => status !== 200)) {
      throw new Untested('the target refuses order_by=turnover_24h');
    }
    context.expect(pages).toConform();
  },
  full,
);
requirement(
  '4.1/pairs-exchange-filter',
  'beside order_by',
  async (context) => {
    const { exchange } = await filtered(context);
    const query = { exchange, order_by: 'price' };
    context.expect(await pairs(context.api, query)).toConform();
  },
  full,
);
requirement(
  '4.1/pairs-beyond-last',
  async ({ api, observe }) => {
    observe([await of100(api), await pairs(api, { page: 100_000 })]);
  },
  full,
);

requirement('4.1/pairs-exchange-filter', async (context) => {
  context.expect((await filtered(context)).answers).toConform();
});
requirement(
  '4.1/pairs-exchange-filter',
  'on page 2',
  async (context) => {
    const { exchange } = await filtered(context);
    const first = await pairs(context.api, { exchange });
    if (first.records.length < 3) throw new Untested('the exchange has fewer than three pairs');
    context.expect(await pairs(context.api, { exchange, page: 2, page_size: 2 })).toConform();
  },
  full,
);
requirement('4.1/pairs-exchange-complete', async (context) => {
  const { answers } = await filtered(context);
  context.expect([await of100(context.api), ...answers]).toConform();
});
requirement('4.1/pairs-order-default', 'with a filter', async (context) => {
  const { query } = await filtered(context);
  const answers = await inSteadyOrder(context.api, query);
  if ((answers[0]?.records.length ?? 0) < 2) {
    throw new Untested('the exchange has fewer than two pairs');
  }
  context.expect(answers).toConform();
});
requirement('4.1/pairs-total', 'with a filter', async (context) => {
  const { answers } = await filtered(context);
  context.expect([await of100(context.api), ...answers]).toConform();
});
requirement(
  '4.1/pairs-total',
  'with a filter, all of the exchange in one answer',
  async (context) => {
    const { exchange } = await filtered(context);
    const answer = await pairs(context.api, { exchange, page_size: 100 });
    const total = totalOf(answer);
    if (total !== undefined && total > 100) {
      throw new Untested(
        `the exchange has ${total} pairs; set fixtures.exchanges to a smaller one`,
      );
    }
    context.expect(answer).toConform();
  },
  full,
);
