import { OBSERVATIONS } from '../rules/observations.ts';
import { ANSWERED } from '../rules/shapes.ts';
import { PURPOSE_ONLY } from './advice.ts';
import { must, observe, type Definition } from './definition.ts';

const stock = ['stockTickers'] as const;

/** Requirements of §4.7. */
export const PURPOSE_ONLY_REQUIREMENTS = {
  '4.7/crypto-stocks': must({
    title: 'The stock list exists and answers JSON',
    clauses: ['4.7 GET /crypto-stocks'],
    rulings: [16],
    ...PURPOSE_ONLY,
    judge: ANSWERED['/crypto-stocks'],
  }),
  '4.7/market-cap': must({
    title: 'The market cap history of a company exists and answers JSON',
    clauses: ['4.7 GET /crypto-stocks/{stock_ticker}/market-cap'],
    rulings: [16],
    needs: stock,
    ...PURPOSE_ONLY,
    judge: ANSWERED['/crypto-stocks/{stock_ticker}/market-cap'],
  }),
  '4.7/sectors': must({
    title: 'The sector list exists and answers JSON',
    clauses: ['4.7 GET /crypto-stocks/sector'],
    rulings: [16],
    ...PURPOSE_ONLY,
    judge: ANSWERED['/crypto-stocks/sector'],
  }),
  '4.7/sector-index': must({
    title: 'The index history of a sector exists and answers JSON',
    clauses: ['4.7 GET /crypto-stocks/sector/{sector_name}/index'],
    rulings: [16],
    needs: ['sectorNames'],
    ...PURPOSE_ONLY,
    judge: ANSWERED['/crypto-stocks/sector/{sector_name}/index'],
  }),
  '4.7/indices': must({
    title: 'The index list exists and answers JSON',
    clauses: ['4.7 GET /indices', '1 Indices'],
    rulings: [16],
    ...PURPOSE_ONLY,
    judge: ANSWERED['/indices'],
  }),
  '4.7/index-constituents': must({
    title: 'The constituents of an index exist and answer JSON',
    clauses: ['4.7 GET /indices/{index_ticker}/constituents'],
    rulings: [16],
    needs: ['indexTickers'],
    ...PURPOSE_ONLY,
    judge: ANSWERED['/indices/{index_ticker}/constituents'],
  }),
  '4.7/index-snapshot': must({
    title: 'The snapshot of an index exists and answers JSON',
    clauses: ['4.7 GET /indices/{index_ticker}/market-snapshot'],
    rulings: [16],
    needs: ['indexTickers'],
    ...PURPOSE_ONLY,
    judge: ANSWERED['/indices/{index_ticker}/market-snapshot'],
  }),
  '4.7/index-klines': must({
    title: 'The klines of an index exist and answer JSON',
    clauses: ['4.7 GET /indices/{index_ticker}/klines'],
    rulings: [16],
    needs: ['indexTickers'],
    ...PURPOSE_ONLY,
    judge: ANSWERED['/indices/{index_ticker}/klines'],
  }),
  '4.7/etfs': must({
    title: 'The ETF list exists and answers JSON',
    clauses: ['4.7 GET /etfs'],
    rulings: [16],
    ...PURPOSE_ONLY,
    judge: ANSWERED['/etfs'],
  }),
  '4.7/etf-snapshot': must({
    title: 'The snapshot of an ETF exists and answers JSON',
    clauses: ['4.7 GET /etfs/{ticker}/market-snapshot'],
    rulings: [16],
    needs: ['etfTickers'],
    ...PURPOSE_ONLY,
    judge: ANSWERED['/etfs/{ticker}/market-snapshot'],
  }),
  '4.7/hot-news': must({
    title: 'Hot news exists and answers JSON',
    clauses: ['4.7 GET /news/hot'],
    rulings: [16],
    ...PURPOSE_ONLY,
    judge: ANSWERED['/news/hot'],
  }),
  '4.7/news-search': must({
    title: 'News search exists and answers JSON',
    clauses: ['4.7 GET /news/search'],
    rulings: [16],
    ...PURPOSE_ONLY,
    judge: ANSWERED['/news/search'],
  }),
  '4.7/projects': must({
    title: 'The project list exists and answers JSON',
    clauses: ['4.7 GET /fundraising/projects', '1 Project fundraising'],
    rulings: [16],
    ...PURPOSE_ONLY,
    judge: ANSWERED['/fundraising/projects'],
  }),
  '4.7/project': must({
    title: 'Project detail exists and answers JSON',
    clauses: ['4.7 GET /fundraising/projects/{project_id}'],
    rulings: [16],
    needs: ['projectIds'],
    ...PURPOSE_ONLY,
    judge: ANSWERED['/fundraising/projects/{project_id}'],
  }),
  '4.7/macro-events': must({
    title: 'The macro calendar exists and answers JSON',
    clauses: ['4.7 GET /macro/events'],
    rulings: [16],
    ...PURPOSE_ONLY,
    judge: ANSWERED['/macro/events'],
  }),
  '4.7/chart-data': must({
    title: 'The data of a chart exists and answers JSON',
    clauses: ['4.7 GET /analyses/{chart_name}'],
    rulings: [16],
    needs: ['chartNames'],
    ...PURPOSE_ONLY,
    judge: ANSWERED['/analyses/{chart_name}'],
  }),
  '4.7/currencies': must({
    title: 'The currency list exists and answers JSON',
    clauses: ['4.7 GET /currencies'],
    rulings: [16],
    ...PURPOSE_ONLY,
    judge: ANSWERED['/currencies'],
  }),
  '4.7/record-shapes': observe({
    title: 'Records of the purpose-only endpoints',
    clauses: ['2.12 records of purpose-only endpoints', '4.7 parameters and shapes'],
    rulings: [16],
    judge: OBSERVATIONS.recordShapes,
  }),
} as const satisfies Record<string, Definition>;
