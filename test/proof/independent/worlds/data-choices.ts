import type { Dimension } from './dimension.ts';

/** How much of everything there is, and of which kind. */
export const DATA_CHOICES = {
  currencies: { title: 'Number of currencies', values: ['30', '0', '1', '4', '12', '300', '3000'] },
  pairs: {
    title: 'Pairs of the currency that has most',
    values: ['230', '0', '1', '3', '20', '21', '100', '5000'],
  },
  'pair-spread': {
    title: 'Which currencies have pairs',
    values: ['fewer-down-the-list', 'third-only', 'all-alike'],
  },
  'pair-ties': { title: 'Pairs with equal volume', values: ['none', 'many', 'zero-volumes'] },
  news: { title: 'Number of news', values: ['240', '0', '1', '7', '19', '20', '150', '2000'] },
  'news-categories': {
    title: 'Categories that occur',
    values: ['all', 'one', 'without-13', 'official-only', 'mostly-one'],
  },
  'news-kinds': { title: 'Articles and posts', values: ['mixed', 'articles', 'posts'] },
  'news-quotes': { title: 'Posts that quote', values: ['all', 'some'] },
  'news-media': { title: 'Attachments', values: ['some', 'none', 'many'] },
  'news-titles': {
    title: 'What titles look like',
    values: ['sentences', 'two-words', 'emoji', 'with-handles'],
  },
  'news-content': {
    title: 'What contents look like',
    values: ['paragraphs', 'one-line', 'rich', 'loose', 'some-empty'],
  },
  'news-span': { title: 'How far back news reach', values: ['6d', '7d', '1d', '2h'] },
  'news-order': { title: 'Display order', values: ['newest', 'pinned', 'ranked'] },
  'news-arrivals': {
    title: 'News that arrive during use',
    values: ['none', 'one-a-minute', 'every-tenth-request'],
  },
  'news-matches': { title: 'Currencies matched to news', values: ['some', 'none', 'all'] },
  'news-featured': { title: 'Featured news', values: ['every-third', 'none', 'few', 'all'] },
  'etf-funds': { title: 'ETFs of a listing', values: ['4', '1', '12'] },
  'etf-listings': {
    title: 'Listings with ETFs',
    values: ['all', 'some-empty', 'btc-us-empty', 'hk-empty', 'all-empty', 'us-btc-only'],
  },
  'etf-age': {
    title: 'Age of the ETFs',
    values: ['old', 'some-young', 'all-young', 'one-day', 'ten-days'],
  },
  'etf-closed': {
    title: 'ETFs that were closed',
    values: ['none', 'some-long-ago', 'some-lately', 'whole-listing'],
  },
  stocks: { title: 'Crypto stocks', values: ['15', '0', '1', '200'] },
  'stock-age': { title: 'Age of the companies', values: ['old', 'some-young', 'all-young'] },
  'stock-losses': { title: 'Companies without P/E', values: ['none', 'some', 'all'] },
  'stock-days': { title: 'Days of stock klines', values: ['trading', 'every'] },
  sectors: { title: 'Sectors of stocks', values: ['5', '0', '1'] },
  indices: { title: 'Indices', values: ['6', '0', '1'] },
  projects: { title: 'Fundraising projects', values: ['20', '0', '1', '300'] },
  charts: { title: 'Analysis charts', values: ['8', '0', '1', '40'] },
  macro: { title: 'Macro events', values: ['12', '0', '1', '60'] },
  'macro-history': {
    title: 'Which events have a history',
    values: ['all', 'first-without', 'none', 'short', 'long'],
  },
  'macro-unreleased': {
    title: 'Event dates in the future, without a figure',
    values: ['none', 'some', 'forecast-too'],
  },
  'macro-twice': { title: 'Two releases on one day', values: ['no', 'yes'] },
  fundraising: {
    title: 'Which currencies have fundraising',
    values: ['all', 'some-404', 'some-empty', 'first-four-404', 'first-four-empty', 'only-last'],
  },
  undisclosed: { title: 'Amounts kept secret', values: ['none', 'null', 'empty-text', 'word'] },
  economics: {
    title: 'Which currencies have token economics',
    values: ['all', 'some-404', 'no-timeline', 'empty', 'only-last'],
  },
  'kline-age': {
    title: 'Age of currencies',
    values: ['old', 'some-young', 'all-young', 'newborn'],
  },
  'kline-today': { title: 'The kline of the current day', values: ['there', 'not-yet'] },
  supply: { title: 'Maximum supply', values: ['mixed', 'all-unlimited', 'all-limited'] },
  'empty-lists': { title: 'Optional arrays of a currency', values: ['filled', 'empty'] },
  live: {
    title: 'Prices and volumes between requests',
    values: ['still', 'slow', 'every-request', 'wild'],
  },
} as const satisfies Record<string, Dimension>;
