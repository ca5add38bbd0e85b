import { describe, expect, it } from 'vitest';
import { exchangeOf, judge, recordOf } from '../../test/judge/exchanges.ts';
import { INFO } from '../../test/judge/resource-exchanges.ts';
import { item, type Item } from '../../test/judge/news-exchanges.ts';

const ID = '2.7/matched-names';

const info = (id: string, name: string, symbol: string) =>
  exchangeOf(INFO, {
    path: { currency_id: id },
    body: recordOf('currency-info', { currency_id: id, name, symbol }),
  });
const news = (...matched: Item[]) =>
  exchangeOf('/news', {
    body: {
      list: matched.map((one, index) => item(index, { matched_currencies: [one] })),
      page: 1,
      page_size: 20,
      total: matched.length,
    },
  });
/** Pointers of the findings; undefined if nothing was judged. */
const found = (...exchanges: Parameters<typeof judge>[0]) =>
  judge(exchanges)
    .requirements.get(ID)
    ?.findings.map(({ pointer }) => pointer);

const BITCOIN = info('101', 'Bitcoin', 'BTC');
const RIGHT = { id: '101', full_name: 'Bitcoin', name: 'BTC' };
const SWAPPED = { id: '101', full_name: 'btc', name: 'bitcoin' };
const FOUND = ['/list/0/matched_currencies/0'];

describe('the names of a matched currency', () => {
  it('are those of currency info', () => {
    expect(found(BITCOIN, news(RIGHT))).toEqual([]);
    expect(found(news(RIGHT, SWAPPED), BITCOIN)).toEqual(['/list/1/matched_currencies/0']);
    expect(found(BITCOIN, news({ ...RIGHT, name: 'Bitcoin' }))).toEqual(FOUND);
  });

  it('may be spelled differently', () => {
    const others = [
      { id: '101', full_name: 'Bitcoin Core', name: 'XBT' },
      { id: '101', full_name: '比特币', name: 'btc' },
      { id: '101', full_name: 'BTC', name: 'BTC' },
      { id: '101', full_name: null, name: 7 },
    ];
    expect(found(BITCOIN, news(...others))).toEqual([]);
  });

  it('may use a former symbol as name', () => {
    const renamed = info('102', 'POL', 'MATIC');
    expect(found(renamed, news({ id: '102', full_name: 'Polygon', name: 'POL' }))).toEqual([]);
    expect(found(renamed, news({ id: '102', full_name: 'MATIC', name: 'POL' }))).toEqual(FOUND);
  });

  it('are not judged without other information, or if name and symbol are equal', () => {
    expect(found(news(SWAPPED))).toBeUndefined();
    expect(found(info('102', 'Ethereum', 'ETH'), news(SWAPPED))).toBeUndefined();
    expect(found(info('101', 'XRP', 'xrp'), news(SWAPPED))).toBeUndefined();
  });
});
