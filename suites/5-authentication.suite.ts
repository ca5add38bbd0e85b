// §5 Authentication: every endpoint needs the key, and every kind of bad key has its own refusal.
import { ENDPOINT_PATHS, type EndpointPath } from '../src/contract/endpoints.ts';
import { requirement, type Query } from '../src/suite/index.ts';

/** Required query parameters, so that the key is all that is wrong with a request. */
export const REQUIRED: Readonly<Partial<Record<EndpointPath, Query>>> = {
  '/currencies/{currency_id}/klines': { interval: '1d' },
  '/crypto-stocks/{stock_ticker}/klines': { interval: '1d' },
  '/news/featured': { page: 1, page_size: 20 },
  '/etfs/summary-history': { symbol: 'BTC', country_code: 'US' },
};

const control = { role: 'valid' } as const;

requirement.for('5/key-required', ENDPOINT_PATHS)(
  'refuses %s without a key',
  async (path, { api, expect }) => {
    const answer = await api.get(path, REQUIRED[path], { role: 'none', control });
    expect(answer).toBeRefused('unauthenticated');
  },
);

requirement.for('5/unknown-key', ENDPOINT_PATHS)(
  'refuses %s with an unknown key',
  async (path, { api, expect }) => {
    const answer = await api.get(path, REQUIRED[path], { role: 'unknown', control });
    expect(answer).toBeRefused('invalidKey');
  },
);
