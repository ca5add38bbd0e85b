import { describe, expect, it } from 'vitest';
import { DAY } from '../../src/spec/time.ts';
import { openRecording } from '../../src/har/read-recording.ts';
import { DEFAULT_FACTS } from '../../src/judge/facts.ts';
import { judgeAll } from '../../src/requirements/judging.ts';
import {
  against,
  BASE,
  CHARTS,
  checked,
  entry,
  har,
  having,
  scratchFile,
  START,
} from './harness.ts';
import type { EntryOptions } from './harness.ts';

const WINDOW = 60_000;

const limited = (remaining: number, reset: number): Record<string, string> => ({
  'x-ratelimit-limit': '20',
  'x-ratelimit-remaining': String(remaining),
  'x-ratelimit-reset': String(reset),
});
const refusal = (reset: number, at: number): EntryOptions => ({
  status: 429,
  headers: limited(0, reset),
  body: {
    code: 402901,
    message: 'Rate limit exceeded',
    details: { limit: 20, window: '60s', retry_after: Math.ceil((reset - at) / 1000) },
  },
});

/** Every response has a different body, since equal ones would look like duplicates. */
let count = 0;
const call = (options: EntryOptions): unknown => {
  count += 1;
  return entry({ url: `${BASE}/analyses?n=${count}`, body: CHARTS, ...options });
};
const windowAt = (at: number): number => Math.floor(at / WINDOW) * WINDOW + WINDOW;

/** Ids with findings when the same exchanges are judged as complete. */
async function asIfWhole(file: string): Promise<string[]> {
  const exchanges = [];
  for await (const one of (await openRecording(file, { baseUrl: BASE })).read())
    if (one.kind === 'exchange') exchanges.push(one.exchange);
  const { requirements } = judgeAll(exchanges, DEFAULT_FACTS);
  return [...requirements].flatMap(([id, { findings }]) => (findings.length > 0 ? [id] : []));
}

async function limits(name: string, entries: readonly unknown[]) {
  const file = scratchFile(`${name}.har`, har(entries));
  const { results } = await checked([file], { baseUrl: BASE });
  const found = against(results).filter((line) => /^[58]\//.test(line));
  return { found, results, whole: await asIfWhole(file) };
}

describe('incomplete traffic', () => {
  it('is not an early limit when another client uses up the rest of two windows', async () => {
    const entries = [0, 1].flatMap((round) => {
      const start = windowAt(START) + round * WINDOW;
      const calls = Array.from({ length: 5 }, (_, index) =>
        call({ at: start + 5 + index * 1000, headers: limited(19 - index, start + WINDOW) }),
      );
      const at = start + 20_005;
      return [...calls, call({ at, ...refusal(start + WINDOW, at) })];
    });
    const { found, results, whole } = await limits('shared', entries);
    expect(whole).toContain('8/limit-not-early');
    expect(found).toEqual([]);
    expect(having(results, 'passed')).toContain('8/refusal-message');
  });

  it('is no skipping count when an unrecorded client sends in step', async () => {
    const start = windowAt(START);
    const entries = Array.from({ length: 9 }, (_, index) =>
      call({ at: start + 5 + index * 3000, headers: limited(18 - 2 * index, start + WINDOW) }),
    );
    const { found } = await limits('in step', entries);
    expect(found).toEqual([]);
  });

  it('is no shared count when unrecorded clients use two keys in turn', async () => {
    const start = windowAt(START);
    const entries = Array.from({ length: 8 }, (_, index) =>
      call({
        key: index % 2 === 0 ? 'key-of-the-first' : 'key-of-the-second',
        at: start + 5 + index * 2000,
        headers: limited(19 - index, start + WINDOW),
      }),
    );
    const { found, whole } = await limits('two keys', entries);
    expect(whole).toContain('8/per-key');
    expect(found).toEqual([]);
  });

  it('is no refusal of a good key when that key was withdrawn', async () => {
    const body = {
      code: 400102,
      message: 'API key expired',
      details: { header: 'X-API-KEY', solution: 'x' },
    };
    const url = `${BASE}/analyses`;
    const entries = [call({}), call({ url, at: START + 60_000, status: 401, body })];
    const { found, whole } = await limits('withdrawn', entries);
    expect(whole).toContain('4.6/analyses');
    expect(found).toEqual([]);
    const { results } = await checked([scratchFile('again.har', har(entries))]);
    expect(against(results).filter((line) => line.includes('refuses a request'))).toEqual([]);
  });

  it('is no rising count when requests overlap or the file has no order', async () => {
    const start = windowAt(START);
    const at = (index: number): number => start + 5 + index * 10;
    const entries = [3, 0, 4, 1, 2].map((index) =>
      call({
        at: at(index),
        tookMs: 200,
        headers: limited([17, 19, 16, 18, 15][index] ?? 0, start + WINDOW),
      }),
    );
    expect((await limits('overlap', entries)).found).toEqual([]);
  });

  it('is no refusal by the rate limiter when a monthly quota is used up', async () => {
    const start = windowAt(START);
    const at = start + 5000;
    const used = { ...refusal(start + WINDOW, at), headers: limited(14, start + WINDOW) };
    const entries = [
      call({ at: start + 5, headers: limited(15, start + WINDOW) }),
      call({ at, ...used }),
    ];
    const { found, whole } = await limits('quota', entries);
    expect(whole).toContain('8/header-remaining');
    expect(found).toEqual([]);
  });

  it('is no response to an unknown id, since the known ids are not listed', async () => {
    const notFound = {
      code: 400401,
      message: 'Currency not found',
      details: { currency_id: '77' },
    };
    const url = `${BASE}/currencies/77/market-snapshot`;
    const { results } = await checked([
      scratchFile('unknown id.har', har([call({}), call({ url, status: 404, body: notFound })])),
    ]);
    expect(
      against(results).filter((line) => line.startsWith('4.1') || line.startsWith('7')),
    ).toEqual([]);
  });

  it('is not counted when an answer was recorded twice or came from a cache', async () => {
    const start = windowAt(START);
    const one = {
      url: `${BASE}/analyses`,
      body: CHARTS,
      at: start + 5,
      headers: limited(9, start + WINDOW),
    };
    const cached = {
      ...one,
      at: start + 7005,
      headers: { ...one.headers, date: new Date(start).toUTCString(), age: '7' },
    };
    const file = scratchFile(
      'twice.har',
      har([entry(one), entry({ ...one, at: start + 9 }), entry(cached)]),
    );
    const { results, tally } = await checked([file]);
    expect(tally.leftOut.map(({ reason }) => reason)).toEqual(['equal responses are counted once']);
    expect(against(results).filter((line) => line.startsWith('8/'))).toEqual([]);
  });

  it('is no proof of a limit where a response was recorded twice, but not where a refusal was', async () => {
    const outcomeOf = async (name: string, twice: number) => {
      const from = windowAt(START);
      const calls = Array.from({ length: 20 }, (_, index) =>
        call({ at: from + 5 + index * 500, headers: limited(19 - index, from + WINDOW) }),
      );
      const at = from + 20_005;
      const all = [...calls, call({ at, ...refusal(from + WINDOW, at) })];
      const { results } = await limits(name, [...all, ...all.slice(twice).slice(0, 1)]);
      return ['8/limit-enforced', '8/remaining-decrements'].map((id) =>
        results.requirements.find((one) => one.id === id),
      );
    };
    const doubt = {
      outcome: 'untested',
      reason: expect.stringMatching(/^responses that equal one just before were ignored/) as string,
    };
    // An admitted request beyond the limit looks like the last one within it.
    expect(await outcomeOf('a response twice', 19)).toMatchObject([doubt, doubt]);
    const passed = { outcome: 'passed' };
    expect(await outcomeOf('a refusal twice', 20)).toMatchObject([passed, passed]);
    expect(await outcomeOf('nothing twice', 21)).toMatchObject([passed, passed]);
  });

  it('is not said to be recorded twice where equal refusals may be those of several requests', async () => {
    const at = windowAt(START) + 166;
    const refused = { url: `${BASE}/analyses`, ...refusal(windowAt(START) + WINDOW, at) };
    const entries = [166, 168, 170].map((ms) => entry({ ...refused, at: at + ms, tookMs: 1 }));
    const { tally } = await checked([scratchFile('quick.har', har([call({}), ...entries]))]);
    expect(tally.leftOut).toMatchObject([{ reason: 'equal refusals are counted once', count: 2 }]);
  });

  it('is no answer recorded twice when another key got the same', async () => {
    const one = { url: `${BASE}/analyses`, body: CHARTS, at: windowAt(START) + 5 };
    const file = scratchFile(
      'two keys.har',
      har([
        entry({ ...one, key: 'first-key-1f0a9c7e' }),
        entry({ ...one, key: 'other-key-77d2e0b3' }),
      ]),
    );
    expect((await checked([file])).tally.leftOut).toEqual([]);
  });

  it('is no missing header when a script recorded only visible headers', async () => {
    const at = windowAt(START) + 5;
    const { headers: _, ...seen } = refusal(at + 30_000, at);
    const blind = (options: EntryOptions): unknown => {
      const one = call(options) as { response: { headers: { name: string }[] } };
      one.response.headers = one.response.headers.filter(({ name }) => name !== 'date');
      return one;
    };
    const entries = [blind({ at: at - 9000 }), blind({ at, ...seen })];
    const { found, whole } = await limits('script', entries);
    expect(whole).toContain('8/refusal-headers');
    expect(found).toEqual([]);
  });
});

describe('violations in incomplete traffic', () => {
  it('are kept for each endpoint and role, however many others there are', async () => {
    const failed = (path: string, key?: null) =>
      Array.from({ length: 25 }, () => {
        count += 1;
        const own = key === undefined ? {} : { key };
        const at = START + (key === undefined ? 0 : WINDOW * 20);
        return entry({ url: `${BASE}${path}?n=${count}`, at, status: 500, ...own });
      });
    const entries = [...failed('/analyses'), ...failed('/etfs'), ...failed('/etfs', null)];
    const file = scratchFile('many.har', har(entries));
    const { results } = await checked([file], { baseUrl: BASE });
    const { findings } = results.requirements.find(({ id }) => id === '4/no-5xx') ?? {};
    const places = findings?.map(({ endpoint, role }) => `${endpoint} ${role}`);
    expect([...new Set(places)]).toEqual(['/analyses valid', '/etfs valid', '/etfs none']);
    expect(places).toHaveLength(22);
  });

  const start = windowAt(START);

  it('a remaining count that is used twice', async () => {
    const entries = [19, 18, 18].map((remaining, index) =>
      call({ at: start + 5 + index * 2000, headers: limited(remaining, start + WINDOW) }),
    );
    expect((await limits('repeated', entries)).found.join()).toContain('8/remaining-decrements');
  });

  it('a rising count, whatever the order of the file', async () => {
    const entries = [19, 12, 15].map((remaining, index) =>
      call({ at: start + 5 + index * 2000, headers: limited(remaining, start + WINDOW) }),
    );
    expect((await limits('rises', entries.toReversed())).found.join()).toContain(
      '8/remaining-decrements',
    );
  });

  it('more than the limit in one announced window', async () => {
    const entries = Array.from({ length: 22 }, (_, index) =>
      call({
        at: start + 5 + index * 500,
        headers: limited(Math.max(0, 19 - index), start + WINDOW),
      }),
    );
    expect((await limits('excess', entries)).found.join()).toContain('8/limit-enforced');
  });

  it('a reset in seconds, another limit, a refusal with another message', async () => {
    const at = start + 5;
    const { results } = await checked([
      scratchFile(
        'wrong.har',
        har([
          call({
            at,
            headers: {
              ...limited(3, 0),
              'x-ratelimit-reset': '1795000000',
              'x-ratelimit-limit': '30',
            },
          }),
          call({
            at: at + 2000,
            ...refusal(start + WINDOW, at),
            body: { code: 402901, message: 'Slow down', details: {} },
          }),
        ]),
      ),
    ]);
    expect(having(results, 'failed')).toEqual(
      expect.arrayContaining(['8/header-reset', '8/header-limit', '8/refusal-message']),
    );
  });

  it('a key that was not needed, in a recording that shows keys elsewhere', async () => {
    const keyless = [call({}), call({ at: START + 5000, key: null })];
    expect((await limits('keyless', keyless)).found.join()).toContain('5/key-required');
    // A tool that omits keys omits all of them; a cookie may replace a key.
    const stripped = [call({ key: null }), call({ at: START + 5000, key: null })];
    expect((await limits('stripped', stripped)).found).toEqual([]);
    const provisional = call({ at: START + 5000, key: null }) as {
      request: { headers: { name: string }[] };
    };
    provisional.request.headers = provisional.request.headers.filter(({ name }) => name !== 'host');
    expect((await limits('provisional', [call({}), provisional])).found).toEqual([]);
    const cookie = [
      call({}),
      call({ at: START + 5000, key: null, requestHeaders: { cookie: 'sid=1' } }),
    ];
    expect((await limits('cookie', cookie)).found).toEqual([]);
  });

  it('a refusal counts as proof only with a correct request to the endpoint', async () => {
    const url = `${BASE}/currencies/1/klines?interval=1h`;
    const body = {
      code: 400003,
      message: 'Invalid parameter: interval',
      details: { field: 'interval' },
    };
    const bad = call({ url, status: 400, body, at: START + 3000 });
    const alone = await checked([scratchFile('alone.har', har([call({}), bad]))]);
    const outcome = (results: typeof alone.results) =>
      results.requirements.find(({ id }) => id === '4.1/klines-interval-enum');
    expect(outcome(alone.results)).toMatchObject({
      outcome: 'untested',
      reason: expect.stringContaining('without a control') as string,
    });
    const candle = { timestamp: START - DAY, open: 1, high: 2, low: 1, close: 2, volume: 3 };
    const good = call({ url: `${BASE}/currencies/1/klines?interval=1d`, body: [candle] });
    const both = await checked([scratchFile('both.har', har([good, bad]))]);
    expect(outcome(both.results)?.outcome).toBe('passed');
  });

  it('is judged at the time of the exchange, not today', async () => {
    const item = (ms: number): unknown => ({
      timestamp: ms,
      open: 1,
      high: 2,
      low: 1,
      close: 2,
      volume: 3,
    });
    const long = Date.UTC(2024, 4, 10, 12, 0, 0, 7);
    const url = `${BASE}/currencies/1/klines?interval=1d&start_time=${long - 9 * DAY}`;
    const rows = Array.from({ length: 5 }, (_, index) =>
      item(Math.floor(long / DAY) * DAY - (5 - index) * DAY),
    );
    const { results } = await checked([
      scratchFile('old.har', har([call({ at: long, url, body: rows })])),
    ]);
    expect(against(results).filter((line) => line.includes('window'))).toEqual([]);
    expect(having(results, 'passed')).toContain('4.1/klines-window');
    const beyond = [call({ at: long + 200 * DAY, url, body: rows })];
    const late = await checked([scratchFile('late.har', har(beyond))]);
    expect(having(late.results, 'failed')).toContain('4.1/klines-window');
  });
});
