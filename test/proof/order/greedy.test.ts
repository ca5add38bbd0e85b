import { describe, expect, it } from 'vitest';
import type { KeyRole } from '../../../src/spec/exchange.ts';
import { greedyOrder, type OrderInput } from './greedy.ts';

const set = (...positions: number[]) => ({
  positions,
  checks: [positions.join(' ')],
  movesClock: false,
  atOnce: false,
  alone: false,
});
const shown = (...sets: number[]) => ({ weight: 1, sets });
const valid = (count: number): KeyRole[] => Array.from({ length: count }, () => 'valid');
const ordered = (input: Partial<OrderInput> & Pick<OrderInput, 'sets' | 'roles'>) =>
  greedyOrder({ faults: [], judged: input.sets.map(() => []), ...input });

describe('greedyOrder', () => {
  it('takes first what shows most for each request', () => {
    const ranked = ordered({
      sets: [set(0), set(1, 2), set(3)],
      roles: valid(4),
      faults: [shown(0), shown(1), shown(1), shown(1), shown(2), shown(2)],
    });
    // Two faults for one request, three for two, one for one.
    expect(ranked.map((one) => [one.set, one.sent])).toEqual([
      [2, 1],
      [1, 3],
      [0, 4],
    ]);
  });

  it('counts a fault once: what was shown before is worth nothing more', () => {
    const ranked = ordered({
      sets: [set(0), set(1), set(2)],
      roles: valid(3),
      faults: [shown(0, 1), shown(0, 1), shown(2)],
    });
    expect(ranked.map((one) => one.set)).toEqual([0, 2, 1]);
  });

  it('takes a set at once when its requests were all sent', () => {
    const ranked = ordered({
      sets: [set(0), set(1), set(0, 1)],
      roles: valid(2),
      faults: [shown(0), shown(1)],
    });
    expect(ranked.at(-1)).toMatchObject({ set: 2, sent: 2 });
  });

  it('takes what no key pays for after the first few requests', () => {
    const roles: KeyRole[] = [...valid(5), 'unknown', 'none'];
    const ranked = ordered({
      sets: [set(0), set(1), set(2), set(3), set(4), set(5), set(6)],
      roles,
      faults: [shown(0), shown(5)],
    });
    expect(ranked.map((one) => one.set)).toEqual([0, 1, 2, 5, 6, 3, 4]);
  });

  it('looks at a requirement for the first time before it looks at another one again', () => {
    const ranked = ordered({
      sets: [set(0), set(1), set(2)],
      roles: valid(3),
      judged: [['a'], ['a'], ['b']],
    });
    expect(ranked.map((one) => one.set)).toEqual([0, 2, 1]);
  });

  it('sends at once what has to be compared', () => {
    const ranked = ordered({
      sets: [set(0), set(1), { ...set(0, 2), atOnce: true }],
      roles: valid(3),
      faults: [shown(0), shown(0), shown(1)],
    });
    expect(ranked.map((one) => one.set)).toEqual([0, 2, 1]);
  });

  it('places every set once', () => {
    const sets = [set(0), set(), set(1, 0), set(2)];
    const ranked = ordered({ sets, roles: ['valid', 'restricted', 'nearQuota'] });
    expect(ranked.map((one) => one.set).toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3]);
  });
});
