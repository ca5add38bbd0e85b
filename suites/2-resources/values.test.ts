import { describe, expect, it } from 'vitest';
import {
  exchangeOf,
  findings,
  HOSTILE,
  judge,
  readings,
  recordOf,
} from '../../test/judge/exchanges.ts';
import {
  ECONOMICS,
  FUNDRAISING,
  PAIRS,
  one,
  info,
  snapshot,
  stock,
  START,
  candle,
  klines,
  page,
  pairs,
  pair,
  chart,
  charts,
  chartData,
  judgedIds,
} from '../../test/judge/resource-exchanges.ts';
import { ENDPOINT_PATHS } from '../../src/spec/endpoints.ts';
import { byQuestion } from '../../src/judge/judgement.ts';

describe('a price outside the extremes of its day', () => {
  const of = (price: unknown, low_24h: unknown, high_24h: unknown): string[] =>
    findings(judge([snapshot({ price, low_24h, high_24h, ath: 1e9, cycle_low: 0 })]));

  it('is reported', () => {
    expect(of(100, 90, 94)).toEqual(['2.2/price-in-range /high_24h']);
    expect(of(100, 106, 120)).toEqual(['2.2/price-in-range /low_24h']);
  });

  it('may have moved since they were collected, or be rounded', () => {
    expect(of(104, 90, 100)).toEqual([]);
    expect(of('96', '100', '110')).toEqual([]);
    expect(of('0.0000124', '0.00001', '0.00001')).toEqual([]);
  });

  it('is tolerated without trades, and left to the high-low rule if the extremes are swapped', () => {
    expect(of(104, 0, 0)).toEqual([]);
    expect(of(104, null, 90)).not.toContain('2.2/price-in-range /high_24h');
    expect(of(104, 90, 80)).toEqual(['2.2/high-low /high_24h']);
  });
});

describe('contradictory values', () => {
  it.each([
    ['another currency', info({ currency_id: '7' }), '2.1/currency-id-echo /currency_id'],
    ['a relative icon', info({ icon: 'a.png' }), '2.1/urls /icon'],
    [
      'one bad explorer',
      info({ explorers: ['https://a.example', 'ftp://b.example'] }),
      '2.1/urls /explorers/1',
    ],
    ['high below low', snapshot({ high_24h: 1, low_24h: 2 }), '2.2/high-low /high_24h'],
    ['a low all-time high', snapshot({ ath: 1 }), '2.2/ath-covers-price /ath'],
    ['a high cycle low', snapshot({ cycle_low: '9e9' }), '2.2/cycle-low-below-price /cycle_low'],
    ['a low valuation', snapshot({ fdv: 1 }), '2.2/fdv-covers-marketcap /fdv'],
    [
      'a supply with separators',
      snapshot({ total_supply: '19,715,468' }),
      '2.2/supply-strings /total_supply',
    ],
    [
      'more in circulation than there is',
      snapshot({ circulating_supply: '20000000' }),
      '2.2/supply-strings /circulating_supply',
    ],
    [
      'a percentage in words',
      snapshot({ up_from_cycle_low: '4 percent' }),
      '2.2/percent-strings /up_from_cycle_low',
    ],
    ['a negative turnover', snapshot({ turnover_24h: '-1' }), '2.2/non-negative /turnover_24h'],
    ['rank 0', snapshot({ marketcap_rank: 0 }), '2.2/non-negative /marketcap_rank'],
    [
      'a share of 140 percent',
      one(ECONOMICS, 'token-economics', { token_allocation: [{ holder: 'a', percentage: 140 }] }),
      '2.3/percentage-range /token_allocation/0/percentage',
    ],
    [
      'an amount with a unit',
      one(ECONOMICS, 'token-economics', { token_unlock: { unlocked: '12M', total_locked: '1' } }),
      '2.3/unlock-strings /token_unlock/unlocked',
    ],
    ['a close above the high', klines(candle(0), candle(1, { close: 9e9 })), '2.4/ohlc-order /1'],
    ['a negative volume', klines(candle(0, { volume: -1 })), '2.4/ohlc-order /0'],
    [
      'a candle that is late',
      klines(candle(0), candle(1.25), candle(2.25)),
      '2.4/daily-spacing /1/timestamp',
    ],
    [
      'a negative cost',
      pairs(pair(), pair({ cost_to_move_up_usd: -1 })),
      '2.5/non-negative /list/1/cost_to_move_up_usd',
    ],
    [
      'an update before the creation',
      one(FUNDRAISING, 'fundraising', { create_time: 1_700_000_000, update_time: 1_600_000_000 }),
      '2.6/update-after-create /update_time',
    ],
    ['another stock', stock({ ticker: 'OTHER' }), '2.9/ticker-echo /ticker'],
    [
      'more shares in circulation than there are',
      stock({ circulating_shares: 9e15 }),
      '2.9/circulating-within-total /circulating_shares',
    ],
    [
      'a time column that is not listed',
      charts(chart('a'), chart('b', { time_field: 'when' })),
      '2.11/time-field-listed /1/time_field',
    ],
    [
      'a chart listed twice',
      charts(chart('a'), chart('b'), chart('a')),
      '2.11/names-unique /2/chart_name',
    ],
  ] as const)('%s', (_title, exchange, found) => {
    expect(findings(judge([exchange]))).toEqual([found]);
  });

  it('are reported once per list', () => {
    const bad = Array.from({ length: 30 }, (_, index) => candle(index, { low: 9e9 }));
    const entry = judge([klines(...bad)]).requirements.get('2.4/ohlc-order');
    expect(entry?.findings).toHaveLength(1);
    expect(entry?.findings[0]?.message).toContain('30 of 30');
  });
});

describe('an unlock timeline without data', () => {
  const timelines = (...sent: unknown[]) =>
    judge(
      sent.map((unlock_timeline) => one(ECONOMICS, 'token-economics', { unlock_timeline })),
    ).requirements.get('2.3/unlock-timeline-null');

  it('is null, not an empty array', () => {
    expect(timelines(null)?.findings).toEqual([]);
    expect(timelines([], [])?.findings.map(({ pointer }) => pointer)).toEqual([
      '/unlock_timeline',
      '/unlock_timeline',
    ]);
  });

  it('may be an empty array next to nulls, meaning that nothing is left to unlock', () => {
    expect(timelines([], null)?.findings).toEqual([]);
    expect(timelines([{ vestings: [], timestamp: '1' }])).toBeUndefined();
  });
});

describe('daily spacing', () => {
  it('allows skipped days and an hour of daylight saving, and ignores duplicates', () => {
    const hour = 1 / 24;
    const rows = [candle(0), candle(1), candle(4 + hour), candle(5 + hour), candle(5 + hour)];
    expect(findings(judge([klines(...rows)])).filter((id) => id.startsWith('2.4'))).toEqual([]);
  });

  it('is not judged for timestamps in another unit', () => {
    const rows = [0, 1, 2].map((index) => candle(index, { timestamp: START / 1000 + index * 90 }));
    expect(judgedIds([klines(...rows)])).not.toContain('2.4/daily-spacing');
  });
});

describe('sides of a pair', () => {
  const known = info({ symbol: 'BTC' });
  it('include the symbol of the currency', () => {
    expect(judgedIds([pairs(pair())])).not.toContain('2.5/base-or-target');
    const foreign = pairs(pair(), pair({ base: 'ZZZ' }));
    expect(findings(judge([known, foreign]))).toEqual(['2.5/base-or-target /list/1']);
  });

  it.each([
    ['its identifier', { base: 'bitcoin', target: 'us-dollar' }],
    ['its full name', { base: 'Tether', target: 'Bitcoin Core' }],
    ['one of its contracts', { base: '0xabc', target: 'USDT' }],
    ['an address that is not listed', { base: `0x${'1a'.repeat(20)}`, target: 'USDT' }],
  ])('may be %s', (_what, sides) => {
    const named = exchangeOf('/currencies/{currency_id}', {
      path: { currency_id: 'bitcoin' },
      body: {
        ...recordOf('currency-info'),
        currency_id: 'bitcoin',
        symbol: 'BTC',
        name: 'Bitcoin Core',
        contracts: [{ chain: 'x', contract: '0xABC' }],
      },
    });
    const rows = Array.from({ length: 3 }, () => pair(sides));
    const listed = exchangeOf(PAIRS, { path: { currency_id: 'bitcoin' }, body: page(rows) });
    expect(findings(judge([named, listed]))).toEqual([]);
  });

  it('are compared with the same currency only', () => {
    const other = exchangeOf(PAIRS, { path: { currency_id: 'b' }, body: page([pair()]) });
    expect(judgedIds([known, other])).not.toContain('2.5/base-or-target');
  });
});

describe('the number of rounds', () => {
  const stats = (total: number, rounds: number, projects: number) => {
    const { investment_stats: all } = recordOf('fundraising');
    const example = recordOf('fundraising') as {
      fundraising_rounds: [unknown];
      portfolio: [unknown];
    };
    return one(FUNDRAISING, 'fundraising', {
      investment_stats: { ...(all as object), total_rounds: total },
      fundraising_rounds: Array.from({ length: rounds }, () => example.fundraising_rounds[0]),
      portfolio: Array.from({ length: projects }, () => example.portfolio[0]),
    });
  };
  it.each([
    [3, 3, 2, true],
    [5, 1, 4, true],
    [0, 2, 0, true],
    [0, 2, 1, false],
    [1, 0, 0, false],
    [3, 4, 0, false],
  ])('%i with %i rounds listed and %i projects: %s', (total, rounds, projects, holds) => {
    const found = findings(judge([stats(total, rounds, projects)]));
    expect(found).toEqual(holds ? [] : ['2.6/stats-rounds /investment_stats/total_rounds']);
  });
});

describe('recorded readings', () => {
  it('describe formats, units and shapes', () => {
    const judgement = judge([
      snapshot({ price: '1.5', ath_date: '2024-03-14T00:00:00Z' }),
      one(FUNDRAISING, 'fundraising', { create_time: 1_700_000_000 }),
      stock({ timestamp: 1_700_000_000 }),
      exchangeOf('/macro/events/{event}/history', {
        body: [recordOf('macro-history-row', { date: 'Jan 5, 2026' })],
      }),
      exchangeOf('/indices', { body: { data: [{ ticker: 'A' }, { name: 'B' }], count: 2 } }),
      chartData('a', [[1, 2]]),
    ]);
    expect(readings(judgement, 'Decimal form of currency-snapshot').toSorted()).toEqual([
      'JSON numbers',
      'strings of digits',
    ]);
    expect(readings(judgement, 'Time format of ath_date')).toEqual(['ISO 8601 date and time']);
    expect(readings(judgement, 'Time format of cycle_low_date')).toEqual(['epoch milliseconds']);
    expect(readings(judgement, 'Unit of create_time in fundraising records')).toEqual(['seconds']);
    expect(readings(judgement, 'Unit of update_time in fundraising records')).toEqual([
      'milliseconds',
    ]);
    expect(readings(judgement, 'Unit of the timestamp in the snapshot of a')).toEqual(['seconds']);
    expect(readings(judgement, 'Time format of date')).toEqual(['another form']);
    expect(readings(judgement, 'Types of investors')).toEqual(['1']);
    expect(readings(judgement, 'Kind of answer of GET /indices')).toEqual(['an object']);
    expect(readings(judgement, 'Fields of GET /indices')).toEqual([
      'count, data, data.name, data.ticker',
    ]);
    expect(readings(judgement, 'Kind of answer of the chart a')[0]).toBe('an array of arrays');
  });

  it('combine values that depend on the data', () => {
    const investors = (...types: number[]) =>
      one(FUNDRAISING, 'fundraising', {
        fundraising_rounds: [{ investors: types.map((type) => ({ type })) }],
      });
    const { readings: seen } = judge([
      investors(1, 1, 2),
      investors(1),
      investors(3, 2),
      exchangeOf('/indices', { body: [{ ticker: 'A' }] }),
      exchangeOf('/indices', { body: [] }),
      exchangeOf('/indices', { body: [{ ticker: 'B', name: 'Index' }] }),
    ]);
    const answers = new Map(
      byQuestion(seen).map(({ question, answers: all }) => [question, [...all.keys()]]),
    );
    expect(answers.get('Types of investors in use')).toEqual(['1, 2, 3']);
    expect(answers.get('Fields of GET /indices')).toEqual(['name, ticker']);
    expect(answers.get('Kind of answer of GET /indices')).toEqual(['an array of objects']);
  });

  it('are limited in length', () => {
    const wide = Object.fromEntries(Array.from({ length: 400 }, (_, i) => [`f${i}`, 1]));
    const [answer] = readings(judge([exchangeOf('/indices', { body: [wide] })]), 'Fields of GET');
    expect(answer).toMatch(/ and 370 more$/);
  });
});

describe('arbitrary bodies', () => {
  it.each(HOSTILE.map((body) => [JSON.stringify(body), body]))('%s', (_text, body) => {
    const exchanges = ENDPOINT_PATHS.flatMap((path) =>
      [200, 400, 401, 404, 500].map((status) => exchangeOf(path, { body, status })),
    );
    expect(() => judge(exchanges)).not.toThrow();
  });
});
