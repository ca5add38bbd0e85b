/** Binds the checks of the catalogue to Vitest. */
export { checkList } from './check-list.ts';
export { checksInOrder } from './checks.ts';
export { register } from './requirement.ts';
export { SuiteRun } from './suite-run.ts';
