import { decimalText } from '../variants/records.ts';
import { isObject, textOf } from '../json.ts';
import type { Json } from '../world.ts';
import { edit, endpointIs, onRecord, onValues } from '../vocabulary.ts';
import type { FurtherAnswers } from './allowed.ts';
import { changing, data, dimension, type Choice, type Dimension } from './dimension.ts';
import { NULLS, ROW_DIMENSIONS } from './row-values.ts';

const texts = (value: number): string =>
  Number.isInteger(value) ? `${decimalText(value)}.00` : decimalText(value);

const decimalRecords = (change: (value: number) => Json): Choice =>
  changing({
    hooks: onValues(['bigDecimal'], (value) => (typeof value === 'number' ? change(value) : value)),
  });

export const VALUE_ANSWERS: FurtherAnswers = {
  'decimal form': {
    'strings-with-zeros': decimalRecords(texts),
    'some-as-strings': decimalRecords((value) => (value < 1 ? decimalText(value) : value)),
  },
  'ETF volume': {
    'string-rounded-to-cents': changing({
      hooks: onRecord('etf-history-row', (record) => {
        const cents = Number(record['value_traded']).toFixed(2);
        return Number(cents) === 0
          ? record
          : { ...record, value_traded: Number(`${cents}91`), volume: cents };
      }),
    }),
    'string-with-zeros': changing({
      hooks: onRecord('etf-history-row', (record) => ({
        ...record,
        volume: Number(record['volume']).toFixed(8),
      })),
    }),
  },
  'timestamp of candles': {
    // Midnight of New York, which is four or five hours later, as summer time has it.
    'midnight-of-new-york': changing({
      hooks: onRecord(
        'kline',
        edit('/timestamp', (value) => {
          const month = new Date(Number(value)).getUTCMonth();
          return Number(value) + (month >= 3 && month <= 9 ? 4 : 5) * 3_600_000;
        }),
        endpointIs('/crypto-stocks/{stock_ticker}/klines'),
      ),
    }),
  },
};

/** A percentage with its sign and unit; an empty one stays empty. */
const signed =
  (sign: string) =>
  (value: Json): Json =>
    value === '' ? '' : `${sign}${textOf(value)}%`;

/** What values look like (§2, rulings 1 to 3, 17). */
export const VALUE_DIMENSIONS: readonly Dimension[] = [
  dimension('stock-figures', 'all', {
    'no-pe-for-losses': changing(
      {
        hooks: onRecord(
          'stock-snapshot',
          edit('/pe_ttm', (value) => (Number(value) < 0 ? null : value)),
        ),
      },
      NULLS,
    ),
    'no-pe': changing(
      {
        hooks: onRecord(
          'stock-snapshot',
          edit('/pe_ttm', () => null),
        ),
      },
      NULLS,
    ),
    'no-trades-today': changing({
      hooks: onRecord('stock-snapshot', (record) => ({ ...record, volume: 0, turnover: 0 })),
    }),
    'all-shares-circulate': changing({
      hooks: onRecord('stock-snapshot', (record) => ({
        ...record,
        circulating_shares: record['total_shares'] ?? 0,
        circulating_marketcap: record['total_marketcap'] ?? 0,
      })),
    }),
  }),
  dimension('fundraising-figures', 'all', {
    'undisclosed-amounts': changing(
      {
        hooks: onRecord(
          'fundraising',
          edit('/fundraising_rounds/*', (round) =>
            isObject(round) ? { ...round, amount: null, valuation: null } : round,
          ),
        ),
      },
      NULLS,
    ),
    'amounts-with-units': changing({
      hooks: onRecord(
        'fundraising',
        edit('/fundraising_rounds/*/amount', (amount) => `$${Math.round(Number(amount) / 1000)}K`),
      ),
    }),
    'one-kind-of-investors': changing({
      hooks: onRecord(
        'fundraising',
        edit('/fundraising_rounds/*/investors/*/type', () => 0),
      ),
    }),
  }),
  dimension('currency-figures', 'all', {
    'unlimited-supply': changing({
      hooks: onRecord(
        'currency-snapshot',
        edit('/max_supply', () => null),
      ),
    }),
    'percent-with-sign': changing({
      hooks: [
        onRecord('currency-snapshot', edit('/down_from_ath', signed('-'))),
        onRecord('currency-snapshot', edit('/up_from_cycle_low', signed('+'))),
      ],
    }),
    'empty-percent': changing({
      hooks: onRecord('currency-snapshot', (record) => ({
        ...record,
        down_from_ath: '',
        up_from_cycle_low: '',
      })),
    }),
    'supply-with-decimals': changing({
      hooks: onRecord('currency-snapshot', (record) => ({
        ...record,
        // A currency of which all is issued has no more than that.
        total_supply: `${textOf(record['total_supply'])}.${record['total_supply'] === record['max_supply'] ? '00000000' : '12345678'}`,
        circulating_supply: `${textOf(record['circulating_supply'])}.00000000`,
      })),
    }),
  }),
  dimension('allocation', 'percent', {
    fractions: changing({
      hooks: onRecord(
        'token-economics',
        edit('/token_allocation/*/percentage', (value) => Number(value) / 100),
      ),
    }),
    'not-quite-100': changing({
      hooks: onRecord(
        'token-economics',
        edit('/token_allocation/*/percentage', (value) => Math.round(Number(value))),
      ),
    }),
  }),
  dimension('currency-texts', 'usual', {
    'emoji-and-scripts': data((world) => ({
      currencyInfo(id) {
        const info = world.currencyInfo(id);
        return (
          info && {
            ...info,
            name: `${textOf(info['name'])} 比特币 🪙`,
            introduction: 'عملة\u200F رقمية 🚀',
          }
        );
      },
    })),
    sparse: data((world) => ({
      currencyInfo(id) {
        const info = world.currencyInfo(id);
        return (
          info && {
            ...info,
            introduction: '',
            sector: [],
            contracts: [],
            explorers: [],
            significant_events: [],
            white_paper: '',
            community: { social_primary: '', social_forum: '' },
          }
        );
      },
    })),
  }),
  ...ROW_DIMENSIONS,
];
