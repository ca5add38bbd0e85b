export { largerAnswer } from './series.ts';
