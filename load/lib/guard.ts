import { Counter } from 'k6/metrics';

const errors = new Counter('harness_errors');

/**
 * Runs the work of an iteration. k6 ends with code 0 after an exception in an iteration, so it is counted, and the
 * judge takes a run with a count above 0 for an error.
 */
export async function guarded(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    errors.add(1);
    throw error;
  }
}

/** Counts an exception where a function more would cost too much. */
export function countError(): void {
  errors.add(1);
}
