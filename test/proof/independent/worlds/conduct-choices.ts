import type { Dimension } from './dimension.ts';

/** What is checked when, what is refused, and in which words. */
export const CONDUCT_CHOICES = {
  order: {
    title: 'Order of the checks',
    values: [
      'key-limit-route-values',
      'route-key-limit-values',
      'route-values-key-limit',
      'key-route-values-limit',
      'route-key-values-limit',
    ],
  },
  'path-checked': {
    title: 'Identifiers in the path',
    values: ['after-the-query', 'before-the-query'],
  },
  'news-of-unknown': {
    title: 'News of an unknown currency or project',
    values: ['empty', '404', '400'],
  },
  codes: {
    title: 'Error codes',
    values: ['six-digits', 'five-digits', 'five-digits-429', 'generic'],
  },
  'missing-message': {
    title: 'Message of a missing parameter',
    values: ['missing-required', 'invalid', 'is-required', 'must-not-be-empty', 'spring'],
  },
  'missing-several': { title: 'Several missing', values: ['first', 'last', 'all'] },
  'invalid-suffix': {
    title: 'What follows the name',
    values: ['nothing', 'reason', 'in-brackets', 'full-stop', 'value'],
  },
  details: { title: 'Details of errors', values: ['full', 'sparse', 'more'] },
  'unknown-message': {
    title: 'Message of unknown tickers',
    values: ['named', 'generic', 'resource'],
  },
  'missing-key': { title: 'Code of a missing key', values: ['400101', '400102', '400100'] },
  'over-maximum': { title: 'Above a maximum', values: ['refuse', 'bring-in'] },
  'over-code': { title: 'Code above a maximum', values: ['value', 'format'] },
  'zero-or-less': { title: 'Zero and negative numbers', values: ['refuse', 'default'] },
  'not-a-number': { title: 'Texts for numbers', values: ['refuse', 'default'] },
  'below-minimum': { title: 'Featured page_size below 20', values: ['refuse', 'bring-in'] },
  beyond: {
    title: 'Ranges beyond the window',
    values: ['refuse-400', 'refuse-403', 'cut', 'empty', 'refuse-value'],
  },
  'plain-reach': { title: 'Plain requests reach back', values: ['window', 'default-rows'] },
  'month-is': { title: 'One month, three months', values: ['calendar', 'days'] },
  reversed: { title: 'A start after the end', values: ['refuse', 'empty'] },
  'unknown-language': { title: 'Unknown languages', values: ['refuse', 'english'] },
  'unknown-category': { title: 'Unknown categories', values: ['refuse', 'empty', 'ignore'] },
  'unknown-exchange': { title: 'Unknown exchanges', values: ['empty', 'refuse'] },
  'unknown-order': { title: 'Unknown sort fields', values: ['ignore', 'refuse'] },
  'unknown-country': { title: 'Unknown countries', values: ['value', 'format', 'listing'] },
  'unknown-parameters': { title: 'Parameters that nobody knows', values: ['ignore', 'refuse'] },
  'empty-values': { title: 'Empty parameter values', values: ['left-out', 'refuse'] },
  folding: { title: 'Letter case of values', values: ['exact', 'folded'] },
  trimming: { title: 'Blanks around values', values: ['no', 'yes'] },
  'message-case': { title: 'Symbols in messages', values: ['upper', 'as-sent'] },
  'kline-order': { title: 'Order of klines', values: ['oldest', 'newest'] },
  'macro-order': { title: 'Order of macro rows', values: ['newest', 'oldest'] },
  'limit-keeps': { title: 'End of a range that limit keeps', values: ['newest', 'oldest'] },
  'etf-limit': { title: 'limit of ETF history', values: ['kept', 'ignored'] },
  'news-size': { title: '/news page_size 101 to 200', values: ['as-maximum', 'two-hundred'] },
  'etf-row-from': { title: 'First row of a trading day', values: ['open', 'midnight', 'close'] },
  'etf-settled': {
    title: 'When ETF rows settle',
    values: ['next-trading-day', 'next-midnight', 'next-evening', 'same-night'],
  },
  'restricted-to': {
    title: 'What the restricted key may not call',
    values: ['news', 'etfs', 'many'],
  },
  'purpose-empty': { title: 'Endpoints with a purpose only', values: ['filled', 'empty'] },
  'no-such-method': { title: 'Methods other than GET', values: ['405', '404', 'as-get'] },
  'trailing-slash': { title: 'A slash at the end', values: ['404', 'same'] },
} as const satisfies Record<string, Dimension>;

/** How requests are counted, and how that is told. */
export const LIMIT_CHOICES = {
  limiter: {
    title: 'Kind of limiter',
    values: ['fixed', 'aligned', 'aligned-by-key', 'sliding', 'sliding-counts-refused', 'bucket'],
  },
  'limit-headers': {
    title: 'Rate-limit headers',
    values: ['all', 'refusal-only', 'good-and-refusal', 'not-on-404'],
  },
  'header-case': { title: 'Case of header names', values: ['as-stated', 'lower'] },
  reset: { title: 'Announced reset', values: ['exact', 'ttl', 'seconds-up', 'jitter'] },
  'retry-after': { title: 'Unit of retry_after', values: ['seconds', 'ms'] },
  'retry-header': { title: 'Retry-After header', values: ['no', 'yes'] },
  'shared-key': {
    title: 'Another user of the first key',
    values: ['no', 'now-and-then'],
    rare: true,
  },
  quota: {
    title: 'Refusal at the end of the quota',
    values: ['429', '403', '402', '429-own-code'],
  },
} as const satisfies Record<string, Dimension>;
