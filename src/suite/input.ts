import { inject } from 'vitest';
import type { SuiteInput } from '../ask/input.ts';

declare module 'vitest' {
  interface ProvidedContext {
    assay: SuiteInput;
  }
}

/** The input of the run that this worker belongs to. */
export function suiteInput(): SuiteInput {
  return inject('assay');
}
