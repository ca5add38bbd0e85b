import { inject } from 'vitest';
import type { SuiteInput } from '../ask/input.ts';
import { SuiteRun } from './suite-run.ts';

declare module 'vitest' {
  interface ProvidedContext {
    assay: SuiteInput;
  }
}

let current: SuiteRun | undefined;

/**
 * The run that an editor or plain Vitest set up (`suites/vitest.config.ts`). Kept when an editor in watch mode collects the
 * suites again, so that requests are not repeated.
 */
export function editedRun(): SuiteRun {
  const input = inject('assay');
  if (current?.input.runId !== input.runId) {
    void current?.close();
    current = new SuiteRun(input);
  }
  return current;
}
