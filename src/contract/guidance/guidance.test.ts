import { describe, expect, it } from 'vitest';
import { isRequirementId, REQUIREMENTS } from '../requirements.ts';
import { FAMILIES } from './families.ts';
import { guidanceOf } from './guidance.ts';
import { OWN } from './own.ts';

describe('the guidance', () => {
  it.each(REQUIREMENTS.map((one) => [one.id, one] as const))('covers %s', (_, requirement) => {
    const { why, usually } = guidanceOf(requirement);
    expect(why.length).toBeGreaterThan(30);
    expect(usually.length).toBeGreaterThan(0);
    for (const sentence of [why, ...usually]) expect(sentence).toMatch(/[.]$/);
  });

  it('has no text for a requirement that is gone', () => {
    expect(Object.keys(OWN).filter((id) => !isRequirementId(id))).toEqual([]);
    const unused = FAMILIES.filter((family) => {
      const covered = REQUIREMENTS.filter((one) => guidanceOf(one) === family.guidance);
      return covered.length === 0;
    });
    expect(unused.map(({ ids }) => ids.source)).toEqual([]);
  });

  it('is specific: no text serves more than a twelfth of what can be red', () => {
    const red = REQUIREMENTS.filter(({ level }) => level !== 'observe');
    const uses = new Map<string, number>();
    for (const one of red) {
      const { why } = guidanceOf(one);
      uses.set(why, (uses.get(why) ?? 0) + 1);
    }
    expect(Math.max(...uses.values())).toBeLessThan(red.length / 12);
    expect(uses.size).toBeGreaterThan(150);
  });
});
