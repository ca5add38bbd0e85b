// §7 Errors: one shape, codes that belong to their status, and what is said about which mistake.
import { ENDPOINT_PATHS, endpoint, type EndpointPath } from '../src/contract/endpoints.ts';
import {
  Inconclusive,
  plain,
  requirement,
  Untested,
  type Answer,
  type CheckContext,
} from '../src/suite/index.ts';

const INFO: EndpointPath = '/currencies/{currency_id}';

/** Endpoints below a currency. */
const OF_CURRENCY = ENDPOINT_PATHS.filter((path) => path.startsWith(INFO));

/**
 * The answer to a currency_id of the wrong form. Without one in the target file a guess is sent; whether that has the
 * wrong form is for the target to say.
 */
async function malformed({ api, session }: CheckContext, path = INFO): Promise<Answer> {
  const given = session.target.fixtures.malformedCurrencyId;
  const id = given ?? '!not-an-id!';
  const known = await api.fixture('currencyIds');
  const answer = await plain(api, path, {
    path: { currency_id: id },
    control: { path: { currency_id: known } },
  });
  if (given !== undefined) return answer;
  if (answer.status === 404 || answer.status < 400) {
    session.doubtful('currency_id', id);
    throw new Inconclusive(
      `The form of a currency_id is not stated, and ${id} was answered with ${answer.status}: set fixtures.malformedCurrencyId`,
    );
  }
  session.malformed(id);
  return answer;
}

/** The answer to a well-formed currency_id that matches nothing. */
async function unknownCurrency({ api, session }: CheckContext, path = INFO): Promise<Answer> {
  return plain(api, path, {
    path: { currency_id: await session.unknownId('currency_id') },
    control: { path: { currency_id: await api.fixture('currencyIds') } },
  });
}

/** The answer to an unknown identifier of another kind. */
async function unknownResource(
  { api, session }: CheckContext,
  path: EndpointPath,
): Promise<Answer> {
  const [[name, kind] = []] = Object.entries(endpoint(path).path);
  if (name === undefined || kind === undefined) throw new TypeError(`${path} has no identifier`);
  return plain(api, path, {
    path: { [name]: await session.unknownId(name) },
    control: { path: { [name]: await api.fixture(kind) } },
    anyAnswer: true,
  });
}

async function unknownPath({ api, session }: CheckContext): Promise<Answer> {
  // The key must be known to work, or a refusal would be about the key.
  await plain(api, '/currencies');
  return api.getPath(await session.unknownId('path'));
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
    context.expect(await unknownCurrency(context, path)).toBeRefused('notFound');
  },
);

requirement('7/currency-not-found-message', async (context) => {
  context.expect(await unknownCurrency(context)).toConform();
});

requirement('7/unknown-path', async (context) => {
  context.expect(await unknownPath(context)).toBeRefused('unknownEndpoint');
});

requirement('7/validation-message', async (context) => {
  context.expect(await withoutInterval(context)).toConform();
});

requirement('7/validation-message', 'of a malformed currency_id', async (context) => {
  context.expect(await malformed(context)).toConform();
});

requirement('7/validation-details', async (context) => {
  context.expect(await withoutInterval(context)).toConform();
});

requirement('7/not-found-details', async (context) => {
  context.expect(await unknownCurrency(context)).toConform();
});

const ETF: readonly EndpointPath[] = ['/etfs/{ticker}/history'];
const OTHER_IDENTIFIERS: readonly EndpointPath[] = [
  '/etfs/{ticker}/market-snapshot',
  '/crypto-stocks/{stock_ticker}/market-snapshot',
  '/crypto-stocks/{stock_ticker}/klines',
  '/crypto-stocks/{stock_ticker}/market-cap',
  '/crypto-stocks/sector/{sector_name}/index',
  '/indices/{index_ticker}/market-snapshot',
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
  const path = await session.unknownId('path');
  observe(await api.getPath(path, { role: 'none' }));
});

requirement('7/several-errors', 'an unknown key and an unknown currency', async (context) => {
  const { api, observe, session } = context;
  const id = await session.unknownId('currency_id');
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
