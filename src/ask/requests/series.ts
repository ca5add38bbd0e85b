export { turnedRound, withControl } from '../../../suites/families/series-requests.ts';
