/** Property tests: requests drawn by chance, judged by all rules. */
export { checkLimiter, checkProperty } from './property.ts';
