// Requests that must be refused (§7): one for each kind of error.
import { ENDPOINT_PATHS, type EndpointPath } from '../../src/spec/endpoints.ts';
import type { KeyRole } from '../../src/spec/exchange.ts';
import {
  plain,
  someOf,
  Untested,
  type Answer,
  type Ask,
  type CheckContext,
} from '../../src/ask/index.ts';
import {
  INFO,
  malformed,
  unknownCurrency,
  unknownCurrencyId,
} from './unknown-currency-requests.ts';
import { mustBeLetIn, unknownResource } from './unknown-resource-requests.ts';

const SUMMARY = '/etfs/summary-history';

/** A made-up path, registered as unknown. */
async function madeUpPath({ session }: CheckContext): Promise<string> {
  const [path] = (await session.unknownIds('path')).ids;
  session.unknown('path', path);
  return path;
}

/** The answer to an unknown path. */
export async function unknownPath(context: CheckContext): Promise<Answer> {
  // The key must work, or the refusal could be about the key.
  await plain(context.api, '/currencies');
  return context.api.getPath(await madeUpPath(context));
}

/** Endpoints with an unknown path next to them, except those that end in a chart or project name. */
export const NEIGHBOURS = [
  '/currencies/{currency_id}/market-snapshot',
  '/etfs/{ticker}/history',
  '/news/hot',
  '/crypto-stocks/{stock_ticker}/market-snapshot',
  '/crypto-stocks/sector/{sector_name}/index',
  '/indices/{index_ticker}/constituents',
  '/macro/events/{event}/history',
] as const satisfies readonly EndpointPath[];

/**
 * Endpoints with an unknown path below them: those whose last segment is fixed, because a name in the last one may
 * contain a slash.
 */
export const LEAVES = ENDPOINT_PATHS.filter(
  (path) => !path.endsWith('}') && !ENDPOINT_PATHS.some((one) => one.startsWith(`${path}/`)),
);

/** Where an unknown path is, relative to a known one. */
type Where = 'next to' | 'below';

/**
 * The answer to an unknown path next to or below a known one, with the restricted key. Without one, uses the unknown
 * path requested anyway.
 * @throws Untested without a known path, or if the restricted key has no access
 */
export const unknownNear =
  (where: Where) =>
  (neighbour: EndpointPath, context: CheckContext): Promise<Answer> =>
    context.session.target.keys.restricted === undefined
      ? unknownPath(context)
      : near(where, neighbour, 'restricted', context);

/** An unknown path next to a known one, with the restricted key or, without one, with a valid key. */
export const unknownSiblingByAnyKey = (
  neighbour: EndpointPath,
  context: CheckContext,
): Promise<Answer> => {
  const { restricted } = context.session.target.keys;
  return near('next to', neighbour, restricted === undefined ? 'valid' : 'restricted', context);
};

async function near(
  where: Where,
  neighbour: EndpointPath,
  role: KeyRole,
  { api, session }: CheckContext,
): Promise<Answer> {
  const known = await plain(api, neighbour, { anyAnswer: true });
  if (known.status !== 200) {
    throw new Untested(
      `${neighbour} answered ${known.status}: no known path to derive an unknown one from`,
    );
  }
  const { path: own } = known.exchange.request;
  const path = `${where === 'below' ? own : own.replace(/\/[^/]*$/, '')}/no-such-endpoint`;
  session.unknown('path', path);
  const answer = await api.getPath(path, { role });
  // Access rules say nothing about unknown paths.
  if (role !== 'valid') mustBeLetIn(answer);
  return answer;
}

/** Omits a required parameter; the plain request is the control. */
export const withoutInterval = ({ api }: CheckContext): Promise<Answer> =>
  api.get('/currencies/{currency_id}/klines', {}, { control: { query: { interval: '1d' } } });

/** One refusal of each kind that the run requests anyway, as far as available. */
export const refusals: Ask = async (context) => {
  const control = { role: 'valid' } as const;
  const { answers } = await someOf([
    () => plain(context.api, '/currencies', { role: 'none', control }),
    () => plain(context.api, '/currencies', { role: 'unknown', control }),
    () => unknownPath(context),
    () => unknownCurrency(context),
    () => malformed(context),
    () => withoutInterval(context),
    () => unknownResource(context, '/etfs/{ticker}/history'),
  ]);
  return answers;
};

/** Several kinds of validation failures that the run requests anyway. */
export const validationFailures: Ask = async (context) => {
  const { api } = context;
  const [symbol, country_code] = ['BTC', 'US'];
  const control = { query: { symbol, country_code } };
  return [
    await withoutInterval(context),
    await api.get(SUMMARY, { symbol: 'XBT', country_code }, { control }),
    await api.get(SUMMARY, { symbol, country_code: 'GB' }, { control }),
    await api.get(SUMMARY, { country_code }, { control }),
  ];
};

/** An unknown path without a key. */
export const wrongPathWithoutKey: Ask = async (context) =>
  context.api.getPath(await madeUpPath(context), { role: 'none' });

/** An unknown currency with an unknown key. */
export const unknownCurrencyWithUnknownKey: Ask = async (context) => {
  const id = await unknownCurrencyId(context);
  return plain(context.api, INFO, { path: { currency_id: id }, role: 'unknown' });
};

/** An invalid symbol and an invalid country. */
export const twoBadParameters: Ask = ({ api }) =>
  api.get(SUMMARY, { symbol: 'ZZZ', country_code: 'ZZ' });
