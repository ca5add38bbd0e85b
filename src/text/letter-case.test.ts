import { describe, expect, it } from 'vitest';
import { folded } from './letter-case.ts';

describe('folded', () => {
  it.each(['Btc', 'İ', 'ß', 'ſ', 'ŉ', 'Σς', 'ﬁ', 'é'])(
    'does not see the letter case of %s',
    (text) => {
      expect(folded(text.toLowerCase())).toBe(folded(text));
      expect(folded(text.toUpperCase())).toBe(folded(text));
    },
  );

  it('distinguishes other texts', () => {
    expect(folded('1h')).not.toBe(folded('1d'));
    expect(folded('é')).not.toBe(folded('e'));
  });
});
