import { assert, constantFrom, property, string, tuple } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Redactor } from './redactor.ts';

const SECRETS = ['sk-Live/9af3"Z', 'ab12cd34ef56', 'AB12CD34EF56'];
const redactor = new Redactor(
  SECRETS.map((secret, index) => ({ secret, replacement: `<${index}>` })),
);

/** Encodings of one character. */
const WRITINGS: readonly ((character: string) => string)[] = [
  (character) => character,
  (character) => character.toUpperCase(),
  (character) => character.replace('k', '\u212a').replace('s', '\u017f'),
  (character) => `\\u00${hex(character)}`,
  (character) => `\\u00${hex(character).toUpperCase()}`,
  (character) => (/["/]/.test(character) ? `\\${character}` : character),
  (character) => `%${hex(character)}`,
  (character) => `&#000${character.charCodeAt(0)};`,
  (character) => `&#X${hex(character)};`,
];

const hex = (character: string): string => character.charCodeAt(0).toString(16).padStart(2, '0');

/** A secret with a different encoding for each character. */
const written = constantFrom(...SECRETS).chain((secret) =>
  tuple(
    ...Array.from(secret, (character) => constantFrom(...WRITINGS).map((one) => one(character))),
  ),
);

describe('a secret', () => {
  // Surrounded by partial escapes, which may join with it.
  const around = string({
    unit: constantFrom('a', '%', '5', '\\', 'u', '0', '&', '#', '"', ' '),
    maxLength: 6,
  });

  it('is found in any encoding', () => {
    assert(
      property(around, written, around, (before, characters, after) => {
        const text = before + characters.join('') + after;
        expect(redactor.redact(text)).toMatch(/<[012]>/);
      }),
      { numRuns: 5000 },
    );
  });

  it('is found alone, the first of several that differ in letter case', () => {
    expect(SECRETS.map((secret) => redactor.redact(secret))).toEqual(['<0>', '<1>', '<1>']);
    expect(redactor.redact('Ab12cD34ef56')).toBe('<1>');
  });

  it('is not found where there is none', () => {
    const text = '{"title":"50\\u00b0 &amp; 100%","key":"ab12cd34ef5"}';
    expect(redactor.redact(text)).toBe(text);
  });
});
