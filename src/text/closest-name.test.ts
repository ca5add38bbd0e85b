import { expect, it } from 'vitest';
import { closestName, nearestName } from './closest-name.ts';

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

it('takes the nearest name however far it is, the first of equals', () => {
  expect(nearestName('keyboard', NAMES)).toBe('keys');
  expect(nearestName('KEYS', NAMES)).toBe('keys');
  expect(nearestName('zzzz', ['ab', 'cd'])).toBe('ab');
});
