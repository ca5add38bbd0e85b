import { array, assert, constantFrom, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Needles } from './needles.ts';

describe('needles', () => {
  it.each([
    [[], 'anything', false],
    [[''], 'anything', true],
    [['ab'], 'xxab', true],
    [['ab', 'xyz1'], 'a b xyz', false],
    [['key-1', 'key-22'], 'the key-22', true],
    [['key-1', 'key-22'], 'key-', false],
    [['a'.repeat(300)], `b${'a'.repeat(300)}b`, true],
    [['a'.repeat(300)], 'a'.repeat(299), false],
  ])('%j in %j: %s', (needles, text, found) => {
    expect(new Needles(needles).in(text)).toBe(found);
  });

  it('are found exactly when one of them is a part', () => {
    // Few letters, so that parts of needles stand everywhere, some of them beyond Latin-1.
    const text = (minLength: number, maxLength: number) =>
      string({ unit: constantFrom('a', 'b', 'ц', '\u{1f511}'), minLength, maxLength });
    assert(
      property(array(text(0, 9), { maxLength: 6 }), text(0, 60), (needles, haystack) => {
        const some = needles.some((needle) => haystack.includes(needle));
        expect(new Needles(needles).in(haystack)).toBe(some);
      }),
      { numRuns: 2000 },
    );
  });
});
