import { describe, expect, it } from 'vitest';
import { dice, digits, noise, pickAt, stream, unit } from './prng.ts';

describe('prng', () => {
  it('gives the same value for the same seed, names and index, and others otherwise', () => {
    const a = stream(7, 'price', 'BTC');
    expect(unit(a, 3)).toBe(unit(stream(7, 'price', 'BTC'), 3));
    const others = [
      unit(a, 4),
      unit(stream(8, 'price', 'BTC'), 3),
      unit(stream(7, 'price', 'ETH'), 3),
    ];
    expect(new Set([unit(a, 3), ...others]).size).toBe(4);
  });

  it('spreads evenly over [0, 1)', () => {
    const source = stream(1, 'even');
    const buckets = Array.from({ length: 10 }, () => 0);
    for (let i = -5000; i < 5000; i += 1) {
      const bucket = Math.floor(unit(source, i) * 10);
      buckets[bucket] = (buckets[bucket] ?? 0) + 1;
    }
    for (const count of buckets) expect(Math.abs(count - 1000)).toBeLessThan(150);
  });

  it('makes noise that is continuous and bounded', () => {
    const source = stream(1, 'noise');
    for (let x = -20; x < 20; x += 0.01) {
      expect(Math.abs(noise(source, x))).toBeLessThanOrEqual(1);
      expect(Math.abs(noise(source, x) - noise(source, x + 0.001))).toBeLessThan(0.01);
    }
  });

  it('draws within bounds', () => {
    const roll = dice(stream(1, 'dice'));
    const drawn = new Set(Array.from({ length: 300 }, () => roll.int(3, 6)));
    expect(drawn).toEqual(new Set([3, 4, 5, 6]));
    expect(digits(stream(1, 'digits'), 19)).toMatch(/^[1-9]\d{18}$/);
    expect(() => pickAt([], 0)).toThrow(/empty list/);
  });
});
