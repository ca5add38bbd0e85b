import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openRecording, type RecordedEntry } from '../../src/har/read-recording.ts';
import { renderHar } from '../../src/report/formats/har.ts';
import { validate } from '../../src/judge/schema/schemas.ts';
import { against, BASE, checked, entry, fixture, har, having, scratchFile } from './harness.ts';

const TOOLS = {
  'chrome.har': {
    base: 'https://api.fixture.example/openapi/v1',
    judged: 3,
    leftOut: {
      'not below the base URL': 2,
      'a CORS preflight request from the browser': 1,
      'the body was not recorded': 1,
      "answered from the browser's cache": 1,
      'not modified (304): the body came from a cache': 1,
      'no response: the request failed, or was blocked or aborted': 1,
    },
  },
  'firefox.har': {
    base: 'https://api.fixture.example/openapi/v1',
    judged: 3,
    leftOut: { 'the body was truncated when it was recorded': 1 },
  },
  'mitmproxy.har': {
    base: 'http://gateway.fixture.example:8080',
    judged: 4,
    leftOut: { 'no response: the request failed, or was blocked or aborted': 1 },
  },
  'k6.har': { base: 'https://api.fixture.example/openapi/v1', judged: 2, leftOut: {} },
  'playwright.har': {
    base: 'https://api.fixture.example/openapi/v1',
    judged: 3,
    leftOut: {
      'the path is not in the specification': 1,
      'the body is in a separate file: record with embedded bodies': 1,
    },
  },
  'exchanges.ndjson': { base: 'https://api.fixture.example', judged: 3, leftOut: {} },
} as const;

const SECRETS = [
  'fixture-key-7c1d09e24b58aa31',
  'playwright-secret-0042',
  'fedcba9876543210fedc',
  'abcdef0123456789',
];

async function all(path: string): Promise<RecordedEntry[]> {
  const entries: RecordedEntry[] = [];
  for await (const one of (await openRecording(path)).read()) entries.push(one);
  return entries;
}

describe('recordings of other tools', () => {
  it.each(Object.entries(TOOLS))('reads %s', async (name, expected) => {
    const { results, tally } = await checked([fixture(name)]);
    expect(tally.recordings[0]?.baseUrl).toBe(expected.base);
    expect(tally.judged).toBe(expected.judged);
    expect(Object.fromEntries(tally.leftOut.map(({ reason, count }) => [reason, count]))).toEqual(
      expected.leftOut,
    );
    expect(tally.read).toBe(
      tally.judged + tally.leftOut.reduce((sum, { count }) => sum + count, 0),
    );
    expect(against(results)).toEqual([]);
    expect(results.verdict).toBe('no-violation');
    expect(having(results, 'passed').length).toBeGreaterThan(30);
    expect(validate('results', results)).toEqual([]);
  });

  it.each(Object.keys(TOOLS))('lets no credential of %s out', async (name) => {
    const raw = readFileSync(fixture(name), 'utf8');
    const there = SECRETS.filter((secret) => raw.includes(secret));
    const { results } = await checked([fixture(name)]);
    const out = JSON.stringify([results, await all(fixture(name)), renderHar(results)]);
    expect(there.filter((secret) => out.includes(secret))).toEqual([]);
    if (name.endsWith('.har')) {
      expect(there.length).toBeGreaterThan(0);
      expect(out).toMatch(/\[redacted:k:[0-9a-f]{8}\]/);
    }
  });

  it('redacts a key in bodies, also of entries before its first use', async () => {
    const key = 'a-key-of-somebody-991';
    const file = scratchFile(
      'echo.har',
      har([
        entry({ key: null, body: [{ note: key, hex: Buffer.from(key).toString('hex') }] }),
        entry({
          key,
          url: `${BASE}/analyses?page=${key}`,
          at: Date.UTC(2026, 10, 18, 14, 1, 0, 1),
        }),
      ]),
    );
    const out = JSON.stringify(await all(file));
    expect(out).not.toContain(key);
    expect(out).not.toContain(Buffer.from(key).toString('hex'));
  });

  it('gives each key a separate fingerprint, and placeholders none', async () => {
    const file = scratchFile(
      'keys.har',
      har(
        ['first-key-000001', 'second-key-00002', 'first-key-000001', '[redacted]', '********'].map(
          (key, index) => entry({ key, at: Date.UTC(2026, 10, 18, 14, index, 0, 1) }),
        ),
      ),
    );
    const keys = (await all(file)).map((one) => (one.kind === 'exchange' ? one.exchange.key : ''));
    expect(keys[0]).toMatch(/^k:[0-9a-f]{8}$/);
    expect(keys[2]).toBe(keys[0]);
    expect(keys[1]).not.toBe(keys[0]);
    expect(keys.slice(3)).toEqual([null, null]);
  });
});

describe('the base URL', () => {
  it('is guessed from requests to the service, not to web pages', async () => {
    const page = entry({
      url: 'https://portal.example/news',
      key: null,
      body: '<!doctype html>',
      headers: { 'content-type': 'text/html' },
    });
    const file = scratchFile(
      'guess.har',
      har([page, page, page, entry({ url: `${BASE}/indices` })]),
    );
    expect((await checked([file])).tally.recordings[0]).toMatchObject({ baseUrl: BASE });
    const pages = scratchFile('pages.har', har([page, page]));
    await expect(checked([pages])).rejects.toMatchObject({
      code: 'ASSAY_RECORDING',
      hint: expect.stringContaining('--base-url') as string,
    });
  });

  it('selects the entries when given', async () => {
    const other = 'https://staging.fixture.example';
    const file = scratchFile(
      'two.har',
      har([entry(), entry(), entry({ url: `${other}/indices`, body: [{ a: 1 }] })]),
    );
    const { tally } = await checked([file], { baseUrl: other });
    expect(tally).toMatchObject({ read: 3, judged: 1 });
    await expect(checked([file], { baseUrl: 'https://nobody.example' })).rejects.toThrow(
      /None of the 3 entries can be judged \(3: not below the base URL\)/,
    );
  });
});

describe('several recordings', () => {
  it('are judged together, each by its own clock, without id conflicts', async () => {
    const files = [fixture('chrome.har'), fixture('mitmproxy.har')];
    const { results, tally } = await checked(files);
    expect(tally).toMatchObject({ read: 15, judged: 7 });
    expect(new Set(results.exchanges.map(({ id }) => id)).size).toBe(7);
    expect(against(results)).toEqual([]);
  });
});
