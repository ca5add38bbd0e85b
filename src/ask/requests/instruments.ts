// What a run asks of one currency or crypto stock at a time (§4.1, §4.5).
import type { EndpointPath } from '../../contract/endpoints.ts';
import { Untested, type Answer, type Api, type Ask, type CheckContext } from '../index.ts';
import { besideItsPairs } from './pairs.ts';

const NAMES = { currencyIds: 'currencies', stockTickers: 'stocks' } as const;

/** @throws Untested when the list is shorter */
async function idAt(
  kind: keyof typeof NAMES,
  at: number,
  path: EndpointPath,
  api: Api,
): Promise<string> {
  const id = (await api.fixtures(kind, path))[at];
  if (id !== undefined) return id;
  throw new Untested(`needs ${at + 1} ${NAMES[kind]}: add to fixtures.${kind}`);
}

/** An endpoint below a currency, asked for that at a place of the list. */
export const ofCurrency =
  (path: EndpointPath) =>
  async (at: number, { api }: CheckContext): Promise<Answer> =>
    api.get(path, {}, { path: { currency_id: await idAt('currencyIds', at, path, api) } });

/** An endpoint below a stock, asked for that at a place of the list. */
export const ofStock =
  (path: EndpointPath) =>
  async (at: number, { api }: CheckContext): Promise<Answer> =>
    api.get(path, {}, { path: { stock_ticker: await idAt('stockTickers', at, path, api) } });

/** The information on a currency beside its pairs. */
export const infoAndPairs: Ask = async ({ api }) => {
  const { path, seen } = await besideItsPairs(api);
  return [await api.get('/currencies/{currency_id}', {}, { path }), ...seen];
};
