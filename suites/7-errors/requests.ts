// Requests that must be refused (§7): one for each kind of error.
import { ENDPOINT_PATHS, type EndpointPath } from '../../src/spec/endpoints.ts';
import {
  plain,
  someOf,
  Untested,
  type Answer,
  type Ask,
  type CheckContext,
} from '../../src/ask/index.ts';
import { unknownInHongKong } from '../4.3-etf-summary/requests.ts';
import {
  INFO,
  malformed,
  unknownCurrency,
  unknownCurrencyId,
  mustBeLetIn,
  unknownResource,
} from './unknown-id-requests.ts';

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

/**
 * The answer to an unknown path next to or below a known one, with the restricted key. Without one, uses a valid key if
 * `always`, otherwise the unknown path requested anyway.
 * @throws Untested without a known path, or if the restricted key has no access
 */
export const unknownNear =
  (where: 'next to' | 'below', always = false) =>
  async (neighbour: EndpointPath, context: CheckContext): Promise<Answer> => {
    const { api, session } = context;
    const role = session.target.keys.restricted === undefined ? 'valid' : 'restricted';
    if (role === 'valid' && !always) return unknownPath(context);
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
  };

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
    await unknownInHongKong(context),
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
