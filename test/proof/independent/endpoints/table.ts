import type { Call } from '../core/call.ts';
import type { Json } from '../core/json.ts';
import type { World } from '../worlds/world.ts';
import { currencyInfo, currencyOf, currencySnapshot, tokenEconomics } from './currencies.ts';
import {
  etfHistory,
  etfList,
  etfSnapshot,
  historyParams,
  summaryHistory,
  SUMMARY_PARAMS,
} from './etfs.ts';
import { fundraising } from './fundraising.ts';
import { currencyKlines, KLINE_PARAMS, stockKlines } from './klines.ts';
import {
  currencyList,
  indexList,
  indexPart,
  newsList,
  projectDetail,
  projectList,
  sectorIndex,
  sectorList,
  stockList,
  stockMarketCap,
} from './lists.ts';
import { chartData, chartList, eventList, macroHistory, MACRO_PARAMS } from './macro.ts';
import { featured, FEATURED_PARAMS, news, newsParams } from './news.ts';
import { PAIR_PARAMS, pairs } from './pairs.ts';
import type { Param } from './params.ts';
import { stockSnapshot } from './stocks.ts';

/** One endpoint. */
export interface Endpoint {
  /** Path with names of placeholders in braces. */
  readonly template: string;
  readonly answer: (call: Call) => Json;
  /** Parameters; undefined where nobody states any, so that nothing is checked beforehand. */
  readonly params: readonly Param[] | ((world: World) => readonly Param[]) | undefined;
  /** Looks at the path alone; throws a Refusal. */
  readonly checkPath: ((call: Call) => unknown) | undefined;
}

/** All endpoints. Where a fixed word and a placeholder both fit, the fixed word comes first. */
const ENDPOINTS: readonly Endpoint[] = (
  [
    ['/currencies', currencyList],
    ['/currencies/{currency_id}', currencyInfo, [], currencyOf],
    ['/currencies/{currency_id}/market-snapshot', currencySnapshot, []],
    ['/currencies/{currency_id}/token-economics', tokenEconomics, []],
    ['/currencies/{currency_id}/klines', currencyKlines, KLINE_PARAMS, currencyOf],
    ['/currencies/{currency_id}/pairs', pairs, PAIR_PARAMS, currencyOf],
    ['/currencies/{currency_id}/fundraising', fundraising, []],
    ['/news', news, newsParams],
    ['/news/featured', featured, FEATURED_PARAMS],
    ['/news/hot', newsList('hot')],
    ['/news/search', newsList('search')],
    ['/etfs', etfList],
    ['/etfs/summary-history', summaryHistory, SUMMARY_PARAMS],
    ['/etfs/{ticker}/history', etfHistory, historyParams],
    ['/etfs/{ticker}/market-snapshot', etfSnapshot],
    ['/crypto-stocks', stockList],
    ['/crypto-stocks/sector', sectorList],
    ['/crypto-stocks/sector/{sector_name}/index', sectorIndex],
    ['/crypto-stocks/{stock_ticker}/market-snapshot', stockSnapshot, []],
    ['/crypto-stocks/{stock_ticker}/klines', stockKlines, KLINE_PARAMS],
    ['/crypto-stocks/{stock_ticker}/market-cap', stockMarketCap],
    ['/indices', indexList],
    ['/indices/{index_ticker}/constituents', indexPart('constituents')],
    ['/indices/{index_ticker}/market-snapshot', indexPart('snapshot')],
    ['/indices/{index_ticker}/klines', indexPart('klines')],
    ['/fundraising/projects', projectList],
    ['/fundraising/projects/{project_id}', projectDetail],
    ['/macro/events', eventList],
    ['/macro/events/{event}/history', macroHistory, MACRO_PARAMS],
    ['/analyses', chartList, []],
    ['/analyses/{chart_name}', chartData],
  ] satisfies [string, Endpoint['answer'], Endpoint['params']?, Endpoint['checkPath']?][]
).map(([template, answer, params, checkPath]) => ({ template, answer, params, checkPath }));

/** The endpoint of a path that is still encoded, with the values of its placeholders. */
export function route(
  pathname: string,
): { endpoint: Endpoint; path: Record<string, string> } | undefined {
  const parts = pathname.split('/').slice(1);
  for (const endpoint of ENDPOINTS) {
    const wanted = endpoint.template.split('/').slice(1);
    if (wanted.length !== parts.length) continue;
    const path: Record<string, string> = {};
    const fits = wanted.every((word, i) => {
      const part = parts[i] ?? '';
      if (!word.startsWith('{')) return word === part;
      path[word.slice(1, -1)] = decoded(part);
      return part !== '';
    });
    if (fits) return { endpoint, path };
  }
  return undefined;
}

/** A part of a path without percent signs; as it is when they make no sense. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
