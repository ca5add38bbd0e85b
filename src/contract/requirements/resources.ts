import { must, observe, should, type RequirementFacts } from './types.ts';

/** Requirements of §2 beyond the presence and type of fields. */
export const RESOURCE_REQUIREMENTS = {
  '2/extra-fields': observe('Fields that the specification does not name', ['4 response shapes'], {
    rulings: [3],
  }),
  '2/null-figures': should(
    'A figure or date that may not exist or not be known is null only where the specification says so',
    ['2 type names'],
    { rulings: [3] },
  ),
  '2/decimal-form': observe('Decimals are JSON numbers or decimal strings', ['2 type names'], {
    rulings: [1],
  }),
  '2/string-timestamp-format': observe(
    'Format of timestamps that are strings: epoch ms, ISO 8601 or another',
    ['2 type names'],
    { rulings: [2] },
  ),
  '2.1/currency-id-echo': must(
    'Currency info carries the currency_id that was asked for',
    ['2.1 currency_id'],
    { needs: ['currencyIds'] },
  ),
  '2.1/urls': should(
    'Icon, whitepaper, explorers and community links are http(s) URLs or empty',
    ['2.1 icon', '2.1 white_paper', '2.1 explorers', '2.1 community'],
    { needs: ['currencyIds'] },
  ),
  '2.2/high-low': should('high_24h is not below low_24h', ['2.2 high_24h, low_24h'], {
    rulings: [22],
    needs: ['currencyIds'],
  }),
  '2.2/ath-covers-price': should('The all-time high is not below the current price', ['2.2 ath'], {
    rulings: [22],
    needs: ['currencyIds'],
  }),
  '2.2/cycle-low-below-price': should(
    'The cycle low is not above the current price',
    ['2.2 cycle_low'],
    { rulings: [22], needs: ['currencyIds'] },
  ),
  '2.2/fdv-covers-marketcap': should(
    'Fully diluted valuation is not below market capitalization',
    ['2.2 fdv', '2.2 marketcap'],
    { rulings: [22], needs: ['currencyIds'] },
  ),
  '2.2/supply-strings': should(
    'Supplies are decimal strings, circulating not above total, total not above maximum',
    ['2.2 max_supply', '2.2 total_supply', '2.2 circulating_supply'],
    { rulings: [22], needs: ['currencyIds'] },
  ),
  '2.2/percent-strings': should(
    'Distances from all-time high and cycle low are empty or numeric strings',
    ['2.2 down_from_ath', '2.2 up_from_cycle_low'],
    { needs: ['currencyIds'] },
  ),
  '2.2/non-negative': should(
    'Prices, volumes and capitalizations are not negative and the rank is at least 1',
    ['2.2 price', '2.2 turnover_24h', '2.2 marketcap_rank'],
    { needs: ['currencyIds'] },
  ),
  '2.2/price-agrees': should(
    'The price of a currency is near the prices of its pairs in US dollars',
    ['2.2 price', '2.5 price'],
    { rulings: [22], needs: ['currencyIds'] },
  ),
  '2.3/percentage-range': should(
    'Allocation percentages lie between 0 and 100',
    ['2.3 token_allocation'],
    { needs: ['currencyIds'] },
  ),
  '2.3/unlock-strings': should(
    'Unlocked and locked amounts are decimal strings',
    ['2.3 token_unlock'],
    { needs: ['currencyIds'] },
  ),
  '2.4/ohlc-order': should(
    'A candle keeps low <= open, close <= high, and no figure is negative',
    ['2.4 open, high, low, close', '2.4 volume'],
    { rulings: [22], needs: ['currencyIds'] },
  ),
  '2.4/daily-spacing': should(
    'Candles of interval 1d lie whole days apart, give or take an hour of daylight saving',
    ['2.4 timestamp'],
    { needs: ['currencyIds'] },
  ),
  '2.5/base-or-target': should(
    'Every pair of a currency has it as base or target',
    ['2.5 base', '2.5 target'],
    { needs: ['currencyIds'] },
  ),
  '2.5/non-negative': should(
    'Price, turnover and costs of a pair are not negative',
    ['2.5 price', '2.5 turnover_24h'],
    { needs: ['currencyIds'] },
  ),
  '2.6/stats-rounds': should(
    'investment_stats.total_rounds counts the rounds listed',
    ['2.6 investment_stats'],
    { needs: ['currencyIds'] },
  ),
  '2.6/update-after-create': should(
    'update_time is not before create_time',
    ['2.6 create_time, update_time'],
    { needs: ['currencyIds'] },
  ),
  '2.6/timestamp-unit': observe(
    'Unit of the timestamps of fundraising: seconds or milliseconds',
    ['2.6 create_time, update_time'],
    { rulings: [2], needs: ['currencyIds'] },
  ),
  '2.6/investor-types': observe(
    'Values of investor type and their number',
    ['2.6 investor type values'],
    { needs: ['currencyIds'] },
  ),
  '2.6/people-shape': observe(
    'Fields of the elements of investors and team',
    ['2.6 elements of investors and team'],
    { needs: ['currencyIds'] },
  ),
  '2.7/id-unique': must('News ids are unique within an answer', ['2.7 id']),
  '2.7/html-tags': must('Content holds only the HTML tags that the specification lists', [
    '2.7 html tags',
    '2.7 content',
  ]),
  '2.7/counts-non-negative': should('Engagement counts are not negative', [
    '2.7 impression_count, like_count, reply_count, repost_count',
  ]),
  '2.7/release-not-future': should('No news is released in the future', ['2.7 release_time'], {
    rulings: [22],
  }),
  '2.7/urls': should('Links and images of news are http(s) URLs or empty', [
    '2.7 source_link',
    '2.7 original_link',
    '2.7 author_avatar_url',
    '2.7 feature_image',
  ]),
  '2.7/author-description-language': should(
    'The author description stays the same (English) whichever language is asked for',
    ['2.7 author_description'],
    { rulings: [22] },
  ),
  '2.8/currency-share-unit': observe(
    'Market share is a fraction or a percentage',
    ['2.8 table 2 currency_share'],
    { needs: ['etfTickers'] },
  ),
  '2.8/ticker-echo': must(
    'Rows of an ETF carry the ticker that was asked for',
    ['2.8 table 2 ticker'],
    { needs: ['etfTickers'] },
  ),
  '2.9/ticker-echo': must(
    'The stock snapshot carries the ticker that was asked for',
    ['2.9 ticker'],
    { needs: ['stockTickers'] },
  ),
  '2.9/circulating-within-total': should(
    'Circulating shares and market cap are not above the totals',
    ['2.9 circulating_marketcap, total_marketcap', '2.9 total_shares, circulating_shares'],
    { rulings: [22], needs: ['stockTickers'] },
  ),
  '2.9/timestamp-unit': observe('Unit of the timestamp of the stock snapshot', ['2.9 timestamp'], {
    rulings: [2],
    needs: ['stockTickers'],
  }),
  '2.10/date-format': observe('Format of the date of macro rows', ['2.10 date'], {
    needs: ['macroEvents'],
  }),
  '2.10/released': should('Rows of past releases have figures', ['2.10 actual', '2.10 previous'], {
    rulings: [3],
    needs: ['macroEvents'],
  }),
  '2.11/time-field-listed': should('time_field names one of the listed fields of the chart', [
    '2.11 time_field',
    '2.11 fields',
  ]),
  '2.11/names-unique': should('Chart names are unique', ['2.11 chart_name']),
  '2.11/data-shape': observe('Shape of the records of one chart', ['2.11 chart data'], {
    needs: ['chartNames'],
  }),
} as const satisfies Record<string, RequirementFacts>;
