import { known } from './call.ts';
import type { Call, Handler, Handlers } from './call.ts';

/** The 404 of an unknown index ticker. */
function index<Found>(call: Call, find: (ticker: string) => Found | undefined): Found {
  return known(find(call.path['index_ticker'] ?? ''), 'Index', call, 'index_ticker', '/indices');
}

const indexList: Handler = (call) => call.world.indexList(call.now);

const indexConstituents: Handler = (call) =>
  index(call, (ticker) => call.world.indexConstituents(ticker, call.now));

const indexSnapshot: Handler = (call) =>
  index(call, (ticker) => call.world.indexSnapshot(ticker, call.now));

const indexKlines: Handler = (call) =>
  index(call, (ticker) => call.world.indexKlines(ticker, call.now));

/** Which handler answers which endpoint. */
export const INDICES = {
  '/indices': indexList,
  '/indices/{index_ticker}/constituents': indexConstituents,
  '/indices/{index_ticker}/market-snapshot': indexSnapshot,
  '/indices/{index_ticker}/klines': indexKlines,
} as const satisfies Handlers;
