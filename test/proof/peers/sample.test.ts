import { describe, expect, it } from 'vitest';
import { DEFECT_KINDS } from '#src/contract/defect-kinds.ts';
import { classOf } from './classes.ts';
import { classSizes, sampleFaults, sampleVariants } from './sample.ts';
import { listFaults, listVariants } from '#src/reference/catalog.ts';

const ids = (list: readonly { readonly id: string }[]): string[] => list.map(({ id }) => id);

describe('the classes of faults', () => {
  it('takes every fault of the catalogue', () => {
    const sizes = classSizes(listFaults());
    expect(Object.values(sizes).reduce((sum, size) => sum + size, 0)).toBe(listFaults().length);
    for (const one of DEFECT_KINDS) expect(sizes[one], one).toBeGreaterThan(10);
  });

  it('is that of the requirement, unless the fault says otherwise', () => {
    expect(classOf({ kills: ['4.3/limit-max'] })).toBe('validation');
    expect(classOf({ kills: ['4.3/limit-max'], defect: 'schema' })).toBe('schema');
  });

  it.each([
    ['retype-kline-high', 'schema'],
    ['snapshot-high-below-low', 'values and relations'],
    ['stock-circulating-above-total', 'values and relations'],
    ['pairs-default-by-name', 'paging and order'],
    ['news-overlap', 'paging and order'],
    ['summary-symbol-any', 'validation'],
    ['news-two-filters', 'filters and windows'],
    ['header-reset-seconds', 'headers'],
    ['expired-key-as-unknown', 'authentication and limits'],
    ['error-status-422', 'status and errors'],
  ])('calls %s %s', (id, expected) => {
    const fault = listFaults().find((one) => one.id === id);
    expect(fault && classOf(fault)).toBe(expected);
  });
});

describe('the sample of faults', () => {
  const sample = sampleFaults(listFaults(), 48, 1);

  it('holds every section, and every class with the same weight', () => {
    const sections = new Set(listFaults().map(({ section }) => section));
    expect(sample).toHaveLength(48);
    expect(new Set(ids(sample)).size).toBe(48);
    expect(new Set(sample.map(({ section }) => section))).toEqual(sections);
    expect(new Set(Object.values(classSizes(sample)))).toEqual(new Set([6]));
  });

  it('holds subtle and plain faults of every class', () => {
    for (const one of DEFECT_KINDS) {
      const ofClass = sample.filter((fault) => classOf(fault) === one);
      const subtle = ofClass.filter((fault) => fault.subtle).length;
      expect(Math.min(subtle, ofClass.length - subtle), one).toBeGreaterThanOrEqual(2);
    }
  });

  it('is the same for the same seed only', () => {
    expect(ids(sampleFaults(listFaults(), 48, 1))).toEqual(ids(sample));
    expect(ids(sampleFaults(listFaults(), 48, 2))).not.toEqual(ids(sample));
  });

  it('ends with the catalogue', () => {
    expect(sampleFaults(listFaults().slice(0, 3), 48, 1)).toHaveLength(3);
  });
});

describe('the sample of variants', () => {
  it('leaves out the envelope, which conforms only when a target file says so', () => {
    const all = sampleVariants(listVariants(), 1000, 1);
    expect(all).toHaveLength(listVariants().length - 1);
    expect(ids(all)).not.toContain('wrapped-body');
    expect(sampleVariants(listVariants(), 20, 1)).toHaveLength(20);
  });
});
