import { describe, expect, it } from 'vitest';
import {
  exchangeOf,
  findings,
  HOSTILE,
  judge,
  readings,
  recordOf,
} from '../../test/rules/exchanges.ts';
import { ENDPOINT_PATHS, type EndpointPath } from '../contract/endpoints.ts';
import type { RequirementId } from '../contract/requirements.ts';
import { byQuestion } from './judgement.ts';
import type { ResourceName } from '../contract/resources.ts';

const INFO = '/currencies/{currency_id}';
const SNAPSHOT = '/currencies/{currency_id}/market-snapshot';
const ECONOMICS = '/currencies/{currency_id}/token-economics';
const FUNDRAISING = '/currencies/{currency_id}/fundraising';
const PAIRS = '/currencies/{currency_id}/pairs';
const STOCK = '/crypto-stocks/{stock_ticker}/market-snapshot';
const KLINES = '/crypto-stocks/{stock_ticker}/klines';

const one = (path: EndpointPath, resource: ResourceName, changes: Record<string, unknown> = {}) =>
  exchangeOf(path, { body: recordOf(resource, changes) });
const info = (changes: Record<string, unknown> = {}) =>
  one(INFO, 'currency-info', { currency_id: 'a-currency_id', ...changes });
const snapshot = (changes: Record<string, unknown> = {}) =>
  one(SNAPSHOT, 'currency-snapshot', changes);
const stock = (changes: Record<string, unknown> = {}) =>
  one(STOCK, 'stock-snapshot', { ticker: 'a-stock_ticker', ...changes });
const macro = (changes: Record<string, unknown> = {}) =>
  exchangeOf('/macro/events/{event}/history', { body: [recordOf('macro-history-row', changes)] });

const DAY = 86_400_000;
const START = Date.UTC(2025, 11, 1);
const candle = (index: number, changes: Record<string, unknown> = {}) =>
  recordOf('kline', { timestamp: START + index * DAY, ...changes });
const klines = (...rows: unknown[]) =>
  exchangeOf(KLINES, { query: { interval: '1d' }, body: rows });

const page = (list: unknown[]) => ({ list, page: 1, page_size: 20, total: list.length });
const pairs = (...list: unknown[]) => exchangeOf(PAIRS, { body: page(list) });
const pair = (changes: Record<string, unknown> = {}) =>
  recordOf('trading-pair', { base: 'BTC', target: 'USDT', ...changes });

const chart = (name: string, changes: Record<string, unknown> = {}) => ({
  chart_name: name,
  time_field: 'date',
  fields: [
    { name: 'date', type: 'String' },
    { name: 'value', type: 'Number' },
  ],
  ...changes,
});
const charts = (...list: unknown[]) => exchangeOf('/analyses', { body: list });
const chartData = (name: string, body: unknown, status = 200) =>
  exchangeOf('/analyses/{chart_name}', { path: { chart_name: name }, body, status });

const judgedIds = (exchanges: Parameters<typeof judge>[0]): string[] => [
  ...judge(exchanges).requirements.keys(),
];

describe('the currency of an answer', () => {
  const ID = '2.1/currency-id-echo';
  const of = (asked: string, sent: string) =>
    exchangeOf(INFO, {
      path: { currency_id: asked },
      body: recordOf('currency-info', { currency_id: sent }),
    });
  const echoes = (exchanges: Parameters<typeof judge>[0], ids: string[]) =>
    judge(exchanges, { discoveredIds: { currency_id: ids } }).requirements.get(ID);

  it('is the one of the target file', () => {
    expect(findings(judge([of('a', 'a')]))).toEqual([]);
    expect(findings(judge([of('a', 'b')]))).toEqual([`${ID} /currency_id`]);
  });

  it('may have a name of its own when a list calls it otherwise', () => {
    expect(echoes([of('BTC', '1')], ['BTC', 'ETH'])).toBeUndefined();
    expect(echoes([of('BTC', '1'), of('ETH', '2')], ['BTC', 'ETH'])).toBeUndefined();
  });

  it('is found to be another when it is one of the list, or the same for two', () => {
    expect(echoes([of('ETH', 'BTC')], ['BTC', 'ETH'])?.findings).toHaveLength(1);
    expect(echoes([of('BTC', '1'), of('ETH', '1')], ['BTC', 'ETH'])?.findings).toHaveLength(2);
    const list = exchangeOf('/currencies', { body: [{ currency_id: 'BTC' }] });
    expect(echoes([list, of('BTC', '1')], ['BTC'])?.findings).toHaveLength(1);
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
    // A path that is said not to exist is another matter, and so is a currency without information.
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
  ])('of a figure that may not exist is a should: %s', (_what, exchange, pointer) => {
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
  ])('accuses nobody where the figure plainly does not exist: %s', (_what, exchange) => {
    expect(findings(judge([exchange]))).toEqual([]);
  });

  it('stays a must for prices, names, arrays and objects', () => {
    expect(findings(judge([snapshot({ price: null })]))).toEqual(['2.2/price /price']);
    expect(findings(judge([info({ name: null })]))).toEqual(['2.1/name /name']);
    expect(findings(judge([info({ explorers: null, community: null })]))).toEqual([
      '2.1/explorers /explorers',
      '2.1/community /community',
    ]);
  });

  it('hides no other wrong value of the same field', () => {
    const rows = [null, '3 USD'].map((cost) => pair({ cost_to_move_up_usd: cost }));
    expect(findings(judge([pairs(...rows)]))).toEqual([
      '2.5/cost-to-move-up-usd /list/1/cost_to_move_up_usd',
      '2/null-figures /list/0/cost_to_move_up_usd',
    ]);
  });
});

describe('values that are written in another way', () => {
  it.each([
    ['a percentage with its sign', snapshot({ down_from_ath: '-54.55%', up_from_cycle_low: '' })],
    ['a chart list that leaves out all time columns', charts(chart('a', { time_field: 'when' }))],
  ])('conform: %s', (_what, exchange) => {
    expect(findings(judge([exchange]))).toEqual([]);
  });
});

describe('identifiers that only a list of the target names', () => {
  it('accuse nobody until one of their answers is a success', () => {
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
  it('are judged on every rule and without findings', () => {
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

describe('values that contradict each other', () => {
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

  it('are counted once for a list', () => {
    const bad = Array.from({ length: 30 }, (_, index) => candle(index, { low: 9e9 }));
    const entry = judge([klines(...bad)]).requirements.get('2.4/ohlc-order');
    expect(entry?.findings).toHaveLength(1);
    expect(entry?.findings[0]?.message).toContain('30 of 30');
  });
});

describe('daily spacing', () => {
  it('allows skipped days and an hour of daylight saving, and leaves duplicates alone', () => {
    const hour = 1 / 24;
    const rows = [candle(0), candle(1), candle(4 + hour), candle(5 + hour), candle(5 + hour)];
    expect(findings(judge([klines(...rows)])).filter((id) => id.startsWith('2.4'))).toEqual([]);
  });

  it('is not judged on timestamps of another unit', () => {
    const rows = [0, 1, 2].map((index) => candle(index, { timestamp: START / 1000 + index * 90 }));
    expect(judgedIds([klines(...rows)])).not.toContain('2.4/daily-spacing');
  });
});

describe('sides of a pair', () => {
  const known = info({ symbol: 'BTC' });
  it('need the symbol of the currency', () => {
    expect(judgedIds([pairs(pair())])).not.toContain('2.5/base-or-target');
    const foreign = pairs(pair(), pair({ base: 'ZZZ' }));
    expect(findings(judge([known, foreign]))).toEqual(['2.5/base-or-target /list/1']);
  });

  it.each([
    ['its identifier', { base: 'bitcoin', target: 'us-dollar' }],
    ['its full name', { base: 'Tether', target: 'Bitcoin Core' }],
    ['one of its contracts', { base: '0xabc', target: 'USDT' }],
    ['an address that is not listed', { base: `0x${'1a'.repeat(20)}`, target: 'USDT' }],
  ])('may have %s', (_what, sides) => {
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

  it('are those of the same currency', () => {
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

describe('listed charts', () => {
  const list = charts(chart('a'), chart('b'));
  it.each([
    ['404', chartData('b', { code: 400401, message: 'Chart not found', details: {} }, 404), '-'],
    ['null', chartData('b', null), ''],
  ] as const)('must have data: %s', (_title, exchange, pointer) => {
    const found = findings(judge([list, exchange])).filter((id) => id.startsWith('4.6/'));
    expect(found).toEqual([`4.6/charts-resolve ${pointer}`]);
  });

  it('may have no data today', () => {
    expect(findings(judge([list, chartData('b', [])]))).toEqual([]);
    expect(judgedIds([list, chartData('b', [])])).toContain('4.6/charts-resolve');
  });

  it('may ask for a parameter, and others are not judged', () => {
    const refused = chartData(
      'b',
      { code: 400002, message: 'Invalid parameter: x', details: {} },
      400,
    );
    expect(judgedIds([list, refused, chartData('c', null)])).not.toContain('4.6/charts-resolve');
  });
});

describe('what is recorded', () => {
  it('names forms, units and shapes', () => {
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
    expect(readings(judgement, 'How decimals are written of currency-snapshot').toSorted()).toEqual(
      ['JSON numbers', 'strings of digits'],
    );
    expect(readings(judgement, 'How times are written as text of ath_date')).toEqual([
      'ISO 8601 date and time',
    ]);
    expect(readings(judgement, 'How times are written as text of cycle_low_date')).toEqual([
      'epoch milliseconds',
    ]);
    expect(readings(judgement, 'Unit of times in fundraising of create_time')).toEqual(['seconds']);
    expect(readings(judgement, 'Unit of times in fundraising of update_time')).toEqual([
      'milliseconds',
    ]);
    expect(readings(judgement, 'Unit of the timestamp in the snapshot of a')).toEqual(['seconds']);
    expect(readings(judgement, 'How times are written as text of date')).toEqual(['another form']);
    expect(readings(judgement, 'Types of investors')).toEqual(['1']);
    expect(readings(judgement, 'Kind of answer of GET /indices')).toEqual(['an object']);
    expect(readings(judgement, 'Fields of GET /indices')).toEqual([
      'count, data, data.name, data.ticker',
    ]);
    expect(readings(judgement, 'Kind of answer of the chart a')[0]).toBe('an array of arrays');
  });

  it('are put together where they are a matter of the data', () => {
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

  it('has bounds', () => {
    const wide = Object.fromEntries(Array.from({ length: 400 }, (_, i) => [`f${i}`, 1]));
    const [answer] = readings(judge([exchangeOf('/indices', { body: [wide] })]), 'Fields of GET');
    expect(answer).toMatch(/ and 370 more$/);
  });
});

describe('bodies of any kind', () => {
  it.each(HOSTILE.map((body) => [JSON.stringify(body), body]))('%s', (_text, body) => {
    const exchanges = ENDPOINT_PATHS.flatMap((path) =>
      [200, 400, 401, 404, 500].map((status) => exchangeOf(path, { body, status })),
    );
    expect(() => judge(exchanges)).not.toThrow();
  });
});
