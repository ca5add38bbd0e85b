import { describe, expect, it } from 'vitest';
import { columnsIn } from './console.ts';

describe('columns of a stream', () => {
  it('are those of the terminal, and usual ones where it says none or 0', () => {
    expect(columnsIn({ columns: 120 })).toBe(120);
    expect(columnsIn({ columns: 0 })).toBe(80);
    expect(columnsIn({}, 100)).toBe(100);
    expect(columnsIn({ columns: 0 }, 100)).toBe(100);
  });
});
