// What a run asks to be refused (§7): one request of each kind of error.
import { plain, someOf, type Answer, type Ask, type CheckContext } from '../index.ts';
import { INFO, malformed, unknownCurrency, unknownCurrencyId } from './unknown-currency.ts';
import { mustBeLetIn, unknownResource } from './unknown-resource.ts';

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

/** A template of a path that no endpoint has, with a known currency in it; told to the rules. */
async function filled(template: string, { api, session }: CheckContext): Promise<string> {
  const path = template.replace('{id}', encodeURIComponent(await api.fixture('currencyIds')));
  session.unknown('path', path);
  return path;
}

const BELOW_A_CURRENCY = '/currencies/{id}/no-such-endpoint';

/** The answer to a wrong path below a currency. */
export const pathBelowCurrency: Ask = async (context) => {
  await plain(context.api, INFO);
  return context.api.getPath(await filled(BELOW_A_CURRENCY, context));
};

/** Wrong paths where others lie below an identifier, or beside one. */
export const WRONG_PATHS = [BELOW_A_CURRENCY, '/etfs/no-such/end/point'] as const;

/**
 * The answer to a wrong path. It is asked with the restricted key; where the target has none, a valid key asks for the
 * path that is asked for anyway.
 * @throws Untested when the restricted key is not let in
 */
export async function wrongPath(template: string, context: CheckContext): Promise<Answer> {
  const { api, session } = context;
  if (session.target.keys.restricted === undefined) return unknownPath(context);
  const answer = await api.getPath(await filled(template, context), { role: 'restricted' });
  // Which paths the key may call says nothing of those that are none.
  mustBeLetIn(answer);
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
