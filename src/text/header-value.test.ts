import { expect, it } from 'vitest';
import { headerValue } from './header-value.ts';

it.each([
  ['20', '20'],
  ['20 ', '20'],
  ['\t 20\t', '20'],
  ['a \t b', 'a \t b'],
  ['\u00a0x\u00a0', '\u00a0x\u00a0'],
  ['\ufeffx', '\ufeffx'],
  [' \t ', ''],
  ['', ''],
])('a header of %j has the value %j', (text, value) => {
  expect(headerValue(text)).toBe(value);
});
