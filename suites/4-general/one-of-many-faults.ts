import { all, crashing, endpointIs, type Condition } from '../../src/reference/vocabulary.ts';
import { faultsOf, type Fault } from '../../src/reference/faults/fault.ts';

/** The identifier in the path matches. */
const written =
  (form: RegExp): Condition =>
  ({ path }) =>
    Object.values(path).some((id) => form.test(id));

/** Faults of a single entity. All others, including most that are requested first, are answered correctly. */
export const ONE_OF_MANY_FAULTS: readonly Fault[] = [
  ...faultsOf('4', {
    'index-short-crashes': {
      title: 'A two-letter index ticker causes an internal error in the constituents',
      kills: ['4/no-5xx'],
      hooks: crashing(all(endpointIs('/indices/{index_ticker}/constituents'), written(/^..$/))),
    },
    'sector-payments-crashes': {
      title: 'The index of the sector Payments returns an internal error',
      kills: ['4/no-5xx'],
      profile: 'full',
      hooks: crashing(
        all(endpointIs('/crypto-stocks/sector/{sector_name}/index'), written(/^Payments$/)),
      ),
    },
  }),
];
