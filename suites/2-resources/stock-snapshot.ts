// §2.9: the market snapshot of a stock.
import { check } from '../../src/ask/index.ts';
import { about, must, observe, should } from '../../src/requirements/definition.ts';
import { expectationOf } from '../../src/judge/expectation.ts';
import { show } from '../../src/judge/judgement.ts';
import { isSameTicker } from '../../src/judge/tickers.ts';
import { fieldsOf } from '../families/field.ts';
import { shownAt } from '../families/resource-requests.ts';
import { CONTRADICTING_FIGURES, IDENTIFIER_ECHO } from './advice.ts';
import { ascending, everyRecord } from './judge.ts';
import { timestampUnit } from './times.ts';

const STOCK = '/crypto-stocks/{stock_ticker}/market-snapshot';
const checks = [check(shownAt(STOCK))];

export const STOCK_SNAPSHOT = {
  ...fieldsOf('stock-snapshot'),
  ...about([STOCK], {
    '2.9/ticker-echo': must({
      title: 'The stock snapshot has the requested ticker',
      clauses: ['2.9 ticker'],
      ...IDENTIFIER_ECHO,
      checks,
      judge: everyRecord('stock-snapshot', ({ pointer, value: { ticker } }, view, it, context) => {
        const asked = view.exchange.pathParameters['stock_ticker'];
        if (asked === undefined || typeof ticker !== 'string') return;
        // An unknown one has no record (§7).
        if (expectationOf(view, context).kind === 'refused') return;
        it.expect(view, isSameTicker(ticker, asked), () => ({
          kind: 'other-stock',
          expected: `ticker "${asked}"`,
          actual: `ticker ${show(ticker)}`,
          pointer: `${pointer}/ticker`,
        }));
      }),
    }),
    '2.9/circulating-within-total': should({
      title: 'Circulating shares and market cap do not exceed the totals',
      clauses: [
        '2.9 circulating_marketcap, total_marketcap',
        '2.9 total_shares, circulating_shares',
      ],
      shownBy: 'a stock snapshot with a circulating figure and its total',
      rulings: [22],
      ...CONTRADICTING_FIGURES,
      checks,
      judge: ascending(
        'stock-snapshot',
        { low: 'circulating_marketcap', high: 'total_marketcap', tolerance: 1e-6, above: true },
        { low: 'circulating_shares', high: 'total_shares', tolerance: 1e-6, above: true },
      ),
    }),
    '2.9/timestamp-unit': observe({
      title: 'Unit of the stock snapshot timestamp',
      clauses: ['2.9 timestamp'],
      rulings: [2],
      checks,
      judge: everyRecord('stock-snapshot', ({ value: { timestamp } }, view, it) => {
        if (typeof timestamp !== 'number') return;
        const question = 'Unit of the timestamp in the snapshot of a stock';
        it.read(question, timestampUnit(timestamp), view);
      }),
    }),
  }),
};
