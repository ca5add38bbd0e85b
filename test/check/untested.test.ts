import { describe, expect, it } from 'vitest';
import type { Target } from '../../src/target/target.ts';
import { BASE, checked, entry, har, scratchFile, START, type EntryOptions } from './harness.ts';

const ID = '999999999';
const TARGET = {
  baseUrl: BASE,
  auth: { header: 'X-API-KEY' },
  keys: {},
  limits: { requests: 20, windowMs: 60_000, monthlyQuota: 100_000 },
  envelope: null,
  fixtures: { unknownCurrencyId: ID },
} as unknown as Target;

/** Outcome and reason of a requirement in these entries, with a good request before them. */
async function judged(
  id: string,
  entries: readonly EntryOptions[],
  options: Parameters<typeof checked>[1] = {},
) {
  const chart = { chart_name: 'a', title: 'A', description: 'x', time_field: 't', fields: [] };
  const good = entry({ body: [chart] });
  const rest = entries.map((one, index) => entry({ at: START + 1000 * (index + 1), ...one }));
  const file = scratchFile(`${id.replaceAll(/\W/g, ' ')}.har`, har([good, ...rest]));
  const { results, tally } = await checked([file], options);
  const found = results.requirements.find((one) => one.id === id);
  return { outcome: found?.outcome, reason: found?.reason ?? '', ignored: tally.leftOut };
}

const refusal = (code: number, message: string, details: object) => ({ code, message, details });
const notFound = (message: string): EntryOptions => ({
  url: `${BASE}/currencies/${ID}`,
  status: 404,
  body: refusal(400401, message, { currency_id: ID }),
});

describe('the refusal of an identifier', () => {
  it('is judged if the target file says that it is unknown', async () => {
    const id = '7/currency-not-found-message';
    const right = [notFound('Currency not found')];
    expect(await judged(id, right)).toMatchObject({ outcome: 'untested' });
    const told = { target: TARGET };
    expect(await judged(id, [notFound('Nothing here')], told)).toMatchObject({ outcome: 'failed' });
    const details = await judged('7/not-found-details', right, told);
    expect(details.reason).not.toContain('needs a request for something known not to exist');
  });
});

describe('a path outside of the specification', () => {
  const id = '7/unknown-path';
  const told = { baseUrl: BASE };
  const wrong = { url: `${BASE}/wrong`, status: 404 };
  const right = { ...wrong, body: refusal(400402, 'Endpoint not found', {}) };

  it('is unknown if the service says so, and the base URL is no guess', async () => {
    expect(await judged(id, [right], told)).toMatchObject({ outcome: 'passed', ignored: [] });
    expect((await judged(id, [right])).reason).toMatch(/below a base URL that is set/);
    const html = { ...wrong, body: '<h1>Not found</h1>', headers: { 'content-type': 'text/html' } };
    expect(await judged(id, [html], told)).toMatchObject({ outcome: 'failed' });
  });

  it.each([
    ['another service, which needs no key', { ...wrong, key: null }],
    ['another method', { ...right, method: 'POST' }],
    ['more than is specified', { ...wrong, status: 400, body: refusal(400001, 'x', {}) }],
    ['more, without this record', { ...wrong, body: refusal(400401, 'x', {}) }],
    ['more, with success', { ...wrong, status: 200 }],
  ])('may be of %s', async (_, one) => {
    expect(await judged(id, [one], told)).toMatchObject({ outcome: 'untested' });
  });
});

describe('the reason why a requirement was not judged', () => {
  const summary = `${BASE}/etfs/summary-history`;

  it('names what was missing from the requests, not one that was recorded', async () => {
    const symbol: EntryOptions = {
      url: `${summary}?symbol=ZZZ&country_code=US`,
      status: 400,
      body: refusal(400003, 'Invalid parameter: symbol', {}),
    };
    expect((await judged('7/validation-message', [symbol])).reason).toMatch(/other than `symbol`$/);
    const plain = { url: `${summary}?symbol=BTC&country_code=US` };
    expect((await judged('4.3/limit-default', [plain])).reason).toMatch(/close in time to another/);
  });

  it('says why recorded responses were ignored', async () => {
    const silent = { more: { response: { ...(entry().response as object), content: {} } } };
    const { reason } = await judged('4.3/limit-default', [{ url: summary, ...silent }]);
    expect(reason).toBe(
      'GET /etfs/summary-history was recorded but not judged: the body was not recorded',
    );
  });
});
