import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadTarget, resolveTarget } from './resolve-target.ts';

const file = { baseUrl: 'https://file.example/v1', keys: { valid: ['file-key-1'] } };

describe('resolveTarget', () => {
  it('fills the defaults of the specification', () => {
    expect(resolveTarget({ env: {}, file })).toEqual({
      baseUrl: 'https://file.example/v1',
      auth: { header: 'X-API-KEY' },
      keys: { valid: ['file-key-1'] },
      fixtures: {},
      limits: { requests: 20, windowMs: 60_000, monthlyQuota: 100_000 },
      envelope: null,
      http: {
        timeoutMs: 10_000,
        headers: {},
        bearer: null,
        insecure: false,
        caFile: null,
        clientCertificate: null,
        proxy: null,
        http2: false,
      },
    });
  });

  it('puts flags over environment over file', () => {
    const env = { ASSAY_BASE_URL: 'https://env.example', ASSAY_API_KEY: 'env-key-1, env-key-2' };
    const flags = { 'base-url': 'https://flag.example/', 'api-key': ['flag-key-1'] };
    expect(resolveTarget({ env: {}, file }).keys.valid).toEqual(['file-key-1']);
    const environment = resolveTarget({ env, file });
    expect(environment.baseUrl).toBe('https://env.example');
    expect(environment.keys.valid).toEqual(['env-key-1', 'env-key-2']);
    const flagged = resolveTarget({ flags, env, file });
    expect(flagged.baseUrl).toBe('https://flag.example');
    expect(flagged.keys.valid).toEqual(['flag-key-1']);
  });

  it('keeps the settings of the file that are not overridden', () => {
    const target = resolveTarget({
      flags: { 'api-key': ['flag-key-1'] },
      env: {},
      file: {
        ...file,
        keys: { valid: ['file-key-1'], expired: 'expired-key-1' },
        limits: { windowMs: 1000 },
        http: { insecure: true },
        clock: { control: 'http://127.0.0.1:1/_clock' },
      },
    });
    expect(target).toMatchObject({
      keys: { valid: ['flag-key-1'], expired: 'expired-key-1' },
      limits: { requests: 20, windowMs: 1000 },
      http: { timeoutMs: 10_000, insecure: true },
      clock: { control: 'http://127.0.0.1:1/_clock' },
    });
  });

  it.each([
    ['not a url', /is not a URL/],
    ['ftp://a.example', /http:\/\/ or https:\/\//],
    ['https://user:pass@a.example', /must not contain credentials/],
    ['https://a.example/v1?key=1', /query/],
    ['https://a.example/#top', /fragment/],
  ])('refuses the base URL %s', (baseUrl, message) => {
    const resolve = (): unknown => resolveTarget({ flags: { 'base-url': baseUrl }, env: {}, file });
    expect(resolve).toThrow(message);
    expect(resolve).toThrow(expect.objectContaining({ code: 'ASSAY_TARGET_BASE_URL' }));
    expect(resolve).not.toThrow(/pass/);
  });

  it('says what to set when the base URL or the key is missing', () => {
    expect(() => resolveTarget({ env: {} })).toThrow(
      expect.objectContaining({
        code: 'ASSAY_TARGET_BASE_URL',
        hint: expect.stringContaining('--base-url'),
      }),
    );
    const keyless = { baseUrl: 'https://a.example' };
    expect(() => resolveTarget({ env: { ASSAY_API_KEY: ' , ' }, file: keyless })).toThrow(
      expect.objectContaining({
        code: 'ASSAY_TARGET_KEY',
        hint: expect.stringContaining('ASSAY_API_KEY'),
      }),
    );
    expect(resolveTarget({ env: {}, file: keyless, requireKey: false }).keys.valid).toEqual([]);
  });

  it.each([
    [{ valid: ['abc'] }, /keys\.valid\[0\] is shorter than 6/],
    [{ valid: ['valid-key'], expired: 'with space' }, /keys\.expired contains a character/],
    [
      { valid: ['valid-key'], nearQuota: { key: 'valid-key', remaining: 1 } },
      /keys\.nearQuota\.key is the same key as keys\.valid\[0\]/,
    ],
  ])('refuses the keys %j without showing them', (keys, message) => {
    const resolve = (): unknown => resolveTarget({ env: {}, file: { ...file, keys } });
    expect(resolve).toThrow(message);
    expect(resolve).not.toThrow(/valid-key|with space/);
  });
});

describe('loadTarget', () => {
  it('reads the file that the flag or ASSAY_TARGET names', () => {
    const folder = mkdtempSync(join(tmpdir(), 'target-'));
    try {
      const path = join(folder, 'target.yaml');
      writeFileSync(path, 'baseUrl: https://${HOST}\nkeys: { valid: [file-key-1] }\n');
      const expected = { baseUrl: 'https://a.example', keys: { valid: ['file-key-1'] } };
      const env = { HOST: 'a.example' };
      expect(loadTarget({ flags: { target: path }, env })).toMatchObject(expected);
      expect(loadTarget({ env: { ...env, ASSAY_TARGET: path } })).toMatchObject(expected);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
