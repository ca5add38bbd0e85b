import * as fc from '../../test/fast-check.ts';
import { describe, expect, it } from 'vitest';
import { keyFault, keyRing } from './keys.ts';

const KEY = 'aB3$x/"q+7\\z';
const OTHER = 'aB3$x/"q+7\\z-longer';
const ring = keyRing({ valid: [KEY, OTHER], expired: 'expired-1' }, { seed: 7, salt: 'salt' });

const entities = (text: string): string =>
  Array.from(text, (character) => `&#${character.codePointAt(0)};`).join('');
const unicode = (text: string): string =>
  Array.from(text, (c) => `\\u${(c.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`).join('');
const base64 = (text: string): string => Buffer.from(text).toString('base64');

describe('redaction', () => {
  it.each([
    ['plain', KEY],
    ['in another case', KEY.toUpperCase()],
    ['URL-encoded', encodeURIComponent(KEY)],
    ['URL-encoded in lower case', encodeURIComponent(KEY).toLowerCase()],
    ['JSON-escaped', JSON.stringify(KEY).slice(1, -1)],
    ['JSON-escaped with slashes', JSON.stringify(KEY).slice(1, -1).replaceAll('/', '\\/')],
    ['as unicode escapes', unicode(KEY)],
    ['as character references', entities(KEY)],
    ['hexadecimal', Buffer.from(KEY).toString('hex')],
    ['hexadecimal in upper case', Buffer.from(KEY).toString('hex').toUpperCase()],
    ['base64url', Buffer.from(KEY).toString('base64url')],
  ])('finds a key %s', (_, written) => {
    expect(ring.redact(`<a ${written} b>`)).toBe(`<a [redacted:${ring.fingerprint(KEY)}] b>`);
    expect(ring.redact(`"${written}"`)).not.toContain(written);
  });

  it.each(['', 'u', 'us', 'user:', 'user::'])('finds a key in base64 after %j', (before) => {
    const redacted = ring.redact(base64(`${before}${KEY}!`));
    expect(redacted).toContain(`[redacted:${ring.fingerprint(KEY)}]`);
  });

  it('redacts whole keys: the longer of two, and no part of one', () => {
    expect(ring.redact(OTHER)).toBe(`[redacted:${ring.fingerprint(OTHER)}]`);
    expect(ring.redact(KEY.slice(0, -2))).toBe(KEY.slice(0, -2));
    expect(ring.redact(KEY.toUpperCase())).toBe(`[redacted:${ring.fingerprint(KEY)}]`);
    expect(ring.redact(KEY + KEY)).toBe(`[redacted:${ring.fingerprint(KEY)}]`.repeat(2));
  });

  it('leaves other text unchanged', () => {
    const text = '{"token_economics":1,"key":"other","path":"/token-economics"}';
    expect(ring.redact(text)).toBe(text);
    expect(ring.redact(text)).toBe(text);
  });

  it('leaves no key behind, whatever surrounds it', () => {
    const keys = fc.string({ minLength: 6, maxLength: 40 }).filter((key) => !keyFault(key));
    fc.assert(
      fc.property(keys, fc.string(), fc.string(), (key, before, after) => {
        const one = keyRing({ valid: [key] }, { seed: 1, salt: 's' });
        const text = before + key + after;
        expect(one.redact(text).toLowerCase()).not.toContain(key.toLowerCase());
        expect(one.redact(text)).toContain(`[redacted:${one.fingerprint(key)}]`);
      }),
    );
  });

  it('redacts other secrets too', () => {
    const hiding = keyRing({ valid: [KEY] }, { seed: 1, secrets: ['Basic abcdef='] });
    expect(hiding.redact('sent Basic abcdef=')).toBe('sent [redacted]');
  });

  it('finishes on the largest body and leaves it unchanged', () => {
    const body = JSON.stringify(Array.from({ length: 40_000 }, (_, id) => ({ id, price: id / 7 })));
    const keys = Array.from(
      { length: 8 },
      (_, index) => `${index}a1b2c3d4e5f60718293a4b5c6d7e8f90`,
    );
    expect(keyRing({ valid: keys }, { seed: 1 }).redact(body)).toBe(body);
  });
});

describe('fingerprints', () => {
  it('differs between keys, depends on the salt, and reveals nothing of the key', () => {
    expect(ring.fingerprint(KEY)).toMatch(/^k:[0-9a-f]{8}$/);
    expect(ring.fingerprint(KEY)).not.toBe(ring.fingerprint(OTHER));
    const salted = keyRing({ valid: [KEY] }, { seed: 7, salt: 'other' });
    expect(salted.fingerprint(KEY)).not.toBe(ring.fingerprint(KEY));
    const random = keyRing({ valid: [KEY] }, { seed: 7 });
    expect(random.salt).not.toBe(keyRing({ valid: [KEY] }, { seed: 7 }).salt);
  });

  it('are listed for the roles that have a key', () => {
    expect(ring.fingerprints()).toEqual({
      valid: [ring.fingerprint(KEY), ring.fingerprint(OTHER)],
      expired: [ring.fingerprint('expired-1')],
      unknown: Array.from({ length: 7 }, () => expect.stringMatching(/^k:/) as unknown),
    });
  });
});

describe('the never-issued key', () => {
  it.each([
    ['hexadecimal', '0123456789abcdef0123456789abcdef', /^[0-9]{10}[a-f]{6}[0-9]{10}[a-f]{6}$/],
    [
      'a UUID',
      '0f8fad5b-d9cb-469f-a165-70867728950e',
      /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
    ],
    ['letters and digits', 'sk_Live9', /^[a-z]{2}_[A-Z][a-z]{3}\d$/],
    ['only signs', '------', /^[a-z0-9]{32}$/],
  ])('looks like the issued ones: %s', (_, key, form) => {
    const made = (seed: number): string =>
      keyRing({ valid: [key] }, { seed }).keys('unknown')[0] ?? '';
    expect(made(1)).toMatch(form);
    expect(made(1)).not.toBe(key);
    expect(made(1)).toBe(made(1));
    expect(made(2)).not.toBe(made(1));
  });
});

describe('near misses of a valid key', () => {
  const near = (...valid: string[]): readonly string[] =>
    keyRing({ valid }, { seed: 1 }).keys('unknown').slice(1, 5);

  it('are longer at either end, shorter, or in another letter case', () => {
    expect(near('sk_Live9')).toEqual(['sk_Live9x', 'sk_Live', 'SK_lIVE9', 'xsk_Live9']);
  });

  it('are never valid keys', () => {
    const [longer, shorter] = near('sk_Live9', 'sk_Live9x', 'sk_Live');
    expect(['sk_Live9x', 'sk_Live']).not.toContain(longer);
    expect(['sk_Live9x', 'sk_Live']).not.toContain(shorter);
    // 1234567 has no letters to change case, and a rest of six characters could not be redacted.
    expect(near('1234567')[2]).toMatch(/^\d{7}$/);
    expect(near('1234567')[2]).not.toBe('1234567');
    expect(near('secre7')[1]).toMatch(/^[a-z]{5}\d$/);
  });

  it('cover keys without letters, and keys that extend another one', () => {
    for (const valid of [['!!!!!!'], ['123456'], ['sk_Live9', 'sk_Live9x', 'sk_Live']]) {
      const own = keyRing({ valid }, { seed: 1 });
      for (const key of valid) expect(own.redact(key)).toBe(`[redacted:${own.fingerprint(key)}]`);
    }
  });

  it('can be distinguished from other unknown keys and from valid ones', () => {
    const own = keyRing({ valid: ['sk_Live9', 'sk_Live'] }, { seed: 1 });
    const variations = own.keys('unknown').map((key) => own.variation(key));
    const [never, longer, replaced, ...rest] = variations;
    expect([never, longer, replaced]).toEqual([undefined, 'longer', undefined]);
    expect(rest).toEqual(['other-case', 'prefixed', 'null', 'undefined']);
    expect(own.variation('sk_Live')).toBeUndefined();
  });

  it('are described in words that are no secret', () => {
    const own = keyRing({ valid: ['sk_Live9'] }, { seed: 1 });
    expect(own.keys('unknown').slice(5)).toEqual(['null', 'undefined']);
    expect(own.redact('{"a":null,"b":"undefined"}')).toBe('{"a":null,"b":"undefined"}');
  });

  it('are redacted in records like the key itself', () => {
    const own = keyRing({ valid: ['sk_Live9'] }, { seed: 1 });
    const shown = `[redacted:${own.fingerprint('sk_Live9')}]`;
    expect(own.redact('got sk_Live9x')).toBe(`got ${shown}`);
    expect(own.redact('got sk_Live, sk_Live9')).toBe(`got ${shown}, ${shown}`);
    expect(own.redact('got SK_lIVE9')).toBe(`got ${shown}`);
  });
});

describe('keyFault', () => {
  it.each([
    ['short', /shorter than 6/],
    ['with space', /is not allowed in a header/],
    ['line\nbreak', /is not allowed in a header/],
    ['schlüssel', /is not allowed in a header/],
  ])('refuses %j', (key, message) => {
    expect(keyFault(key)).toMatch(message);
  });

  it('accepts what services issue', () => {
    expect(keyFault('abcdef')).toBeUndefined();
    expect(keyFault(KEY)).toBeUndefined();
  });
});
