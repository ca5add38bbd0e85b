import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { Interrupted, interview } from '../../src/cli/init/init-questions.ts';
import {
  completeUrl,
  endpointPath,
  flagSettings,
  looksLikeKey,
  variableName,
} from '../../src/cli/init/init-settings.ts';

/** Answers each question as it is asked. */
function conversation(answers: readonly string[], env: Record<string, string> = {}) {
  const input = new PassThrough();
  const output = new PassThrough();
  const left = [...answers];
  let shown = '';
  output.on('data', (chunk: Buffer) => {
    shown += chunk.toString();
    if (!chunk.toString().endsWith(': ')) return;
    const next = left.shift();
    if (next === undefined) input.end();
    else input.write(`${next}\n`);
  });
  return { talk: { input, output, env }, shown: () => shown };
}

describe('the questions', () => {
  it('ask for missing settings, and Enter accepts the default', async () => {
    const { talk } = conversation(['staging.example/v1', '', '', 'EXPIRED_KEY']);
    expect(await interview({}, talk)).toEqual({
      baseUrl: 'https://staging.example/v1',
      valid: ['ASSAY_KEY'],
      disabled: undefined,
      expired: 'EXPIRED_KEY',
    });
  });

  it('offer ASSAY_API_KEY where it is set, and take several names', async () => {
    const env = { ASSAY_API_KEY: 'abcdefgh' };
    const first = await interview({ baseUrl: 'http://a' }, conversation(['', '', ''], env).talk);
    expect(first.valid).toEqual(['ASSAY_API_KEY']);
    const { talk } = conversation(['K1, ${K2}', '', '']);
    expect((await interview({ baseUrl: 'http://a' }, talk)).valid).toEqual(['K1', 'K2']);
  });

  it.each([
    ['localhost:8080', 'http://localhost:8080'],
    ['localhost', 'http://localhost'],
    ['127.0.0.1:4010/v1', 'http://127.0.0.1:4010/v1'],
    ['[::1]:4010', 'http://[::1]:4010'],
    ['localhost.example', 'https://localhost.example'],
    ['staging.example:8443', 'https://staging.example:8443'],
  ])('take %s for %s, as the flag does', async (answer, url) => {
    const asked = await interview({}, conversation([answer, 'KEY', '', '']).talk);
    expect(asked.baseUrl).toBe(url);
    expect(completeUrl(answer)).toBe(url);
  });

  it('report an unset variable at once, keep the answers, and accept another', async () => {
    const { talk, shown } = conversation(['a.example', 'TYPO', 'KEY', 'OFF', ''], { KEY: 'x' });
    const settings = await interview({}, { ...talk, looks: true });
    expect(settings).toMatchObject({
      baseUrl: 'https://a.example',
      valid: ['KEY'],
      disabled: 'OFF',
    });
    expect(shown().indexOf('TYPO is not set')).toBeLessThan(shown().indexOf('disabled key'));
    expect(shown()).toContain('TYPO is not set');
  });

  it('continue without sending requests after Enter', async () => {
    const { talk } = conversation(['a.example', 'LATER', '', '', ''], {});
    expect((await interview({}, { ...talk, looks: true })).valid).toEqual(['LATER']);
  });

  it('refuse a key with a reason and ask again', async () => {
    const key = 'sk_live_4f9a7c2be1d84';
    const { talk, shown } = conversation([key, 'KEY', '', '']);
    expect((await interview({ baseUrl: 'http://a' }, talk)).valid).toEqual(['KEY']);
    expect(shown()).toContain('looks like a key');
    expect(shown()).not.toContain(key);
  });

  it('give up after three invalid answers', async () => {
    const { talk } = conversation(['%%', '', ' ', 'x']);
    await expect(interview({}, talk)).rejects.toThrow('Not a URL.');
  });

  it('end with the input', async () => {
    await expect(interview({}, conversation(['http://a']).talk)).rejects.toThrow(Interrupted);
  });
});

describe('a name of a variable', () => {
  it.each([
    'K1',
    'ASSAY_KEY',
    'STAGING_API_KEY_2',
    'key',
    'my_key',
    'KEY_FOR_THE_STAGING_ENVIRONMENT',
  ])('may be %s', (name) => expect(variableName(name, '--key-env', {})).toBe(name));

  it.each([
    'sk_live_4f9a7c2be1d84',
    '8f14e45fceea167a5a36dedd4bea2543',
    'a87ff679a2f3e71d9181a67b7542122c',
    'A87FF679A2F3E71D9181A67B7542122C',
    '3b1f8f0e-1c2d-4e5f-8a9b-0c1d2e3f4a5b',
    'reference-key-valid-0001',
    'Va1idKey-0001-abcdef',
    'eyJhbGciOiJIUzI1NiJ9.e30.abc',
    'abcdefghijklmnopqrstuvwxyz',
    'dGhpcyBpcyBhIGtleQ==',
  ])('is not %s, which is never repeated', (key) => {
    expect(looksLikeKey(key, {})).toBe(true);
    try {
      variableName(key, '--key-env', {});
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({ code: 'ASSAY_KEY_IN_PLAIN' });
      expect(String(error)).not.toContain(key);
    }
  });

  it('may look like a key when it is set in the environment', () => {
    expect(variableName('key0123456789', '--key-env', { key0123456789: 'x' })).toBe(
      'key0123456789',
    );
  });
});

describe('the flags', () => {
  const none = {
    'base-url': undefined,
    'key-env': undefined,
    'disabled-key-env': undefined,
    'expired-key-env': undefined,
    'restricted-key-env': undefined,
    forbidden: undefined,
    'near-quota-key-env': undefined,
    remaining: undefined,
    'auth-header': undefined,
  };

  it.each([
    [{ 'restricted-key-env': 'R' }, '--restricted-key-env and --forbidden must be given together'],
    [{ forbidden: ['/news'] }, '--restricted-key-env and --forbidden must be given together'],
    [{ 'near-quota-key-env': 'N' }, '--near-quota-key-env and --remaining must be given together'],
    [{ 'near-quota-key-env': 'N', remaining: 1.5 }, '--remaining takes a whole number'],
    [{ 'disabled-key-env': 'sk_live_4f9a7c2be1d84' }, 'looks like a key'],
  ])('%j do not go', (part, message) => {
    expect(() => flagSettings({ ...none, ...part }, {})).toThrow(message);
  });

  it('name endpoints of the specification', () => {
    expect(endpointPath('/news')).toBe('/news');
    expect(() => endpointPath('/newz')).toThrow('not an endpoint in the specification');
  });
});
