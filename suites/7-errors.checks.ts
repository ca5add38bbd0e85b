// §7 Errors: one shape, codes that belong to their status, and what is said about which mistake.
import type { EndpointPath } from '../src/contract/endpoints.ts';
import {
  Inconclusive,
  plain,
  requirement,
  Untested,
  type Answer,
  type CheckContext,
} from '../src/suite/index.ts';
import {
  askCurrency,
  INFO,
  malformed,
  OF_CURRENCY,
  unknownCurrency,
  unknownCurrencyId,
} from '../src/ask/requests/unknown-currency.ts';
import { mustBeLetIn, unknownResource } from '../src/ask/requests/unknown-resource.ts';

async function unknownPath({ api, session }: CheckContext): Promise<Answer> {
  // The key must be known to work, or a refusal would be about the key.
  await plain(api, '/currencies');
  const { ids } = await session.unknownIds('path');
  session.unknown('path', ids[0]);
  return api.getPath(ids[0]);
}

/** One refusal of each kind that the run asks for anyway; those that cannot be had are left out. */
async function refusals(context: CheckContext): Promise<Answer[]> {
  const control = { role: 'valid' } as const;
  const requests = [
    () => plain(context.api, '/currencies', { role: 'none', control }),
    () => plain(context.api, '/currencies', { role: 'unknown', control }),
    () => unknownPath(context),
    () => unknownCurrency(context),
    () => malformed(context),
    () => withoutInterval(context),
    () => unknownResource(context, '/etfs/{ticker}/history'),
  ];
  const answers: Answer[] = [];
  const problems: unknown[] = [];
  for (const request of requests) {
    try {
      answers.push(await request());
    } catch (error) {
      if (!(error instanceof Untested) && !(error instanceof Inconclusive)) throw error;
      problems.push(error);
    }
  }
  if (answers.length === 0) throw problems[0];
  return answers;
}

/** A required parameter is missing; the plain request is the control. */
const withoutInterval = ({ api }: CheckContext): Promise<Answer> =>
  api.get('/currencies/{currency_id}/klines', {}, { control: { query: { interval: '1d' } } });

requirement('7/error-shape', async (context) => {
  context.expect(await refusals(context)).toConform();
});

requirement('7/status-agrees', async (context) => {
  context.expect(await refusals(context)).toConform();
});

requirement('7/code-listed', async (context) => {
  context.expect(await refusals(context)).toConform();
});

requirement('7/code-form', async (context) => {
  context.observe(await refusals(context));
});

requirement('7/malformed-currency-id', async (context) => {
  context.expect(await malformed(context)).toBeRefused('invalidFormat');
});

requirement.for('7/malformed-currency-id', OF_CURRENCY, { profile: 'full' })(
  '%s',
  async (path, context) => {
    context.expect(await malformed(context, path)).toBeRefused('invalidFormat');
  },
);

requirement('7/currency-not-found', async (context) => {
  context.expect(await unknownCurrency(context)).toBeRefused('notFound');
});

requirement.for('7/currency-not-found', OF_CURRENCY, { profile: 'full' })(
  '%s',
  async (path, context) => {
    const id = await unknownCurrencyId(context);
    context.expect(await askCurrency(context.api, path, id)).toBeRefused('notFound');
  },
);

requirement('7/currency-not-found-message', async (context) => {
  context.expect(await unknownCurrency(context)).toConform();
});

requirement('7/unknown-path', async (context) => {
  context.expect(await unknownPath(context)).toBeRefused('unknownEndpoint');
});

requirement(
  '7/unknown-path',
  'below a currency',
  async ({ api, expect, session }) => {
    await plain(api, INFO);
    const path = `/currencies/${encodeURIComponent(await api.fixture('currencyIds'))}/no-such-endpoint`;
    session.unknown('path', path);
    expect(await api.getPath(path)).toBeRefused('unknownEndpoint');
  },
  { profile: 'full' },
);

/** Wrong paths where others lie below an identifier, or beside one. */
const WRONG_PATHS = ['/currencies/{id}/no-such-endpoint', '/etfs/no-such/end/point'] as const;

requirement.for('7/unknown-path', WRONG_PATHS)(
  '%s, with the restricted key',
  async (template, context) => {
    const { api, expect, session } = context;
    if (session.target.keys.restricted === undefined) {
      expect(await unknownPath(context)).toConform();
      return;
    }
    const path = template.replace('{id}', encodeURIComponent(await api.fixture('currencyIds')));
    session.unknown('path', path);
    const answer = await api.getPath(path, { role: 'restricted' });
    // Which paths the key may call says nothing of those that are none.
    mustBeLetIn(answer);
    expect(answer).toConform();
  },
);

requirement('7/validation-message', async (context) => {
  context.expect(await withoutInterval(context)).toConform();
});

requirement('7/validation-message', 'of a malformed currency_id', async (context) => {
  context.expect(await malformed(context)).toConform();
});

requirement('7/validation-details', async (context) => {
  context.expect(await withoutInterval(context)).toConform();
});

/** Validation failures of several kinds, all of which the run asks for anyway. */
async function validationFailures(context: CheckContext): Promise<readonly Answer[]> {
  const { api } = context;
  const [symbol, country_code] = ['BTC', 'US'];
  const control = { query: { symbol, country_code } };
  return [
    await withoutInterval(context),
    await api.get('/etfs/summary-history', { symbol: 'USDT', country_code }, { control }),
    await api.get('/etfs/summary-history', { symbol, country_code: 'GB' }, { control }),
    await api.get('/etfs/summary-history', { country_code }, { control }),
  ];
}

requirement('7/details-value', async (context) => {
  context.expect(await validationFailures(context)).toConform();
});

requirement('7/details-keys', async (context) => {
  context.expect(await validationFailures(context)).toConform();
});

requirement('7/not-found-details', async (context) => {
  context.expect(await unknownCurrency(context)).toConform();
});

const ETF: readonly EndpointPath[] = ['/etfs/{ticker}/history'];
/** Asked with a good key in `full` only; a key that is restricted elsewhere asks them in `standard`. */
const OTHER_IDENTIFIERS: readonly EndpointPath[] = [
  '/etfs/{ticker}/market-snapshot',
  '/crypto-stocks/{stock_ticker}/market-snapshot',
  '/crypto-stocks/{stock_ticker}/klines',
  '/crypto-stocks/{stock_ticker}/market-cap',
  '/crypto-stocks/sector/{sector_name}/index',
  '/indices/{index_ticker}/market-snapshot',
  '/indices/{index_ticker}/constituents',
  '/indices/{index_ticker}/klines',
  '/macro/events/{event}/history',
  '/fundraising/projects/{project_id}',
  '/analyses/{chart_name}',
];
for (const [paths, profile] of [
  [ETF, 'standard'],
  [OTHER_IDENTIFIERS, 'full'],
] as const) {
  requirement.for('7/unknown-resource', paths, { profile })('%s', async (path, context) => {
    context.expect(await unknownResource(context, path)).toBeRefused('notFound');
  });

  requirement.for('7/unknown-resource-no-record', paths, { profile })(
    '%s',
    async (path, context) => {
      context.expect(await unknownResource(context, path)).toConform();
    },
  );
}

requirement('7/several-errors', 'no key and a wrong path', async ({ api, observe, session }) => {
  const { ids } = await session.unknownIds('path');
  session.unknown('path', ids[0]);
  observe(await api.getPath(ids[0], { role: 'none' }));
});

requirement('7/several-errors', 'an unknown key and an unknown currency', async (context) => {
  const { api, observe } = context;
  const id = await unknownCurrencyId(context);
  observe(await plain(api, INFO, { path: { currency_id: id }, role: 'unknown' }));
});

requirement(
  '7/several-errors',
  'two bad parameters',
  async ({ api, observe }) => {
    observe(await api.get('/etfs/summary-history', { symbol: 'ZZZ', country_code: 'ZZ' }));
  },
  { profile: 'full' },
);
