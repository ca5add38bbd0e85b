import { Counter } from 'k6/metrics';

const errors = new Counter('harness_errors');

/**
 * Runs an iteration and counts its exceptions, because k6 exits with 0 after an exception. The judge treats a run with
 * exceptions as an error.
 */
export async function guarded(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    errors.add(1);
    throw error;
  }
}

/** Counts an exception where a wrapper function would be too expensive. */
export function countError(): void {
  errors.add(1);
}
