import { describe, expect, it } from 'vitest';
import { exchangeOf, findings, judge, recordOf } from '../../test/judge/exchanges.ts';

const SNAPSHOT = '/currencies/{currency_id}/market-snapshot';
const PAIRS = '/currencies/{currency_id}/pairs';

const snapshot = (currency_id: string, changes: Record<string, unknown> = {}) =>
  exchangeOf(SNAPSHOT, { path: { currency_id }, body: recordOf('currency-snapshot', changes) });
const info = (currency_id: string, symbol: string) =>
  exchangeOf('/currencies/{currency_id}', {
    path: { currency_id },
    body: recordOf('currency-info', { currency_id, symbol }),
  });
const pairs = (
  currency_id: string,
  price: number,
  base = 'BTC',
  targets = ['USDT', 'USD', 'USDC', 'EUR'],
) =>
  exchangeOf(PAIRS, {
    path: { currency_id },
    body: {
      list: targets.map((target) => recordOf('trading-pair', { base, target, price })),
      page: 1,
      page_size: 20,
      total: targets.length,
    },
  });
const found = (...exchanges: Parameters<typeof judge>[0]) =>
  findings(judge(exchanges)).filter((one) => /own-record|price-agrees/.test(one));
const judged = (...exchanges: Parameters<typeof judge>[0]) => [
  ...judge(exchanges).requirements.keys(),
];

describe('records of two currencies', () => {
  it('differ', () => {
    const others = { price: 3000.5, marketcap: '1', turnover_24h: 2 };
    expect(found(snapshot('a'), snapshot('b', others))).toEqual([]);
    expect(judged(snapshot('a'), snapshot('b', others))).toContain('4.1/own-record');
    expect(judged(snapshot('a'), snapshot('a'))).not.toContain('4.1/own-record');
  });

  it('are reported if they are the same', () => {
    expect(found(snapshot('a'), snapshot('b'))).toEqual(['4.1/own-record ']);
    expect(found(pairs('a', 1), pairs('b', 2))).toEqual(['4.1/own-record ']);
  });

  it('may be equal for coins without trades, and for two names of one currency', () => {
    const dead = { price: 0, turnover_24h: 0, marketcap: 0, ath: 0, circulating_supply: '0' };
    expect(found(snapshot('a', dead), snapshot('b', dead))).toEqual([]);
    expect(found(info('a', 'BTC'), info('b', 'BTC'), snapshot('a'), snapshot('b'))).toEqual([]);
    expect(found(info('a', 'BTC'), info('b', 'ETH'), snapshot('a'), snapshot('b'))).toHaveLength(1);
  });
});

describe('pairs of a currency', () => {
  it('have it on one side', () => {
    expect(found(info('a', 'BTC'), pairs('a', 1))).toEqual([]);
    expect(judged(info('a', 'BTC'), pairs('a', 1))).toContain('4.1/own-record');
    expect(found(info('a', 'BTC'), pairs('a', 1, 'XBT'))).toEqual([]);
    expect(found(info('a', 'PEPE'), pairs('a', 1, '1000PEPE'))).toEqual([]);
  });

  it('are reported if they belong to another one', () => {
    expect(found(info('a', 'ETH'), pairs('a', 1, 'BTC'))).toEqual(['4.1/own-record /list/0']);
  });
});

describe('the price of a snapshot', () => {
  const priced = snapshot('a', { price: '100' });

  it('is close to that of its dollar pairs', () => {
    expect(found(priced, pairs('a', 103))).toEqual([]);
    expect(judged(priced, pairs('a', 103))).toContain('2.2/price-agrees');
    expect(found(priced, pairs('a', 4000))).toEqual(['2.2/price-agrees /price']);
  });

  it('is not compared with few pairs, other quotes or another currency', () => {
    for (const other of [
      pairs('a', 4000, 'BTC', ['USDT', 'EUR']),
      pairs('a', 4000, 'BTC', ['JPY', 'KRW', 'EUR', 'GBP']),
      pairs('b', 4000),
      pairs('a', 4000, 'ETH'),
    ]) {
      expect(judged(priced, info('a', 'BTC'), other)).not.toContain('2.2/price-agrees');
    }
  });
});
