import { check } from '../ask/index.ts';
import { PAIRS } from '../ask/requests/pairs.ts';
import { besidePairs, shownAt } from '../ask/requests/resources.ts';
import { CURRENCY_ECHO } from '../rules/currency-echo.ts';
import { CURRENCY_VALUES } from '../rules/currency-values.ts';
import { FUNDRAISING_VALUES } from '../rules/fundraising-values.ts';
import { MARKET_VALUES } from '../rules/market-values.ts';
import { OWN_RECORDS } from '../rules/own-records.ts';
import { PAIR_SIDES } from '../rules/pair-sides.ts';
import {
  CANDLES,
  CONTRADICTING_FIGURES,
  FUNDRAISING,
  IDENTIFIER_ECHO,
  NON_NEGATIVE,
  URLS,
} from './advice.ts';
import { about, must, should, observe, type Definition } from './definition.ts';

const INFO = '/currencies/{currency_id}';
const SNAPSHOT = '/currencies/{currency_id}/market-snapshot';
const ECONOMICS = '/currencies/{currency_id}/token-economics';
const KLINES = [
  '/currencies/{currency_id}/klines',
  '/crypto-stocks/{stock_ticker}/klines',
] as const;
const PROJECT = '/currencies/{currency_id}/fundraising';

const needs = ['currencyIds'] as const;
const ofSnapshot = [check(shownAt(SNAPSHOT))];
const ofProject = [check(shownAt(PROJECT))];

/** Requirements of §2.1 to §2.6 beyond presence and type of single fields. */
export const CURRENCY_RESOURCE_REQUIREMENTS = {
  ...about([INFO], {
    '2.1/currency-id-echo': must({
      title: 'Currency info carries the currency_id that was asked for',
      clauses: ['2.1 currency_id'],
      needs,
      ...IDENTIFIER_ECHO,
      checks: [check(shownAt(INFO))],
      judge: CURRENCY_ECHO.currencyIdEcho,
    }),
    '2.1/urls': should({
      title: 'Icon, whitepaper, explorers and community links are http(s) URLs or empty',
      clauses: ['2.1 icon', '2.1 white_paper', '2.1 explorers', '2.1 community'],
      needs,
      ...URLS,
      checks: [check(shownAt(INFO))],
      judge: CURRENCY_VALUES.urls,
    }),
  }),
  ...about([SNAPSHOT], {
    '2.2/high-low': should({
      title: 'high_24h is not below low_24h',
      clauses: ['2.2 high_24h, low_24h'],
      rulings: [22],
      needs,
      ...CONTRADICTING_FIGURES,
      checks: ofSnapshot,
      judge: CURRENCY_VALUES.highLow,
    }),
    '2.2/price-in-range': should({
      title: 'The current price lies within low_24h and high_24h, give or take 5 %',
      clauses: ['2.2 price', '2.2 high_24h, low_24h'],
      rulings: [22],
      needs,
      ...CONTRADICTING_FIGURES,
      checks: ofSnapshot,
      judge: CURRENCY_VALUES.priceInRange,
    }),
    '2.2/ath-covers-price': should({
      title: 'The all-time high is not below the current price',
      clauses: ['2.2 ath'],
      rulings: [22],
      needs,
      ...CONTRADICTING_FIGURES,
      checks: ofSnapshot,
      judge: CURRENCY_VALUES.athCoversPrice,
    }),
    '2.2/cycle-low-below-price': should({
      title: 'The cycle low is not above the current price',
      clauses: ['2.2 cycle_low'],
      rulings: [22],
      needs,
      ...CONTRADICTING_FIGURES,
      checks: ofSnapshot,
      judge: CURRENCY_VALUES.cycleLowBelowPrice,
    }),
    '2.2/fdv-covers-marketcap': should({
      title: 'Fully diluted valuation is not below market capitalization',
      clauses: ['2.2 fdv', '2.2 marketcap'],
      rulings: [22],
      needs,
      ...CONTRADICTING_FIGURES,
      checks: ofSnapshot,
      judge: CURRENCY_VALUES.fdvCoversMarketcap,
    }),
    '2.2/supply-strings': should({
      title: 'Supplies are decimal strings, circulating not above total, total not above maximum',
      clauses: ['2.2 max_supply', '2.2 total_supply', '2.2 circulating_supply'],
      rulings: [22],
      needs,
      ...CONTRADICTING_FIGURES,
      checks: ofSnapshot,
      judge: CURRENCY_VALUES.supplyStrings,
    }),
    '2.2/percent-strings': should({
      title: 'Distances from all-time high and cycle low are empty or numeric strings',
      clauses: ['2.2 down_from_ath', '2.2 up_from_cycle_low'],
      needs,
      ...CONTRADICTING_FIGURES,
      checks: ofSnapshot,
      judge: CURRENCY_VALUES.percentStrings,
    }),
    '2.2/non-negative': should({
      title: 'Prices, volumes and capitalizations are not negative and the rank is at least 1',
      clauses: ['2.2 price', '2.2 turnover_24h', '2.2 marketcap_rank'],
      needs,
      ...NON_NEGATIVE,
      checks: ofSnapshot,
      judge: CURRENCY_VALUES.nonNegative,
    }),
    '2.2/price-agrees': should({
      title: 'The price of a currency is near the prices of its pairs in US dollars',
      clauses: ['2.2 price', '2.5 price'],
      rulings: [22],
      needs,
      why: 'Two answers about one currency that are worlds apart cannot both be right.',
      usually: [
        'The snapshot is that of another currency, often the first one, from a cache whose key leaves out the identifier.',
        'One of the prices is in another currency, or for a thousand or a million tokens.',
      ],
      checks: [check(besidePairs(SNAPSHOT))],
      judge: OWN_RECORDS.priceAgrees,
    }),
  }),
  ...about([ECONOMICS], {
    '2.3/percentage-range': should({
      title: 'Allocation percentages lie between 0 and 100',
      clauses: ['2.3 token_allocation'],
      needs,
      why: 'Shares of a supply are drawn as they are; one above 100, or below 0, cannot be a share.',
      usually: [
        'Amounts are sent where shares are meant.',
        'Shares of parts that overlap are added up.',
      ],
      checks: [check(shownAt(ECONOMICS))],
      judge: CURRENCY_VALUES.percentageRange,
    }),
    '2.3/unlock-strings': should({
      title: 'Unlocked and locked amounts are decimal strings',
      clauses: ['2.3 token_unlock'],
      needs,
      why: 'Allocation and unlocks are shown as shares and amounts; another unit is off by a factor of a hundred.',
      usually: [
        'Fractions (0.2) are sent where percentages (20) are meant, so that they add up to 1.',
        'Amounts are formatted for people, with separators or a symbol.',
      ],
      checks: [check(shownAt(ECONOMICS))],
      judge: CURRENCY_VALUES.unlockStrings,
    }),
    '2.3/unlock-timeline-null': should({
      title: 'unlock_timeline is null, not an empty array, when there is no data',
      clauses: ['2.3 unlock_timeline'],
      needs,
      why: 'Readers test for null to say that nothing is known; an empty array says that nothing will ever be unlocked.',
      usually: [
        'A query without rows is sent as it comes.',
        'null is turned into an empty array on its way out, for all arrays alike.',
      ],
      checks: [check(shownAt(ECONOMICS))],
      judge: CURRENCY_VALUES.timelineNull,
    }),
  }),
  ...about(KLINES, {
    '2.4/ohlc-order': should({
      title: 'A candle keeps low <= open, close <= high, and no figure is negative',
      clauses: ['2.4 open, high, low, close', '2.4 volume'],
      rulings: [22],
      needs,
      ...CANDLES,
      checks: [check(shownAt(...KLINES))],
      judge: MARKET_VALUES.ohlcOrder,
    }),
    '2.4/daily-spacing': should({
      title: 'Candles of interval 1d lie whole days apart, give or take an hour of daylight saving',
      clauses: ['2.4 timestamp'],
      needs,
      ...CANDLES,
      checks: [check(shownAt(...KLINES))],
      judge: MARKET_VALUES.dailySpacing,
    }),
  }),
  ...about([PAIRS], {
    '2.5/base-or-target': should({
      title: 'Every pair of a currency has it as base or target',
      clauses: ['2.5 base', '2.5 target'],
      needs,
      why: 'The list belongs to one currency; foreign pairs in it are added to its volume.',
      usually: [
        'Pairs are found by a name that two currencies share.',
        'Wrapped or bridged tokens are counted under the original.',
      ],
      checks: [check(besidePairs(INFO))],
      judge: PAIR_SIDES.baseOrTarget,
    }),
    '2.5/non-negative': should({
      title: 'Price, turnover and costs of a pair are not negative',
      clauses: ['2.5 price', '2.5 turnover_24h'],
      needs,
      ...NON_NEGATIVE,
      checks: [check(shownAt(PAIRS))],
      judge: MARKET_VALUES.nonNegative,
    }),
  }),
  ...about([PROJECT], {
    '2.6/stats-rounds': should({
      title: 'investment_stats.total_rounds counts the rounds listed',
      clauses: ['2.6 investment_stats'],
      needs,
      ...FUNDRAISING,
      checks: ofProject,
      judge: FUNDRAISING_VALUES.statsRounds,
    }),
    '2.6/update-after-create': should({
      title: 'update_time is not before create_time',
      clauses: ['2.6 create_time, update_time'],
      needs,
      ...FUNDRAISING,
      checks: ofProject,
      judge: FUNDRAISING_VALUES.updateAfterCreate,
    }),
    '2.6/all-investors': should({
      title: 'The investors of a project include those of its rounds',
      clauses: ['2.6 investors', '2.6 investor item inside a round'],
      rulings: [22],
      needs,
      why: 'Who backs a project is read from this list; an investor that only a round names is overlooked.',
      usually: [
        'Only lead investors are taken over, or those of the latest round.',
        'The list is cut, or was computed before the last round was entered.',
      ],
      checks: ofProject,
      judge: FUNDRAISING_VALUES.allInvestors,
    }),
    '2.6/timestamp-unit': observe({
      title: 'Unit of the timestamps of fundraising: seconds or milliseconds',
      clauses: ['2.6 create_time, update_time'],
      rulings: [2],
      needs,
      checks: ofProject,
      judge: FUNDRAISING_VALUES.timestampUnit,
    }),
    '2.6/investor-types': observe({
      title: 'Values of investor type and their number',
      clauses: ['2.6 investor type values'],
      needs,
      checks: ofProject,
      judge: FUNDRAISING_VALUES.investorTypes,
    }),
    '2.6/people-shape': observe({
      title: 'Fields of the elements of investors and team',
      clauses: ['2.6 elements of investors and team'],
      needs,
      checks: ofProject,
      judge: FUNDRAISING_VALUES.peopleShape,
    }),
  }),
} as const satisfies Record<string, Definition>;
