import { describe, expect, it } from 'vitest';
import { listOperatorFaults, listVariants } from '#src/reference/catalog.ts';
import { aloneIn, groupsOf, groupTask, sampleOperators, variantTask } from './catalogue.ts';

const faults = listOperatorFaults();
const idsOf = (seed: number, count = 300): string[] =>
  sampleOperators(faults, count, seed).map(({ id }) => id);
const stratum = ({ operator, endpoint }: (typeof faults)[number]): string =>
  `${operator} ${endpoint ?? ''}`;

describe('a sample of operator faults', () => {
  it('has the size asked for and no fault twice', () => {
    expect(new Set(idsOf(1)).size).toBe(300);
    expect(new Set(idsOf(1, 1_000_000)).size).toBe(faults.length);
  });

  it('is the same for the same seed and another for another', () => {
    expect(idsOf(7)).toEqual(idsOf(7));
    expect(idsOf(7)).not.toEqual(idsOf(8));
  });

  it('takes every operator on every endpoint before it takes one of them twice', () => {
    const strata = new Set(faults.map(stratum));
    const drawn = sampleOperators(faults, strata.size, 3);
    expect(new Set(drawn.map(stratum))).toEqual(strata);
  });
});

describe('variants in groups', () => {
  const variants = listVariants();
  const ids = variants.map(({ id }) => id);
  const groups = groupsOf(ids, 5);

  it('are all there once, with one answer to a question in each', () => {
    expect(groups.flat().toSorted()).toEqual(ids.toSorted());
    const questionOf = new Map(variants.map(({ id, question }) => [id, question]));
    for (const group of groups)
      expect(new Set(group.map((id) => questionOf.get(id))).size, group.join()).toBe(group.length);
    expect(groups.length).toBeLessThan(ids.length / 3);
  });

  it('are run alone when one of them is not green', () => {
    const [group = []] = groups;
    expect(aloneIn(groupTask(group))).toEqual(group.map(variantTask));
    expect(aloneIn(variantTask('x'))).toEqual([]);
  });
});
