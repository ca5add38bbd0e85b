import type { Call, Params } from './call.ts';
import { currencyInfo, currencyOf, currencySnapshot, tokenEconomics } from './currencies.ts';
import { etfHistory, etfList, etfSnapshot, historyParams } from './etfs.ts';
import { summaryHistory, SUMMARY_PARAMS } from './etfs.ts';
import { fundraising } from './fundraising.ts';
import { currencyKlines, KLINE_PARAMS, stockKlines, stockSnapshot } from './klines.ts';
import * as lists from './lists.ts';
import { macroHistory, MACRO_PARAMS } from './macro.ts';
import { featured, FEATURED_PARAMS, news, newsParams } from './news.ts';
import { PAIR_PARAMS, pairs } from './pairs.ts';
import type { World } from './world.ts';

/** What an endpoint answers, its parameters, and what looks at its path alone and throws a Refusal. */
type Row = readonly [
  answer: (call: Call) => unknown,
  /** Left out where nobody states any, so that nothing is checked beforehand. */
  params?: Params | ((world: World) => Params),
  checkPath?: (call: Call) => unknown,
];

/** All endpoints. Where a fixed word and a placeholder both fit, the fixed word comes first. */
const ENDPOINTS: Readonly<Record<string, Row>> = {
  '/currencies': [lists.currencyList],
  '/currencies/{currency_id}': [currencyInfo, {}, currencyOf],
  '/currencies/{currency_id}/market-snapshot': [currencySnapshot, {}],
  '/currencies/{currency_id}/token-economics': [tokenEconomics, {}],
  '/currencies/{currency_id}/klines': [currencyKlines, KLINE_PARAMS, currencyOf],
  '/currencies/{currency_id}/pairs': [pairs, PAIR_PARAMS, currencyOf],
  '/currencies/{currency_id}/fundraising': [fundraising, {}],
  '/news': [news, newsParams],
  '/news/featured': [featured, FEATURED_PARAMS],
  '/news/hot': [lists.hotNews],
  '/news/search': [lists.searchNews],
  '/etfs': [etfList],
  '/etfs/summary-history': [summaryHistory, SUMMARY_PARAMS],
  '/etfs/{ticker}/history': [etfHistory, historyParams],
  '/etfs/{ticker}/market-snapshot': [etfSnapshot],
  '/crypto-stocks': [lists.stockList],
  '/crypto-stocks/sector': [lists.sectorList],
  '/crypto-stocks/sector/{sector_name}/index': [lists.sectorIndex],
  '/crypto-stocks/{stock_ticker}/market-snapshot': [stockSnapshot, {}],
  '/crypto-stocks/{stock_ticker}/klines': [stockKlines, KLINE_PARAMS],
  '/crypto-stocks/{stock_ticker}/market-cap': [lists.stockMarketCap],
  '/indices': [lists.indexList],
  '/indices/{index_ticker}/constituents': [lists.constituents],
  '/indices/{index_ticker}/market-snapshot': [lists.indexSnapshot],
  '/indices/{index_ticker}/klines': [lists.indexKlines],
  '/fundraising/projects': [lists.projectList],
  '/fundraising/projects/{project_id}': [lists.projectDetail],
  '/macro/events': [lists.eventList],
  '/macro/events/{event}/history': [macroHistory, MACRO_PARAMS],
  '/analyses': [lists.chartList, {}],
  '/analyses/{chart_name}': [lists.chartData],
};

/** A part of a path without percent signs; as it is when they make no sense. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The endpoint of a path that is still encoded, with the values of its placeholders; undefined when it has none. */
export function route(pathname: string) {
  const parts = pathname.split('/');
  for (const [template, [answer, params, checkPath]] of Object.entries(ENDPOINTS)) {
    const words = template.split('/');
    const path: Record<string, string> = {};
    const fits = words.every((word, i) => {
      const part = parts[i] ?? '';
      if (!word.startsWith('{')) return word === part;
      path[word.slice(1, -1)] = decoded(part);
      return part !== '';
    });
    if (fits && words.length === parts.length) return { template, path, answer, params, checkPath };
  }
  return undefined;
}
