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
  /** Parameters; undefined where nobody states any, so that nothing is checked beforehand. */
  readonly params: ((world: World) => readonly Param[]) | undefined;
  readonly answer: (call: Call) => Json;
  /** Looks at the path alone; throws a Refusal. */
  readonly checkPath?: (call: Call) => unknown;
}

const NONE: readonly Param[] = [];

/** All endpoints. Where a fixed word and a placeholder both fit, the fixed word comes first. */
export const ENDPOINTS: readonly Endpoint[] = [
  { template: '/currencies', params: undefined, answer: currencyList },
  {
    template: '/currencies/{currency_id}',
    params: () => NONE,
    answer: currencyInfo,
    checkPath: currencyOf,
  },
  {
    template: '/currencies/{currency_id}/market-snapshot',
    params: () => NONE,
    answer: currencySnapshot,
  },
  {
    template: '/currencies/{currency_id}/token-economics',
    params: () => NONE,
    answer: tokenEconomics,
  },
  {
    template: '/currencies/{currency_id}/klines',
    params: () => KLINE_PARAMS,
    answer: currencyKlines,
    checkPath: currencyOf,
  },
  {
    template: '/currencies/{currency_id}/pairs',
    params: () => PAIR_PARAMS,
    answer: pairs,
    checkPath: currencyOf,
  },
  { template: '/currencies/{currency_id}/fundraising', params: () => NONE, answer: fundraising },
  { template: '/news', params: newsParams, answer: news },
  { template: '/news/featured', params: () => FEATURED_PARAMS, answer: featured },
  { template: '/news/hot', params: undefined, answer: newsList('hot') },
  { template: '/news/search', params: undefined, answer: newsList('search') },
  { template: '/etfs', params: undefined, answer: etfList },
  { template: '/etfs/summary-history', params: () => SUMMARY_PARAMS, answer: summaryHistory },
  { template: '/etfs/{ticker}/history', params: historyParams, answer: etfHistory },
  { template: '/etfs/{ticker}/market-snapshot', params: undefined, answer: etfSnapshot },
  { template: '/crypto-stocks', params: undefined, answer: stockList },
  { template: '/crypto-stocks/sector', params: undefined, answer: sectorList },
  { template: '/crypto-stocks/sector/{sector_name}/index', params: undefined, answer: sectorIndex },
  {
    template: '/crypto-stocks/{stock_ticker}/market-snapshot',
    params: () => NONE,
    answer: stockSnapshot,
  },
  {
    template: '/crypto-stocks/{stock_ticker}/klines',
    params: () => KLINE_PARAMS,
    answer: stockKlines,
  },
  {
    template: '/crypto-stocks/{stock_ticker}/market-cap',
    params: undefined,
    answer: stockMarketCap,
  },
  { template: '/indices', params: undefined, answer: indexList },
  {
    template: '/indices/{index_ticker}/constituents',
    params: undefined,
    answer: indexPart('constituents'),
  },
  {
    template: '/indices/{index_ticker}/market-snapshot',
    params: undefined,
    answer: indexPart('snapshot'),
  },
  { template: '/indices/{index_ticker}/klines', params: undefined, answer: indexPart('klines') },
  { template: '/fundraising/projects', params: undefined, answer: projectList },
  { template: '/fundraising/projects/{project_id}', params: undefined, answer: projectDetail },
  { template: '/macro/events', params: undefined, answer: eventList },
  { template: '/macro/events/{event}/history', params: () => MACRO_PARAMS, answer: macroHistory },
  { template: '/analyses', params: () => NONE, answer: chartList },
  { template: '/analyses/{chart_name}', params: undefined, answer: chartData },
];

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
