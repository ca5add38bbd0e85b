import { describe, expect, it } from 'vitest';
import { ENDPOINT_PATHS } from '../../src/spec/endpoints.ts';
import { schemaFile } from '../../src/judge/schema/schema-files.ts';
import { sentenceOf, validate } from '../../src/judge/schema/schemas.ts';
import { changed } from './samples.ts';

describe('target files', () => {
  const full = {
    baseUrl: 'https://staging.example/v1',
    auth: { header: 'X-API-KEY' },
    keys: {
      valid: ['${ASSAY_KEY_1}', 'b'],
      disabled: 'c',
      expired: 'd',
      restricted: { key: 'e', forbidden: ['/news'] },
      nearQuota: { key: 'f', remaining: 5 },
    },
    fixtures: { currencyIds: ['1'], unknownCurrencyId: '2', exchanges: ['Binance'] },
    limits: { requests: 20, windowMs: 60000, monthlyQuota: 100000 },
    envelope: null,
    http: {
      timeoutMs: 10000,
      headers: {},
      insecure: false,
      caFile: null,
      proxy: null,
      http2: false,
    },
    clock: { control: 'http://127.0.0.1:8080/clock' },
  };

  it('accepts a full file and the smallest one', () => {
    expect(validate('target', full)).toEqual([]);
    expect(validate('target', { baseUrl: 'http://127.0.0.1:8080' })).toEqual([]);
    expect(validate('target', { baseUrl: '${BASE_URL}/v1' })).toEqual([]);
  });

  it('finds typos at every level and proposes the right name', () => {
    const wrong = { ...full, keys: { vaild: ['a'] }, fixture: {} };
    expect(validate('target', wrong).map(sentenceOf)).toEqual([
      expect.stringMatching(/^`fixture` is not known; .*did you mean fixtures\?/),
      expect.stringMatching(/^`keys.vaild` is not known; .*did you mean valid\?/),
    ]);
    for (const key of ['auth', 'keys', 'fixtures', 'limits', 'http', 'clock'] as const) {
      const pointer = `/${key}/zzz`;
      const file = { ...full, [key]: { ...full[key], zzz: 1 } };
      expect(validate('target', file)).toMatchObject([
        { pointer, keyword: 'additionalProperties' },
      ]);
    }
  });

  it.each([
    ['/baseUrl', 'staging.example'],
    ['/baseUrl', 'ftp://staging.example'],
    ['/baseUrl', 'https://staging.example/?a=b'],
    ['/baseUrl', undefined],
    ['/auth/header', 'X API KEY'],
    ['/keys/valid', []],
    ['/keys/valid/1', ''],
    ['/keys/restricted/forbidden/0', '/nope'],
    ['/keys/restricted/key', undefined],
    ['/keys/nearQuota/remaining', -1],
    ['/limits/requests', 0],
    ['/envelope', 'result'],
    ['/http/timeoutMs', '10s'],
    ['/http/insecure', 'no'],
    ['/clock/control', undefined],
  ])('refuses %s = %j', (pointer, value) => {
    expect(validate('target', changed(full, pointer, value)).map((one) => one.pointer)).toEqual([
      pointer,
    ]);
  });

  it.each(['target', 'results'] as const)('lists the endpoints of §4 in %s', (name) => {
    const text = JSON.stringify(schemaFile(name));
    const listed = JSON.stringify(ENDPOINT_PATHS).slice(1, -1);
    expect(text).toContain(listed);
  });
});
