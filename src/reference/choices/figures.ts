import { isObject, rowsOf, textOf } from '../json.ts';
import { onError, onField, onRecord, onValues } from '../vocabulary.ts';
import { dimension, variant, type Dimension } from './choice.ts';

/** A number in plain decimal notation: no exponent. */
export function decimalText(value: number): string {
  const text = String(value);
  if (!text.includes('e')) return text;
  return text.includes('e-') ? value.toFixed(20).replace(/\.?0+$/, '') : BigInt(value).toString();
}

/** Converts epoch milliseconds to ISO 8601 and vice versa, so that the variant always differs. */
const otherFormat = (text: string): string =>
  /^\d+$/.test(text) ? new Date(Number(text)).toISOString() : String(Date.parse(text));

const EXTRA = { trace_id: '5f2b7c', served_from: { region: 'ap-east-1', cache: null } };

/** What values look like (§2, rulings 1 to 3, 17). */
export const FIGURES: readonly Dimension[] = [
  dimension('stock-figures', 'all', {
    'no-trades-today': onRecord('stock-snapshot', (record) => ({
      ...record,
      volume: 0,
      turnover: 0,
    })),
    'all-shares-circulate': onRecord('stock-snapshot', (record) => ({
      ...record,
      circulating_shares: record['total_shares'] ?? 0,
      circulating_marketcap: record['total_marketcap'] ?? 0,
    })),
  }),
  dimension('fundraising-figures', 'all', {
    'one-kind-of-investors': onField(
      'fundraising',
      '/fundraising_rounds/*/investors/*/type',
      () => 0,
    ),
  }),
  dimension('currency-figures', 'all', {
    'supply-with-decimals': onRecord('currency-snapshot', (record) => ({
      ...record,
      // A currency of which all is issued has no more than that.
      total_supply: `${textOf(record['total_supply'])}.${record['total_supply'] === record['max_supply'] ? '00000000' : '12345678'}`,
      circulating_supply: `${textOf(record['circulating_supply'])}.00000000`,
    })),
  }),
  dimension('allocation', 'percent', {
    fractions: onField(
      'token-economics',
      '/token_allocation/*/percentage',
      (value) => Number(value) / 100,
    ),
    'not-quite-100': onField('token-economics', '/token_allocation/*/percentage', (value) =>
      Math.round(Number(value)),
    ),
  }),
  dimension('decimal-form', 'numbers', {
    'decimals-as-strings': variant(
      'Decimals are strings, such as "0.0142"',
      onValues(['bigDecimal'], (value) => (typeof value === 'number' ? decimalText(value) : value)),
    ),
  }),
  dimension('string-timestamps', 'one-format', {
    'timestamps-other-format': variant(
      'String timestamps are ISO 8601 instead of epoch ms',
      onValues(['stringTimestamp'], (value) =>
        typeof value === 'string' ? otherFormat(value) : value,
      ),
    ),
  }),
  dimension('unit-of-other-timestamps', 'ms', {
    'seconds-where-no-unit': variant(
      'Long timestamps without a stated unit are in seconds',
      onValues(['longTime', 'anyTimestamp'], (value) =>
        typeof value === 'number' ? Math.floor(value / 1000) : value,
      ),
    ),
  }),
  dimension('extra-fields', 'none', {
    'extra-fields': variant('Objects contain unspecified fields', {
      record: (record) => ({ ...record, ...EXTRA }),
      body: (value) =>
        isObject(value) && rowsOf(value) !== undefined ? { ...value, ...EXTRA } : value,
      ...onError(undefined, (body) => ({ ...body, ...EXTRA })),
    }),
  }),
];
