import { describe, expect, it } from 'vitest';
import { CHOICES } from './choices.ts';
import { CHOICE_NAMES, draw, worldOf } from './world.ts';

describe('worlds', () => {
  it('are the same for the same seed, and differ between seeds', () => {
    expect(draw(17)).toEqual(draw(17));
    expect(new Set([1, 2, 3, 4, 5].map((seed) => JSON.stringify(draw(seed)))).size).toBe(5);
  });

  it('draw every value of every choice sooner or later', () => {
    const seen = new Set<string>();
    for (let seed = 1; seed <= 2000; seed += 1) {
      for (const [name, value] of Object.entries(draw(seed))) seen.add(`${name}=${value}`);
    }
    const all = CHOICE_NAMES.flatMap((name) =>
      CHOICES[name].slice(1).map((value) => `${name}=${value}`),
    );
    expect(all.filter((one) => !seen.has(one))).toEqual([]);
  });

  it('name no value twice', () => {
    for (const name of CHOICE_NAMES) {
      const values: readonly string[] = CHOICES[name];
      expect([name, new Set(values).size]).toEqual([name, values.length]);
    }
  });

  it('take choices back one by one', () => {
    const { pairs: _pairs, ...others } = { ...draw(17), pairs: '3' };
    expect(worldOf(17, others).choice('pairs')).toBe('230');
    expect(worldOf(17, { pairs: '3' }).chosen).toEqual({ pairs: '3' });
  });

  it('refuse names and values that do not exist', () => {
    expect(() => worldOf(1, { pears: '3' })).toThrow('no choice is called pears');
    expect(() => worldOf(1, { pairs: '4' })).toThrow('pairs has no value 4');
  });
});
