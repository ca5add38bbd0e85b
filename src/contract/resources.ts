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

export interface Field {
  /** Place inside one record: `/price`, `/sector`, `/fundraising_rounds/*`. `*` stands for any array index. */
  readonly place: string;
  /** Id of the requirement. */
  readonly id: string;
  /** What the value must be, completing "`field` is …". */
  readonly is: string;
}

const decimal = 'a decimal (JSON number or decimal string)';
const number = 'a JSON number';
const integer = 'an integer JSON number';
const long = 'an integer JSON number';
const string = 'a string';
const stamp = 'a non-empty string timestamp';
const ms = 'an integer timestamp in milliseconds';

const list = (
  section: string,
  rows: readonly (readonly [place: string, is: string, slug?: string])[],
): readonly Field[] =>
  rows.map(([place, is, slug]) => ({
    place,
    is,
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
    ['/category', 'one of the category numbers'],
    ['/feature_image', string],
    ['/nick_name', string],
    ['/is_blue_verified', '1, 0 or null'],
    ['/verified_type', string],
    ['/matched_currencies', 'an array (may be empty) of objects with id, full_name and name'],
    ['/tags', 'an array of strings'],
    ['/media_info', 'an array of attachments: platform_url, original_url, short_url, type'],
    ['/quote_info', 'an object of the stated quote shape, or null'],
  ]).filter((field) => !excluded.includes(field.place.slice(1)));

export const FIELDS: Readonly<Record<ResourceName, readonly Field[]>> = {
  'currency-info': list('2.1', [
    ['/currency_id', string],
    ['/name', string],
    ['/symbol', string],
    ['/introduction', string],
    ['/sector', 'an array of objects with id and name (strings)'],
    ['/icon', string],
    ['/contracts', 'an array of objects with chain and contract (strings)'],
    ['/white_paper', string],
    ['/first_issue_time', stamp],
    ['/explorers', 'an array of strings'],
    ['/community', 'an object with social_primary and social_forum (strings)'],
    ['/significant_events', 'an array of objects with time (string timestamp) and content'],
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
    ['/max_supply', 'a string, or null for an unlimited supply'],
    ['/total_supply', string],
    ['/circulating_supply', string],
    ['/ath', decimal],
    ['/ath_date', stamp],
    ['/down_from_ath', 'a string (may be empty)'],
    ['/cycle_low', decimal],
    ['/cycle_low_date', stamp],
    ['/up_from_cycle_low', 'a string (may be empty)'],
    ['/marketcap_rank', integer],
  ]),
  'token-economics': list('2.3', [
    ['/token_allocation', 'an array of objects with holder (string) and percentage (number)'],
    ['/token_unlock', 'an object with unlocked and total_locked (strings)'],
    [
      '/unlock_timeline',
      'null, or an array of objects with vestings (label, amount) and timestamp (string)',
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
    ['/fundraising_rounds', 'an array of objects'],
    [
      '/fundraising_rounds/*',
      'a round: round_id, round, amount, valuation (may be null), date, investors',
      'round-item',
    ],
    [
      '/fundraising_rounds/*/investors/*',
      'an investor: investor_id, name, logo_url, type (integer), is_lead_investor (boolean)',
      'round-investor',
    ],
    ['/investors', 'an array of objects'],
    ['/team', 'an array of objects'],
    ['/investment_stats', 'an object with four integer counts and last_invest_date (may be null)'],
    ['/portfolio', 'an array of objects with the seven stated fields of a portfolio project'],
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
    ['/date', 'a date of the form yyyy-MM-dd', 'summary-date'],
    ['/total_net_inflow', decimal, 'summary-total-net-inflow'],
    ['/total_value_traded', decimal, 'summary-total-value-traded'],
    ['/total_net_assets', decimal, 'summary-total-net-assets'],
    ['/cum_net_inflow', decimal, 'summary-cum-net-inflow'],
  ]),
  'etf-history-row': list('2.8', [
    ['/date', 'a date of the form YYYY-MM-DD', 'history-date'],
    ['/ticker', string, 'history-ticker'],
    ['/net_inflow', 'a JSON number, or null until settled', 'history-net-inflow'],
    ['/cum_inflow', 'a JSON number, or null until settled', 'history-cum-inflow'],
    ['/net_assets', 'a JSON number, or null until settled', 'history-net-assets'],
    ['/currency_share', 'a JSON number, or null until settled', 'history-currency-share'],
    ['/prem_dsc', 'a JSON number, or null until settled', 'history-prem-dsc'],
    ['/value_traded', number, 'history-value-traded'],
    ['/volume', 'a JSON number, or (known issue, §4.4 rule 3) a decimal string', 'history-volume'],
  ]),
  'stock-snapshot': list('2.9', [
    ['/timestamp', long],
    ['/ticker', string],
    ['/mkt_price', number],
    ['/mkt_status', 'open or close'],
    ['/volume', number],
    ['/turnover', number],
    ['/circulating_marketcap', number],
    ['/total_marketcap', number],
    ['/total_shares', number],
    ['/circulating_shares', number],
    ['/pe_ttm', 'a JSON number, or null for a company at a loss'],
    ['/pb', 'a JSON number, or null for a negative book value'],
  ]),
  'macro-history-row': list('2.10', [
    ['/date', string],
    ['/actual', 'a JSON number, or null before the release'],
    ['/forecast', 'a JSON number, or null where there is none'],
    ['/previous', 'a JSON number, or null for the first release'],
  ]),
  chart: list('2.11', [
    ['/chart_name', string],
    ['/time_field', string],
    ['/fields', 'an array of objects with name and type (strings)'],
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
  ['/list', 'an array', 'page-list'],
  ['/page', integer, 'page-page'],
  ['/page_size', integer, 'page-page-size'],
  ['/total', integer, 'page-total'],
]);
