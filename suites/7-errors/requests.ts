// What a run asks to be refused (§7): one request of each kind of error.
import type { EndpointPath } from '../../src/spec/endpoints.ts';
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

/** A path that no endpoint has, made up and told to the rules. */
async function madeUpPath({ session }: CheckContext): Promise<string> {
  const [path] = (await session.unknownIds('path')).ids;
  session.unknown('path', path);
  return path;
}

/** The answer to a path that no endpoint has. */
export async function unknownPath(context: CheckContext): Promise<Answer> {
  // The key must be known to work, or a refusal would be about the key.
  await plain(context.api, '/currencies');
  return context.api.getPath(await madeUpPath(context));
}

/** Endpoints beside each of which there is a path that no endpoint has, all but those that names of charts and projects end. */
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
 * The answer to a wrong path below something that is there: an identifier that an endpoint was answered for. It is asked
 * with the restricted key; where the target has none, a valid key asks for the path that is asked for anyway.
 * @throws Untested when there is nothing that it could lie below, or the restricted key is not let in
 */
export async function pathBeside(neighbour: EndpointPath, context: CheckContext): Promise<Answer> {
  return context.session.target.keys.restricted === undefined
    ? unknownPath(context)
    : pathBelow(neighbour, 'restricted', context);
}

/** The same with the restricted key or, where the target has none, with a valid one. */
export const pathBesideByAnyKey: typeof pathBeside = (neighbour, context) =>
  pathBelow(
    neighbour,
    context.session.target.keys.restricted === undefined ? 'valid' : 'restricted',
    context,
  );

async function pathBelow(
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
  const path = known.exchange.request.path.replace(/[^/]*$/, 'no-such-endpoint');
  session.unknown('path', path);
  const answer = await api.getPath(path, { role });
  // Which paths the key may call says nothing of those that are none.
  if (role !== 'valid') mustBeLetIn(answer);
  return answer;
}

/** A required parameter is missing; the plain request is the control. */
export const withoutInterval = ({ api }: CheckContext): Promise<Answer> =>
  api.get('/currencies/{currency_id}/klines', {}, { control: { query: { interval: '1d' } } });

/** One refusal of each kind that the run asks for anyway; those that cannot be had are left out. */
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

/** Validation failures of several kinds, all of which the run asks for anyway. */
export const validationFailures: Ask = async (context) => {
  const { api } = context;
  const [symbol, country_code] = ['BTC', 'US'];
  const control = { query: { symbol, country_code } };
  return [
    await withoutInterval(context),
    await api.get(SUMMARY, { symbol: 'USDT', country_code }, { control }),
    await api.get(SUMMARY, { symbol, country_code: 'GB' }, { control }),
    await api.get(SUMMARY, { country_code }, { control }),
  ];
};

/** A wrong path without a key. */
export const wrongPathWithoutKey: Ask = async (context) =>
  context.api.getPath(await madeUpPath(context), { role: 'none' });

/** A currency that does not exist, with an unknown key. */
export const unknownCurrencyWithUnknownKey: Ask = async (context) => {
  const id = await unknownCurrencyId(context);
  return plain(context.api, INFO, { path: { currency_id: id }, role: 'unknown' });
};

/** A symbol and a country that do not exist. */
export const twoBadParameters: Ask = ({ api }) =>
  api.get(SUMMARY, { symbol: 'ZZZ', country_code: 'ZZ' });
