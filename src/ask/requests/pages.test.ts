import { expect, it } from 'vitest';
import { lateLast } from './pages.ts';

it('asks for the last page, not full, and the third where that can be', () => {
  for (const items of [2, 3, 4, 6]) expect(lateLast(items).page).toBe(2);
  for (const items of [5, 7, 9, 56, 82, 100]) {
    const { page, page_size: size } = lateLast(items);
    const rows = items - (page - 1) * size;
    expect([page, rows > 0 && rows < size]).toEqual([3, true]);
  }
});
