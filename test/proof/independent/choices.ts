/** Everything that a deployment may do this way or that. The first value is the default. */
export const CHOICES = {
  // How much of everything there is, and of which kind.
  currencies: ['30', '0', '1', '4', '12', '300', '3000'],
  pairs: ['230', '0', '1', '3', '20', '21', '100', '5000'],
  // Which currencies have pairs.
  'pair-spread': ['fewer-down-the-list', 'third-only', 'all-alike'],
  'pair-ties': ['none', 'many', 'zero-volumes'],
  news: ['240', '0', '1', '7', '19', '20', '150', '2000'],
  'news-categories': ['all', 'one', 'without-13', 'official-only', 'mostly-one'],
  'news-kinds': ['mixed', 'articles', 'posts'],
  'news-quotes': ['all', 'some'],
  'news-media': ['some', 'none', 'many'],
  'news-titles': ['sentences', 'two-words', 'emoji', 'with-handles'],
  'news-content': ['paragraphs', 'one-line', 'rich', 'loose', 'some-empty'],
  // How far back news reach.
  'news-span': ['6d', '7d', '1d', '2h'],
  // Display order.
  'news-order': ['newest', 'pinned', 'ranked'],
  'news-arrivals': ['none', 'one-a-minute', 'every-tenth-request'],
  'news-matches': ['some', 'none', 'all'],
  'news-featured': ['every-third', 'none', 'few', 'all'],
  'etf-funds': ['4', '1', '12'],
  'etf-listings': ['all', 'some-empty', 'btc-us-empty', 'hk-empty', 'all-empty', 'us-btc-only'],
  'etf-age': ['old', 'some-young', 'all-young', 'one-day', 'ten-days'],
  'etf-closed': ['none', 'some-long-ago', 'some-lately', 'whole-listing'],
  stocks: ['15', '0', '1', '200'],
  'stock-age': ['old', 'some-young', 'all-young'],
  'stock-losses': ['none', 'some', 'all'],
  'stock-days': ['trading', 'every'],
  sectors: ['5', '0', '1'],
  indices: ['6', '0', '1'],
  projects: ['20', '0', '1', '300'],
  charts: ['8', '0', '1', '40'],
  macro: ['12', '0', '1', '60'],
  'macro-history': ['all', 'first-without', 'none', 'short', 'long'],
  // Event dates in the future, without a figure.
  'macro-unreleased': ['none', 'some', 'forecast-too'],
  'macro-twice': ['no', 'yes'],
  fundraising: ['all', 'some-404', 'some-empty', 'first-four-404', 'first-four-empty', 'only-last'],
  // Amounts kept secret.
  undisclosed: ['none', 'null', 'empty-text', 'word'],
  economics: ['all', 'some-404', 'no-timeline', 'empty', 'only-last'],
  'kline-age': ['old', 'some-young', 'all-young', 'newborn'],
  'kline-today': ['there', 'not-yet'],
  supply: ['mixed', 'all-unlimited', 'all-limited'],
  'empty-lists': ['filled', 'empty'],
  // Prices and volumes between requests.
  live: ['still', 'slow', 'every-request', 'wild'],
  // How identifiers, figures, times, texts and lists are written.
  'currency-ids': [
    'numeric',
    'slug',
    'symbol',
    'symbol-lower',
    'uuid',
    'beyond-2-53',
    'prefixed',
    'hex',
  ],
  // Ids of another form.
  'id-check': ['unknown', 'malformed'],
  'currency-list': [
    'objects',
    'id-and-symbol',
    'symbol-first',
    'numeric-id',
    'list-object',
    'paged',
    'texts',
    'needs-parameter',
    'by-symbol',
  ],
  'etf-list': ['objects', 'id-and-symbol', 'nested', 'needs-parameter', 'texts', 'code-and-name'],
  'stock-list': [
    'objects',
    'id-and-symbol',
    'list-object',
    'exchange-prefixed',
    'texts',
    'needs-parameter',
  ],
  'index-list': ['objects', 'id-and-name', 'texts', 'list-object', 'needs-parameter'],
  'sector-list': ['names', 'display-and-path', 'texts', 'with-members', 'needs-parameter'],
  'event-list': ['by-date', 'flat', 'list-object', 'texts', 'needs-parameter', 'display-and-path'],
  'project-list': ['paged', 'array', 'id-and-slug', 'needs-parameter'],
  'chart-fields': ['with-time', 'without-time'],
  'chart-data': ['rows', 'columns', 'list-object', 'empty', 'needs-parameter'],
  'ticker-case': ['folded', 'exact'],
  'stock-tickers': ['letters', 'with-colon', 'numbers', 'lower-case'],
  'sector-names': ['words', 'signs'],
  'index-tickers': ['upper', 'mixed', 'slashed'],
  'event-names': ['words', 'slug', 'unicode', 'signs'],
  'chart-names': ['slug', 'words', 'unicode', 'signs'],
  exchanges: ['name', 'folded', 'slug', 'name-or-slug'],
  decimals: ['number', 'text', 'long-text', 'by-field'],
  numbers: ['plain', 'point-zero', 'exponent', 'many-digits'],
  // Timestamps that are texts.
  'text-times': ['iso', 'ms', 'seconds', 'date', 'words', 'iso-offset'],
  'long-times': ['ms', 'seconds'],
  names: ['plain', 'emoji', 'rtl', 'markup', 'long', 'controls'],
  'extra-fields': ['none', 'everywhere', 'one-record'],
  'key-order': ['as-listed', 'shuffled'],
  // Percentages as texts.
  percent: ['number', 'sign', 'empty'],
  verified: ['mixed', 'null', 'zero'],
  'macro-dates': ['dashes', 'compact', 'iso', 'ms-text', 'words'],
  // Dates a macro range may be sent in.
  'macro-range': ['dashes-too', 'own-only'],
  'etf-volume': ['text-of-value', 'shares', 'rounded-text', 'text-with-zeros'],
  // What is checked when, what is refused, and in which words; how requests are counted, and how that is told.
  // Order of the checks.
  order: [
    'key-limit-route-values',
    'route-key-limit-values',
    'route-values-key-limit',
    'key-route-values-limit',
    'route-key-values-limit',
  ],
  'path-checked': ['after-the-query', 'before-the-query'],
  'news-of-unknown': ['empty', '404', '400'],
  codes: ['six-digits', 'five-digits', 'five-digits-429', 'generic'],
  'missing-message': ['missing-required', 'invalid', 'is-required', 'must-not-be-empty', 'spring'],
  // Several missing.
  'missing-several': ['first', 'last', 'all'],
  // What follows the name.
  'invalid-suffix': ['nothing', 'reason', 'in-brackets', 'full-stop', 'value'],
  details: ['full', 'sparse', 'more'],
  'unknown-message': ['named', 'generic', 'resource'],
  'missing-key': ['400101', '400102', '400100'],
  'over-maximum': ['refuse', 'bring-in'],
  'over-code': ['value', 'format'],
  'zero-or-less': ['refuse', 'default'],
  'not-a-number': ['refuse', 'default'],
  // Featured page_size below 20.
  'below-minimum': ['refuse', 'bring-in'],
  beyond: ['refuse-400', 'refuse-403', 'cut', 'empty', 'refuse-value'],
  // Plain requests reach back.
  'plain-reach': ['window', 'default-rows'],
  // One month, three months.
  'month-is': ['calendar', 'days'],
  reversed: ['refuse', 'empty'],
  'unknown-language': ['refuse', 'english'],
  'unknown-category': ['refuse', 'empty', 'ignore'],
  'unknown-exchange': ['empty', 'refuse', '404'],
  'unknown-order': ['ignore', 'refuse'],
  'unknown-country': ['value', 'format', 'listing'],
  'unknown-parameters': ['ignore', 'refuse'],
  'empty-values': ['left-out', 'refuse'],
  folding: ['exact', 'folded'],
  trimming: ['no', 'yes'],
  // Symbols in messages.
  'message-case': ['upper', 'as-sent'],
  'kline-order': ['oldest', 'newest'],
  'macro-order': ['newest', 'oldest'],
  // End of a range that limit keeps.
  'limit-keeps': ['newest', 'oldest'],
  'etf-limit': ['kept', 'ignored'],
  // /news page_size 101 to 200.
  'news-size': ['as-maximum', 'two-hundred'],
  // First row of a trading day.
  'etf-row-from': ['open', 'midnight', 'close'],
  'etf-settled': ['next-trading-day', 'next-midnight', 'next-evening', 'same-night'],
  // What the restricted key may not call.
  'restricted-to': ['news', 'etfs', 'many'],
  // Endpoints with a purpose only.
  'purpose-empty': ['filled', 'empty'],
  'no-such-method': ['405', '404', 'as-get'],
  'trailing-slash': ['404', 'same'],
  limiter: ['fixed', 'aligned', 'aligned-by-key', 'sliding', 'sliding-counts-refused', 'bucket'],
  'limit-headers': ['all', 'refusal-only', 'good-and-refusal', 'not-on-404'],
  'header-case': ['as-stated', 'lower'],
  // Announced reset.
  reset: ['exact', 'ttl', 'seconds-up', 'jitter'],
  'retry-after': ['seconds', 'ms'],
  'retry-header': ['no', 'yes'],
  'shared-key': ['no', 'now-and-then'],
  quota: ['429', '403', '402', '429-own-code'],
  // What lies between the service and its clients.
  latency: ['0', '5', '20', '150', '800'],
  'keep-alive': ['5s', '1s', 'none'],
  framing: ['length', 'chunked', 'slices'],
  compression: ['none', 'gzip', 'brotli'],
  'content-type': ['plain', 'utf-8', 'upper', 'semicolon', 'quoted'],
  'json-text': ['compact', 'pretty', 'escaped', 'newline', 'leading-blank'],
  etag: ['none', 'etag', 'last-modified'],
  cdn: ['none', 'some', 'cookies'],
  firewall: ['none', 'html-403', 'html-406'],
  drops: ['never', 'one-in-fifty'],
  date: ['right', 'none', 'proxy'],
  // Server clock against real time, seconds.
  'clock-off': ['0', '-3', '3', '-30', '30', '-58', '58'],
  // Instances behind a balancer.
  instances: ['1', '2', '5'],
} as const satisfies Record<string, readonly [string, string, ...string[]]>;

/** Choices that are drawn seldom: such worlds are slow. */
export const RARE: ReadonlySet<string> = new Set(['shared-key', 'latency']);
