import { describe, expect, it } from 'vitest';
import { findings, history, judgedOf, settledRows } from '../../test/judge/etf-exchanges.ts';
import { exchangeOf, recordOf } from '../../test/judge/exchanges.ts';
import { summary, summaryRows } from '../../test/judge/etf-exchanges.ts';
import { DAY } from '../../src/spec/time.ts';
import { DEFAULT_FACTS } from '../../src/judge/facts.ts';
import { judgeAll } from '../../src/requirements/judging.ts';
import type { Exchange } from '../../src/spec/exchange.ts';

const judge = (...exchanges: Exchange[]) => judgeAll(exchanges, DEFAULT_FACTS);
const own = (...exchanges: Exchange[]): string[] =>
  findings(judge(...exchanges)).filter((text) => text.includes('own'));

const rows = summaryRows();
const others = rows.map((row, index) => ({ ...row, total_net_assets: 77 + index }));

describe('rows of a symbol and country', () => {
  it('differ from those of another pair', () => {
    const judgement = judge(summary(rows), summary(others, { symbol: 'ETH' }));
    expect(judgedOf(judgement, '4.3/own-rows')?.findings).toEqual([]);
  });

  it.each([{ symbol: 'ETH' }, { country_code: 'HK' }])(
    'are reported if they equal those of %j',
    (query) => {
      expect(own(summary(rows), summary(rows, query))).toEqual(['4.3/own-rows /2']);
    },
  );

  it('are the same in another letter case', () => {
    expect(own(summary(rows), summary(rows, { symbol: 'btc' }))).toEqual([]);
  });

  it('may share zeros, and figures of a day or two', () => {
    const idle = rows.map((row) => ({ ...row, total_value_traded: 0 }));
    expect(own(summary(idle), summary(idle, { symbol: 'ETH' }))).toEqual([]);
    const mixed = others.map((row, index) => (index > 7 ? (rows[index] ?? row) : row));
    expect(own(summary(rows), summary(mixed, { symbol: 'ETH' }))).toEqual([]);
  });
});

describe('rows of an ETF', () => {
  const other = settledRows().map((row) => ({ ...row, ticker: 'FBTC' }));

  it('are reported if they equal those of another', () => {
    expect(own(history(settledRows()), history(other, { ticker: 'FBTC' }))).toEqual([
      '4.4/own-rows /2',
    ]);
  });

  it('may be requested by a ticker with its exchange', () => {
    expect(own(history(settledRows()), history(settledRows(), { ticker: 'IBIT.US' }))).toEqual([]);
  });
});

describe('candles', () => {
  const START = Date.UTC(2025, 11, 1);
  const candles = (price: number) =>
    Array.from({ length: 9 }, (_, index) =>
      recordOf('kline', { timestamp: START + index * DAY, close: price, volume: 1 + index }),
    );
  const klines = (id: string, price: number) =>
    exchangeOf('/currencies/{currency_id}/klines', {
      path: { currency_id: id },
      query: { interval: '1d' },
      body: candles(price),
    });

  it('differ between currencies', () => {
    expect(own(klines('a', 5), klines('b', 5))).toEqual(['4.1/klines-own /0']);
    expect(own(klines('a', 5), klines('b', 6))).toEqual([]);
  });

  it('may be equal for two identifiers of one currency', () => {
    const info = (id: string, symbol: string) =>
      exchangeOf('/currencies/{currency_id}', {
        path: { currency_id: id },
        body: recordOf('currency-info', { currency_id: id, symbol }),
      });
    const both = [klines('a', 5), klines('b', 5), info('a', 'BTC')] as const;
    expect(own(...both, info('b', 'btc'))).toEqual([]);
    expect(own(...both, info('b', 'ETH'))).toEqual(['4.1/klines-own /0']);
  });
});
