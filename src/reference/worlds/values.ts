import { DAY_MS } from '../../contract/limits.ts';
import { isTradingDay } from '../../contract/trading-days.ts';
import { decimalText } from '../variants/records.ts';
import { stream } from '../data/prng.ts';
import { isArray, isObject, textOf } from '../json.ts';
import type { Json, JsonObject } from '../world.ts';
import { edit, endpointIs, onAnswer, onRecord } from '../vocabulary.ts';
import type { FurtherAnswers } from './allowed.ts';
import { changing, data, dimension, type Choice, type Dimension } from './dimension.ts';

/** Fields of type Integer or Long, whose numbers keep their plain form whatever others look like. */
const WHOLE: ReadonlySet<string> = new Set(
  (
    'code page page_size total timestamp release_time created_at create_time update_time date ' +
    'established_date last_invest_date total_rounds rounds_last_year lead_invest_count portfolio_count type ' +
    'category impression_count like_count reply_count repost_count is_blue_verified marketcap_rank limit retry_after'
  ).split(' '),
);

/** JSON with numbers as `write` has them. */
function written(value: Json, write: (value: number) => string, name = ''): string {
  if (typeof value === 'number') return WHOLE.has(name) ? String(value) : write(value);
  if (isArray(value)) return `[${value.map((one) => written(one, write, name)).join(',')}]`;
  if (isObject(value)) {
    const members = Object.entries(value).map(
      ([key, one]) => `${JSON.stringify(key)}:${written(one, write, key)}`,
    );
    return `{${members.join(',')}}`;
  }
  return JSON.stringify(value);
}

const numbers = (write: (value: number) => string): Choice =>
  changing({
    hooks: onAnswer(
      ({ status, text }) => status === 200 && text === undefined,
      (answer) => ({ ...answer, text: written(answer.value, write) }),
    ),
  });

const texts = (value: number): string =>
  Number.isInteger(value) ? `${decimalText(value)}.00` : decimalText(value);

const decimalRecords = (change: (value: number) => Json): Choice =>
  changing({
    hooks: onRecord(['currency-snapshot', 'etf-summary-row'], (record) =>
      Object.fromEntries(
        Object.entries(record).map(([name, value]) => [
          name,
          typeof value === 'number' && name !== 'marketcap_rank' ? change(value) : value,
        ]),
      ),
    ),
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

/** A figure that cannot exist is null: allowed, and a should all the same (ruling 3). */
const NULLS = ['2/null-figures'];

/** A percentage with its sign and unit; an empty one stays empty. */
const signed =
  (sign: string) =>
  (value: Json): Json =>
    value === '' ? '' : `${sign}${textOf(value)}%`;

/** Macro rows of releases that are announced for the coming days. */
function announced(rows: readonly JsonObject[], now: number): readonly JsonObject[] {
  const [newest] = rows;
  if (newest === undefined) return rows;
  const date = new Date(now + 3 * DAY_MS).toISOString().slice(0, 10);
  return [{ ...newest, date, actual: null, previous: newest['actual'] ?? null }, ...rows];
}

const macro = (
  change: (rows: readonly JsonObject[], now: number) => readonly JsonObject[],
): Choice =>
  data((world) => ({
    macroHistory(event, now) {
      const rows = world.macroHistory(event, now);
      return rows && change(rows, now);
    },
  }));

/** A number below `kinds` that stays with a pair, whatever its place. */
const kindOfPair = ({ market, base, target }: JsonObject, kinds: number): number =>
  stream(0, 'pair', textOf(market), textOf(base), textOf(target)) % kinds;

const pairs = (change: (rows: readonly JsonObject[]) => readonly JsonObject[]): Choice =>
  data((world) => ({
    pairs(id, now) {
      const rows = world.pairs(id, now);
      return rows && change(rows);
    },
  }));

/** A day on which nobody traded: one in seven. */
const isQuiet = (candle: JsonObject): boolean =>
  Math.floor(Number(candle['timestamp']) / DAY_MS) % 7 === 3;

const etfDays = (
  change: (rows: readonly JsonObject[], country: 'US' | 'HK', now: number) => readonly JsonObject[],
): Choice =>
  data((world) => ({
    etfHistory(ticker, now) {
      const rows = world.etfHistory(ticker, now);
      const country = world.etfs.find((etf) => etf.ticker === ticker)?.country;
      return rows && country ? change(rows, country, now) : rows;
    },
  }));

const UNSETTLED = {
  net_inflow: null,
  cum_inflow: null,
  net_assets: null,
  currency_share: null,
  prem_dsc: null,
};

/** The day before the newest trading day settles only when the next trading day of the country ends. */
function lateSettlement(
  rows: readonly JsonObject[],
  country: 'US' | 'HK',
  now: number,
): readonly JsonObject[] {
  const today = new Date(now).toISOString().slice(0, 10);
  if (!isTradingDay(country, today) || rows[0]?.['date'] !== today) return rows;
  return rows.map((row, index) => (index === 1 ? { ...row, ...UNSETTLED } : row));
}

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
        total_supply: `${textOf(record['total_supply'])}.12345678`,
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
  dimension('quiet-candles', 'none', {
    'no-volume': changing({
      hooks: onRecord('kline', (record) => (isQuiet(record) ? { ...record, volume: 0 } : record)),
    }),
    flat: changing({
      hooks: onRecord('kline', (record) => {
        const { open = 0 } = record;
        return isQuiet(record)
          ? { ...record, high: open, low: open, close: open, volume: 0 }
          : record;
      }),
    }),
    'a-missing-day': data((world) => ({
      currencyKlines: (id, now) =>
        world
          .currencyKlines(id, now)
          ?.filter((row) => Math.floor(Number(row['timestamp']) / DAY_MS) % 41 !== 7),
    })),
  }),
  dimension('macro-rows', 'released', {
    'announced-ones': { ...macro(announced), warns: NULLS },
    'two-a-day': macro((rows) =>
      rows.flatMap((row, index) =>
        index % 6 === 2 ? [row, { ...row, forecast: row['actual'] ?? null }] : [row],
      ),
    ),
    'without-forecast': {
      ...macro((rows) =>
        rows.map((row, index) => (index % 2 === 0 ? { ...row, forecast: null } : row)),
      ),
      warns: NULLS,
    },
    'first-without-previous': {
      ...macro((rows) =>
        rows.map((row, index) => (index === rows.length - 1 ? { ...row, previous: null } : row)),
      ),
      warns: NULLS,
    },
  }),
  dimension('macro-dates', 'days', {
    'with-time': changing({
      hooks: onRecord(
        'macro-history-row',
        edit('/date', (value) => `${textOf(value)}T12:30:00Z`),
      ),
    }),
    'with-slashes': changing({
      hooks: onRecord(
        'macro-history-row',
        edit('/date', (value) => textOf(value).replaceAll('-', '/')),
      ),
    }),
    'epoch-ms': changing({
      hooks: onRecord(
        'macro-history-row',
        edit('/date', (value) => String(Date.parse(textOf(value)))),
      ),
    }),
    compact: changing({
      hooks: onRecord(
        'macro-history-row',
        edit('/date', (value) => textOf(value).replaceAll('-', '')),
      ),
    }),
  }),
  dimension('settlement', 'at-midnight', {
    'two-rows-open': etfDays(lateSettlement),
  }),
  dimension('etf-shares', 'fractions', {
    percent: changing({
      hooks: onRecord('etf-history-row', (record) =>
        record['currency_share'] === null
          ? record
          : {
              ...record,
              currency_share: Number(record['currency_share']) * 100,
              prem_dsc: Number(record['prem_dsc']) * 100,
            },
      ),
    }),
  }),
  dimension('small-rows', 'usual', {
    // ETFs that nobody trades on some days.
    'idle-days': etfDays((rows) =>
      rows.map((row, index) =>
        index > 0 && Math.floor(Date.parse(textOf(row['date'])) / DAY_MS) % 4 === 1
          ? { ...row, value_traded: 0, volume: '0' }
          : row,
      ),
    ),
  }),
  dimension('pair-rows', 'usual', {
    // A pair stays what it is when its place in the list changes.
    'as-quote-currency': pairs((rows) =>
      rows.map((row) =>
        kindOfPair(row, 5) === 0
          ? { ...row, base: row['target'] ?? '', target: row['base'] ?? '' }
          : row,
      ),
    ),
    'without-depth': pairs((rows) =>
      rows.map((row) =>
        kindOfPair(row, 3) === 0
          ? { ...row, cost_to_move_up_usd: 0, cost_to_move_down_usd: 0 }
          : row,
      ),
    ),
  }),
];

/** How bodies are written out; nothing that changes a body may come after these. */
export const WRITING_DIMENSIONS: readonly Dimension[] = [
  dimension('numbers', 'plain', {
    'with-a-zero': numbers((value) => (Number.isInteger(value) ? `${value}.0` : String(value))),
    exponents: numbers((value) => value.toExponential()),
    'capital-exponents': numbers((value) => value.toExponential().toUpperCase()),
  }),
  dimension('bodies', 'compact', {
    indented: changing({
      hooks: onAnswer(
        ({ text }) => text === undefined,
        (answer) => ({ ...answer, text: `${JSON.stringify(answer.value, null, 2)}\n` }),
      ),
    }),
    escaped: changing({
      hooks: onAnswer(
        ({ text }) => text === undefined,
        (answer) => ({
          ...answer,
          text: JSON.stringify(answer.value).replaceAll(
            /[^\0-~]/g,
            (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
          ),
        }),
      ),
    }),
  }),
];
