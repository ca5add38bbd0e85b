import { describe, expect, it } from 'vitest';
import { listFaults, listVariants } from '../../src/reference/catalog.ts';
import type { Fault } from '../../src/reference/faults/fault.ts';
import { combinations } from '../proof/kill/catalogue.ts';
import { sampleOf, STEP } from '../sample.ts';
import { compare } from './own-run.ts';

/** Combinations of variants in place of each of them, where there is time for a sample only. */
const COMBINATIONS = 3;

function groupBySection(faults: readonly Fault[]): ReadonlyMap<string, readonly Fault[]> {
  const groups = new Map<string, Fault[]>();
  for (const fault of faults) {
    const [section = ''] = (fault.kills[0] ?? '').split('/');
    groups.set(section, [...(groups.get(section) ?? []), fault]);
  }
  return groups;
}

/** A fault of each section, from the middle of its list, so that all sections stay covered when faults are added. */
function sample(faults: readonly Fault[]): readonly Fault[] {
  const bySection = groupBySection(faults);
  return [...bySection.values()].flatMap((group) => group[Math.floor(group.length / 2)] ?? []);
}

describe('the files of a run', () => {
  it('give the same results as the run', { timeout: 900_000 }, async () => {
    const [clean, broken] = await compare([
      { faults: [], variants: [] },
      { faults: ['summary-symbol-code'], variants: [] },
    ]);
    expect(clean).toMatchObject({ failing: [], differences: [], alarms: [] });
    // Without facts of the run, the check finds no violation.
    const told: unknown = expect.stringMatching(/^(conforms|no-violation)$/);
    expect(clean?.verdicts).toEqual(['conforms', told, told]);
    // Violations that a larger profile targets may still show.
    expect(clean?.verified[1]).toBeGreaterThanOrEqual(clean?.verified[0] ?? Infinity);
    expect(broken).toMatchObject({ failing: ['4.3/symbol-enum'], differences: [], alarms: [] });
    expect(broken?.verdicts).toEqual(['violates', 'violates', 'violates']);
  });

  const all = sample(listFaults());
  const faults = sampleOf(all);

  it('give the findings of the run for faults of all sections', { timeout: 900_000 }, async () => {
    expect(all.length).toBeGreaterThanOrEqual(15);
    const compared = await compare(faults.map(({ id }) => ({ faults: [id], variants: [] })));
    expect(compared).toHaveLength(faults.length);
    expect(
      compared.flatMap(({ task, differences }) => differences.map((one) => `${task}: ${one}`)),
    ).toEqual([]);
    expect(compared.flatMap(({ task, alarms }) => alarms.map((one) => `${task}: ${one}`))).toEqual(
      [],
    );
    expect(compared.filter(({ failing }) => failing.length === 0).length).toBeLessThanOrEqual(
      faults.length - Math.ceil((faults.length * 15) / all.length),
    );
    for (const { verdicts } of compared) {
      const clean = verdicts.map((verdict) => (verdict === 'no-violation' ? 'conforms' : verdict));
      expect(new Set(clean).size).toBe(1);
    }
  });

  it(
    'and parts of them, recorded by others, raise no alarm on any variant',
    { timeout: 900_000 },
    async () => {
      const variants =
        STEP > 1 ? combinations(COMBINATIONS, 1) : listVariants().map(({ id }) => [id]);
      const compared = await compare(variants.map((ids) => ({ faults: [], variants: ids })));
      expect(
        compared.flatMap(({ task, alarms }) => alarms.map((one) => `${task}: ${one}`)),
      ).toEqual([]);
      expect(
        compared.flatMap(({ task, differences }) => differences.map((one) => `${task}: ${one}`)),
      ).toEqual([]);
    },
  );
});
