import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TargetError } from '../errors.ts';
import { parseTargetFile, readTargetFile } from './target-file.ts';

function failure(source: string, env: Record<string, string> = {}): TargetError {
  try {
    parseTargetFile(source, 'target.yaml', env);
  } catch (error) {
    if (error instanceof TargetError) return error;
    throw error;
  }
  throw new Error('the file was accepted');
}

describe('parseTargetFile', () => {
  it('reads YAML and JSON', () => {
    const yaml = 'baseUrl: https://a.example/v1\nkeys:\n  valid: ["key-000001"]\nenvelope: null\n';
    const expected = {
      baseUrl: 'https://a.example/v1',
      keys: { valid: ['key-000001'] },
      envelope: null,
    };
    expect(parseTargetFile(yaml, 'target.yaml', {})).toEqual(expected);
    expect(parseTargetFile(JSON.stringify(expected), 'target.json', {})).toEqual(expected);
  });

  it.each([
    ['results.json', { schemaVersion: 1, tool: {}, verdict: 'conforms', notes: ['${NOT_SET}'] }],
    ['a package.json', { name: 'x', version: '1.0.0', scripts: {}, dependencies: {} }],
  ])('says in one line that %s is no target file', (_, content) => {
    const { code, message } = failure(JSON.stringify(content, null, 2));
    expect(code).toBe('ASSAY_TARGET_INVALID');
    expect(message).toMatch(/^target\.yaml: is .*not a target file/);
    expect(message).not.toContain('\n');
  });

  it('lists ten problems and counts the others', () => {
    const wrong = Array.from({ length: 30 }, (_, index) => `setting${index}: 1\n`).join('');
    const { message } = failure(`baseUrl: https://a.example/v1\n${wrong}`);
    expect(message.split('\n')).toHaveLength(11);
    expect(message).toMatch(/target\.yaml: and 20 more$/);
  });

  it('substitutes variables within values, not in names, and not twice', () => {
    const source =
      'baseUrl: https://${HOST}/${VERSION}\nkeys:\n  valid: ["${KEY}"]\n  expired: "a$${KEY}b"\n';
    const env = { HOST: 'a.example', VERSION: 'v1', KEY: 'key-${HOST}' };
    expect(parseTargetFile(source, 'target.yaml', env)).toEqual({
      baseUrl: 'https://a.example/v1',
      keys: { valid: ['key-${HOST}'], expired: 'a${KEY}b' },
    });
  });

  it('ignores a missing variable only in settings that are overridden', () => {
    const text =
      'baseUrl: https://a.example\nkeys:\n  valid: ["${K1}", key-two]\n  expired: "${OLD}"\n';
    const read = (env: Record<string, string>) => parseTargetFile(text, 'f', env, ['keys.valid']);
    expect(read({ OLD: 'key-old' }).keys).toEqual({ expired: 'key-old' });
    expect(read({ OLD: 'key-old', K1: 'key-one' }).keys?.valid).toEqual(['key-one', 'key-two']);
    expect(() => read({ K1: 'key-one' })).toThrow('keys.expired: environment variable OLD');
  });

  it('names variable, setting and position when a variable is missing', () => {
    const error = failure(
      'baseUrl: https://a.example\nkeys:\n  valid:\n    - "${ONE}"\n    - x-${TWO}-${THREE}\n',
      { ONE: 'key-000001', THREE: '' },
    );
    expect(error.code).toBe('ASSAY_TARGET_VARIABLE');
    expect(error.message.split('\n')).toEqual([
      'target.yaml:5:7: keys.valid[1]: environment variable TWO is not set',
      'target.yaml:5:7: keys.valid[1]: environment variable THREE is empty',
    ]);
  });

  it('reports every wrong setting with its position, in the order of the file', () => {
    const error = failure(
      [
        'base_url: https://a.example',
        'keys:',
        '  restricted: { key: abcdef }',
        '  vaild: [secret-key-1]',
        'limits:',
        '  requests: many',
        'http: { timeoutMs: 0 }',
      ].join('\n'),
    );
    expect(error.code).toBe('ASSAY_TARGET_INVALID');
    expect(error.message.match(/^target\.yaml:[^ ]+ [^ ]+(?=:)/gm)).toEqual([
      'target.yaml:1:1: base_url',
      'target.yaml:3:3: keys.restricted.forbidden',
      'target.yaml:4:3: keys.vaild',
      'target.yaml:6:3: limits.requests',
      'target.yaml:7:9: http.timeoutMs',
    ]);
    expect(error.message).toMatch(/keys\.vaild: unknown setting; .*did you mean valid\?/);
    expect(error.message).toMatch(/restricted\.forbidden: is missing/);
    expect(error.message).toContain('found "many"');
  });

  it('never repeats a key in a message', () => {
    const error = failure(
      'baseUrl: https://a.example\nkeys: { disabled: 77712345, expired: [secret-key-1], vaild: [secret-key-2] }\n',
    );
    expect(error.message.split('\n')).toHaveLength(3);
    expect(error.message).not.toMatch(/77712345|secret-key/);
  });

  it('leaves a missing base URL to flags and environment', () => {
    expect(parseTargetFile('keys: { valid: [key-000001] }', 'target.yaml', {})).toEqual({
      keys: { valid: ['key-000001'] },
    });
  });

  it.each([
    ['broken YAML', 'baseUrl: [', 'ASSAY_TARGET_SYNTAX'],
    ['a repeated setting', 'baseUrl: a\nbaseUrl: b\n', 'ASSAY_TARGET_SYNTAX'],
    ['a list', '- baseUrl\n', 'ASSAY_TARGET_INVALID'],
    ['nothing', '', 'ASSAY_TARGET_INVALID'],
  ])('refuses %s', (_, source, code) => {
    expect(failure(source)).toMatchObject({ code });
    expect(failure(source).message).toMatch(/^target\.yaml/);
    expect(failure(source).hint).not.toBe('');
  });

  it('gives line and column of a syntax error', () => {
    expect(failure('baseUrl: a\nbaseUrl: b\n').message).toMatch(/^target\.yaml:2:1: /);
  });
});

describe('readTargetFile', () => {
  it('resolves the certificate file against the folder of the target file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'target-'));
    try {
      const file = join(folder, 'target.yaml');
      writeFileSync(file, 'baseUrl: https://a.example\nhttp: { caFile: certs/ca.pem }\n');
      expect(readTargetFile(file, {}).http?.caFile).toBe(join(folder, 'certs/ca.pem'));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('names the file that it cannot read', () => {
    expect(() => readTargetFile('no/such/file.yaml', {})).toThrow(
      expect.objectContaining({
        code: 'ASSAY_TARGET_UNREADABLE',
        message: expect.stringContaining('no/such/file.yaml'),
      }),
    );
  });
});
