import type { PlannedRequest } from '../../src/load/plan.ts';
import { plan } from './plan.ts';

/** Indexes of the requests, each as often as its weight says. Weights are multiples of a third. */
const table = plan.requests.flatMap(({ weight }, index) =>
  Array<number>(Math.max(1, Math.round(3 * weight))).fill(index),
);

/** Fraction of the golden ratio: its multiples are spread evenly, and every run selects the same requests. */
const GOLDEN = 0.618033988749895;

/** Index of the n-th iteration's request in the plan. */
export function indexAt(iteration: number): number {
  return table[Math.floor(((iteration * GOLDEN) % 1) * table.length)] ?? 0;
}

/** The request of the n-th iteration. */
export function requestAt(iteration: number): PlannedRequest {
  const request = plan.requests[indexAt(iteration)];
  if (request === undefined) throw new Error('The plan has no request.');
  return request;
}
