import { describe, expect, it } from 'vitest';
import { fewest } from './worlds.ts';

const letters = 'abcdefghijklm'.split('');

describe('fewest', () => {
  it.each(['', 'a', 'm', 'f', 'al', 'bfm', 'abcdefghijklm'])(
    'finds the culprits %j',
    async (bad) => {
      const found = await fewest(letters, async (kept) =>
        bad.split('').every((one) => kept.includes(one)),
      );
      expect(found).toEqual(bad.split(''));
    },
  );

  it('finds one of several ways to be bad, and nothing needless', async () => {
    const holds = (kept: readonly string[]): boolean =>
      (kept.includes('c') && kept.includes('k')) || kept.includes('h');
    const found = await fewest(letters, async (kept) => holds(kept));
    expect(holds(found)).toBe(true);
    for (const one of found) expect(holds(found.filter((other) => other !== one))).toBe(false);
  });

  it('asks far less often than once for every subset', async () => {
    let asked = 0;
    const many = Array.from({ length: 60 }, (_, index) => index);
    await fewest(many, async (kept) => {
      asked += 1;
      return kept.includes(41);
    });
    expect(asked).toBeLessThan(20);
  });
});
