import { describe, expect, it } from 'vitest';
import { DEFAULT_SEED, rotated } from './rotate.ts';

const ITEMS = ['usual', 'b', 'c', 'd', 'e', 'f', 'g'];

describe('rotated', () => {
  it('changes nothing with the default seed', () => {
    expect(rotated(ITEMS, DEFAULT_SEED)).toBe(ITEMS);
  });

  it('puts the drawn item first and the usual one second', () => {
    expect(rotated(ITEMS, 3)).toEqual(['c', 'usual', 'f', 'g', 'b', 'd', 'e']);
  });

  it.each([-20, -1, 0, 2, 20_780])('loses nothing and repeats nothing with seed %i', (seed) => {
    expect(rotated(ITEMS, seed).toSorted()).toEqual(ITEMS.toSorted());
  });

  it('draws each item once in as many seeds as there are items', () => {
    const drawn = ITEMS.flatMap((_, day) => rotated(ITEMS, 20_780 + day).slice(0, 1));
    expect(drawn.toSorted()).toEqual(ITEMS.toSorted());
  });

  it.each([[[]], [['one']]])('has nothing to draw in %j', (items) => {
    expect(rotated(items, 5)).toBe(items);
  });
});
