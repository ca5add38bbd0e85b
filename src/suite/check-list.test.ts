import { describe, expect, it } from 'vitest';
import type { SuiteInput } from '../ask/input.ts';
import { leftOut } from './asking.ts';
import { checksInOrder, nameOf } from './checks.ts';
import { checkList } from './check-list.ts';
import type { CheckMeta } from './outcome.ts';

const ONLY = '4.3/order';
const SELECTED = { profile: 'smoke', only: [ONLY], skip: [], path: null } as const;
const input = SELECTED as Partial<SuiteInput> as SuiteInput;

function listed(): { list: ReturnType<typeof checkList>; told: CheckMeta[] } {
  const told: CheckMeta[] = [];
  return { list: checkList(input, (meta) => told.push(meta)), told };
}

describe('the checks of a run', () => {
  it('that are left out are told once, in their places', () => {
    const { list, told } = listed();
    const all = checksInOrder();
    const [first] = list.asked;
    expect(first?.requirement.id).toBe(ONLY);
    list.passTo(first === undefined ? '' : nameOf(first));
    const before = all.slice(0, first === undefined ? 0 : all.indexOf(first));
    expect(before.length).toBeGreaterThan(0);
    expect(told.map(({ requirement }) => requirement)).toEqual(
      before.map(({ requirement }) => requirement.id),
    );
    list.passRest(false);
    expect(told).toHaveLength(list.leftOut);
    expect(list.leftOut + list.asked.length).toBe(all.length);
    const kinds = told.map(({ outcome }) => [outcome?.kind, outcome?.cause?.kind]);
    expect(new Set(kinds.map(String))).toEqual(new Set(['untested,not-selected']));
  });

  it('have no outcome where the run was interrupted before them', () => {
    const { list, told } = listed();
    const [first] = list.asked;
    list.passTo(first === undefined ? '' : nameOf(first));
    const reached = told.length;
    list.passRest(true);
    expect(told.slice(0, reached).every(({ outcome }) => outcome !== undefined)).toBe(true);
    expect(told.slice(reached).every(({ outcome }) => outcome === undefined)).toBe(true);
    expect(told.length).toBeGreaterThan(reached);
  });

  it('do without the near-quota key in the monitor, whatever the profile', () => {
    const target = { keys: { valid: ['some-key'] }, sparesNearQuota: true };
    const spared = { ...input, only: [], target } as unknown as SuiteInput;
    const checks = checksInOrder().filter(({ requirement }) => requirement.id === '8/quota');
    expect(checks.map((one) => leftOut(one, spared)?.reason)).toEqual([
      'the monitor does not use the near-quota key',
      'the monitor does not use the near-quota key',
    ]);
  });
});
