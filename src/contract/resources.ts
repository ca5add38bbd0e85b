/**
 * The fields of §2, one entry a table row (or one a nested object that the text describes in one sentence). Each entry
 * becomes a must requirement: the field is there and has the stated type. The JSON Schemas in `schemas/` say the same
 * in machine form; a schema error is attributed to the entry with the longest matching place.
 */

/** Resources with a stated shape, named as their schema files. */
export type ResourceName =
  | 'currency-info'
  | 'currency-snapshot'
  | 'token-economics'
  | 'kline'
  | 'trading-pair'
  | 'fundraising'
  | 'news-item'
  | 'featured-news-item'
  | 'etf-summary-row'
  | 'etf-history-row'
  | 'stock-snapshot'
  | 'macro-history-row'
  | 'chart';

/** The types of §2, as far as readers of a value have to tell them apart. */
export type FieldKind =
  | 'decimal'
  | 'number'
  | 'integer'
  | 'milliseconds'
  | 'string-timestamp'
  | 'date'
  | 'string'
  | 'choice'
  | 'array'
  | 'object';

export interface FieldType {
  readonly kind: FieldKind;
  /** What the value must be, completing "`field` is …". */
  readonly is: string;
  /** Whether a clause gives null a meaning, for the value or for a member of it. */
  readonly nullable: boolean;
}

export interface Field extends FieldType {
  /** Place inside one record: `/price`, `/sector`, `/fundraising_rounds/*`. `*` stands for any array index. */
  readonly place: string;
  /** Id of the requirement. */
  readonly id: `2.${number}/${string}`;
}

const type =
  (kind: FieldKind) =>
  (is: string): FieldType => ({ kind, is, nullable: false });
const arrayOf = type('array');
const objectOf = type('object');
const choiceOf = type('choice');
const orNull = ({ kind, is }: FieldType, when = ''): FieldType => ({
  kind,
  is: `${is}, or null${when === '' ? '' : ` ${when}`}`,
  nullable: true,
});

const holdingNull = (is: string): FieldType => ({ ...objectOf(is), nullable: true });

const decimal = type('decimal')('a decimal (JSON number or decimal string)');
const number = type('number')('a JSON number');
const integer = type('integer')('an integer JSON number');
const long = integer;
const string = type('string')('a string');
const stringOrEmpty = type('string')('a string (may be empty)');
const stamp = type('string-timestamp')('a non-empty string timestamp');
const ms = type('milliseconds')('an integer timestamp in milliseconds');
const unsettled = orNull(number, 'until settled');

const list = (
  section: `2.${number}`,
  rows: readonly (readonly [place: string, type: FieldType, slug?: string])[],
): readonly Field[] =>
  rows.map(([place, is, slug]) => ({
    place,
    ...is,
    id: `${section}/${slug ?? place.slice(1).replaceAll('_', '-')}`,
  }));

const news = (excluded: readonly string[]): readonly Field[] =>
  list('2.7', [
    ['/id', string],
    ['/source_link', string],
    ['/original_link', string],
    ['/release_time', ms],
    ['/title', string],
    ['/content', string],
    ['/author', string],
    ['/author_description', string],
    ['/author_avatar_url', string],
    ['/impression_count', integer],
    ['/like_count', integer],
    ['/reply_count', integer],
    ['/repost_count', integer],
    ['/category', choiceOf('one of the category numbers')],
    ['/feature_image', string],
    ['/nick_name', string],
    ['/is_blue_verified', { kind: 'choice', is: '1, 0 or null', nullable: true }],
    ['/verified_type', string],
    [
      '/matched_currencies',
      arrayOf('an array (may be empty) of objects with id, full_name and name'),
    ],
    ['/tags', arrayOf('an array of strings')],
    [
      '/media_info',
      arrayOf('an array of attachments: platform_url, original_url, short_url, type'),
    ],
    ['/quote_info', orNull(objectOf('an object of the stated quote shape'))],
  ]).filter((field) => !excluded.includes(field.place.slice(1)));

export const FIELDS: Readonly<Record<ResourceName, readonly Field[]>> = {
  'currency-info': list('2.1', [
    ['/currency_id', string],
    ['/name', string],
    ['/symbol', string],
    ['/introduction', string],
    ['/sector', arrayOf('an array of objects with id and name (strings)')],
    ['/icon', string],
    ['/contracts', arrayOf('an array of objects with chain and contract (strings)')],
    ['/white_paper', string],
    ['/first_issue_time', stamp],
    ['/explorers', arrayOf('an array of strings')],
    ['/community', objectOf('an object with social_primary and social_forum (strings)')],
    [
      '/significant_events',
      arrayOf('an array of objects with time (string timestamp) and content'),
    ],
  ]),
  'currency-snapshot': list('2.2', [
    ['/price', decimal],
    ['/change_pct_24h', decimal],
    ['/turnover_24h', decimal],
    ['/turnover_rate', decimal],
    ['/high_24h', decimal],
    ['/low_24h', decimal],
    ['/marketcap', decimal],
    ['/fdv', decimal],
    ['/max_supply', orNull(string, 'for an unlimited supply')],
    ['/total_supply', string],
    ['/circulating_supply', string],
    ['/ath', decimal],
    ['/ath_date', stamp],
    ['/down_from_ath', stringOrEmpty],
    ['/cycle_low', decimal],
    ['/cycle_low_date', stamp],
    ['/up_from_cycle_low', stringOrEmpty],
    ['/marketcap_rank', integer],
  ]),
  'token-economics': list('2.3', [
    [
      '/token_allocation',
      arrayOf('an array of objects with holder (string) and percentage (number)'),
    ],
    ['/token_unlock', objectOf('an object with unlocked and total_locked (strings)')],
    [
      '/unlock_timeline',
      {
        kind: 'array',
        is: 'null, or an array of objects with vestings (label, amount) and timestamp (string)',
        nullable: true,
      },
    ],
  ]),
  kline: list('2.4', [
    ['/timestamp', ms],
    ['/open', number],
    ['/high', number],
    ['/low', number],
    ['/close', number],
    ['/volume', number],
  ]),
  'trading-pair': list('2.5', [
    ['/base', string],
    ['/target', string],
    ['/market', string],
    ['/price', number],
    ['/turnover_24h', number],
    ['/cost_to_move_up_usd', number],
    ['/cost_to_move_down_usd', number],
  ]),
  fundraising: list('2.6', [
    ['/project_id', string],
    ['/social_username', string],
    ['/create_time', long],
    ['/update_time', long],
    ['/fundraising_rounds', arrayOf('an array of objects')],
    [
      '/fundraising_rounds/*',
      holdingNull('a round: round_id, round, amount, valuation (may be null), date, investors'),
      'round-item',
    ],
    [
      '/fundraising_rounds/*/investors/*',
      objectOf(
        'an investor: investor_id, name, logo_url, type (integer), is_lead_investor (boolean)',
      ),
      'round-investor',
    ],
    ['/investors', arrayOf('an array of objects')],
    ['/team', arrayOf('an array of objects')],
    [
      '/investment_stats',
      holdingNull('an object with four integer counts and last_invest_date (may be null)'),
    ],
    [
      '/portfolio',
      arrayOf('an array of objects with the seven stated fields of a portfolio project'),
    ],
  ]),
  'news-item': news([]),
  'featured-news-item': news([
    'original_link',
    'impression_count',
    'like_count',
    'reply_count',
    'repost_count',
  ]),
  'etf-summary-row': list('2.8', [
    ['/date', type('date')('a date of the form yyyy-MM-dd'), 'summary-date'],
    ['/total_net_inflow', decimal, 'summary-total-net-inflow'],
    ['/total_value_traded', decimal, 'summary-total-value-traded'],
    ['/total_net_assets', decimal, 'summary-total-net-assets'],
    ['/cum_net_inflow', decimal, 'summary-cum-net-inflow'],
  ]),
  'etf-history-row': list('2.8', [
    ['/date', type('date')('a date of the form YYYY-MM-DD'), 'history-date'],
    ['/ticker', string, 'history-ticker'],
    ['/net_inflow', unsettled, 'history-net-inflow'],
    ['/cum_inflow', unsettled, 'history-cum-inflow'],
    ['/net_assets', unsettled, 'history-net-assets'],
    ['/currency_share', unsettled, 'history-currency-share'],
    ['/prem_dsc', unsettled, 'history-prem-dsc'],
    ['/value_traded', number, 'history-value-traded'],
    [
      '/volume',
      { ...decimal, is: 'a JSON number, or (known issue, §4.4 rule 3) a decimal string' },
      'history-volume',
    ],
  ]),
  'stock-snapshot': list('2.9', [
    ['/timestamp', long],
    ['/ticker', string],
    ['/mkt_price', number],
    ['/mkt_status', choiceOf('open or close')],
    ['/volume', number],
    ['/turnover', number],
    ['/circulating_marketcap', number],
    ['/total_marketcap', number],
    ['/total_shares', number],
    ['/circulating_shares', number],
    ['/pe_ttm', orNull(number, 'for a company at a loss')],
    ['/pb', orNull(number, 'for a negative book value')],
  ]),
  'macro-history-row': list('2.10', [
    ['/date', string],
    ['/actual', orNull(number, 'before the release')],
    ['/forecast', orNull(number, 'where there is none')],
    ['/previous', orNull(number, 'for the first release')],
  ]),
  chart: list('2.11', [
    ['/chart_name', string],
    ['/time_field', string],
    ['/fields', arrayOf('an array of objects with name and type (strings)')],
  ]),
};

export const RESOURCE_NAMES = Object.keys(FIELDS) as ResourceName[];

/**
 * Figures and dates that may not exist, such as the price-earnings ratio of a company that loses money, or that may not
 * be known, such as the amount of a round. No clause allows null for them, but there may be nothing else to send: a null
 * is a should (ruling 3), any other wrong value a must.
 */
export const MAY_NOT_EXIST: Readonly<Partial<Record<ResourceName, readonly string[]>>> = {
  'currency-info': ['/first_issue_time'],
  'currency-snapshot': [
    '/change_pct_24h',
    '/turnover_rate',
    '/high_24h',
    '/low_24h',
    '/marketcap',
    '/fdv',
    '/total_supply',
    '/circulating_supply',
    '/ath',
    '/ath_date',
    '/cycle_low',
    '/cycle_low_date',
    '/marketcap_rank',
  ],
  'token-economics': [
    '/token_allocation/*/percentage',
    '/token_unlock/unlocked',
    '/token_unlock/total_locked',
    '/unlock_timeline/*/vestings/*/amount',
  ],
  'trading-pair': ['/cost_to_move_up_usd', '/cost_to_move_down_usd'],
  fundraising: [
    '/fundraising_rounds/*/amount',
    '/fundraising_rounds/*/date',
    '/portfolio/*/established_date',
  ],
  'stock-snapshot': ['/pb'],
};

/** Fields of the paging envelope (§2.5, §2.7), shared by pairs and news. */
export const PAGE_FIELDS: readonly Field[] = list('2.5', [
  ['/list', arrayOf('an array'), 'page-list'],
  ['/page', integer, 'page-page'],
  ['/page_size', integer, 'page-page-size'],
  ['/total', integer, 'page-total'],
]);
