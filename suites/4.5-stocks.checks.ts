// §4.5 Crypto stocks: snapshot and klines.
import { requirement, Untested } from '../src/suite/index.ts';
import { klineSuite } from '../src/ask/requests/klines.ts';

const SNAPSHOT = '/crypto-stocks/{stock_ticker}/market-snapshot';

requirement(
  '4.5/market-snapshot',
  async ({ api, expect }) => {
    expect(await api.get(SNAPSHOT)).toConform();
  },
  { profile: 'smoke' },
);
requirement.for('4.5/market-snapshot', [1, 2, 3], { profile: 'full' })(
  'for the stock at place %s of the list',
  async (at, { api, expect }) => {
    const stock_ticker = (await api.fixtures('stockTickers'))[at];
    if (stock_ticker === undefined) {
      throw new Untested(`needs ${at + 1} stocks: add to fixtures.stockTickers`);
    }
    expect(await api.get(SNAPSHOT, {}, { path: { stock_ticker } })).toConform();
  },
);

klineSuite({ path: '/crypto-stocks/{stock_ticker}/klines', section: '4.5' });
