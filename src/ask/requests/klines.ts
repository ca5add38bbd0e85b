export { CURRENCY_KLINE_CHECKS } from '../../../suites/families/klines-requests.ts';
