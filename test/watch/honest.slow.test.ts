import { beforeAll, describe, expect, it } from 'vitest';
import { inWords, requestsOfARun, simulate, type Ask } from './simulation.ts';

let asks: readonly Ask[] = [];
beforeAll(async () => {
  asks = await requestsOfARun();
});

describe('an honest service, whatever its clients do', () => {
  it('is found to violate nothing, and most of it is verified', () => {
    const seen = simulate({ seed: 1, asks, clients: 8, keys: 2, paceMs: 3000, requests: 600 });
    expect(inWords(seen.findings)).toEqual([]);
    expect(seen.taken).toBeGreaterThan(500);
    expect(seen.limited).toBeGreaterThan(130);
    const verified = [...seen.judge.ledger.requirements.values()].filter(({ count }) => count > 0);
    expect(verified.length).toBeGreaterThan(200);
  });

  // Each of another kind: order, window, page, field, key, limiter.
  it.each([
    ['etf-summary-oldest-first', '4.3/order'],
    ['limit-off', '8/limit-enforced'],
  ])('is told from one with the fault %s', (fault, requirement) => {
    const seen = simulate({
      seed: 1,
      asks,
      clients: 8,
      keys: 2,
      paceMs: 3000,
      requests: 700,
      faults: [fault],
      until: requirement,
    });
    expect(seen.findings.map((finding) => finding.requirement)).toContain(requirement);
  });
});
