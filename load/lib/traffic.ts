import exec from 'k6/execution';
import { guarded } from './guard.ts';
import { keyAt } from './keys.ts';
import { plan } from './plan.ts';
import { send } from './request.ts';
import type { PlannedRequest } from '../../src/load/plan.ts';

/** Weights added up: a drawn number falls to the first request whose sum is above it. */
const sums: number[] = [];
let total = 0;
for (const { weight } of plan.requests) {
  total += weight;
  sums.push(total);
}

/** Fraction of the golden ratio: consecutive multiples are spread evenly, and every run draws the same requests. */
const GOLDEN = 0.618033988749895;

/** The request of the n-th iteration. */
function requestAt(iteration: number): PlannedRequest {
  const drawn = ((iteration * GOLDEN) % 1) * total;
  let low = 0;
  let high = sums.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sums[middle] ?? 0) > drawn) high = middle;
    else low = middle + 1;
  }
  const request = plan.requests[low];
  if (request === undefined) throw new Error('The plan holds no request.');
  return request;
}

/** One request of the mix. Keys take turns over all machines, so each gets its even share of the rate. */
export function mixed(): Promise<void> {
  return guarded(async () => {
    const iteration = exec.scenario.iterationInTest;
    const index = iteration % plan.keys;
    const value = await keyAt(index);
    send({ request: requestAt(iteration), key: { value, index }, phase: 'mix', step: iteration });
  });
}
