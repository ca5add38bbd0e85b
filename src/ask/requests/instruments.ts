// What a run asks of one currency or crypto stock at a time (§4.1, §4.5).
import type { EndpointPath } from '../../contract/endpoints.ts';
import { Untested, type Answer, type Api, type Ask, type CheckContext } from '../index.ts';
import { busyCurrency, pairsSeen } from './pairs.ts';

const NAMES = { currencyIds: 'currencies', stockTickers: 'stocks' } as const;

/** @throws Untested when the list is shorter */
async function idAt(kind: keyof typeof NAMES, at: number, api: Api): Promise<string> {
  const id = (await api.fixtures(kind))[at];
  if (id !== undefined) return id;
  throw new Untested(`needs ${at + 1} ${NAMES[kind]}: add to fixtures.${kind}`);
}

/** An endpoint below a currency, asked for that at a place of the list. */
export const ofCurrency =
  (path: EndpointPath) =>
  async (at: number, { api }: CheckContext): Promise<Answer> =>
    api.get(path, {}, { path: { currency_id: await idAt('currencyIds', at, api) } });

/** An endpoint below a stock, asked for that at a place of the list. */
export const ofStock =
  (path: EndpointPath) =>
  async (at: number, { api }: CheckContext): Promise<Answer> =>
    api.get(path, {}, { path: { stock_ticker: await idAt('stockTickers', at, api) } });

/** The information on a currency beside its pairs. */
export const infoAndPairs: Ask = async ({ api }) => {
  const path = { currency_id: await busyCurrency(api) };
  const info = await api.get('/currencies/{currency_id}', {}, { path });
  return [info, ...(await pairsSeen(api))];
};

/** The snapshots of three currencies. */
export const threeSnapshots: Ask = async (context) => {
  const snapshotAt = ofCurrency('/currencies/{currency_id}/market-snapshot');
  const answers: Answer[] = [];
  for (const at of [0, 1, 2]) answers.push(await snapshotAt(at, context));
  return answers;
};
