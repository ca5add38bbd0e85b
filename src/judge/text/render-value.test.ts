import { expect, it } from 'vitest';
import { renderValue } from './render-value.ts';

it.each([
  ['12.5', '"12.5" (string)'],
  ['', '"" (string)'],
  [12.5, '12.5 (number)'],
  [Number.POSITIVE_INFINITY, 'Infinity (number)'],
  [true, 'true (boolean)'],
  [null, 'null'],
  [undefined, 'missing'],
  [[1, 2, 3], 'an array of 3'],
  [{}, 'an empty object'],
  [{ code: 1, data: [] }, 'an object with "code", "data"'],
])('renders %j as %s', (value, text) => {
  expect(renderValue(value)).toBe(text);
});

it('is short and never splits a character', () => {
  for (const value of ['x'.repeat(10_000), '😀'.repeat(10_000), { ['k'.repeat(10_000)]: 1 }]) {
    const text = renderValue(value);
    expect(text.length).toBeLessThanOrEqual(120);
    expect(() => encodeURIComponent(text)).not.toThrow();
  }
  expect(() => encodeURIComponent(renderValue(`x${'😀'.repeat(100)}`))).not.toThrow();
});

it('escapes control and bidirectional characters', () => {
  const hostile = '\u001b[2J\r\n\u009b1m\u202e\u2066\u200b\u2028\ufeff\u007f\ud800';
  for (const value of [hostile, { [hostile]: 1 }]) {
    expect(renderValue(value)).toMatch(/^[\x20-\x7e]+$/);
  }
});
