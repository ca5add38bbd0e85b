export { klineFaults } from '../../../suites/families/klines-faults.ts';
