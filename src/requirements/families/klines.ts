export { intervalOf } from '../../../suites/families/klines.ts';
