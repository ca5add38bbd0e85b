export { all, history } from '../../../suites/4.6-macro-and-charts/requests.ts';
