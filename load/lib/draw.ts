import type { PlannedRequest } from '../../src/load/plan.ts';
import { plan } from './plan.ts';

const { requests } = plan;
/** Cumulative weights: a number selects the first request whose sum exceeds it. */
const sums: number[] = [];
let total = 0;
for (const { weight } of requests) {
  total += weight;
  sums.push(total);
}

/** Fraction of the golden ratio: its multiples are spread evenly, and every run selects the same requests. */
const GOLDEN = 0.618033988749895;

/** Index of the n-th iteration's request in the plan. */
export function indexAt(iteration: number): number {
  const drawn = ((iteration * GOLDEN) % 1) * total;
  let low = 0;
  let high = sums.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sums[middle] ?? 0) > drawn) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The request of the n-th iteration. */
export function requestAt(iteration: number): PlannedRequest {
  const request = requests[indexAt(iteration)];
  if (request === undefined) throw new Error('The plan has no request.');
  return request;
}
