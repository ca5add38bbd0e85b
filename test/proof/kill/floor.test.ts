import { describe, expect, it } from 'vitest';
import { floorOf } from './floor.ts';
import type { ProofResult } from './task.ts';

function result(
  fault: string,
  evidence: ProofResult['evidence'],
  profile: 'standard' | 'full' = 'standard',
): ProofResult {
  return {
    task: { name: fault, faults: [fault], variants: [], profile, validKeys: 1, seed: 1 },
    verdict: 'violates',
    exitCode: 1,
    sentence: '',
    outcomes: {},
    reasons: {},
    evidence,
    validRequests: 100,
    ms: 1,
  };
}

describe('the floor of requests', () => {
  it('covers every kill with the requests that show most', () => {
    const wide = Array.from({ length: 30 }, (_, index) =>
      result(`f${index}`, { '4.1/a': [`only ${index}`, 'shared'] }),
    );
    const lone = Array.from({ length: 25 }, (_, index) =>
      result(`g${index}`, { '4.1/a': [`lone ${index}`] }),
    );
    expect(floorOf([...wide, ...lone])).toEqual({ kills: 55, free: 0, whole: 0, requests: 26 });
  });

  it('never falls below a full window and one more', () => {
    expect(floorOf([result('f', { '4.1/a': ['one'] })]).requests).toBe(21);
  });

  it('takes what costs nothing for free, and counts what no request shows', () => {
    const floor = floorOf([
      result('f', { '5/a': ['', 'paid'] }),
      result('g', { '8/b': [] }),
      result('h', { '4.1/c': ['deep'] }, 'full'),
    ]);
    expect(floor).toEqual({ kills: 2, free: 1, whole: 1, requests: 21 });
  });
});
