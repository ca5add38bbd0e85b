import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { assay, scratch, serve } from '../cli/assay.ts';

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const KEYS = {
  K1: 'reference-key-valid-0001',
  EXPIRED: 'reference-key-expired-9b07',
};

describe('from an empty folder', () => {
  it('init, doctor and run go together', async () => {
    const server = await serve();
    try {
      const flags = [
        '-u',
        server.baseUrl,
        '--key-env',
        'K1',
        '--expired-key-env',
        'EXPIRED',
        '--yes',
      ];
      const init = await assay(['init', ...flags], KEYS);
      expect(init.code).toBe(0);
      expect(init.stdout).toMatch(/at most \d+ requests with valid keys/);
      const text = readFileSync(path.join(scratch, 'assay.target.yaml'), 'utf8');
      for (const key of Object.values(KEYS)) expect(text + init.text).not.toContain(key);

      const again = await assay(['init', ...flags], KEYS);
      expect([again.code, again.stderr]).toEqual([
        2,
        expect.stringContaining('[ASSAY_FILE_EXISTS]'),
      ]);
      expect((await assay(['init', ...flags, '--force', '--offline'], KEYS)).code).toBe(0);
      expect((await assay(['init', ...flags, '--force'], KEYS)).code).toBe(0);

      const doctor = await assay(['doctor', '-t', 'assay.target.yaml'], KEYS);
      expect(doctor.stdout).toContain('at most 5 requests: 1 with no key');
      expect(doctor.stdout).toContain('✓ ok   key expired');
      expect(doctor.code).toBe(0);
      const json = await assay(['doctor', '-t', 'assay.target.yaml', '--format', 'json'], KEYS);
      expect(JSON.parse(json.stdout)).toMatchObject({ exitCode: 0, baseUrl: server.baseUrl });

      const run = await assay(
        [
          'run',
          '-t',
          'assay.target.yaml',
          '--only',
          '5,4.3',
          '--profile',
          'smoke',
          '--format',
          'json',
          '-o',
          'out',
        ],
        KEYS,
      );
      expect(run.stdout).toContain('NO VIOLATION FOUND');
      expect(run.code).toBe(0);
    } finally {
      await server.stop();
    }
  });

  it('doctor is a gate: 2 for configuration, 3 for an unusable target', async () => {
    const nothing = await assay(['doctor'], { ASSAY_TARGET: '' });
    expect(nothing.code).toBe(2);
    expect(nothing.stdout).toContain('FAIL target');
    const closed = await assay(['doctor', '-u', 'http://127.0.0.1:9', '-k', 'abcdefgh12']);
    expect(closed.code).toBe(3);
    expect(closed.stdout).toContain('fix: Start the service');
    expect(closed.stdout).not.toContain('\u001b');
  });

  it('colours the words, not the meaning', async () => {
    const args = ['doctor', '-u', 'http://127.0.0.1:9', '-k', 'abcdefgh12'];
    const plain = await assay(args, { FORCE_COLOR: '', NO_COLOR: '1' });
    const colored = await assay(args, { FORCE_COLOR: '1', NO_COLOR: '' });
    expect(colored.stdout).toContain('\u001b[31m');
    expect(stripVTControlCharacters(colored.stdout)).toBe(plain.stdout);
  });

  it.each([
    [['init', '-u', 'http://127.0.0.1:9', '--yes'], 2, '--key-env NAME is missing'],
    [
      ['init', '-u', 'http://127.0.0.1:9', '--key-env', 'NOT_SET', '--yes'],
      2,
      'NOT_SET is not set',
    ],
    [
      ['init', '-u', 'http://127.0.0.1:9', '--key-env', 'sk_live_4f9a7c2be1d84'],
      2,
      'ASSAY_KEY_IN_PLAIN',
    ],
    [['init', '-u', 'ftp://x', '--key-env', 'K1', '--yes'], 2, 'ASSAY_TARGET_BASE_URL'],
  ])('%j exits %i', async (args, code, words) => {
    const ended = await assay([...args, '--out', 'other.yaml'], KEYS);
    expect(ended.stderr).toContain(words);
    expect(ended.code).toBe(code);
    expect(existsSync(path.join(scratch, 'other.yaml'))).toBe(false);
  });

  it('writes what it knows when nothing answers, and exits 3', async () => {
    const ended = await assay(
      ['init', '-u', 'http://127.0.0.1:9', '--key-env', 'K1', '--yes', '--out', 'down.yaml'],
      KEYS,
    );
    expect(ended.code).toBe(3);
    expect(ended.stdout).toContain('Probing stopped early');
    expect(readFileSync(path.join(scratch, 'down.yaml'), 'utf8')).toContain('http://127.0.0.1:9');
  });
});

describe('the network options', () => {
  it.each([
    [['--header', 'X-API-KEY: abcdefgh12'], 'X-API-KEY is the key header'],
    [['--header', 'Connection: close'], 'hop-by-hop header'],
    [['--header', 'nonsense'], 'must be "Name: value"'],
    [['--proxy', 'socks5://127.0.0.1:1'], '--proxy must begin with http'],
    [['--ca-file', 'no-such.pem'], '--ca-file cannot be read'],
    [['--timeout-ms', '0'], '--timeout-ms takes'],
  ])('%j cannot be used', async (flags, words) => {
    const { code, stderr } = await assay([
      'run',
      '-u',
      'http://127.0.0.1:9',
      '-k',
      'abcdefgh12',
      ...flags,
    ]);
    expect(stderr).toContain(words);
    expect(stderr).toContain('[ASSAY_TARGET_INVALID]');
    expect(code).toBe(2);
  });

  it('warn at once and in the results that certificates are not verified', async () => {
    const flags = [
      '-u',
      'https://127.0.0.1:9',
      '-k',
      'abcdefgh12',
      '--insecure',
      '--format',
      'json,html',
    ];
    const { stderr, stdout } = await assay(['run', ...flags, '-o', 'insecure']);
    expect(stderr).toContain('warning: TLS certificates are not verified');
    expect(stdout).toContain('TLS certificates were not verified');
    const folder = path.join(scratch, 'insecure');
    expect(readFileSync(path.join(folder, 'results.json'), 'utf8')).toContain(
      'certificates were not verified',
    );
    expect(readFileSync(path.join(folder, 'report.html'), 'utf8')).toContain(
      'certificates were not verified',
    );
  });
});
