import { describe, expect, it } from 'vitest';
import { errorBody, findings, readings } from '../../test/judge/exchanges.ts';
import { KLINES, SUMMARY, KEYED, judgeWith, refusal } from '../../test/judge/refusal-exchanges.ts';
import type { Exchange } from '../spec/exchange.ts';
import type { Parts } from '../../test/judge/exchanges.ts';

describe('authentication', () => {
  const bad = (details: unknown, role: Parts['role'] = 'unknown') =>
    refusal('/news', 401, errorBody(400101, 'No', details), role === undefined ? {} : { role });
  it('names the key header and a solution', () => {
    expect(findings(judgeWith(bad({ header: 'Authorization', solution: 'x' })))).toEqual([
      '5/details-header /details/header',
    ]);
    expect(findings(judgeWith(bad({ header: 'x-api-key', solution: '' })))).toEqual([
      '5/details-solution /details/solution',
    ]);
    expect(findings(judgeWith(bad({}, 'none')))).toEqual([
      '5/details-header /details/header',
      '5/details-solution /details/solution',
    ]);
  });

  it('expects the error for the key, whatever other errors apply', () => {
    // Until a good key got an answer, the limit may be what is refused.
    const query = { interval: '1d', limit: '0' };
    const otherwise = refusal(KLINES, 401, errorBody(400102), { role: 'disabled', query });
    const expected = (...others: readonly Exchange[]) =>
      judgeWith(otherwise, ...others).requirements.get('5/disabled-key')?.findings[0]?.expected;
    expect(expected()).toBe('status 401 and code 400101 (or 40101)');
    const good = refusal(KLINES, 200, [], { query });
    expect(expected(good)).toBe(expected());
  });

  it('accepts any spelling of the key header', () => {
    const lower = (status: number, body: unknown) =>
      refusal('/etfs', status, body, { keyHeader: 'x-api-key' });
    const refused = judgeWith(lower(401, errorBody(400101, 'No', KEYED)));
    expect(findings(refused)).toContain('5/header-case -');
    const good = judgeWith(lower(200, [{ ticker: 'A' }]));
    expect(findings(good)).toEqual([]);
    expect(good.requirements.has('5/header-case')).toBe(true);
    expect(judgeWith(refusal('/etfs', 200, [])).requirements.has('5/header-case')).toBe(false);
  });
});

describe('validation failures', () => {
  const bad = (message: string, details: unknown, query: Record<string, string> = {}) =>
    refusal(KLINES, 400, errorBody(400002, message, details), { query });
  it('name the parameter in message and details', () => {
    const field = { field: 'interval' };
    expect(findings(judgeWith(bad('Invalid parameter: interval', field)))).toEqual([]);
    expect(findings(judgeWith(bad('interval is required', field)))).toEqual([]);
    expect(findings(judgeWith(bad('A parameter is missing', field)))).toEqual([
      '7/validation-message /message',
    ]);
    expect(findings(judgeWith(bad('Invalid parameter: interval', { field: 'limit' })))).toEqual([
      '7/validation-details /details/field',
    ]);
  });

  it('may name any invalid parameter', () => {
    const exchange = bad('Invalid parameter: limit', { field: 'limit' }, { limit: 'x' });
    expect(findings(judgeWith(exchange))).toEqual([]);
  });

  it('have any message on purpose-only endpoints', () => {
    const search = (message: string, details: unknown) =>
      refusal('/news/search', 400, errorBody(400002, message, details), {
        query: { keyword: 'bitcoin' },
      });
    expect(findings(judgeWith(search('Invalid parameter: q', { field: 'q' })))).toEqual([]);
    expect(findings(judgeWith(search('no', {})))).toEqual([]);
  });
});

describe('several errors at once', () => {
  it('are all accepted, and the reported one is recorded', () => {
    const judgement = judgeWith(
      refusal(null, 401, errorBody(400101, 'No', KEYED), { role: 'none' }),
      refusal(null, 404, errorBody(400402), { role: 'none' }),
      refusal(
        SUMMARY,
        400,
        errorBody(400003, 'Invalid parameter: country_code', { field: 'country_code' }),
        {
          query: { symbol: 'ZZZ', country_code: 'ZZ' },
        },
      ),
      refusal(
        KLINES,
        400,
        errorBody(400003, 'Invalid parameter: interval', { field: 'interval' }),
        {
          query: { interval: '' },
        },
      ),
    );
    expect(findings(judgement)).toEqual([]);
    expect(readings(judgement, 'Which error wins: missing key or wrong path')).toEqual([
      'missing key',
      'wrong path',
    ]);
    expect(readings(judgement, 'Which error wins: bad country_code')).toEqual(['bad country_code']);
    expect(readings(judgement, 'Error for an empty value (bad interval)')).toEqual([
      'status 400 and code 400003',
    ]);
  });

  it('need more than one error that applies', () => {
    const judgement = judgeWith(refusal(null, 404, errorBody(400402)));
    expect(judgement.requirements.has('7/several-errors')).toBe(false);
  });
});
