import { must, observe, should, type RequirementFacts } from './types.ts';

const KLINES = '4.5 GET /crypto-stocks/{stock_ticker}/klines';
const MACRO = '4.6 GET /macro/events/{event}/history';
const stock = ['stockTickers'] as const;
const macro = ['macroEvents'] as const;
const purpose = (title: string, path: string, more: Parameters<typeof must>[2] = {}) =>
  must(title, [`4.7 GET ${path}`], { rulings: [16], ...more });

/** Requirements of §4.5, §4.6 and §4.7. */
export const AREA_REQUIREMENTS = {
  '4.5/market-snapshot': must(
    'The stock snapshot answers 200 with an object',
    ['4.5 GET /crypto-stocks/{stock_ticker}/market-snapshot', '1 Crypto stocks'],
    { needs: stock },
  ),
  '4.5/klines': must('Klines of a stock answer 200 with an array', [KLINES], { needs: stock }),
  '4.5/klines-interval-required': must(
    'Stock klines without interval are refused with 400 and code 400002',
    [`${KLINES} ?interval`, '7 400002'],
    { rulings: [6, 9], needs: stock },
  ),
  '4.5/klines-interval-enum': must(
    'An interval of stock klines other than 1d is refused with 400 and code 400003',
    [`${KLINES} ?interval`, '7 400003'],
    { rulings: [6, 9], needs: stock },
  ),
  '4.5/klines-limit-default': must(
    'Stock klines without limit are the same as with limit=100',
    [`${KLINES} ?limit`, '8 klines limit'],
    { rulings: [22], needs: stock },
  ),
  '4.5/klines-limit-exact': must(
    'A limit of stock klines below what the window holds gives exactly that many rows',
    [`${KLINES} ?limit`],
    { rulings: [4], needs: stock },
  ),
  '4.5/klines-limit-max': must(
    'A limit of stock klines above 500 is refused or brought into the range',
    [`${KLINES} ?limit`, '8 klines limit'],
    { rulings: [4], needs: stock },
  ),
  '4.5/klines-limit-max-accepted': must(
    'A limit of stock klines of 500 is accepted',
    [`${KLINES} ?limit`],
    { rulings: [4], needs: stock },
  ),
  '4.5/klines-limit-invalid': must(
    'A limit of stock klines of zero, below zero or not a number gets a conforming answer or a 400-class error',
    [`${KLINES} ?limit`],
    { rulings: [4], needs: stock },
  ),
  '4.5/klines-window': must(
    'No candle of a stock is older than 3 months',
    [KLINES, '8 klines limit'],
    { rulings: [5], needs: stock },
  ),
  '4.5/klines-window-answer': must(
    'A range of stock klines beyond the window is refused in the documented shape, cut or empty',
    [KLINES, '8 beyond the window'],
    { rulings: [5], needs: stock },
  ),
  '4.5/klines-range': must(
    'start_time and end_time select the stock candles between them',
    [`${KLINES} ?start_time`, `${KLINES} ?end_time`],
    { rulings: [22], needs: stock },
  ),
  '4.5/klines-own': must('Each stock has candles of its own', [KLINES], {
    rulings: [22],
    needs: stock,
  }),
  '4.5/klines-one-order': should(
    'Stock candles come in one order, without duplicate timestamps',
    [KLINES],
    { rulings: [19], needs: stock },
  ),
  '4.6/macro-history': must(
    'The history of a macro event answers 200 with an array',
    [MACRO, '1 Macro'],
    { needs: macro },
  ),
  '4.6/macro-limit-default': must(
    'Macro history without limit is the same as with limit=50',
    [`${MACRO} ?limit`, '8 macro history limit'],
    { rulings: [22], needs: macro },
  ),
  '4.6/macro-limit-exact': must(
    'A macro limit below what there is gives exactly that many rows',
    [`${MACRO} ?limit`],
    { rulings: [4], needs: macro },
  ),
  '4.6/macro-limit-max': must(
    'A macro limit above 100 is refused or brought into the range',
    [`${MACRO} ?limit`, '8 macro history limit'],
    { rulings: [4], needs: macro },
  ),
  '4.6/macro-limit-max-accepted': must('A macro limit of 100 is accepted', [`${MACRO} ?limit`], {
    rulings: [4],
    needs: macro,
  }),
  '4.6/macro-limit-invalid': must(
    'A macro limit of zero, below zero or not a number gets a conforming answer or a 400-class error',
    [`${MACRO} ?limit`],
    { rulings: [4], needs: macro },
  ),
  '4.6/macro-range': must(
    'start_date and end_date select the macro rows between them',
    [`${MACRO} ?start_date`, `${MACRO} ?end_date`],
    { rulings: [22], needs: macro },
  ),
  '4.6/macro-order': observe('Order of macro rows', [MACRO], { needs: macro }),
  '4.6/analyses': must('The chart list answers 200 with an array', [
    '4.6 GET /analyses',
    '1 Analysis charts',
  ]),
  '4.6/charts-resolve': should(
    'A listed chart name has data',
    ['4.6 GET /analyses', '4.7 GET /analyses/{chart_name}'],
    { needs: ['chartNames'] },
  ),
  '4.7/crypto-stocks': purpose('The stock list exists and answers JSON', '/crypto-stocks'),
  '4.7/market-cap': purpose(
    'The market cap history of a company exists and answers JSON',
    '/crypto-stocks/{stock_ticker}/market-cap',
    { needs: stock },
  ),
  '4.7/sectors': purpose('The sector list exists and answers JSON', '/crypto-stocks/sector'),
  '4.7/sector-index': purpose(
    'The index history of a sector exists and answers JSON',
    '/crypto-stocks/sector/{sector_name}/index',
    { needs: ['sectorNames'] },
  ),
  '4.7/indices': must('The index list exists and answers JSON', ['4.7 GET /indices', '1 Indices'], {
    rulings: [16],
  }),
  '4.7/index-constituents': purpose(
    'The constituents of an index exist and answer JSON',
    '/indices/{index_ticker}/constituents',
    { needs: ['indexTickers'] },
  ),
  '4.7/index-snapshot': purpose(
    'The snapshot of an index exists and answers JSON',
    '/indices/{index_ticker}/market-snapshot',
    { needs: ['indexTickers'] },
  ),
  '4.7/index-klines': purpose(
    'The klines of an index exist and answer JSON',
    '/indices/{index_ticker}/klines',
    { needs: ['indexTickers'] },
  ),
  '4.7/etfs': purpose('The ETF list exists and answers JSON', '/etfs'),
  '4.7/etf-snapshot': purpose(
    'The snapshot of an ETF exists and answers JSON',
    '/etfs/{ticker}/market-snapshot',
    { needs: ['etfTickers'] },
  ),
  '4.7/hot-news': purpose('Hot news exists and answers JSON', '/news/hot'),
  '4.7/news-search': purpose('News search exists and answers JSON', '/news/search'),
  '4.7/projects': must(
    'The project list exists and answers JSON',
    ['4.7 GET /fundraising/projects', '1 Project fundraising'],
    { rulings: [16] },
  ),
  '4.7/project': purpose(
    'Project detail exists and answers JSON',
    '/fundraising/projects/{project_id}',
    { needs: ['projectIds'] },
  ),
  '4.7/macro-events': purpose('The macro calendar exists and answers JSON', '/macro/events'),
  '4.7/chart-data': purpose(
    'The data of a chart exists and answers JSON',
    '/analyses/{chart_name}',
    { needs: ['chartNames'] },
  ),
  '4.7/currencies': purpose('The currency list exists and answers JSON', '/currencies'),
  '4.7/record-shapes': observe(
    'Records of the purpose-only endpoints',
    ['2.12 records of purpose-only endpoints', '4.7 parameters and shapes'],
    { rulings: [16] },
  ),
} as const satisfies Record<string, RequirementFacts>;
