import { describe, expect, it } from 'vitest';
import { columnsIn, guardLines } from './console.ts';

describe('columns of a stream', () => {
  it('are those of the terminal, and usual ones where it says none or 0', () => {
    expect(columnsIn({ columns: 120 })).toBe(120);
    expect(columnsIn({ columns: 0 })).toBe(80);
    expect(columnsIn({}, 100)).toBe(100);
    expect(columnsIn({ columns: 0 }, 100)).toBe(100);
  });
});

describe('marks', () => {
  const text = '✗ 1 violated, ✓ 2 passed, – 3 untested → …';

  it.each([{ LC_ALL: 'C' }, { LANG: 'POSIX' }, { LC_CTYPE: 'de_DE.ISO-8859-1', LANG: 'C.UTF-8' }])(
    'are ASCII in a locale of another encoding than UTF-8: %j',
    (env) => {
      const shown = guardLines(text, env);
      expect(shown).toBe('x 1 violated, + 2 passed, - 3 untested > .');
    },
  );

  it.each([
    {},
    { LC_ALL: 'C.UTF-8' },
    { LC_ALL: '', LANG: 'en_US.utf8' },
    { LC_ALL: 'C.UTF-8', LANG: 'C' },
  ])('are as they are with %j', (env) => {
    expect(guardLines(text, env)).toBe(text);
  });
});
