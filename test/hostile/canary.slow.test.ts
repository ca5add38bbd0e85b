import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { SecretsGate } from '../../src/fs/secrets-gate.ts';
import { hostileServer, type Hostile } from './server.ts';
import { cleanEnvironment } from '../kept/environment.ts';
import { runKept } from '../kept/run-kept.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'assay canary '));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const program = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url));
const assay = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runKept({ program, args, cwd: scratch, env: { ...cleanEnvironment(), ...env } });

/** Secrets in the settings other than keys. */
const CANARIES = {
  bearer: 'Canary-Bearer-7f3a91c2',
  basicPassword: 'canary:pass/word+9d1e',
  cookie: 'canary-cookie-5b20e7',
  custom: 'CanaryTeamToken0815',
  userinfo: 'canary-userinfo-3c4d',
} as const;

const FORMATS = 'html,html-dir,json,junit,ctrf,md,har,sarif';

const spell = (text: string, write: (code: number) => string): string =>
  Array.from(text, (one) => write(one.charCodeAt(0))).join('');
const two = (code: number): string => code.toString(16).padStart(2, '0');

/** A text in every encoding in which a target could echo it. */
function writings(text: string): string[] {
  const base64 = (prefix: string): string => Buffer.from(`${prefix}${text}-`).toString('base64');
  return [
    text,
    text.toUpperCase(),
    encodeURIComponent(text),
    spell(text, (code) => `%${two(code)}`),
    spell(text, (code) => `\\u00${two(code)}`),
    spell(text, (code) => `&#${code};`),
    spell(text, (code) => `&#x${two(code)};`),
    Buffer.from(text).toString('hex'),
    Buffer.from(text).toString('hex').toUpperCase(),
    base64(''),
    base64('a'),
    base64('ab'),
    Buffer.from(`ab${text}`).toString('base64url'),
    // Several layers: only withholding the whole text helps.
    encodeURIComponent(base64('a')),
    encodeURIComponent(spell(text, (code) => `&#${code};`)),
  ];
}

/** Echoes the request in the body, a header, a header name, an error and an address. */
const echo =
  (secrets: () => readonly string[]) =>
  (hostile: Hostile): void => {
    const all = secrets().flatMap((secret) => writings(secret));
    const one = all[hostile.number % all.length] ?? '';
    const quoted = JSON.stringify(one).replaceAll('\\\\u00', '\\u00');
    const headers = { 'x-echo': one, [`x-${one.replaceAll(/[^\w-]/g, '')}`]: '1' };
    if (hostile.number % 7 === 0) {
      hostile.reply({
        status: 302,
        headers: { ...headers, location: `https://evil.example/?k=${one}` },
      });
    } else if (hostile.status !== 200) {
      hostile.reply({
        headers,
        body: `{"code":400002,"message":${quoted},"details":{${quoted}:1}}`,
      });
    } else {
      hostile.reply({
        headers,
        body: hostile.body.replace('{', `{"echo":${quoted},${quoted}:"${one.length}",`),
      });
    }
  };

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true })
    .map((name) => path.join(folder, String(name)))
    .filter((file) => statSync(file).isFile());
}

describe('keys planted everywhere', () => {
  it.each(['standard'])('stand in no artifact and on no console (%s)', async (profile) => {
    let secrets: readonly string[] = [];
    const server = await hostileServer(
      echo(() => secrets),
      () => true,
    );
    try {
      secrets = [
        ...server.keys,
        ...Object.values(CANARIES).filter((one) => one !== CANARIES.userinfo),
      ];
      const { basicPassword, bearer, cookie, custom } = CANARIES;
      const keys = server.targetFile['keys'] as { valid: string[] };
      const target = path.join(scratch, 'target.json');
      writeFileSync(
        target,
        JSON.stringify({
          ...server.targetFile,
          keys: { ...keys, valid: keys.valid.map((_, index) => `\${CANARY_KEY_${index}}`) },
          http: {
            headers: {
              Authorization: `Bearer ${bearer}`,
              'X-Backend-Auth': `Basic ${Buffer.from(`user:${basicPassword}`).toString('base64')}`,
              Cookie: `theme=dark; session=${cookie}`,
              'X-Team-Token': custom,
            },
          },
        }),
      );
      const env = Object.fromEntries(keys.valid.map((key, index) => [`CANARY_KEY_${index}`, key]));
      const ended = await assay(
        ['run', '-t', target, '-o', 'out', '--verbose', '--format', FORMATS, '--profile', profile],
        env,
      );
      expect([1, 3], ended.stdout + ended.stderr).toContain(ended.code);
      const gate = new SecretsGate(
        secrets.map((value, index) => ({ name: `secret ${index}`, value })),
      );
      expect(gate.scan(ended.stdout + ended.stderr)).toBeNull();
      const files = filesBelow(path.join(scratch, 'out'));
      expect(files.length).toBeGreaterThanOrEqual(9);
      for (const file of files) {
        expect({ file, leak: gate.scan(readFileSync(file, 'utf8')) }).toEqual({ file, leak: null });
      }
      // The echoes arrived, so there was something to redact, and the scan would have found it.
      const results = readFileSync(path.join(scratch, 'out', 'results.json'), 'utf8');
      expect(results).toMatch(/key-echoed: \d+ answers/);
      expect(results).toContain('[redacted: the whole text');
    } finally {
      await server.close();
    }
  });

  it('are not shown when the settings are refused', async () => {
    const { userinfo } = CANARIES;
    const gate = new SecretsGate([{ name: 'userinfo', value: userinfo }]);
    for (const args of [
      ['-u', `http://user:${userinfo}@127.0.0.1:9/v1`, '-k', 'some-key-0001'],
      ['-u', `http://127.0.0.1:9/v1?key=${userinfo}`, '-k', 'some-key-0001'],
      ['-u', `http://127.0.0.1:9/${userinfo}/v1`, '-k', userinfo],
      ['-u', 'http://127.0.0.1:9/v1', '-k', `${userinfo} \u00e9`],
    ]) {
      const ended = await assay(['run', ...args, '-o', 'refused']);
      expect(ended.code, ended.stderr).toBe(2);
      const printed = gate.scan(ended.stdout + ended.stderr);
      expect({ args, printed }).toEqual({ args, printed: null });
    }
  });

  it.each(['token', '1', 'symbol', 'token-economics', 'currencies'])(
    'must not be ordinary words: %s',
    async (key) => {
      const ended = await assay(['run', '-u', 'http://127.0.0.1:9/v1', '-k', key]);
      expect(ended.code).toBe(2);
      expect(ended.stderr).toMatch(/redact/);
    },
  );

  it('leave words that resemble them unchanged', async () => {
    const server = await hostileServer(
      ({ reply }) => reply(),
      () => true,
    );
    try {
      const target = path.join(scratch, 'plain.json');
      writeFileSync(target, JSON.stringify(server.targetFile));
      await assay(['run', '-t', target, '-o', 'plain', '--profile', 'standard']);
      const results = readFileSync(path.join(scratch, 'plain', 'results.json'), 'utf8');
      expect(results).toContain('/token-economics');
      expect(results).toContain('token_allocation');
      expect(results).not.toContain('key-echoed');
    } finally {
      await server.close();
    }
  });
});
