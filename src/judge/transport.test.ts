import { describe, expect, it } from 'vitest';
import {
  accepted,
  errorBody,
  exchangeOf,
  findings,
  judge,
  readings,
  recordOf,
} from '../../test/judge/exchanges.ts';
import { ENDPOINT_PATHS } from '../spec/endpoints.ts';

const info = (parts = {}) =>
  exchangeOf('/currencies/{currency_id}', {
    body: recordOf('currency-info', { currency_id: 'a-currency_id' }),
    ...parts,
  });
const ids = (exchanges: Parameters<typeof judge>[0]): string[] => [
  ...judge(exchanges).requirements.keys(),
];

describe('transport', () => {
  it('is judged on a good answer', () => {
    const judgement = judge([info()]);
    expect(findings(judgement)).toEqual([]);
    for (const id of ['4/json-body', '4/content-type', '4/bare-body', '4/no-5xx'] as const) {
      expect(judgement.requirements.has(id), id).toBe(true);
    }
  });

  it.each([
    ['HTML', { text: '<html></html>' }, ['4/json-body -']],
    ['nothing', { text: '' }, ['4/json-body -']],
    ['a trailing comma', { text: '{"currency_id":"a",}' }, ['4/json-body -']],
    ['JSON as text/html', { type: 'text/html' }, ['4/content-type -']],
    ['JSON without a type', { type: null }, ['4/content-type -']],
    ['a crash', { status: 500, body: errorBody(500001) }, ['4/no-5xx -']],
    ['a gateway that fails', { status: 502, text: '<html></html>' }, ['4/no-5xx -']],
    ['an envelope', { body: { code: 0, message: 'ok', data: {} } }, ['4/bare-body -']],
  ])('finds %s', (_title, parts, found) => {
    expect(findings(judge([info(parts)]))).toEqual(found);
  });

  it('repeats what the parser says of a body that is nearly JSON, and of no other', () => {
    const actualOf = (text: string): string =>
      judge([info({ text })]).requirements.get('4/json-body')?.findings[0]?.actual ?? '';
    expect(actualOf('{"currency_id":"a",}')).toMatch(/: .*JSON/);
    expect(actualOf('<html></html>')).not.toContain('JSON');
  });

  it('reports a byte order mark and judges what follows it', () => {
    const text = `\ufeff${JSON.stringify({ ...recordOf('currency-info'), currency_id: 7 })}`;
    expect(findings(judge([info({ text })])).toSorted()).toEqual([
      '2.1/currency-id /currency_id',
      '2.1/currency-id-echo /currency_id',
      '4/json-body -',
    ]);
  });

  it.each([
    [{ type: 'text/html' }, 'content-type'],
    [{ status: 500, body: errorBody(500001) }, ':status'],
    [{ text: '' }, undefined],
  ])('reports the header or status at fault in %j', (parts, header) => {
    const found = [...judge([info(parts)]).requirements.values()].flatMap((one) => one.findings);
    expect(found.map((one) => one.header)).toEqual([header]);
  });

  it('accepts JSON types with parameters and suffixes', () => {
    const types = [
      'application/json;charset=utf-8',
      'Application/JSON',
      'application/problem+json',
    ];
    expect(findings(judge(types.map((type) => info({ type }))))).toEqual([]);
  });

  it('is not confirmed by HTML, blank bodies, rate limiting or maintenance', () => {
    const nothing = [
      info({ text: '<html></html>' }),
      info({ body: {} }),
      info({ body: null }),
      info({ status: 429, body: errorBody(402901) }),
      info({ status: 503, body: errorBody(500301) }),
      info({ status: 401, body: errorBody(400101) }),
      info({ status: 301, text: '' }),
    ];
    for (const exchange of nothing) expect(ids([exchange])).not.toContain('4/no-5xx');
    expect(ids([info({ body: {} })])).not.toContain('4/json-body');
  });

  it('records answers to other methods', () => {
    const judgement = judge([
      info({ method: 'POST', status: 405, body: errorBody(400402) }),
      exchangeOf('/currencies', { method: 'HEAD', text: '' }),
    ]);
    expect(findings(judgement)).toEqual([]);
    expect(readings(judgement, 'Answer to POST')).toEqual(['status 405 and code 400402']);
  });
});

describe('answers', () => {
  it('with an object have at least one of its fields', () => {
    expect(findings(judge([info({ body: {} })]))).toContain('4.1/info ');
    expect(findings(judge([info({ body: { error: 'x' } })]))).toContain('4.1/info ');
    expect(findings(judge([info({ body: [] })]))).toContain('4.1/info ');
  });

  it('of purpose-only endpoints are JSON or an error about parameters', () => {
    const sectors = (parts = {}) => exchangeOf('/crypto-stocks/sector', parts);
    const judged = (parts: object): string[] =>
      findings(judge([accepted('/crypto-stocks/sector'), sectors(parts)])).filter((id) =>
        id.startsWith('4.7/'),
      );
    expect(judged({ body: [{ name: 'Miners' }] })).toEqual([]);
    expect(
      judged({ status: 400, body: errorBody(400002, 'Invalid parameter: day', { field: 'day' }) }),
    ).toEqual([]);
    expect(judged({ status: 404, body: errorBody(400402) })).toEqual(['4.7/sectors -']);
    expect(judged({ text: '<html></html>' })).toEqual(['4.7/sectors ']);
    expect(ids([sectors({ body: {} })])).not.toContain('4.7/sectors');
  });

  it('of purpose-only endpoints are judged whatever the parameters', () => {
    const search = exchangeOf('/news/search', { query: { keyword: 'a' }, body: [{ id: '1' }] });
    expect(ids([search])).toContain('4.7/news-search');
  });

  it('without a key never count as successes', () => {
    for (const path of ENDPOINT_PATHS) {
      const open = exchangeOf(path, { role: 'none', body: { a: 1 } });
      expect(findings(judge([open]))).toContain('5/key-required -');
    }
  });
});
