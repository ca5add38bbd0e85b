export { history } from '../../../suites/4.4-etf-history/requests.ts';
