import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Tally } from '../../src/run/check/check.ts';
import { against, BASE, checked, entry, har, scratchFile } from './harness.ts';

const CHARTS = [{ chart_name: 'a', time_field: 't', fields: [{ name: 't', type: 'long' }] }];
const TEXT = JSON.stringify(CHARTS);
const ZSTD = Buffer.from('28b52ffd0458190000', 'hex');

interface Recorded {
  readonly text: string;
  readonly encoding?: string;
  /** `Content-Encoding` of the answer. */
  readonly coding?: string;
}

const base64 = (bytes: Uint8Array | string, coding?: string): Recorded => ({
  text: Buffer.from(bytes).toString('base64'),
  encoding: 'base64',
  ...(coding === undefined ? {} : { coding }),
});

/** Judges a recording with a plain response and a response with this body. */
async function judged(name: string, { text, encoding, coding }: Recorded) {
  const one = entry({
    url: `${BASE}/analyses?page=2`,
    body: CHARTS,
    at: Date.UTC(2026, 10, 18, 14, 0, 9, 5),
    headers: coding === undefined ? {} : { 'content-encoding': coding },
  });
  Object.assign(one['response'] as object, {
    content: { size: -1, mimeType: 'application/json', text, ...(encoding && { encoding }) },
  });
  const file = scratchFile(`${name}.har`, har([entry({ body: CHARTS }), one]));
  const { results, tally } = await checked([file]);
  return { found: against(results), tally, body: results.exchanges[1]?.response?.text };
}

const leftOut = (tally: Tally): string[] => tally.leftOut.map(({ reason }) => reason);

describe('the body of a recorded answer', () => {
  it.each<[string, Recorded]>([
    ['gzip in base64', base64(gzipSync(TEXT), 'gzip')],
    ['gzip in base64 without its header', base64(gzipSync(TEXT))],
    ['brotli in base64', base64(brotliCompressSync(TEXT), 'br')],
    ['deflate in base64', base64(deflateSync(TEXT), 'deflate')],
    ['deflate without its frame', base64(deflateRawSync(TEXT), 'deflate')],
    [
      'brotli as one character a byte',
      { text: brotliCompressSync(TEXT).toString('latin1'), coding: 'br' },
    ],
    ['unpacked, with its header', { text: TEXT, coding: 'br' }],
    ['unpacked in base64, with its header', base64(TEXT, 'zstd')],
    ['plain in base64', base64(TEXT)],
    ['plain and marked as base64', { text: TEXT, encoding: 'base64' }],
  ])('is read: %s', async (name, recorded) => {
    const { found, tally, body } = await judged(name, recorded);
    expect(leftOut(tally)).toEqual([]);
    expect(tally.judged).toBe(2);
    expect(body).toBe(TEXT);
    expect(found).toEqual([]);
  });

  it.each<[string, Recorded, string]>([
    [
      'zstd in base64',
      base64(ZSTD, 'zstd'),
      'the body was recorded compressed (zstd) and cannot be decompressed',
    ],
    [
      'invalid brotli',
      base64(ZSTD, 'br'),
      'the body was recorded compressed (br) and cannot be decompressed',
    ],
    [
      'two codings',
      base64(brotliCompressSync(gzipSync(TEXT)), 'gzip, br'),
      'the body was recorded compressed (gzip, br) and cannot be decompressed',
    ],
    [
      'a coding with a name of any kind',
      base64(ZSTD, '\u001b[2J'),
      'the body was recorded compressed and cannot be decompressed',
    ],
    [
      'a bomb',
      base64(gzipSync(Buffer.alloc(65 * 1024 * 1024)), 'gzip'),
      'the body was recorded compressed and is too large',
    ],
    [
      'a page marked as base64',
      { text: '<html></html>', encoding: 'base64' },
      'the body is marked as base64 but is not valid base64',
    ],
  ])('is left out with its reason: %s', async (name, recorded, reason) => {
    const { found, tally } = await judged(name, recorded);
    expect(leftOut(tally)).toEqual([reason]);
    expect(tally.judged).toBe(1);
    expect(found).toEqual([]);
  });

  it('that is an HTML page decompressed by the recorder is not JSON', async () => {
    const { found } = await judged('page', base64('<html>\u00e9</html>', 'br'));
    expect(found).toContainEqual(expect.stringMatching(/^4\/json-body: .* that is not JSON/));
  });

  it('keeps a byte order mark, which is reported and skipped', async () => {
    const { found, tally, body } = await judged('mark', { text: `\ufeff${TEXT}` });
    expect(tally.judged).toBe(2);
    expect(body).toBe(`\ufeff${TEXT}`);
    expect(found).toEqual([
      expect.stringMatching(
        /^4\/json-body: GET \/analyses answered 200 with a byte order mark before the JSON: /,
      ),
    ]);
  });
});

describe('white space around the value of a header', () => {
  const limits = {
    'x-ratelimit-limit': '20 ',
    'x-ratelimit-remaining': ' 19\t',
    'x-ratelimit-reset': `${Date.UTC(2026, 10, 18, 14, 1)}  `,
  };

  it('is not part of it', async () => {
    const file = scratchFile('spaces.har', har([entry({ body: CHARTS, headers: limits })]));
    const { results } = await checked([file]);
    expect(against(results)).toEqual([]);
    expect(results.exchanges[0]?.response?.headers).toMatchObject({
      'x-ratelimit-limit': '20',
      'x-ratelimit-remaining': '19',
    });
  });

  it('is not joined for a header in two lines, nor for the key', async () => {
    const file = scratchFile(
      'lines.har',
      har([
        entry({ body: CHARTS, key: 'some-api-key-000111222 ', headers: { vary: 'a \n\tb' } }),
        entry({ body: CHARTS, at: Date.UTC(2026, 10, 18, 14, 0, 9, 5) }),
      ]),
    );
    const { results } = await checked([file]);
    const [first, second] = results.exchanges;
    expect(first?.response?.headers['vary']).toBe('a, b');
    expect(first?.key).toBe(second?.key);
  });
});

describe('a recording in UTF-16, as PowerShell writes it', () => {
  const text = har([entry({ body: [{ ...CHARTS[0], title: '比特币 💹' }] })]);

  it.each([
    ['with its mark', Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['without its mark', Buffer.from(text, 'utf16le')],
    ['big-endian', Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
  ])('is read %s', async (name, bytes) => {
    const { results, tally } = await checked([scratchFile(`${name}.har`, bytes)]);
    expect(tally.judged).toBe(1);
    expect(results.exchanges[0]?.response?.text).toContain('比特币 💹');
  });

  it('names the position of a mistake', async () => {
    const broken = Buffer.from(`\ufeff${text.replace('"entries":', '"entries"@\n')}`, 'utf16le');
    await expect(checked([scratchFile('slip16.har', broken)])).rejects.toThrow(
      /unexpected "@", at line 1, column \d+/,
    );
  });
});
