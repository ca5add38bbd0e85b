import { describe, expect, it } from 'vitest';
import { listOperatorFaults } from '#src/reference/catalog.ts';
import { sampleOperators } from './catalogue.ts';

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
