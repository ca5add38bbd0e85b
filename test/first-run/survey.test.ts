import { describe, expect, it } from 'vitest';
import { targetYaml } from '../../src/cli/init/target-yaml.ts';
import { survey, SURVEY_REQUESTS } from '../../src/doctor/survey.ts';
import { parseTargetFile } from '../../src/target/file/target-file.ts';
import { handled, served, targetOf } from './targets.ts';

const settings = { baseUrl: 'http://given.example', valid: ['K1'] };

describe('the exploration of a target', () => {
  it('finds values of every kind within one window of one key', async () => {
    const { target, requestsOf, total } = await served();
    const [key = ''] = target.keys.valid;
    const found = await survey({ ...target, keys: { valid: [key] } });
    expect(Object.keys(found.fixtures)).toHaveLength(8);
    expect(found.exchanges.length).toBeGreaterThan(0);
    expect(found).toMatchObject({
      authHeader: 'X-API-KEY',
      envelope: null,
      announcedLimit: 20,
      malformedCurrencyId: 'not-an-id',
      remarks: [],
      stopped: null,
    });
    expect(total()).toBe(found.requests);
    expect(requestsOf(key)).toBeLessThanOrEqual(SURVEY_REQUESTS.valid);
    expect(SURVEY_REQUESTS.valid).toBeLessThanOrEqual(20);
  });

  it.each([
    ['', '/v1'],
    ['/v1/v1', '/v1'],
    ['/v1/news/featured', '/v1'],
    ['/v1/currencies', '/v1'],
  ])('finds the base path that %j should be', async (given, right) => {
    const { target } = await served();
    const { origin } = new URL(target.baseUrl);
    const found = await survey({ ...target, baseUrl: `${origin}${given}` });
    expect(found.baseUrl).toBe(`${origin}${right}`);
    expect(found.remarks[0]).toContain(`Endpoints found below ${origin}${right}`);
    expect(Object.keys(found.fixtures)).toHaveLength(8);
  });

  it('finds an envelope and reads inside it', async () => {
    const { target } = await served({ variants: ['wrapped-body'] }, { envelope: null });
    const found = await survey(target);
    expect(found.envelope).toBe('data');
    expect(Object.keys(found.fixtures)).toHaveLength(8);
    expect(found.exchanges.length).toBeGreaterThan(0);
    const file = parseTargetFile(targetYaml(settings, found), 'x', { K1: 'abcdefgh' });
    expect(file.envelope).toBe('data');
  });

  it('finds the header that the refusal names', async () => {
    const { target } = await served();
    const found = await survey({ ...target, auth: { header: 'X-Wrong' } });
    expect(found.authHeader).toBe('X-API-KEY');
    expect(found.remarks[0]).toBe(
      'The target expects the key in the header X-API-KEY, not X-Wrong.',
    );
  });

  it('finds a usual header when the refusal names none', async () => {
    const baseUrl = await handled((request, response) => {
      response.statusCode = request.headers['authorization'] === undefined ? 401 : 200;
      response.setHeader('content-type', 'application/json');
      response.end('[]');
    });
    expect((await survey(targetOf(baseUrl))).authHeader).toBe('Authorization');
  });

  it('reports the announced limit and sets none', async () => {
    const { target } = await served({ limit: 60 }, { limits: {} });
    const found = await survey(target);
    expect(found.announcedLimit).toBe(60);
    const text = targetYaml(settings, found);
    expect(text).toContain('announces 60 requests per window');
    expect(parseTargetFile(text, 'x', { K1: 'abcdefgh' }).limits).toBeUndefined();
  });

  it(
    'stops when the window is used up, instead of waiting for it',
    { timeout: 45_000 },
    async () => {
      const { target } = await served(
        { limit: 5, windowMs: 1e9 },
        { limits: { requests: 5, windowMs: 1e9 } },
      );
      const [key = ''] = target.keys.valid;
      const found = await survey({ ...target, keys: { valid: [key] } });
      expect(found.stopped).toContain('used up');
      expect(Object.keys(found.fixtures).length).toBeGreaterThan(0);
      expect(Object.keys(found.fixtures).length).toBeLessThan(8);
    },
  );

  it.each([
    [500, /returned 500/],
    [404, /no endpoint found below/],
    [401, /the key was rejected: 401/],
  ])('says why nothing can be found behind %i', async (status, reason) => {
    const baseUrl = await handled((_, response) => {
      response.statusCode = status;
      response.end('{}');
    });
    const found = await survey(targetOf(baseUrl));
    expect(found.stopped).toMatch(reason);
    expect(found.fixtures).toEqual({});
    expect(found.requests).toBeLessThanOrEqual(SURVEY_REQUESTS.valid + SURVEY_REQUESTS.none);
  });
});

describe('the file', () => {
  const env = {
    K1: 'abcdefgh1',
    K2: 'abcdefgh2',
    R: 'abcdefgh3',
    N: 'abcdefgh4',
    D: 'abcdefgh5',
    E: 'abcdefgh6',
  };

  it('is a valid target file also without exploration', () => {
    const text = targetYaml(
      {
        baseUrl: 'https://a.example/v1',
        valid: ['K1', 'K2'],
        disabled: 'D',
        expired: 'E',
        restricted: { key: 'R', forbidden: ['/news', '/currencies/{currency_id}'] },
        nearQuota: { key: 'N', remaining: 3 },
        authHeader: 'X-Other',
      },
      null,
    );
    expect(parseTargetFile(text, 'x', env)).toMatchObject({
      baseUrl: 'https://a.example/v1',
      auth: { header: 'X-Other' },
      keys: {
        valid: ['abcdefgh1', 'abcdefgh2'],
        disabled: 'abcdefgh5',
        expired: 'abcdefgh6',
        restricted: { key: 'abcdefgh3', forbidden: ['/news', '/currencies/{currency_id}'] },
        nearQuota: { key: 'abcdefgh4', remaining: 3 },
      },
      fixtures: {},
      envelope: null,
    });
  });

  it('treats everything a target sends as a plain value', () => {
    const odd = ['"] # x', '${K1}', 'a\nkeys: {}', '‮"\\', '- a: b', "'"];
    const found = {
      baseUrl: 'https://a.example',
      authHeader: 'X-API-KEY',
      envelope: null,
      announcedLimit: null,
      fixtures: { currencyIds: odd },
      exchanges: odd,
      malformedCurrencyId: null,
      remarks: [],
      requests: 0,
      stopped: null,
    } as const;
    const file = parseTargetFile(targetYaml(settings, found), 'x', env);
    expect(file.fixtures?.currencyIds).toEqual(odd);
    expect(file.fixtures?.exchanges).toEqual(odd);
    expect(file.keys?.valid).toEqual(['abcdefgh1']);
  });

  it('has a comment on every setting', () => {
    const lines = targetYaml(settings, null).split('\n');
    const settingsWithout = lines.filter(
      (line, index) =>
        /^\s*[A-Za-z]+:/.test(line) &&
        !line.includes('#') &&
        !/^\s*#/.test(lines[index - 1] ?? '') &&
        // Group headings are explained by their settings.
        !['http:'].includes(line) &&
        !/^\s*header:/.test(line),
    );
    expect(settingsWithout).toEqual([]);
  });
});
