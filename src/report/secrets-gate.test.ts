import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { makeExchange, makeResults } from '../../test/report/fixture.ts';
import type { Results } from './model/results.ts';
import { SecretsGate } from '../fs/secrets-gate.ts';
import { FORMATS } from './formats.ts';
import { SecretLeak, writeReports } from './write.ts';

const KEY = 'Kq7+token/economics=9Zx';
const gate = new SecretsGate([
  { name: 'keys.valid[0]', value: KEY },
  { name: 'keys.expired', value: 'expired-key-0042' },
]);

const each = (text: string, write: (code: number) => string): string =>
  Array.from(text, (one) => write(one.charCodeAt(0))).join('');
const hex = (code: number): string => code.toString(16).padStart(2, '0');
const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** Every writing that the gate promises to find. */
const WRITINGS: readonly (readonly [name: string, text: string])[] = [
  ['plain', KEY],
  ['upper case', KEY.toUpperCase()],
  ['lower case', KEY.toLowerCase()],
  ['URL-encoded', encodeURIComponent(KEY)],
  ['URL-encoded throughout', each(KEY, (code) => `%${hex(code)}`)],
  ['JSON', JSON.stringify(`a ${KEY}`)],
  ['JSON escapes', each(KEY, (code) => `\\u00${hex(code)}`)],
  ['JSON in JSON', JSON.stringify(JSON.stringify(each(KEY, (code) => `\\u00${hex(code)}`)))],
  ['escaped slashes', KEY.replaceAll('/', '\\/')],
  [
    'HTML names',
    KEY.replaceAll('+', '&plus;').replaceAll('/', '&sol;').replaceAll('=', '&equals;'),
  ],
  ['HTML decimal', each(KEY, (code) => `&#${code};`)],
  ['HTML hexadecimal', each(KEY, (code) => `&#x00${hex(code).toUpperCase()};`)],
  ['HTML in JSON', JSON.stringify(each(KEY, (code) => `&#${code};`).replaceAll('&', '\\u0026'))],
  ['hexadecimal', Buffer.from(KEY).toString('hex')],
  ['hexadecimal, upper case', Buffer.from(KEY).toString('hex').toUpperCase()],
  ['base64', base64(KEY)],
  ['base64, offset 1', base64(`u${KEY}xyz`)],
  ['base64, offset 2', base64(`us${KEY}xyz`)],
  ['base64url', Buffer.from(`user:${KEY}`).toString('base64url')],
  ['base64, URL-encoded', encodeURIComponent(base64(`ab${KEY}`))],
];

describe('SecretsGate', () => {
  it.each(WRITINGS)('finds a key: %s', (_, text) => {
    expect(gate.scan(`before ${text} after`)).toMatchObject({ secret: 'keys.valid[0]' });
    // Long texts are searched in another way.
    expect(gate.scan(`${' '.repeat(200_000)}${text}`)).toMatchObject({ secret: 'keys.valid[0]' });
  });

  it('leaves words that contain a part of a key, and texts that resemble one', () => {
    const text = `/token-economics token_allocation ${KEY.slice(1)} ${KEY.slice(0, -1)} expired-key`;
    expect(gate.scan(text)).toBeNull();
    expect(new SecretsGate([]).scan(KEY)).toBeNull();
  });

  it.each([511 * 1024, 512 * 1024 - 5, 512 * 1024 - 32 * 1024 - 3, 3_000_000])(
    'finds a key that begins at %i',
    (at) => {
      expect(gate.scan(`${' '.repeat(at)}${KEY}${' '.repeat(1000)}`)).not.toBeNull();
    },
  );

  it('says which secret and how, and never the secret', () => {
    const leak = gate.scan(base64('x:expired-key-0042'));
    expect(leak).toEqual({ secret: 'keys.expired', encoding: 'base64' });
    expect(JSON.stringify(leak)).not.toContain('0042');
  });
});

describe('writeReports with a gate', () => {
  const folders: string[] = [];
  afterAll(async () => {
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
  });
  const written = async (text: string, redact: (text: string) => string) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'assay gate '));
    folders.push(folder);
    await writeFile(
      path.join(folder, 'journal.ndjson'),
      `{"text":${JSON.stringify(redact(text))}}\n`,
    );
    const exchange = makeExchange(1, { endpoint: '/news', path: '/news', body: redact(text) });
    const results: Results = { ...makeResults(), exchanges: [exchange] };
    const outcome = await writeReports(results, folder, FORMATS, { gate }).catch(
      (error: unknown) => error,
    );
    return { folder, outcome, files: (await readdir(folder)).toSorted() };
  };

  // The redactor is switched off: what it keeps out comes through to the gate, which must not let it out. Some writings, as
  // all of them were scanned for above.
  it.each(WRITINGS.filter((_, index) => index % 3 === 0))(
    'fires when nothing was redacted: %s',
    async (_, text) => {
      const { folder, outcome, files } = await written(`{"a":"${text}"}`, (same) => same);
      expect(outcome).toBeInstanceOf(SecretLeak);
      const { leaks, message, code } = outcome as SecretLeak;
      expect(code).toBe('ASSAY_SECRET_LEAK');
      expect(leaks.map(({ file }) => file)).toEqual(
        expect.arrayContaining([
          'results.json',
          'exchanges.har',
          'report.html',
          'report/index.html',
        ]),
      );
      expect(leaks.find(({ file }) => file === 'report.html')?.encoding).toMatch(
        /compressed|plain|./,
      );
      expect(leaks.map(({ file }) => file)).toContain('journal.ndjson');
      expect(message).not.toContain(KEY);
      expect(files).not.toContain('results.json');
      expect(files).not.toContain('journal.ndjson');
      for (const file of files.filter((name) => name.includes('.'))) {
        expect(gate.scan(await readFile(path.join(folder, file), 'utf8'))).toBeNull();
      }
    },
  );

  it('lets everything pass that was redacted', async () => {
    const { outcome, files } = await written(
      `{"a":"${KEY}"}`,
      () => '{"a":"[redacted:k:01234567]"}',
    );
    expect(outcome).toEqual(expect.arrayContaining([expect.stringContaining('results.json')]));
    expect(files).toContain('junit.xml');
    expect(files).toContain('journal.ndjson');
  });
});
