import { describe, expect, it } from 'vitest';
import { nameOf, checksInOrder, namesInOrder } from './checks.ts';

describe('the order of checks', () => {
  it('names every check once, and no other', () => {
    expect(
      namesInOrder(),
      '`npm run build && npm run order` puts new checks last; then move each to where it says most',
    ).toEqual(checksInOrder().map(nameOf));
  });
});
