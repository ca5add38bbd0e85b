import type { World } from '../world.ts';
import { createCharts } from './charts.ts';
import { createCurrencies, type Currency } from './currencies.ts';
import { currencyInfo, tokenEconomics } from './currency-info.ts';
import { createEtfs } from './etfs.ts';
import { createFundraising } from './fundraising.ts';
import { createIndices } from './indices.ts';
import { createMacro } from './macro.ts';
import { minutely, once } from './memo.ts';
import { createNews } from './news.ts';
import { createPairs, EXCHANGE_NAMES } from './pairs.ts';
import { createSnapshots } from './snapshots.ts';
import { createStocks } from './stocks.ts';

/**
 * Builds the data of a seed. Cheap: everything is worked out when it is first asked for, then kept for its minute or
 * its day. Answers are shared between callers and must not be changed. `now` is epoch ms from 2024-01-01 on.
 */
export function createWorld(seed: number): World {
  const currencies = createCurrencies(seed);
  const byId = new Map(currencies.map((currency) => [currency.id, currency]));
  const of =
    <T>(make: (currency: Currency, time: number) => T) =>
    (id: string, time: number): T | undefined => {
      const currency = byId.get(id);
      return currency && make(currency, time);
    };
  const { projectOf, ...fundraising } = createFundraising(seed, currencies);
  const currencyList = currencies.map(({ id, symbol, name }) => ({
    currency_id: id,
    symbol,
    name,
  }));
  return {
    seed,
    currencyIds: [...byId.keys()],
    exchanges: EXCHANGE_NAMES,
    currencyList: () => currencyList,
    currencyInfo: once(of((one) => currencyInfo(seed, one))),
    currencySnapshot: minutely(of(createSnapshots(seed, currencies))),
    tokenEconomics: once(of((one) => tokenEconomics(seed, one))),
    currencyKlines: minutely(of((one, time) => one.klines(time))),
    pairs: minutely(of(createPairs(seed))),
    ...fundraising,
    ...createNews(seed, currencies, { projectOf, ...fundraising }),
    ...createEtfs(seed, currencies),
    ...createStocks(seed),
    ...createIndices(seed, currencies),
    ...createMacro(seed),
    ...createCharts(seed),
  };
}
