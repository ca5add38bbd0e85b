import { expect, it } from 'vitest';
import { closestName, suggestion } from './closest-name.ts';

const NAMES = ['baseUrl', 'auth', 'keys', 'valid', 'fixtures', 'limits'];

it.each([
  ['vaild', 'valid'],
  ['baseURL', 'baseUrl'],
  ['base_url', 'baseUrl'],
  ['fixture', 'fixtures'],
  ['key', 'keys'],
  ['limit', 'limits'],
])('takes %s for %s', (name, meant) => {
  expect(closestName(name, NAMES)).toBe(meant);
});

it.each(['', 'something', 'x', 'a'.repeat(100_000)])('has nothing for %.20s', (name) => {
  expect(closestName(name, NAMES)).toBeUndefined();
});

it('suggests the closest name, and nothing when none is close', () => {
  expect(suggestion('KEYS', NAMES)).toBe('Did you mean keys? ');
  expect(suggestion('keyboard', NAMES)).toBe('');
});
