// Refusals, and what is known of the target that sends them.
import type { EndpointPath } from '../../src/spec/endpoints.ts';
import { accepted, exchangeOf, judge, type Parts } from './exchanges.ts';

export const INFO: EndpointPath = '/currencies/{currency_id}';
export const KLINES: EndpointPath = '/currencies/{currency_id}/klines';
export const SUMMARY: EndpointPath = '/etfs/summary-history';
export const ETF: EndpointPath = '/etfs/{ticker}/history';
export const KEYED = { header: 'X-API-KEY', solution: 'Send a key.' };

export const unknown = {
  currency_id: ['404'],
  ticker: ['ZZ'],
  path: ['/zz-assay/no-such-endpoint'],
};
export const facts = {
  unknownIds: unknown,
  malformedCurrencyIds: ['bad!'],
  doubtfulIds: { currency_id: ['maybe'] },
  forbidden: ['/news'],
};
export const judgeWith = (...exchanges: Parameters<typeof judge>[0]) =>
  judge([accepted('/currencies'), ...exchanges], facts);
export const refusal = (
  template: EndpointPath | null,
  status: number,
  body: unknown,
  parts: Parts = {},
) => exchangeOf(template, { status, body, ...parts });
