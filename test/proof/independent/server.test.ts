import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { validateBody } from '../../../src/judge/schema/schemas.ts';
import { endpoint, ENDPOINT_PATHS, requiredQuery } from '../../../src/spec/endpoints.ts';
import { CLOCK_PATH, startIndependent, type Running } from './server.ts';

type Body = Record<string, unknown>;

interface Keys {
  readonly valid: readonly string[];
  readonly disabled: string;
  readonly expired: string;
  readonly restricted: { readonly key: string; readonly forbidden: readonly string[] };
  readonly nearQuota: { readonly key: string; readonly remaining: number };
}

function keysOf(running: Running): Keys {
  return running.target['keys'] as Keys;
}

async function ask(
  running: Running,
  path: string,
  key = keysOf(running).valid[0] ?? '',
): Promise<{ status: number; body: Body; headers: Headers }> {
  const answer = await fetch(`${running.baseUrl}${path}`, { headers: { 'X-API-KEY': key } });
  return { status: answer.status, body: (await answer.json()) as Body, headers: answer.headers };
}

async function nextMinute(running: Running): Promise<void> {
  const body = JSON.stringify({ advanceMs: 60_000 });
  await fetch(`${running.baseUrl}${CLOCK_PATH}`, { method: 'POST', body });
}

describe('the independent service by default', () => {
  let running: Running;
  beforeAll(async () => {
    running = await startIndependent();
  });
  afterAll(() => running.close());

  it('answers a page of pairs, largest volume first', async () => {
    const { status, body } = await ask(running, '/currencies/1/pairs?page=2&page_size=10');
    expect(status).toBe(200);
    expect(body).toMatchObject({ page: 2, page_size: 10, total: 230 });
    const volumes = (body['list'] as { turnover_24h: number }[]).map((pair) => pair.turnover_24h);
    expect(volumes).toHaveLength(10);
    expect(volumes).toEqual(volumes.toSorted((a, b) => b - a));
  });

  it('refuses in the shape of section 7', async () => {
    const { status, body } = await ask(running, '/currencies/1/klines?interval=1h');
    expect(status).toBe(400);
    expect(body).toMatchObject({
      code: 400003,
      message: 'Invalid parameter: interval',
      details: { field: 'interval', constraint: ['1d'] },
    });
  });

  it.each([
    ['disabled', 401, 400101],
    ['expired', 401, 400102],
  ] as const)('refuses the %s key', async (role, status, code) => {
    const answer = await ask(running, '/analyses', keysOf(running)[role]);
    expect(answer).toMatchObject({ status, body: { code, details: { header: 'X-API-KEY' } } });
  });

  it('refuses the restricted key where it says, and only there', async () => {
    const { key, forbidden } = keysOf(running).restricted;
    const refused = await ask(running, forbidden[0] ?? '', key);
    expect(refused).toMatchObject({ status: 403, body: { code: 400301 } });
    expect((await ask(running, '/analyses', key)).status).toBe(200);
  });

  it('admits twenty requests a minute, and twenty again after the clock was moved', async () => {
    const key = keysOf(running).valid[1] ?? '';
    for (let n = 1; n <= 20; n += 1) {
      const { status, headers } = await ask(running, '/analyses', key);
      expect([status, headers.get('x-ratelimit-remaining')]).toEqual([200, String(20 - n)]);
    }
    expect(await ask(running, '/analyses', key)).toMatchObject({
      status: 429,
      body: { code: 402901 },
    });
    await nextMinute(running);
    expect((await ask(running, '/analyses', key)).status).toBe(200);
  });

  it('ends with the quota', async () => {
    const { key, remaining } = keysOf(running).nearQuota;
    for (let n = 0; n < remaining; n += 1) {
      expect((await ask(running, '/analyses', key)).status).toBe(200);
    }
    expect((await ask(running, '/analyses', key)).status).toBe(429);
  });

  it('says the same news in the language asked for', async () => {
    const english = await ask(running, '/news?page_size=1');
    const russian = await ask(running, '/news?page_size=1&language=ru');
    const [first, second] = [english, russian].map(({ body }) => (body['list'] as Body[])[0]);
    expect(second?.['id']).toBe(first?.['id']);
    expect(second?.['title']).toMatch(/\p{Script=Cyrillic}/u);
  });
});

describe('the independent service, which is written by hand,', () => {
  let running: Running;
  beforeAll(async () => {
    running = await startIndependent({ fixtures: 'all' });
  });
  afterAll(() => running.close());

  const stated = ENDPOINT_PATHS.filter((path) => endpoint(path).response.kind !== 'unstated');

  it.each(stated)('answers GET %s with what the schemas say', async (template) => {
    const { path, response } = endpoint(template);
    const fixtures = running.target['fixtures'] as Record<string, readonly string[]>;
    const filled = Object.entries(path).reduce<string>(
      (text, [name, kind]) =>
        text.replace(`{${name}}`, encodeURIComponent(fixtures[kind]?.[0] ?? '')),
      template,
    );
    const required = Object.entries(requiredQuery(template)).map(
      ([name, value]) => `${name}=${value}`,
    );
    const { status, body } = await ask(running, `${filled}?${required.join('&')}`);
    const way = 'add the endpoint or the field to test/proof/independent';
    expect(status, way).toBe(200);
    expect(validateBody(response, body), way).toEqual([]);
  });
});

describe('other choices', () => {
  it.each([
    [{ 'missing-message': 'is-required' }, '/news/featured?page_size=20', 400, 'page is required'],
    [
      { beyond: 'refuse-403' },
      '/news?start_time=1600000000000',
      403,
      'Invalid parameter: start_time',
    ],
    [{ 'invalid-suffix': 'full-stop' }, '/news?language=xx', 400, 'Invalid parameter: language.'],
  ])('%j', async (choices, path, status, message) => {
    const running = await startIndependent({ choices });
    expect(await ask(running, path)).toMatchObject({ status, body: { message } });
    await running.close();
  });
});
