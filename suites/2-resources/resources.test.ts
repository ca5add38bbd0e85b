import { describe, expect, it } from 'vitest';
import { exchangeOf, findings, judge, readings, recordOf } from '../../test/judge/exchanges.ts';
import {
  INFO,
  SNAPSHOT,
  ECONOMICS,
  FUNDRAISING,
  one,
  info,
  snapshot,
  stock,
  macro,
  candle,
  klines,
  pairs,
  pair,
  chart,
  charts,
  chartData,
  judgedIds,
} from '../../test/judge/resource-exchanges.ts';
import type { EndpointPath } from '../../src/spec/endpoints.ts';
import type { RequirementId } from '../../src/spec/requirement-id.ts';

describe('the currency of an answer', () => {
  const ID = '2.1/currency-id-echo';
  const of = (asked: string, sent: string) =>
    exchangeOf(INFO, {
      path: { currency_id: asked },
      body: recordOf('currency-info', { currency_id: sent }),
    });
  const echoes = (exchanges: Parameters<typeof judge>[0], ids: string[]) =>
    judge(exchanges, { discoveredIds: { currency_id: ids } }).requirements.get(ID);

  it('is the one in the target file', () => {
    expect(findings(judge([of('a', 'a')]))).toEqual([]);
    expect(findings(judge([of('a', 'b')]))).toEqual([`${ID} /currency_id`]);
  });

  it('may have another name than in a list', () => {
    expect(echoes([of('BTC', '1')], ['BTC', 'ETH'])).toBeUndefined();
    expect(echoes([of('BTC', '1'), of('ETH', '2')], ['BTC', 'ETH'])).toBeUndefined();
  });

  it('is reported if it is the same for two', () => {
    expect(echoes([of('BTC', '1'), of('ETH', '1')], ['BTC', 'ETH'])?.findings).toHaveLength(2);
  });
});

describe('a currency without token economics or fundraising', () => {
  const absent = (path: EndpointPath, code = 400_401) =>
    exchangeOf(path, { status: 404, body: { code, message: 'Not found', details: {} } });

  it.each([
    [ECONOMICS, '4.1/token-economics', 'token economics'],
    [FUNDRAISING, '4.1/fundraising', 'fundraising'],
  ] as const)('may be not found: %s', (path, id, what) => {
    expect(findings(judge([absent(path)]))).toEqual([]);
    expect(judgedIds([absent(path)])).not.toContain(id);
    expect(readings(judge([absent(path)]), `Answer for a currency without ${what}`)).toEqual([
      'status 404 and code 400401',
    ]);
    // Unknown paths and currencies without information are different cases.
    expect(findings(judge([absent(path, 400_402)]))).toContain(`${id} -`);
    expect(findings(judge([absent(INFO)]))).toContain('4.1/info -');
  });
});

describe('null', () => {
  const round = {
    round_id: '1',
    round: 'Seed',
    amount: null,
    valuation: null,
    date: null,
    investors: [],
  };

  it.each([
    ['a currency without a known supply', snapshot({ fdv: null }), '/fdv'],
    [
      'a pair without an order book',
      pairs(pair({ cost_to_move_up_usd: null })),
      '/list/0/cost_to_move_up_usd',
    ],
  ])('for a figure that may not exist breaks a should: %s', (_what, exchange, pointer) => {
    expect(findings(judge([exchange]))).toEqual([`2/null-figures ${pointer}`]);
  });

  it.each([
    ['a company that loses money', stock({ pe_ttm: null })],
    [
      'an undisclosed amount',
      one(FUNDRAISING, 'fundraising', { fundraising_rounds: [{ ...round, date: 1 }] }),
    ],
    ['a figure that nobody forecast', macro({ date: '2020-01-15', forecast: null })],
    ['a figure that is not released yet', macro({ date: '2999-01-15', actual: null })],
    ['one whose date is in another form', macro({ date: '29990115', actual: null })],
  ])('is fine for a figure that obviously does not exist: %s', (_what, exchange) => {
    expect(findings(judge([exchange]))).toEqual([]);
  });

  it('breaks a must for prices, names, arrays and objects', () => {
    expect(findings(judge([snapshot({ price: null })]))).toEqual(['2.2/price /price']);
    expect(findings(judge([info({ name: null })]))).toEqual(['2.1/name /name']);
    expect(findings(judge([info({ explorers: null, community: null })]))).toEqual([
      '2.1/explorers /explorers',
      '2.1/community /community',
    ]);
  });

  it('does not hide other wrong values of the field', () => {
    const rows = [null, '3 USD'].map((cost) => pair({ cost_to_move_up_usd: cost }));
    expect(findings(judge([pairs(...rows)]))).toEqual([
      '2/null-figures /list/0/cost_to_move_up_usd',
      '2.5/cost-to-move-up-usd /list/1/cost_to_move_up_usd',
    ]);
  });
});

describe('alternative formats', () => {
  it.each([
    ['a percentage with its sign', snapshot({ down_from_ath: '-54.55%', up_from_cycle_low: '' })],
    ['a chart list that leaves out all time columns', charts(chart('a', { time_field: 'when' }))],
  ])('conform: %s', (_what, exchange) => {
    expect(findings(judge([exchange]))).toEqual([]);
  });
});

describe('identifiers found only in a list', () => {
  it('prove nothing until one of them succeeds', () => {
    const facts = { discoveredIds: { currency_id: ['a'] } };
    const body = { code: 400_401, message: 'Currency not found', details: { currency_id: 'a' } };
    const lost = exchangeOf(SNAPSHOT, { path: { currency_id: 'a' }, status: 404, body });
    const known = exchangeOf(INFO, {
      path: { currency_id: 'a' },
      body: recordOf('currency-info', { currency_id: 'a' }),
    });
    const wrong = (...exchanges: Parameters<typeof judge>[0]) =>
      judge(exchanges, facts).requirements.get('4.1/market-snapshot')?.findings ?? [];
    expect(wrong(lost)).toEqual([]);
    expect(wrong(lost, known)).toHaveLength(1);
  });
});

describe('conforming resources', () => {
  it('are judged by every rule without findings', () => {
    const exchanges = [
      info(),
      snapshot(),
      one(ECONOMICS, 'token-economics'),
      one(FUNDRAISING, 'fundraising'),
      pairs(pair(), pair({ base: 'ETH', target: 'btc' })),
      klines(candle(0), candle(1), candle(4)),
      stock(),
      charts(chart('a'), chart('b')),
      chartData('a', [{ date: '2026-01-05', value: 1 }]),
    ];
    const judgement = judge(exchanges);
    expect(findings(judgement)).toEqual([]);
    const ids: RequirementId[] = [
      '2.1/currency-id-echo',
      '2.1/urls',
      '2.2/high-low',
      '2.2/price-in-range',
      '2.2/ath-covers-price',
      '2.2/cycle-low-below-price',
      '2.2/fdv-covers-marketcap',
      '2.2/supply-strings',
      '2.2/percent-strings',
      '2.2/non-negative',
      '2.3/percentage-range',
      '2.3/unlock-strings',
      '2.4/ohlc-order',
      '2.4/daily-spacing',
      '2.5/base-or-target',
      '2.5/non-negative',
      '2.6/stats-rounds',
      '2.6/update-after-create',
      '2.9/ticker-echo',
      '2.9/circulating-within-total',
      '2.11/time-field-listed',
      '2.11/names-unique',
      '4.6/charts-resolve',
    ];
    for (const id of ids) expect(judgement.requirements.has(id), id).toBe(true);
  });

  it('may be decimal strings, without a maximum supply, and at their extremes', () => {
    const text = { price: '70000.10', high_24h: '70001', low_24h: '1', ath: '70000.1', fdv: 2e12 };
    const extremes = { max_supply: null, down_from_ath: '', up_from_cycle_low: '-3.5' };
    expect(findings(judge([snapshot({ ...text, ...extremes })]))).toEqual([]);
  });
});
