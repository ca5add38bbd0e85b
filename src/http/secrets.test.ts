import { describe, expect, it } from 'vitest';
import { TARGET_DEFAULTS } from '../target/target.ts';
import { httpSecrets, isSecretHeader, secretsOf } from './secrets.ts';

const of = (headers: Record<string, string>, proxy: string | null = null): string[] =>
  httpSecrets({ headers, proxy, clientCertificate: null, bearer: null }).map(({ value }) => value);

describe('httpSecrets', () => {
  it.each([
    [{ Authorization: 'Bearer abc123def' }, ['abc123def']],
    [{ 'X-Team-Token': 'secret-team' }, ['secret-team']],
    [{ Cookie: 'theme=dark; session=5b20e7aa; a="quoted-1"' }, ['5b20e7aa', 'quoted-1']],
    [{ 'X-Team': 'data-platform', Accept: 'application/json' }, []],
    [
      { Authorization: `Basic ${Buffer.from('user:pass word').toString('base64')}` },
      ['dXNlcjpwYXNzIHdvcmQ=', 'user:pass word', 'pass word'],
    ],
    [{ Authorization: 'Token short' }, []],
  ])('takes credentials out of %j', (headers, expected) => {
    expect(of(headers)).toEqual(expected);
  });

  it('takes the password of a proxy as written and as meant, or the user that stands alone', () => {
    expect(of({}, 'http://me:p%40ssword@proxy.example:3128')).toEqual(['p%40ssword', 'p@ssword']);
    expect(of({}, 'http://only-a-token@proxy.example')).toEqual(['only-a-token']);
    expect(of({}, 'http://proxy.example')).toEqual([]);
    expect(of({}, 'http://me:%zz%zz%zz@proxy.example')).toEqual(['%zz%zz%zz']);
  });
});

it('names every key by its setting', () => {
  const keys = { valid: ['valid-key-0001', 'valid-key-0002'], disabled: 'disabled-0003' };
  expect(secretsOf({ keys, http: TARGET_DEFAULTS.http }).map(({ name }) => name)).toEqual([
    'keys.valid[0]',
    'keys.valid[1]',
    'keys.disabled',
  ]);
});

it('knows the headers that always carry a credential', () => {
  expect(isSecretHeader('Set-Cookie')).toBe(true);
  expect(isSecretHeader('X-Request-Id')).toBe(false);
});
