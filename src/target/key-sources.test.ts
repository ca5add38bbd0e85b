import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { keysOfCommand, keysOfFile } from './key-sources.ts';
import { loadTarget, resolveTarget } from './file/resolve-target.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'assay keys '));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const LINES = '# of staging\nkey-one-0001\n\n  key-two-0002\r\n';

function file(name: string, text: string, mode = 0o600): string {
  const at = path.join(folder, name);
  writeFileSync(at, text, { mode });
  chmodSync(at, mode);
  return at;
}

/** A command that runs a line of JavaScript. */
const node = (script: string): string[] => [process.execPath, '-e', script];

describe('keys of a file', () => {
  it('are read one per line', () => {
    const keys = ['key-one-0001', 'key-two-0002'];
    expect(keysOfFile(file('keys', LINES), '--key-file')).toEqual(keys);
  });

  it.skipIf(process.platform === 'win32')('are refused while others may read them', () => {
    const open = file("it's open", LINES, 0o640);
    const read = (): unknown => keysOfFile(open, '--key-file');
    expect(read).toThrow(/is accessible to other users \(mode 0640\)/);
    expect(read).not.toThrow(/key-one/);
    chmodSync(open, 0o400);
    expect(read).not.toThrow();
  });

  it.each([
    ['no file', path.join(folder, 'none'), /cannot be read/],
    ['a folder', folder, /open to other users|cannot be read/],
    ['no key', file('empty', '# none yet\n'), /contains no key/],
    ['a large file', file('large', 'k'.repeat(100_000)), /larger than 64 KiB/],
  ])('are refused for %s', (_, named, message) => {
    expect(() => keysOfFile(named, 'ASSAY_KEY_FILE')).toThrow(message);
  });
});

describe('keys of a command', () => {
  it('are read one per line, without a shell', () => {
    const script = `console.log(${JSON.stringify(LINES)} + process.argv[1])`;
    expect(keysOfCommand([...node(script), '$HOME; ls'])).toEqual([
      'key-one-0001',
      'key-two-0002',
      '$HOME; ls',
    ]);
  });

  it.each([
    ['no program', ['no-such-program-here'], /program or folder not found/],
    ['a failure', node('console.log("key-one-0001"); process.exit(3)'), /exited with 3/],
    ['a signal', node('process.kill(process.pid)'), /was terminated by SIG/],
    ['no key', node(''), /printed no key/],
    ['a flood', node('console.log("k".repeat(1e6))'), /printed more than 64 KiB/],
  ])('are refused for %s, and what was printed is not shown', (_, command, message) => {
    expect(() => keysOfCommand(command)).toThrow(message);
    expect(() => keysOfCommand(command)).not.toThrow(/key-one|kkk/);
  });
});

describe('valid keys', () => {
  const keyFile = file('other keys', 'of-key-file-1\n');
  const settings = { baseUrl: 'https://a.example', keys: { valid: ['of-target-file'] } };
  const keysOf = (flags: object, env: Record<string, string>): readonly string[] =>
    resolveTarget({ flags, env, file: settings }).keys.valid;

  it('come from flags over the environment over the target file', () => {
    const env = { ASSAY_KEY_FILE: keyFile };
    expect(keysOf({}, {})).toEqual(['of-target-file']);
    expect(keysOf({}, env)).toEqual(['of-key-file-1']);
    expect(keysOf({}, { ...env, ASSAY_API_KEY: 'of-environment' })).toEqual(['of-environment']);
    expect(keysOf({ 'key-file': keyFile }, { ASSAY_API_KEY: 'of-environment' })).toEqual([
      'of-key-file-1',
    ]);
    expect(keysOf({ 'key-file': keyFile, 'api-key': ['of-the-flag'] }, {})).toEqual([
      'of-the-flag',
    ]);
  });

  it('come from the command of the target file, run once in its folder and only when needed', () => {
    const script = `const fs = require('fs'); fs.appendFileSync('runs', 'x'); console.log('of-command-1')`;
    const command = JSON.stringify(node(script));
    const target = file(
      'target.json',
      `{"baseUrl": "https://a.example", "keyCommand": ${command}}`,
    );
    const runs = (): string => readFileSync(path.join(folder, 'runs'), 'utf8');
    expect(loadTarget({ flags: { target }, env: {} }).keys.valid).toEqual(['of-command-1']);
    expect(runs()).toBe('x');
    const flags = { target, 'api-key': ['of-the-flag'] };
    expect(loadTarget({ flags, env: {} }).keys.valid).toEqual(['of-the-flag']);
    expect(runs()).toBe('x');
  });

  it('cannot be given twice', () => {
    const twice = { ...settings, keyCommand: node('') };
    expect(() => resolveTarget({ env: {}, file: twice })).toThrow(
      /both keys\.valid and keyCommand/,
    );
  });
});
