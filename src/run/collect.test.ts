import { describe, expect, it } from 'vitest';
import type { CheckMeta } from '../suite/outcome.ts';
import { Collector, type FinishedTest } from './collect.ts';

const PASSED: CheckMeta = {
  requirement: '4.3/holidays',
  check: 'of the year',
  profile: 'standard',
  outcome: { kind: 'passed', reason: null },
};

const finished = (meta: CheckMeta | undefined): FinishedTest => ({ meta, error: null, ms: 1 });

function collected(...runs: readonly (readonly [planned: number, done: number])[]): Collector {
  const collector = new Collector();
  for (const [planned, done] of runs) {
    collector.onCollected(planned);
    for (let index = 0; index < done; index += 1) collector.onFinished(finished(PASSED));
  }
  return collector;
}

describe('the number of checks', () => {
  it('is that of the plan when all completed', () => {
    expect(() => collected([2, 2], [1, 1]).assertComplete()).not.toThrow();
  });

  it('reports a lost check', () => {
    expect(() => collected([2, 2], [3, 2]).assertComplete()).toThrow(
      'Only 4 of 5 planned checks have finished',
    );
  });

  it('reports a check without its record', () => {
    const collector = collected([2, 1]);
    collector.onFinished(finished(undefined));
    expect(() => collector.assertComplete()).toThrow('Only 1 of 2 planned checks have finished');
  });

  it('is never zero', () => {
    expect(() => collected().assertComplete()).toThrow('Only 0 of 0 planned checks have finished');
  });
});
