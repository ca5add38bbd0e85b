/** Currencies (§2.1 to §2.3). */
import {
  name,
  text,
  figure,
  stamp,
  integer,
  number,
  decimal,
  object,
  each,
  list,
  texts,
  orNull,
  orUnknown,
} from './value.ts';
import type { Resource, Resources } from './value.ts';

/** §2.1. */
const CURRENCY_INFO: Resource = {
  section: '2.1',
  title: 'Currency info',
  says: 'Answer of GET /currencies/{currency_id} (§2.1).',
  called: 'currency info',
  fields: {
    currency_id: name('Identifier of the currency.', '1673723677362319867'),
    name: name('Full name.', 'Bitcoin'),
    symbol: name('Symbol.', 'BTC'),
    introduction: text('Description.', 'A peer-to-peer electronic cash system.'),
    sector: list(
      'Sectors that the currency belongs to.',
      each({
        id: name('Identifier of the sector.', '1'),
        name: name('Name of the sector.', 'Layer1'),
      }),
      { is: 'an array of objects with id and name (strings)' },
    ),
    icon: text('Address of the icon.', 'https://cdn.example/icons/btc.png'),
    contracts: list(
      'Contracts, one a chain.',
      each({
        chain: text('Chain.', 'Bitcoin'),
        contract: text('Address of the contract on the chain.', ''),
      }),
      { is: 'an array of objects with chain and contract (strings)' },
    ),
    white_paper: text('Address of the whitepaper.', 'https://docs.example/bitcoin.pdf'),
    first_issue_time: orUnknown(stamp('When it was first issued.', '1230940800000')),
    explorers: texts('Addresses of block explorers.', ['https://explorer.example/btc']),
    community: object(
      'Links to the community.',
      {
        social_primary: text(
          'Address of the main social account.',
          'https://social.example/bitcoin',
        ),
        social_forum: text('Address of the forum.', 'https://forum.example/bitcoin'),
      },
      { is: 'an object with social_primary and social_forum (strings)' },
    ),
    significant_events: list(
      'Events in the history of the currency.',
      each({
        time: stamp('When it happened.', '1713571200000'),
        content: text('What happened.', 'Fourth halving.'),
      }),
      { is: 'an array of objects with time (string timestamp) and content' },
    ),
  },
};

/** They share a row of the table. */
const HIGH_LOW = { row: 'high_24h, low_24h' };

/** §2.2. */
const CURRENCY_SNAPSHOT: Resource = {
  section: '2.2',
  title: 'Currency market snapshot',
  says: 'Answer of GET /currencies/{currency_id}/market-snapshot (§2.2).',
  called: 'the currency snapshot',
  fields: {
    price: decimal('Current price, USD.', 67250.5),
    change_pct_24h: orUnknown(decimal('Change of the price over 24 hours, percent.', -1.25)),
    turnover_24h: decimal('Traded value of 24 hours, USD.', '28411230456.12'),
    turnover_rate: orUnknown(decimal('Turnover rate.', 0.0214)),
    high_24h: orUnknown(decimal('Highest price of 24 hours.', 68_410, HIGH_LOW)),
    low_24h: orUnknown(decimal('Lowest price of 24 hours.', 66120.75, HIGH_LOW)),
    marketcap: orUnknown(decimal('Market cap.', '1325874112900')),
    fdv: orUnknown(decimal('Fully diluted valuation.', '1412260500000')),
    max_supply: orNull(
      text('Maximum supply; null when it is unlimited.', '21000000'),
      'for an unlimited supply',
    ),
    total_supply: orUnknown(figure('Total supply.', '19715468')),
    circulating_supply: orUnknown(figure('Circulating supply.', '19715468')),
    ath: orUnknown(decimal('All-time high.', 73_777)),
    ath_date: orUnknown(stamp('When the all-time high was reached.', '1710374400000')),
    down_from_ath: figure('Decline since the all-time high, percent; may be empty.', '8.85', {
      is: 'a string (may be empty)',
    }),
    cycle_low: orUnknown(decimal('Lowest price of the cycle.', 15_476)),
    cycle_low_date: orUnknown(stamp('When the cycle low was reached.', '1668988800000')),
    up_from_cycle_low: figure('Rise since the cycle low, percent; may be empty.', '334.55', {
      is: 'a string (may be empty)',
    }),
    marketcap_rank: orUnknown(integer('Rank by market cap.', 1)),
  },
};

/** §2.3. */
const TOKEN_ECONOMICS: Resource = {
  section: '2.3',
  title: 'Token economics',
  says: 'Answer of GET /currencies/{currency_id}/token-economics (§2.3).',
  called: 'token economics',
  fields: {
    token_allocation: list(
      'Who holds which share.',
      each({
        holder: text('Name of the holder.', 'Community'),
        percentage: orUnknown(number('Share of the holder.', 60)),
      }),
      {
        is: 'an array of objects with holder (string) and percentage (number)',
        example: [
          { holder: 'Community', percentage: 60 },
          { holder: 'Team', percentage: 40 },
        ],
      },
    ),
    token_unlock: object(
      'How much is unlocked.',
      {
        unlocked: orUnknown(figure('Amount that is unlocked.', '600000000')),
        total_locked: orUnknown(figure('Amount that is locked in total.', '400000000')),
      },
      { is: 'an object with unlocked and total_locked (strings)' },
    ),
    unlock_timeline: list(
      'Unlocks in time; null when there are no data.',
      each({
        vestings: list(
          'What is unlocked at that time.',
          each({
            label: text('Who receives the tokens.', 'Team'),
            amount: orUnknown(number('Amount unlocked.', 1_250_000)),
          }),
        ),
        timestamp: stamp('Time of the unlock.', '1767225600000'),
      }),
      {
        is: 'null, or an array of objects with vestings (label, amount) and timestamp (string)',
        nullable: true,
      },
    ),
  },
};

export const CURRENCIES = {
  'currency-info': CURRENCY_INFO,
  'currency-snapshot': CURRENCY_SNAPSHOT,
  'token-economics': TOKEN_ECONOMICS,
} as const satisfies Resources;
