import { CURRENCY_ECHO } from '../rules/currency-echo.ts';
import { CURRENCY_VALUES } from '../rules/currency-values.ts';
import { ETFS } from '../rules/etfs.ts';
import { EXTRA_FIELDS } from '../rules/extra-fields.ts';
import { FUNDRAISING_VALUES } from '../rules/fundraising-values.ts';
import { MACRO_VALUES } from '../rules/macro-values.ts';
import { MARKET_VALUES } from '../rules/market-values.ts';
import { NEWS_HTML } from '../rules/news-html.ts';
import { NEWS_LANGUAGE } from '../rules/news-language.ts';
import { NEWS } from '../rules/news.ts';
import { OBSERVATIONS } from '../rules/observations.ts';
import { OWN_RECORDS } from '../rules/own-records.ts';
import { PAIR_SIDES } from '../rules/pair-sides.ts';

import { NULL_FIGURES } from '../rules/schemas.ts';
import {
  CANDLES,
  CHARTS,
  CONTRADICTING_FIGURES,
  FUNDRAISING,
  IDENTIFIER_ECHO,
  NON_NEGATIVE,
  RANGE,
  URLS,
} from './advice.ts';
import { about, must, should, observe, type Definition } from './definition.ts';

/** Requirements of §2 beyond presence and type of single fields. */
export const RESOURCE_REQUIREMENTS = {
  '2/extra-fields': observe({
    title: 'Fields that the specification does not name',
    clauses: ['4 response shapes'],
    rulings: [3],
    judge: EXTRA_FIELDS.extraFields,
  }),
  '2/null-figures': should({
    title:
      'A figure or date that may not exist or not be known is null only where the specification says so',
    clauses: ['2 type names'],
    rulings: [3],
    why: 'No clause allows null here, so a typed client may stop at it, though there may be nothing else to send.',
    usually: [
      'A supply or an extreme that was never recorded is stored as null.',
      'A source failed, and its figures are null for all records.',
    ],
    judge: NULL_FIGURES,
  }),
  '2/decimal-form': observe({
    title: 'Decimals are JSON numbers or decimal strings',
    clauses: ['2 type names'],
    rulings: [1],
    judge: OBSERVATIONS.decimalForm,
  }),
  '2/string-timestamp-format': observe({
    title: 'Format of timestamps that are strings: epoch ms, ISO 8601 or another',
    clauses: ['2 type names'],
    rulings: [2],
    judge: OBSERVATIONS.stringTimestampFormat,
  }),
  '2.1/currency-id-echo': must({
    title: 'Currency info carries the currency_id that was asked for',
    clauses: ['2.1 currency_id'],
    endpoints: ['/currencies/{currency_id}'],
    needs: ['currencyIds'],
    ...IDENTIFIER_ECHO,
    judge: CURRENCY_ECHO.currencyIdEcho,
  }),
  '2.1/urls': should({
    title: 'Icon, whitepaper, explorers and community links are http(s) URLs or empty',
    clauses: ['2.1 icon', '2.1 white_paper', '2.1 explorers', '2.1 community'],
    endpoints: ['/currencies/{currency_id}'],
    needs: ['currencyIds'],
    ...URLS,
    judge: CURRENCY_VALUES.urls,
  }),
  ...about(['/currencies/{currency_id}/market-snapshot'], {
    '2.2/high-low': should({
      title: 'high_24h is not below low_24h',
      clauses: ['2.2 high_24h, low_24h'],
      rulings: [22],
      needs: ['currencyIds'],
      ...CONTRADICTING_FIGURES,
      judge: CURRENCY_VALUES.highLow,
    }),
    '2.2/ath-covers-price': should({
      title: 'The all-time high is not below the current price',
      clauses: ['2.2 ath'],
      rulings: [22],
      needs: ['currencyIds'],
      ...CONTRADICTING_FIGURES,
      judge: CURRENCY_VALUES.athCoversPrice,
    }),
    '2.2/cycle-low-below-price': should({
      title: 'The cycle low is not above the current price',
      clauses: ['2.2 cycle_low'],
      rulings: [22],
      needs: ['currencyIds'],
      ...CONTRADICTING_FIGURES,
      judge: CURRENCY_VALUES.cycleLowBelowPrice,
    }),
    '2.2/fdv-covers-marketcap': should({
      title: 'Fully diluted valuation is not below market capitalization',
      clauses: ['2.2 fdv', '2.2 marketcap'],
      rulings: [22],
      needs: ['currencyIds'],
      ...CONTRADICTING_FIGURES,
      judge: CURRENCY_VALUES.fdvCoversMarketcap,
    }),
    '2.2/supply-strings': should({
      title: 'Supplies are decimal strings, circulating not above total, total not above maximum',
      clauses: ['2.2 max_supply', '2.2 total_supply', '2.2 circulating_supply'],
      rulings: [22],
      needs: ['currencyIds'],
      ...CONTRADICTING_FIGURES,
      judge: CURRENCY_VALUES.supplyStrings,
    }),
    '2.2/percent-strings': should({
      title: 'Distances from all-time high and cycle low are empty or numeric strings',
      clauses: ['2.2 down_from_ath', '2.2 up_from_cycle_low'],
      needs: ['currencyIds'],
      ...CONTRADICTING_FIGURES,
      judge: CURRENCY_VALUES.percentStrings,
    }),
    '2.2/non-negative': should({
      title: 'Prices, volumes and capitalizations are not negative and the rank is at least 1',
      clauses: ['2.2 price', '2.2 turnover_24h', '2.2 marketcap_rank'],
      needs: ['currencyIds'],
      ...NON_NEGATIVE,
      judge: CURRENCY_VALUES.nonNegative,
    }),
    '2.2/price-agrees': should({
      title: 'The price of a currency is near the prices of its pairs in US dollars',
      clauses: ['2.2 price', '2.5 price'],
      rulings: [22],
      needs: ['currencyIds'],
      why: 'Two answers about one currency that are worlds apart cannot both be right.',
      usually: [
        'The snapshot is that of another currency, often the first one, from a cache whose key leaves out the identifier.',
        'One of the prices is in another currency, or for a thousand or a million tokens.',
      ],
      judge: OWN_RECORDS.priceAgrees,
    }),
  }),
  '2.3/percentage-range': should({
    title: 'Allocation percentages lie between 0 and 100',
    clauses: ['2.3 token_allocation'],
    endpoints: ['/currencies/{currency_id}/token-economics'],
    needs: ['currencyIds'],
    ...RANGE,
    judge: CURRENCY_VALUES.percentageRange,
  }),
  '2.3/unlock-strings': should({
    title: 'Unlocked and locked amounts are decimal strings',
    clauses: ['2.3 token_unlock'],
    endpoints: ['/currencies/{currency_id}/token-economics'],
    needs: ['currencyIds'],
    why: 'Allocation and unlocks are shown as shares and amounts; another unit is off by a factor of a hundred.',
    usually: [
      'Fractions (0.2) are sent where percentages (20) are meant, so that they add up to 1.',
      'Amounts are formatted for people, with separators or a symbol.',
    ],
    judge: CURRENCY_VALUES.unlockStrings,
  }),
  '2.4/ohlc-order': should({
    title: 'A candle keeps low <= open, close <= high, and no figure is negative',
    clauses: ['2.4 open, high, low, close', '2.4 volume'],
    endpoints: ['/currencies/{currency_id}/klines', '/crypto-stocks/{stock_ticker}/klines'],
    rulings: [22],
    needs: ['currencyIds'],
    ...CANDLES,
    judge: MARKET_VALUES.ohlcOrder,
  }),
  '2.4/daily-spacing': should({
    title: 'Candles of interval 1d lie whole days apart, give or take an hour of daylight saving',
    clauses: ['2.4 timestamp'],
    endpoints: ['/currencies/{currency_id}/klines', '/crypto-stocks/{stock_ticker}/klines'],
    needs: ['currencyIds'],
    ...CANDLES,
    judge: MARKET_VALUES.dailySpacing,
  }),
  '2.5/base-or-target': should({
    title: 'Every pair of a currency has it as base or target',
    clauses: ['2.5 base', '2.5 target'],
    endpoints: ['/currencies/{currency_id}/pairs'],
    needs: ['currencyIds'],
    why: 'The list belongs to one currency; foreign pairs in it are added to its volume.',
    usually: [
      'Pairs are found by a name that two currencies share.',
      'Wrapped or bridged tokens are counted under the original.',
    ],
    judge: PAIR_SIDES.baseOrTarget,
  }),
  '2.5/non-negative': should({
    title: 'Price, turnover and costs of a pair are not negative',
    clauses: ['2.5 price', '2.5 turnover_24h'],
    endpoints: ['/currencies/{currency_id}/pairs'],
    needs: ['currencyIds'],
    ...NON_NEGATIVE,
    judge: MARKET_VALUES.nonNegative,
  }),
  ...about(['/currencies/{currency_id}/fundraising'], {
    '2.6/stats-rounds': should({
      title: 'investment_stats.total_rounds counts the rounds listed',
      clauses: ['2.6 investment_stats'],
      needs: ['currencyIds'],
      ...FUNDRAISING,
      judge: FUNDRAISING_VALUES.statsRounds,
    }),
    '2.6/update-after-create': should({
      title: 'update_time is not before create_time',
      clauses: ['2.6 create_time, update_time'],
      needs: ['currencyIds'],
      ...FUNDRAISING,
      judge: FUNDRAISING_VALUES.updateAfterCreate,
    }),
    '2.6/timestamp-unit': observe({
      title: 'Unit of the timestamps of fundraising: seconds or milliseconds',
      clauses: ['2.6 create_time, update_time'],
      rulings: [2],
      needs: ['currencyIds'],
      judge: FUNDRAISING_VALUES.timestampUnit,
    }),
    '2.6/investor-types': observe({
      title: 'Values of investor type and their number',
      clauses: ['2.6 investor type values'],
      needs: ['currencyIds'],
      judge: FUNDRAISING_VALUES.investorTypes,
    }),
    '2.6/people-shape': observe({
      title: 'Fields of the elements of investors and team',
      clauses: ['2.6 elements of investors and team'],
      needs: ['currencyIds'],
      judge: FUNDRAISING_VALUES.peopleShape,
    }),
  }),
  ...about(['/news', '/news/featured'], {
    '2.7/id-unique': must({
      title: 'News ids are unique within an answer',
      clauses: ['2.7 id'],
      why: 'Readers use the id as the key of a list; a double one overwrites or hides an item.',
      usually: [
        'An item is listed once for each of its categories or currencies.',
        'Pinned items are put in front and not taken out of the list.',
      ],
      judge: NEWS.idUnique,
    }),
    '2.7/html-tags': must({
      title: 'Content holds only the HTML tags that the specification lists',
      clauses: ['2.7 html tags', '2.7 content'],
      why: 'The list of tags is what readers let through. Anything else is shown as text, dropped, or is an attack.',
      usually: [
        'Content of another site is passed on with its tables, frames or scripts.',
        'A tag is right and its attributes are not: see the finding.',
      ],
      judge: NEWS_HTML.htmlTags,
    }),
    '2.7/counts-non-negative': should({
      title: 'Engagement counts are not negative',
      clauses: ['2.7 impression_count, like_count, reply_count, repost_count'],
      ...NON_NEGATIVE,
      judge: NEWS.countsNonNegative,
    }),
    '2.7/release-not-future': should({
      title: 'No news is released in the future',
      clauses: ['2.7 release_time'],
      rulings: [22],
      why: 'News from the future is sorted to the top for hours.',
      usually: [
        'Local time is stored as UTC, so that news is some hours ahead.',
        'Scheduled items are published before their time.',
      ],
      judge: NEWS.releaseNotFuture,
    }),
    '2.7/urls': should({
      title: 'Links and images of news are http(s) URLs or empty',
      clauses: [
        '2.7 source_link',
        '2.7 original_link',
        '2.7 author_avatar_url',
        '2.7 feature_image',
      ],
      ...URLS,
      judge: NEWS.urls,
    }),
    '2.7/author-description-language': should({
      title: 'The author description stays the same (English) whichever language is asked for',
      clauses: ['2.7 author_description'],
      rulings: [22],
      why: 'The description is promised in English for every language.',
      usually: ['It is translated with the rest of the item.'],
      judge: NEWS_LANGUAGE.authorDescriptionLanguage,
    }),
  }),
  '2.8/currency-share-unit': observe({
    title: 'Market share is a fraction or a percentage',
    clauses: ['2.8 table 2 currency_share'],
    endpoints: ['/etfs/summary-history', '/etfs/{ticker}/history'],
    needs: ['etfTickers'],
    judge: ETFS.currencyShareUnit,
  }),
  '2.8/ticker-echo': must({
    title: 'Rows of an ETF carry the ticker that was asked for',
    clauses: ['2.8 table 2 ticker'],
    endpoints: ['/etfs/summary-history', '/etfs/{ticker}/history'],
    needs: ['etfTickers'],
    ...IDENTIFIER_ECHO,
    judge: ETFS.tickerEcho,
  }),
  ...about(['/crypto-stocks/{stock_ticker}/market-snapshot'], {
    '2.9/ticker-echo': must({
      title: 'The stock snapshot carries the ticker that was asked for',
      clauses: ['2.9 ticker'],
      needs: ['stockTickers'],
      ...IDENTIFIER_ECHO,
      judge: MARKET_VALUES.tickerEcho,
    }),
    '2.9/circulating-within-total': should({
      title: 'Circulating shares and market cap are not above the totals',
      clauses: [
        '2.9 circulating_marketcap, total_marketcap',
        '2.9 total_shares, circulating_shares',
      ],
      shownBy: 'two requests for parts of one list within a few minutes',
      rulings: [22],
      needs: ['stockTickers'],
      ...CONTRADICTING_FIGURES,
      judge: MARKET_VALUES.circulatingWithinTotal,
    }),
    '2.9/timestamp-unit': observe({
      title: 'Unit of the timestamp of the stock snapshot',
      clauses: ['2.9 timestamp'],
      rulings: [2],
      needs: ['stockTickers'],
      judge: OBSERVATIONS.timestampUnit,
    }),
  }),
  '2.10/date-format': observe({
    title: 'Format of the date of macro rows',
    clauses: ['2.10 date'],
    endpoints: ['/macro/events/{event}/history'],
    needs: ['macroEvents'],
    judge: OBSERVATIONS.dateFormat,
  }),
  '2.10/released': should({
    title: 'Rows of past releases have figures',
    clauses: ['2.10 actual', '2.10 previous'],
    endpoints: ['/macro/events/{event}/history'],
    rulings: [3],
    needs: ['macroEvents'],
    why: 'A history without figures says nothing but when something was released.',
    usually: [
      'The figures are kept under other names, and null stands for what was not found.',
      'Only the calendar was imported, not what was released.',
    ],
    judge: MACRO_VALUES.released,
  }),
  ...about(['/analyses'], {
    '2.11/time-field-listed': should({
      title: 'time_field names one of the listed fields of the chart',
      clauses: ['2.11 time_field', '2.11 fields'],
      ...CHARTS,
      judge: MARKET_VALUES.timeFieldListed,
    }),
    '2.11/names-unique': should({
      title: 'Chart names are unique',
      clauses: ['2.11 chart_name'],
      ...CHARTS,
      judge: MARKET_VALUES.namesUnique,
    }),
    '2.11/data-shape': observe({
      title: 'Shape of the records of one chart',
      clauses: ['2.11 chart data'],
      needs: ['chartNames'],
      judge: OBSERVATIONS.dataShape,
    }),
  }),
} as const satisfies Record<string, Definition>;
