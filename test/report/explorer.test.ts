import { describe, expect, it } from 'vitest';
import { findControl } from '../../src/report/page/control.tsx';
import { compileQuery, toggleTerm } from '../../src/report-app/query.ts';
import { pageData } from '../../src/report/page/data.ts';
import { exchangeRows, searchable } from '../../src/report/page/view/lists.tsx';
import { makeExchange, makeRequirement, makeResults } from './fixture.ts';
import type { ExchangeRow, PageData } from '../../src/report/page/page-data.ts';

const FINDING = { message: 'm', expected: 'e', actual: 'a', pointer: null };

const item = {
  words: '4.3/symbol-enum a symbol outside the list is refused',
  values: {
    is: 'failed new',
    level: 'must',
    s: '4.3',
    e: '/etfs/summary-history',
    http: '400 200',
  },
};

describe('queries', () => {
  it.each([
    ['', true],
    ['symbol', true],
    ['SYMBOL', true],
    ['nothing', false],
    ['-nothing', true],
    ['-symbol', false],
    ['"symbol outside"', true],
    ['"outside symbol"', false],
    ['is:failed', true],
    ['is:new', true],
    ['is:fail', false],
    ['-is:failed', false],
    ['s:4', true],
    ['s:4.3', true],
    ['s:4.30', false],
    ['e:/etfs', true],
    ['http:400', true],
    ['http:40', false],
    ['is:failed level:must symbol', true],
    ['is:failed level:should', false],
    ['no:such', false],
    ['"open', false],
    ['(((', false],
  ])('%j fits: %s', (query, expected) => {
    expect(compileQuery(query)(item)).toBe(expected);
  });

  it('find each exchange that violates a requirement, recorded finding or not', () => {
    const exchanges = [1, 2, 3].map((number) =>
      makeExchange(number, { endpoint: '/news', path: '/news' }),
    );
    const finding = { ...FINDING, exchange: 'x1' };
    const many = makeRequirement('5/unknown-key', 'failed', { findings: [finding] });
    const requirements = [{ ...many, total: 2, unrecorded: ['x2'] }];
    const { data } = pageData({ ...makeResults(), exchanges, requirements }, []);
    const found = exchangeRows(data).filter(compileQuery('is:failed'));
    expect(found.map(({ elementId }) => elementId)).toEqual(['x-x1', 'x-x2']);
  });

  it('find a violated requirement by the role and status that violate it, and by any it was judged with', () => {
    const exchanges = [
      makeExchange(1, { endpoint: '/news', path: '/news', role: 'restricted', status: 401 }),
      makeExchange(2, { endpoint: '/etfs', path: '/etfs', role: 'unknown', status: 403 }),
    ];
    const ids = ['x1', 'x2'];
    const requirements = [
      makeRequirement('7/status-agrees', 'failed', {
        findings: [{ ...FINDING, exchange: 'x1' }],
        exchanges: ids,
      }),
      makeRequirement('7/error-shape', 'passed', { exchanges: ids }),
    ];
    const { data } = pageData({ ...makeResults(), exchanges, requirements }, []);
    const found = (query: string): readonly string[] =>
      data.requirements
        .filter((one) => compileQuery(query)(searchable(one, data)))
        .map(({ id }) => id);
    expect(found('role:unknown')).toEqual(['7/error-shape']);
    expect(found('is:failed role:restricted http:401 e:/news')).toEqual(['7/status-agrees']);
    expect(found('is:failed e:/etfs')).toEqual([]);
    expect(found('x2')).toEqual(['7/status-agrees', '7/error-shape']);
  });

  it('adds a term and takes it out again', () => {
    expect(toggleTerm('a  b', 'is:failed')).toBe('a b is:failed');
    expect(toggleTerm('a is:failed', 'is:failed')).toBe('a');
  });
});

describe('findControl', () => {
  const row = (
    id: string,
    target: string,
    status: number,
    role = 'valid',
    endpoint = 0,
  ): ExchangeRow => [id, 'GET', target, status, 1, role, endpoint, 0, 0];
  const data = (...exchanges: readonly ExchangeRow[]): PageData =>
    ({ exchanges }) as unknown as PageData;

  it('takes the success that differs least', () => {
    const list = data(
      row('x1', '/e?a=1&b=2', 400),
      row('x2', '/e?a=9&b=9', 200),
      row('x3', '/e?a=1&b=9', 200),
      row('x4', '/e?a=1&b=2', 200, 'none'),
    );
    expect(findControl(list, 'x1')).toEqual({ id: 'x3', differs: ['b'] });
  });

  it('knows a control that differs in the key or the path', () => {
    expect(findControl(data(row('x1', '/e', 401, 'none'), row('x2', '/e', 200)), 'x1')).toEqual({
      id: 'x2',
      differs: ['the key'],
    });
    expect(findControl(data(row('x1', '/e/1', 404), row('x2', '/e/2', 200)), 'x1')).toEqual({
      id: 'x2',
      differs: ['the path'],
    });
  });

  it('has none for a refusal of the limiter, and takes no key that was let in by mistake', () => {
    expect(findControl(data(row('x1', '/e?a=1', 429), row('x2', '/e', 200)), 'x1')).toBeNull();
    const mistaken = data(row('x1', '/e', 500, 'none'), row('x2', '/e', 200, 'unknown'));
    expect(findControl(mistaken, 'x1')).toBeNull();
  });

  it('has none for a success, for another endpoint, or where too much differs', () => {
    expect(findControl(data(row('x1', '/e', 200), row('x2', '/e', 200)), 'x1')).toBeNull();
    expect(
      findControl(data(row('x1', '/e', 400), row('x2', '/f', 200, 'valid', 1)), 'x1'),
    ).toBeNull();
    expect(
      findControl(data(row('x1', '/e?a=1&b=1&c=1', 400), row('x2', '/e', 200)), 'x1'),
    ).toBeNull();
    expect(findControl(data(), 'x1')).toBeNull();
  });
});
