// The schemas of the resources as one module; `index.d.ts` beside it says what they are.
import chart from './chart.json' with { type: 'json' };
import currencyInfo from './currency-info.json' with { type: 'json' };
import currencySnapshot from './currency-snapshot.json' with { type: 'json' };
import etfHistoryRow from './etf-history-row.json' with { type: 'json' };
import etfSummaryRow from './etf-summary-row.json' with { type: 'json' };
import featuredNewsItem from './featured-news-item.json' with { type: 'json' };
import fundraising from './fundraising.json' with { type: 'json' };
import kline from './kline.json' with { type: 'json' };
import macroHistoryRow from './macro-history-row.json' with { type: 'json' };
import newsItem from './news-item.json' with { type: 'json' };
import page from './page.json' with { type: 'json' };
import stockSnapshot from './stock-snapshot.json' with { type: 'json' };
import tokenEconomics from './token-economics.json' with { type: 'json' };
import tradingPair from './trading-pair.json' with { type: 'json' };
import types from './types.json' with { type: 'json' };

export const RESOURCE_SCHEMAS = {
  'currency-info': currencyInfo,
  'currency-snapshot': currencySnapshot,
  'token-economics': tokenEconomics,
  kline,
  'trading-pair': tradingPair,
  fundraising,
  'news-item': newsItem,
  'featured-news-item': featuredNewsItem,
  'etf-summary-row': etfSummaryRow,
  'etf-history-row': etfHistoryRow,
  'stock-snapshot': stockSnapshot,
  'macro-history-row': macroHistoryRow,
  chart,
};

export const PAGE_SCHEMA = page;
export const TYPES_SCHEMA = types;
