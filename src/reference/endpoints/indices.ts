import { known } from './call.ts';
import type { Call, Handler } from './call.ts';

/** The 404 of an unknown index ticker. */
function index<Found>(call: Call, find: (ticker: string) => Found | undefined): Found {
  return known(find(call.path['index_ticker'] ?? ''), 'Index', call, 'index_ticker', '/indices');
}

export const indexList: Handler = (call) => call.world.indexList(call.now);

export const indexConstituents: Handler = (call) =>
  index(call, (ticker) => call.world.indexConstituents(ticker, call.now));

export const indexSnapshot: Handler = (call) =>
  index(call, (ticker) => call.world.indexSnapshot(ticker, call.now));

export const indexKlines: Handler = (call) =>
  index(call, (ticker) => call.world.indexKlines(ticker, call.now));
