import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { httpSecrets } from '../http/secrets.ts';
import { bearerOf, type BearerSettings } from './bearer.ts';
import { keyRing } from './keys.ts';
import { resolveNetwork } from './network.ts';
import type { TargetHttp } from './target.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'assay bearer '));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let counters = 0;

/** A command that prints a new token each time, and the number of its runs. */
function counting(print = '`token-${n}-0001`'): { command: string[]; runs: () => number } {
  const file = path.join(folder, `count ${(counters += 1)}`);
  writeFileSync(file, '0');
  const script = `const fs = require('fs'); const n = Number(fs.readFileSync(process.argv[1])) + 1;
    fs.writeFileSync(process.argv[1], String(n)); console.log(${print})`;
  return {
    command: [process.execPath, '-e', script, file],
    runs: () => Number(readFileSync(file, 'utf8')),
  };
}

function errorOf(act: () => unknown): Error & { readonly code?: unknown } {
  try {
    act();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('no error');
}

const node = (script: string): string[] => [process.execPath, '-e', script];

const resolve = (bearer: BearerSettings, headers = {}, keyHeader = 'X-API-KEY'): TargetHttp =>
  resolveNetwork({
    flags: {},
    env: {},
    file: { bearer, headers },
    baseUrl: 'https://a.example',
    keyHeader,
  });

describe('a bearer token', () => {
  it('is renewed when due, once for concurrent requests', async () => {
    const { command, runs } = counting();
    const bearer = bearerOf({ command, refreshMs: 1000 });
    expect(bearer.value).toBe('Bearer token-1-0001');
    await bearer.refresh();
    expect(runs()).toBe(1);
    const later = Date.now() + 1001;
    await Promise.all([bearer.refresh(later), bearer.refresh(later), bearer.refresh(later)]);
    expect(runs()).toBe(2);
    expect(bearer.value).toBe('Bearer token-2-0001');
  });

  it.each([
    ['that names its end, a minute before', 600, 540_000],
    ['that is over already, a second later at the earliest', -600, 1000],
  ])('%s', async (_, seconds, dueIn) => {
    const claims = `Buffer.from(JSON.stringify({exp: ${Math.floor(Date.now() / 1000) + seconds}})).toString('base64url')`;
    const { command, runs } = counting(`'e30.' + ${claims} + '.sig' + n`);
    const bearer = bearerOf({ command });
    await bearer.refresh(Date.now() + dueIn - 3000);
    expect(runs()).toBe(1);
    await bearer.refresh(Date.now() + dueIn + 1000);
    expect(runs()).toBe(2);
  });

  it('without an expiry is renewed after five minutes, also when it only looks like a JWT', async () => {
    for (const print of ["'opaque-token'", "'a.b.c-'+n", "'a.bnVsbA.c-'+n"]) {
      const { command, runs } = counting(print);
      const bearer = bearerOf({ command });
      await bearer.refresh(Date.now() + 290_000);
      expect(runs()).toBe(1);
      await bearer.refresh(Date.now() + 301_000);
      expect(runs()).toBe(2);
    }
  });

  it.each([
    ['no program', ['no-such-program-here'], /program or folder not found/],
    ['a failure', node('console.log("secret-0001"); process.exit(3)'), /exited with 3/],
    ['nothing', node(''), /printed no token/],
    ['a sentence', node('console.log("please log in secret-0001")'), /more than one word/],
    ['a short one', node('console.log("abc")'), /shorter than 6/],
    ['a flood', node('console.log("secret-0001".repeat(9999))'), /more than 64 KiB/],
  ])(
    'is refused where its command gives %s, and what it printed is not shown',
    (_, command, message) => {
      // Asked once: each time starts a process.
      const error = errorOf(() => bearerOf({ command }));
      expect(error.code).toBe('ASSAY_TARGET_BEARER');
      expect(error.message).toMatch(message);
      expect(error.message).not.toMatch(/secret-0001/);
    },
  );

  it('reports the same on renewal', async () => {
    const { command } = counting('n === 1 ? "token-0001" : process.exit(4)');
    const bearer = bearerOf({ command, refreshMs: 1000 });
    await expect(bearer.refresh(Date.now() + 2000)).rejects.toThrow(/exited with 4/);
    expect(bearer.value).toBe('Bearer token-0001');
  });
});

describe('the headers of a target with a bearer token', () => {
  it('hold the current token, and earlier ones stay secret', async () => {
    const http = resolve({ command: counting().command, refreshMs: 1000 }, { 'X-Team': 'data' });
    expect({ ...http.headers }).toEqual({ 'X-Team': 'data', Authorization: 'Bearer token-1-0001' });
    await http.bearer?.refresh(Date.now() + 2000);
    expect({ ...http.headers }).toEqual({ 'X-Team': 'data', Authorization: 'Bearer token-2-0001' });
    const secrets = httpSecrets(http).map(({ value }) => value);
    expect(secrets).toEqual(['token-1-0001', 'token-2-0001']);
  });

  it.each([
    [
      'a header that is set',
      { command: counting().command },
      { authorization: 'x' },
      /is already set/,
    ],
    [
      'the key header',
      { command: counting().command, header: 'x-api-key' },
      {},
      /is the key header/,
    ],
    ['a header of the connection', { command: counting().command, header: 'TE' }, {}, /hop-by-hop/],
  ])('cannot be %s', (_, settings, headers, message) => {
    expect(() => resolve(settings, headers)).toThrow(message);
  });
});

describe('a ring of keys', () => {
  it('redacts keys that are added later', () => {
    const ring = keyRing({ valid: ['key-one-0001'] }, { seed: 1, secrets: ['token-1-0001'] });
    const text = 'key-one-0001 token-1-0001 token-2-0001';
    expect(ring.redact(text)).toContain('token-2-0001');
    expect(ring.stillLeaks('token-2-0001')).toBe(false);
    ring.hide('token-2-0001');
    expect(ring.redact(text)).not.toMatch(/token|key-one/);
    expect(ring.stillLeaks('token-2-0001')).toBe(true);
  });
});
