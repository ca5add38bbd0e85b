/** What binds the checks of the catalogue to Vitest. */
export { checksInOrder } from './checks.ts';
export { nameOf, register } from './requirement.ts';
