import type { ResourceName } from '../../contract/resources.ts';

/**
 * What a value of §2 means, as far as it decides how the value can be wrong. `name`: a text that must say something.
 * `text`: a text that may be empty. `ms`: a Long in milliseconds, `long`: a Long of unstated unit, `stamp`: a String
 * timestamp, `day` one of unstated form, `figure` a number in a text. `settled`: a number that is null until settled. `turnover`: the volume of §4.4 rule 3.
 */
export type Kind =
  | 'name'
  | 'text'
  | 'figure'
  | 'stamp'
  | 'day'
  | 'date'
  | 'ms'
  | 'long'
  | 'number'
  | 'integer'
  | 'decimal'
  | 'settled'
  | 'turnover'
  | 'flag'
  | 'mark'
  | 'list'
  | 'object'
  | 'nullable-text'
  | 'nullable-list'
  | 'nullable-object'
  | 'nullable-stamp';

/** Kinds by place; `*` stands for any element. */
export type Shape = Readonly<Record<string, Kind>>;

/** Members of nested objects, below the place given. */
const below = (place: string, members: Shape): Shape =>
  Object.fromEntries(Object.entries(members).map(([name, kind]) => [`${place}${name}`, kind]));

const MEDIA: Shape = {
  '/platform_url': 'text',
  '/original_url': 'text',
  '/short_url': 'text',
  '/type': 'name',
};

const FEATURED: Shape = {
  '/id': 'name',
  '/source_link': 'text',
  '/release_time': 'ms',
  '/title': 'text',
  '/content': 'text',
  '/author': 'text',
  '/author_description': 'text',
  '/author_avatar_url': 'text',
  '/category': 'integer',
  '/feature_image': 'text',
  '/nick_name': 'text',
  '/is_blue_verified': 'mark',
  '/verified_type': 'text',
  '/matched_currencies': 'list',
  '/matched_currencies/*/id': 'name',
  '/matched_currencies/*/full_name': 'text',
  '/matched_currencies/*/name': 'text',
  '/tags': 'list',
  '/media_info': 'list',
  ...below('/media_info/*', MEDIA),
  '/quote_info': 'nullable-object',
  '/quote_info/content': 'text',
  '/quote_info/impression_count': 'long',
  '/quote_info/like_count': 'long',
  '/quote_info/reply_count': 'long',
  '/quote_info/repost_count': 'long',
  '/quote_info/created_at': 'ms',
  '/quote_info/media_info': 'list',
  ...below('/quote_info/media_info/*', MEDIA),
  '/quote_info/original_url': 'text',
  '/quote_info/author_avatar_url': 'text',
  '/quote_info/author': 'text',
  '/quote_info/nick_name': 'text',
  '/quote_info/is_blue_verified': 'mark',
  '/quote_info/verified_type': 'text',
};

/** Every value of §2 that is stated, nested ones included. */
export const SHAPES: Readonly<Record<ResourceName, Shape>> = {
  'currency-info': {
    '/currency_id': 'name',
    '/name': 'name',
    '/symbol': 'name',
    '/introduction': 'text',
    '/sector': 'list',
    '/sector/*/id': 'name',
    '/sector/*/name': 'name',
    '/icon': 'text',
    '/contracts': 'list',
    '/contracts/*/chain': 'text',
    '/contracts/*/contract': 'text',
    '/white_paper': 'text',
    '/first_issue_time': 'stamp',
    '/explorers': 'list',
    '/community': 'object',
    '/community/social_primary': 'text',
    '/community/social_forum': 'text',
    '/significant_events': 'list',
    '/significant_events/*/time': 'stamp',
    '/significant_events/*/content': 'text',
  },
  'currency-snapshot': {
    '/price': 'decimal',
    '/change_pct_24h': 'decimal',
    '/turnover_24h': 'decimal',
    '/turnover_rate': 'decimal',
    '/high_24h': 'decimal',
    '/low_24h': 'decimal',
    '/marketcap': 'decimal',
    '/fdv': 'decimal',
    '/max_supply': 'nullable-text',
    '/total_supply': 'figure',
    '/circulating_supply': 'figure',
    '/ath': 'decimal',
    '/ath_date': 'stamp',
    '/down_from_ath': 'figure',
    '/cycle_low': 'decimal',
    '/cycle_low_date': 'stamp',
    '/up_from_cycle_low': 'figure',
    '/marketcap_rank': 'integer',
  },
  'token-economics': {
    '/token_allocation': 'list',
    '/token_allocation/*/holder': 'text',
    '/token_allocation/*/percentage': 'number',
    '/token_unlock': 'object',
    '/token_unlock/unlocked': 'figure',
    '/token_unlock/total_locked': 'figure',
    '/unlock_timeline': 'nullable-list',
    '/unlock_timeline/*/vestings': 'list',
    '/unlock_timeline/*/vestings/*/label': 'text',
    '/unlock_timeline/*/vestings/*/amount': 'number',
    '/unlock_timeline/*/timestamp': 'stamp',
  },
  kline: {
    '/timestamp': 'ms',
    '/open': 'number',
    '/high': 'number',
    '/low': 'number',
    '/close': 'number',
    '/volume': 'number',
  },
  'trading-pair': {
    '/base': 'name',
    '/target': 'name',
    '/market': 'name',
    '/price': 'number',
    '/turnover_24h': 'number',
    '/cost_to_move_up_usd': 'number',
    '/cost_to_move_down_usd': 'number',
  },
  fundraising: {
    '/project_id': 'name',
    '/social_username': 'text',
    '/create_time': 'long',
    '/update_time': 'long',
    '/fundraising_rounds': 'list',
    '/fundraising_rounds/*/round_id': 'name',
    '/fundraising_rounds/*/round': 'text',
    '/fundraising_rounds/*/amount': 'figure',
    '/fundraising_rounds/*/valuation': 'nullable-text',
    '/fundraising_rounds/*/date': 'long',
    '/fundraising_rounds/*/investors': 'list',
    '/fundraising_rounds/*/investors/*/investor_id': 'name',
    '/fundraising_rounds/*/investors/*/name': 'name',
    '/fundraising_rounds/*/investors/*/logo_url': 'text',
    '/fundraising_rounds/*/investors/*/type': 'integer',
    '/fundraising_rounds/*/investors/*/is_lead_investor': 'flag',
    '/investors': 'list',
    '/team': 'list',
    '/investment_stats': 'object',
    '/investment_stats/total_rounds': 'integer',
    '/investment_stats/rounds_last_year': 'integer',
    '/investment_stats/lead_invest_count': 'integer',
    '/investment_stats/portfolio_count': 'integer',
    '/investment_stats/last_invest_date': 'nullable-stamp',
    '/portfolio': 'list',
    '/portfolio/*/project_id': 'name',
    '/portfolio/*/project_name': 'name',
    '/portfolio/*/logo_url': 'text',
    '/portfolio/*/ecosystems': 'list',
    '/portfolio/*/established_date': 'long',
    '/portfolio/*/funding_status': 'text',
    '/portfolio/*/regions': 'list',
  },
  'featured-news-item': FEATURED,
  'news-item': {
    ...FEATURED,
    '/original_link': 'text',
    '/impression_count': 'integer',
    '/like_count': 'integer',
    '/reply_count': 'integer',
    '/repost_count': 'integer',
  },
  'etf-summary-row': {
    '/date': 'date',
    '/total_net_inflow': 'decimal',
    '/total_value_traded': 'decimal',
    '/total_net_assets': 'decimal',
    '/cum_net_inflow': 'decimal',
  },
  'etf-history-row': {
    '/date': 'date',
    '/ticker': 'name',
    '/net_inflow': 'settled',
    '/cum_inflow': 'settled',
    '/net_assets': 'settled',
    '/currency_share': 'settled',
    '/prem_dsc': 'settled',
    '/value_traded': 'number',
    '/volume': 'turnover',
  },
  'stock-snapshot': {
    '/timestamp': 'long',
    '/ticker': 'name',
    '/mkt_price': 'number',
    '/mkt_status': 'name',
    '/volume': 'number',
    '/turnover': 'number',
    '/circulating_marketcap': 'number',
    '/total_marketcap': 'number',
    '/total_shares': 'number',
    '/circulating_shares': 'number',
    '/pe_ttm': 'number',
    '/pb': 'number',
  },
  'macro-history-row': {
    '/date': 'day',
    '/actual': 'number',
    '/forecast': 'number',
    '/previous': 'number',
  },
  chart: {
    '/chart_name': 'name',
    '/time_field': 'name',
    '/fields': 'list',
    '/fields/*/name': 'name',
    '/fields/*/type': 'text',
  },
};
