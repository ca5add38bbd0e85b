import { COUNTRIES, ETF_SYMBOLS } from '../../spec/values.ts';
import { byDate, rowsInRange } from '../ranges.ts';
import type { RowOptions } from '../ranges.ts';
import { Refusal } from '../refusal.ts';
import { known } from './call.ts';
import type { Handler, Handlers } from './call.ts';

const HISTORY: RowOptions = {
  names: ['start_date', 'end_date'],
  window: 'etf',
  order: 'newest-first',
  at: byDate,
};

/** Summary of one asset in one country; a pair that is not listed is refused as §4.3 rule 2 says. */
const etfSummaryHistory: Handler = (call) => {
  const symbol = ETF_SYMBOLS.find((candidate) => candidate === call.query.text('symbol'));
  const country = COUNTRIES.find((candidate) => candidate === call.query.text('country_code'));
  const rows =
    symbol === undefined || country === undefined
      ? undefined
      : call.world.etfSummary(symbol, country, call.now);
  if (rows === undefined) {
    const [asset = '', countryCode = ''] = [
      call.query.text('symbol'),
      call.query.text('country_code'),
    ];
    throw new Refusal(
      'invalidFormat',
      `Unsupported ETF category: symbol=${asset}, country_code=${countryCode}`,
      {
        field: 'symbol',
        value: asset,
        issue: `No ETF on ${asset} is listed in ${countryCode}.`,
        suggestion: 'GET /etfs lists the ETFs of every country.',
      },
    );
  }
  return rowsInRange(call, rows, HISTORY);
};

const etfHistory: Handler = (call) => {
  const ticker = call.path['ticker'] ?? '';
  const rows = call.world.etfHistory(ticker, call.now);
  return rowsInRange(call, known(rows, 'ETF', call, 'ticker', '/etfs'), HISTORY);
};

const etfSnapshot: Handler = (call) => {
  const ticker = call.path['ticker'] ?? '';
  return known(call.world.etfSnapshot(ticker, call.now), 'ETF', call, 'ticker', '/etfs');
};

const etfList: Handler = (call) =>
  call.world.etfs.map(({ ticker, name, symbol, country }) => ({
    ticker,
    name,
    symbol,
    country_code: country,
  }));

/** Which handler answers which endpoint. */
export const ETFS = {
  '/etfs/summary-history': etfSummaryHistory,
  '/etfs/{ticker}/history': etfHistory,
  '/etfs': etfList,
  '/etfs/{ticker}/market-snapshot': etfSnapshot,
} as const satisfies Handlers;
