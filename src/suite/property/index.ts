/** Property tests: what a suite imports. */
export { LIMITER_REQUIREMENTS, PROPERTIES, type PropertyName } from './catalogue.ts';
export { checkLimiter, checkProperty } from './property.ts';
