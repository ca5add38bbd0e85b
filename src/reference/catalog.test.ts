import { describe, expect, it } from 'vitest';
import { REQUIREMENTS } from '../requirements/catalogue.ts';
import { faultsNamed, listFaults, listVariants, variantsNamed } from './catalog.ts';

const duplicates = (values: readonly string[]): string[] =>
  values.filter((value, index) => values.indexOf(value) !== index);

describe('faults and variants', () => {
  it('have ids of their own in kebab-case, but for those that operators make', () => {
    const all = [...listFaults(), ...listVariants()].map((entry) => entry.id);
    const ids = all.filter((id) => !id.startsWith('op/'));
    expect(duplicates(all)).toEqual([]);
    expect(ids.filter((id) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id))).toEqual([]);
  });

  it('tie every fault to known requirements', () => {
    const known = new Set<string>(REQUIREMENTS.map((requirement) => requirement.id));
    const wrong = listFaults().filter(
      ({ kills }) => kills.length === 0 || !kills.every((id) => known.has(id)),
    );
    expect(wrong.map((fault) => fault.id)).toEqual([]);
  });

  it('have a fault for every must and should', () => {
    const killed = new Set<string>(listFaults().flatMap((fault) => fault.kills));
    const open = REQUIREMENTS.filter(({ id, level }) => level !== 'observe' && !killed.has(id));
    expect(open.map((requirement) => requirement.id)).toEqual([]);
  });

  it('suggest the nearest id for an unknown one', () => {
    expect(() => faultsNamed(['limit-of'])).toThrow(
      'There is no fault "limit-of". Did you mean "limit-off"?',
    );
    expect(() => variantsNamed(['sliding-windows'])).toThrow('Did you mean "sliding-window"?');
  });

  it('refuse variants that exclude each other', () => {
    expect(() => variantsNamed(['range-empty', 'range-refused'])).toThrow('exclude each other');
    expect(variantsNamed(['range-empty', 'range-empty'])).toHaveLength(1);
  });

  it('put the envelope around everything else', () => {
    const ids = variantsNamed(['wrapped-body', 'lists-in-pages']).map((variant) => variant.id);
    expect(ids).toEqual(['lists-in-pages', 'wrapped-body']);
  });
});
