import { describe, expect, it } from 'vitest';
import { DEFECTS } from './defects.ts';

describe('defects', () => {
  it('have ids of their own', () => {
    const ids = DEFECTS.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it('say in one sentence what is wrong', () => {
    for (const { id, text } of DEFECTS) {
      expect([id, text]).toEqual([id, expect.stringMatching(/^\S.*\.$/)]);
    }
  });
});
