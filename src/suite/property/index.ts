/** Property tests: requests drawn by chance, judged by all rules. */
export { checkProperty } from './property.ts';
