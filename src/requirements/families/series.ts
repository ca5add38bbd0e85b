export { limitOf, limitPartOf } from '../../../suites/families/limit.ts';
export { rangeOf, windowOf } from '../../../suites/families/range.ts';
