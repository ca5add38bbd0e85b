import { describe, expect, it } from 'vitest';
import { TARGET_DEFAULTS } from '../target/target.ts';
import { httpSecrets, isCommon, isPlainHeader, looksRandom, secretsOf } from './secrets.ts';

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

  it('includes the password of a proxy as written and decoded, or the user name without a password', () => {
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

it('knows headers that carry no credentials', () => {
  expect(isPlainHeader('User-Agent')).toBe(true);
  for (const name of ['Cookie', 'X-Acme', 'Ocp-Apim-Subscription-Key', 'Referer']) {
    expect(isPlainHeader(name), name).toBe(false);
  }
});

it.each([
  'SECRETAAAA1111',
  '550e8400-e29b-41d4-a716-446655440000',
  'sk_live_51Hx9aBcDeFgHiJk',
  'dXNlcjpwYXNzIHdvcmQ=',
  'QmFzZUxldHRlcnNPbmx5',
])('takes %s for drawn by chance', (text) => expect(looksRandom(text)).toBe(true));

it.each([
  'test',
  'wrapped-bitcoin-2',
  '1673723677362319866',
  '2026-11-20T10:00:00.200Z',
  'application/vnd.acme.v2+json',
  'AppleWebKit/537.36',
  'currencyMarketSnapshotResponse',
  'https://api.example/v1',
])('does not take %s for drawn by chance', (text) => expect(looksRandom(text)).toBe(false));

it('does not redact common words and numbers', () => {
  expect(['test', 'bitcoin', 'ETHEREUM', '1673723677362319866'].every(isCommon)).toBe(true);
  expect(['customer-key-7788', 'hunter2hunter2'].some(isCommon)).toBe(false);
});
