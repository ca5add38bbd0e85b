import type { Hooks } from '../../src/reference/hooks.ts';
import { isObject, textOf, isArray } from '../../src/reference/json.ts';
import {
  all,
  asked,
  edit,
  editOneIn,
  endpointIs,
  firstRow,
  inLanguage,
  oneRowIn,
  onRecord,
  onRows,
  put,
  type Condition,
  type RecordChange,
} from '../../src/reference/vocabulary.ts';
import type { Json, JsonObject } from '../../src/reference/world.ts';
import { faultsOf, type Fault } from '../../src/reference/faults/fault.ts';

const swapped = (one: Json): Json =>
  isObject(one) ? { ...one, full_name: one['name'] ?? '', name: one['full_name'] ?? '' } : one;
const onItems = (change: RecordChange, when?: Condition): Hooks =>
  onRecord('news-item', change, when);
/** Repeats the first item at the end. */
const repeating = (when: Condition): Hooks =>
  onRows(when, (rows) => (rows.length > 1 ? [...rows.slice(0, -1), rows[0] ?? null] : rows));

/** Faults in the meaning of news fields (§2.7) that affect only some answers or rows. */
const NEWS_ITEM_FAULTS: readonly Fault[] = faultsOf({
  'news-id-twice': {
    title: 'A page of news repeats its first item at the end',
    kills: ['2.7/id-unique'],
    hooks: repeating(endpointIs('/news')),
  },
  'news-script-tag': {
    title: 'One news item in nineteen has an iframe in its content',
    kills: ['2.7/html-tags'],
    hooks: onItems(
      editOneIn(19, '/content', (value) => `${textOf(value)}<iframe src="about:blank"></iframe>`),
    ),
  },
  'news-negative-likes': {
    title: 'The like count of the first news item is negative',
    kills: ['2.7/counts-non-negative'],
    hooks: onItems(firstRow(put('/like_count', -1))),
  },
  'news-relative-link': {
    title: 'Links in news have no scheme',
    kills: ['2.7/urls'],
    hooks: onItems(put('/source_link', '//news.example/item')),
  },
  'news-author-translated': {
    title: 'The author description is translated to Japanese',
    kills: ['2.7/author-description-language'],
    hooks: onItems(put('/author_description', '暗号資産の記者'), inLanguage('ja')),
  },
  'news-category-unlisted': {
    title: 'One news item in nineteen has category 5',
    kills: ['2.7/category'],
    hooks: onItems(oneRowIn(19, put('/category', 5))),
  },
  'news-matched-null': {
    title: 'matched_currencies is null if no currency matches',
    kills: ['2.7/matched-currencies'],
    hooks: onItems(
      edit('/matched_currencies', (value) =>
        Array.isArray(value) && value.length === 0 ? null : value,
      ),
    ),
  },
  'news-id-twice-in-100': {
    title: 'A page of 100 news items repeats its first item at the end',
    kills: ['2.7/id-unique'],
    hooks: repeating(all(endpointIs('/news'), asked('page_size', '100'))),
  },
  'featured-content-table': {
    title: 'One featured item in seven has a table row in its content',
    kills: ['2.7/html-tags'],
    hooks: onRecord(
      'featured-news-item',
      editOneIn(7, '/content', (value) => `${textOf(value)}<tr></tr>`),
    ),
  },
  'news-content-script-chinese': {
    title: 'One item in fifty on a Chinese page has a script in its content',
    kills: ['2.7/html-tags'],
    hooks: onItems(
      editOneIn(50, '/content', (value) => `<SCRIPT>1</SCRIPT>${textOf(value)}`),
      inLanguage('zh'),
    ),
  },
  'news-quote-negative-views': {
    title: 'View counts on quoted posts are negative',
    kills: ['2.7/counts-non-negative'],
    hooks: onItems(put('/quote_info/impression_count', -1)),
  },
  'featured-from-tomorrow': {
    title: 'The first featured item is released an hour from now',
    kills: ['2.7/release-not-future'],
    hooks: onRecord(
      'featured-news-item',
      firstRow((record, { now }) => ({ ...record, release_time: now + 3_600_000 })),
    ),
  },
  'news-matched-names-swapped': {
    title: 'Matched currencies have the symbol in `full_name` and the full name in `name`',
    kills: ['2.7/matched-names'],
    hooks: onItems(edit('/matched_currencies/*', swapped)),
  },
  'news-matched-name-bitcoin': {
    title: 'News about Bitcoin has the full name in `name`, too',
    kills: ['2.7/matched-names'],
    hooks: onItems(
      edit('/matched_currencies/*', (one) =>
        isObject(one) && one['name'] === 'BTC' ? { ...one, name: one['full_name'] ?? '' } : one,
      ),
    ),
  },
  'news-cover-scheme': {
    title: 'One cover image in nineteen has a `data:` URL',
    kills: ['2.7/urls'],
    hooks: onItems(oneRowIn(19, put('/feature_image', 'data:image/png;base64,'))),
  },
});

/** Sets a field to a multiple of another one. */
const times = (factor: number) => (path: string, of: string) =>
  edit(path, (value, record) => {
    const other = Number(record[of]) * factor;
    return typeof value === 'string' ? String(other) : other;
  });
const half = times(0.5);
const twice = times(2);

const objectsIn = (value: Json | undefined): readonly JsonObject[] =>
  value !== undefined && isArray(value) ? value.filter(isObject) : [];

/** Values of §2 with wrong types or contradictions. */
export const RESOURCE_FAULTS: readonly Fault[] = [
  ...faultsOf({
    'info-other-currency': {
      title: 'Currency info has a different currency_id',
      kills: ['2.1/currency-id-echo'],
      hooks: onRecord('currency-info', put('/currency_id', '1')),
    },
    'info-icon-not-url': {
      title: 'The icon is a path, not a URL',
      kills: ['2.1/urls'],
      hooks: onRecord('currency-info', put('/icon', 'images/coin.png')),
    },
    'snapshot-high-below-low': {
      title: 'high_24h is below low_24h',
      kills: ['2.2/high-low'],
      hooks: onRecord('currency-snapshot', half('/high_24h', 'low_24h')),
    },
    'snapshot-price-above-high': {
      title: 'The 24-hour extremes are from a day when the price was 10 % lower',
      kills: ['2.2/price-in-range'],
      hooks: [
        onRecord('currency-snapshot', times(0.9)('/high_24h', 'price')),
        onRecord('currency-snapshot', times(0.85)('/low_24h', 'price')),
      ],
    },
    'snapshot-low-above-price': {
      title: 'low_24h is the opening price of a day on which the price fell by a tenth',
      kills: ['2.2/price-in-range'],
      hooks: [
        onRecord('currency-snapshot', times(1.1)('/low_24h', 'price')),
        onRecord('currency-snapshot', times(1.1)('/high_24h', 'low_24h')),
      ],
    },
    'snapshot-ath-below-price': {
      title: 'The all-time high is below the price',
      kills: ['2.2/ath-covers-price'],
      hooks: onRecord('currency-snapshot', half('/ath', 'price')),
    },
    'snapshot-cycle-low-above-price': {
      title: 'The cycle low is above the price',
      kills: ['2.2/cycle-low-below-price'],
      hooks: onRecord('currency-snapshot', twice('/cycle_low', 'price')),
    },
    'snapshot-fdv-below-marketcap': {
      title: 'Fully diluted valuation is below market capitalisation',
      kills: ['2.2/fdv-covers-marketcap'],
      hooks: onRecord('currency-snapshot', half('/fdv', 'marketcap')),
    },
    'snapshot-supply-order': {
      title: 'The circulating supply is above the total supply',
      kills: ['2.2/supply-strings'],
      hooks: onRecord('currency-snapshot', twice('/circulating_supply', 'total_supply')),
    },
    'snapshot-percent-words': {
      title: 'The distance from the all-time high is in words',
      kills: ['2.2/percent-strings'],
      hooks: onRecord('currency-snapshot', put('/down_from_ath', '12.5 percent')),
    },
    'snapshot-rank-zero': {
      title: 'The market cap rank is 0',
      kills: ['2.2/non-negative'],
      hooks: onRecord('currency-snapshot', put('/marketcap_rank', 0)),
    },
    'snapshot-fdv-null': {
      title: 'The fully diluted valuation is null',
      kills: ['2/null-figures'],
      hooks: onRecord('currency-snapshot', put('/fdv', null)),
    },
    'economics-percentage-over-100': {
      title: 'One allocation is above 100 percent',
      kills: ['2.3/percentage-range'],
      hooks: onRecord('token-economics', put('/token_allocation/*/percentage', 140)),
    },
    'economics-unlock-units': {
      title: 'The unlocked amount has a unit',
      kills: ['2.3/unlock-strings'],
      hooks: onRecord('token-economics', put('/token_unlock/unlocked', '12M')),
    },
    'economics-timeline-empty': {
      title: 'unlock_timeline without data is an empty array',
      kills: ['2.3/unlock-timeline-null'],
      hooks: onRecord(
        'token-economics',
        edit('/unlock_timeline', (value) => value ?? []),
      ),
    },
    'candle-close-above-high': {
      title: 'One candle in thirty closes above its high',
      kills: ['2.4/ohlc-order'],
      hooks: onRecord('kline', oneRowIn(30, twice('/close', 'high'))),
    },
    'candle-off-grid': {
      title: 'One candle in thirty is six hours late',
      kills: ['2.4/daily-spacing'],
      hooks: onRecord(
        'kline',
        editOneIn(30, '/timestamp', (value) => Number(value) + 21_600_000),
      ),
    },
    'pair-foreign': {
      title: 'One pair in nineteen does not involve the currency at all',
      kills: ['2.5/base-or-target'],
      hooks: onRecord(
        'trading-pair',
        oneRowIn(19, (row) => ({ ...row, base: 'ZZZ', target: 'USDT' })),
      ),
    },
    'pair-negative-cost': {
      title: 'The cost to move a pair down is negative',
      kills: ['2.5/non-negative'],
      hooks: onRecord('trading-pair', put('/cost_to_move_down_usd', -1)),
    },
    'fundraising-round-count': {
      title: 'investment_stats counts no rounds',
      kills: ['2.6/stats-rounds'],
      hooks: onRecord('fundraising', put('/investment_stats/total_rounds', 0)),
    },
    'fundraising-valuation-number-of-few': {
      title: 'Valuations in the rounds of three currencies are numbers',
      kills: ['2.6/round-item'],
      profile: 'full',
      needsData: true,
      hooks: onRecord(
        'fundraising',
        edit('/fundraising_rounds/*/valuation', (value, _record, { path }) =>
          path['currency_id']?.endsWith('1') === true && value !== null ? Number(value) : value,
        ),
      ),
    },
    'fundraising-investors-lead-only': {
      title: "Only investors that led a round are listed as a project's investors",
      kills: ['2.6/all-investors'],
      hooks: onRecord(
        'fundraising',
        edit('/investors', (investors, { fundraising_rounds: rounds }) => {
          const leaders = objectsIn(rounds)
            .flatMap((round) => objectsIn(round['investors']))
            .filter((investor) => investor['is_lead_investor'] === true)
            .map((investor) => investor['investor_id']);
          return objectsIn(investors).filter(({ investor_id: id }) => leaders.includes(id));
        }),
      ),
    },
    'fundraising-updated-before-created': {
      title: 'A project was updated before it was created',
      kills: ['2.6/update-after-create'],
      hooks: onRecord(
        'fundraising',
        edit('/update_time', (_value, record) => Number(record['create_time']) - 86_400),
      ),
    },
  }),
  ...NEWS_ITEM_FAULTS,
  ...faultsOf({
    'history-dotted-ticker': {
      title: 'Rows of ETFs with a dot in their ticker have a different ticker',
      kills: ['2.8/ticker-echo'],
      hooks: onRecord(
        'etf-history-row',
        put('/ticker', 'IBIT'),
        ({ path }) => path['ticker']?.includes('.') === true,
      ),
    },
    'stock-status-closed': {
      title: 'The market status is "closed" where it should be "close"',
      kills: ['2.9/mkt-status'],
      hooks: onRecord('stock-snapshot', put('/mkt_status', 'closed')),
    },
    'stock-short-status': {
      title: 'mkt_status of a company with a three-letter ticker is in capitals',
      kills: ['2.9/mkt-status'],
      profile: 'full',
      hooks: onRecord(
        'stock-snapshot',
        edit('/mkt_status', (value) => textOf(value).toUpperCase()),
        ({ path }) => path['stock_ticker']?.length === 3,
      ),
    },
    'stock-other-ticker': {
      title: 'The stock snapshot has a different ticker',
      kills: ['2.9/ticker-echo'],
      hooks: onRecord('stock-snapshot', put('/ticker', 'OTHER')),
    },
    'stock-circulating-above-total': {
      title: 'More shares circulate than exist',
      kills: ['2.9/circulating-within-total'],
      hooks: onRecord('stock-snapshot', twice('/circulating_shares', 'total_shares')),
    },
    'chart-time-field-unlisted': {
      title: 'time_field of one chart in three names a field that is not listed',
      kills: ['2.11/time-field-listed'],
      hooks: onRecord('chart', oneRowIn(3, put('/time_field', 'moment'))),
    },
    'chart-name-twice': {
      title: 'Two charts have the same name',
      kills: ['2.11/names-unique'],
      hooks: onRows(endpointIs('/analyses'), (rows) => [...rows, ...rows.slice(0, 1)]),
    },
  }),
];
