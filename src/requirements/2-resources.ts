import { check, part } from '../ask/index.ts';
import { plainOf } from '../ask/requests/endpoints.ts';
import { history } from '../ask/requests/etf-history.ts';
import * as macro from '../ask/requests/macro.ts';
import { PAIRS } from '../ask/requests/pairs.ts';
import { shownAt } from '../ask/requests/resources.ts';
import { endpoint, ENDPOINT_PATHS } from '../contract/endpoints.ts';
import { ETFS } from '../rules/etfs.ts';
import { EXTRA_FIELDS } from '../rules/extra-fields.ts';
import { MACRO_VALUES } from '../rules/macro-values.ts';
import { MARKET_VALUES } from '../rules/market-values.ts';
import { OBSERVATIONS } from '../rules/observations.ts';
import { NULL_FIGURES } from '../rules/schemas.ts';
import { CHARTS, CONTRADICTING_FIGURES, IDENTIFIER_ECHO } from './advice.ts';
import { about, must, should, observe, type Definition } from './definition.ts';

const SNAPSHOT = '/currencies/{currency_id}/market-snapshot';
const STOCK = '/crypto-stocks/{stock_ticker}/market-snapshot';
const MACRO = '/macro/events/{event}/history';
const ANALYSES = '/analyses';

const ofStock = [check(shownAt(STOCK))];
const ofCharts = [check(shownAt(ANALYSES))];

const WITH_RESOURCE = ENDPOINT_PATHS.filter(
  (path) => endpoint(path).response.resource !== undefined,
);

/** Requirements of §2 in general and of §2.8 to §2.11, beyond presence and type of single fields. */
export const RESOURCE_REQUIREMENTS = {
  '2/extra-fields': observe({
    title: 'Fields that the specification does not name',
    clauses: ['4 response shapes'],
    rulings: [3],
    checks: plainOf(WITH_RESOURCE),
    judge: EXTRA_FIELDS.extraFields,
  }),
  '2/null-figures': should({
    title:
      'A figure or date that may not exist or not be known is null only where the specification says so',
    defect: 'schema',
    clauses: ['2 type names'],
    rulings: [3],
    why: 'No clause allows null here, so a typed client may stop at it, though there may be nothing else to send.',
    usually: [
      'A supply or an extreme that was never recorded is stored as null.',
      'A source failed, and its figures are null for all records.',
    ],
    checks: [check(shownAt(SNAPSHOT, PAIRS, STOCK))],
    judge: NULL_FIGURES,
  }),
  '2/decimal-form': observe({
    title: 'Decimals are JSON numbers or decimal strings',
    clauses: ['2 type names'],
    rulings: [1],
    checks: plainOf([SNAPSHOT, '/etfs/summary-history']),
    judge: OBSERVATIONS.decimalForm,
  }),
  '2/string-timestamp-format': observe({
    title: 'Format of timestamps that are strings: epoch ms, ISO 8601 or another',
    clauses: ['2 type names'],
    rulings: [2],
    checks: plainOf([
      '/currencies/{currency_id}',
      SNAPSHOT,
      '/currencies/{currency_id}/token-economics',
    ]),
    judge: OBSERVATIONS.stringTimestampFormat,
  }),
  ...about(['/etfs/summary-history', '/etfs/{ticker}/history'], {
    '2.8/currency-share-unit': observe({
      title: 'Market share is a fraction or a percentage',
      clauses: ['2.8 table 2 currency_share'],
      needs: ['etfTickers'],
      checks: [check(history)],
      judge: ETFS.currencyShareUnit,
    }),
    '2.8/ticker-echo': must({
      title: 'Rows of an ETF carry the ticker that was asked for',
      clauses: ['2.8 table 2 ticker'],
      needs: ['etfTickers'],
      ...IDENTIFIER_ECHO,
      checks: [check(history)],
      judge: ETFS.tickerEcho,
    }),
  }),
  ...about([STOCK], {
    '2.9/ticker-echo': must({
      title: 'The stock snapshot carries the ticker that was asked for',
      clauses: ['2.9 ticker'],
      needs: ['stockTickers'],
      ...IDENTIFIER_ECHO,
      checks: ofStock,
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
      checks: ofStock,
      judge: MARKET_VALUES.circulatingWithinTotal,
    }),
    '2.9/timestamp-unit': observe({
      title: 'Unit of the timestamp of the stock snapshot',
      clauses: ['2.9 timestamp'],
      rulings: [2],
      needs: ['stockTickers'],
      checks: ofStock,
      judge: OBSERVATIONS.timestampUnit,
    }),
  }),
  ...about([MACRO], {
    '2.10/date-format': observe({
      title: 'Format of the date of macro rows',
      clauses: ['2.10 date'],
      needs: ['macroEvents'],
      checks: [check(shownAt(MACRO))],
      judge: OBSERVATIONS.dateFormat,
    }),
    '2.10/released': should({
      title: 'Rows of past releases have figures',
      clauses: ['2.10 actual', '2.10 previous'],
      rulings: [3],
      needs: ['macroEvents'],
      why: 'A history without figures says nothing but when something was released.',
      usually: [
        'The figures are kept under other names, and null stands for what was not found.',
        'Only the calendar was imported, not what was released.',
      ],
      checks: [check(macro.all), part('in the plain answer', macro.history)],
      judge: MACRO_VALUES.released,
    }),
  }),
  ...about([ANALYSES], {
    '2.11/time-field-listed': should({
      title: 'time_field names one of the listed fields of the chart',
      clauses: ['2.11 time_field', '2.11 fields'],
      ...CHARTS,
      checks: ofCharts,
      judge: MARKET_VALUES.timeFieldListed,
    }),
    '2.11/names-unique': should({
      title: 'Chart names are unique',
      clauses: ['2.11 chart_name'],
      ...CHARTS,
      checks: ofCharts,
      judge: MARKET_VALUES.namesUnique,
    }),
    '2.11/data-shape': observe({
      title: 'Shape of the records of one chart',
      endpoints: ['/analyses/{chart_name}'],
      clauses: ['2.11 chart data'],
      needs: ['chartNames'],
      checks: [check(shownAt('/analyses/{chart_name}'))],
      judge: OBSERVATIONS.dataShape,
    }),
  }),
} as const satisfies Record<string, Definition>;
