import type { Condition } from '../vocabulary.ts';
import { all, crashing, drop, edit, endpointIs, onRecord, put } from '../vocabulary.ts';
import { textOf } from '../json.ts';
import { faultsOf } from './fault.ts';
import type { Fault } from './fault.ts';

/** The identifier in the path is written so. */
const written =
  (form: RegExp): Condition =>
  ({ path }) =>
    Object.values(path).some((id) => form.test(id));
const dotted = written(/\./);

/** Defects of one entity of many. All others, and most often all that are asked for first, are answered as they should. */
export const ONE_OF_MANY_FAULTS: readonly Fault[] = [
  ...faultsOf('2.8', {
    'history-dotted-ticker': {
      title: 'Rows of ETFs with a dot in their ticker carry the ticker of another one',
      kills: ['2.8/ticker-echo'],
      subtle: true,
      hooks: onRecord('etf-history-row', put('/ticker', 'IBIT'), dotted),
    },
  }),
  ...faultsOf('2.9', {
    'stock-short-status': {
      title: 'mkt_status of a company with a ticker of three letters is in capitals',
      kills: ['2.9/mkt-status'],
      subtle: true,
      profile: 'full',
      hooks: onRecord(
        'stock-snapshot',
        edit('/mkt_status', (value) => textOf(value).toUpperCase()),
        written(/^.{3}$/),
      ),
    },
  }),
  ...faultsOf('2.10', {
    'macro-one-event-without-previous': {
      title: 'The rows of one event have no previous',
      kills: ['2.10/previous'],
      subtle: true,
      profile: 'full',
      hooks: onRecord('macro-history-row', drop('/previous'), written(/^PPI/)),
    },
  }),
  ...faultsOf('4', {
    'index-short-crashes': {
      title: 'The constituents of an index with a ticker of two letters are an internal error',
      kills: ['4/no-5xx'],
      subtle: true,
      hooks: crashing(all(endpointIs('/indices/{index_ticker}/constituents'), written(/^..$/))),
    },
    'sector-payments-crashes': {
      title: 'The index of the sector Payments is an internal error',
      kills: ['4/no-5xx'],
      subtle: true,
      profile: 'full',
      hooks: crashing(
        all(endpointIs('/crypto-stocks/sector/{sector_name}/index'), written(/^Payments$/)),
      ),
    },
  }),
];
