/** Closed sets of values in the specification. */
import { TYPES_SCHEMA } from '../../schemas/index.ts';

/** Crypto assets that have ETFs, in the order of the specification (§4.3). */
export const ETF_SYMBOLS = [
  'BTC',
  'ETH',
  'SOL',
  'LTC',
  'HBAR',
  'XRP',
  'DOGE',
  'LINK',
  'AVAX',
  'DOT',
] as const;
export type EtfSymbol = (typeof ETF_SYMBOLS)[number];

/** Listing countries of ETFs (§4.3). */
export const COUNTRIES = ['US', 'HK'] as const;
export type Country = (typeof COUNTRIES)[number];

/** Assets with listed ETFs by country (§4.3): 13 listings. */
export const ETF_LISTINGS: Readonly<Record<Country, readonly EtfSymbol[]>> = {
  US: ETF_SYMBOLS,
  HK: ['BTC', 'ETH', 'SOL'],
};

/** Languages of news (§4.2); the first is the default. */
export const LANGUAGES = ['en', 'zh', 'tc', 'ja', 'vi', 'es', 'pt', 'ru', 'tr', 'fr'] as const;
export type Language = (typeof LANGUAGES)[number];

/** News categories (§4.2), which are not contiguous. */
export const NEWS_CATEGORY_IDS = (TYPES_SCHEMA.$defs?.['newsCategory']?.enum ??
  []) as readonly number[];

/** HTML tags that may appear in the content of news (§2.7). */
export const NEWS_HTML_TAGS: readonly string[] =
  'div p span h1 h2 h3 h4 h5 h6 li ol ul figcaption figure font img picture strong b a blockquote br'.split(
    ' ',
  );

/** The only kline interval (§4.1, §4.5). */
export const KLINE_INTERVALS = ['1d'] as const;

/** Fields that featured news omits (§4.2). */
export const FEATURED_EXCLUDED_FIELDS = [
  'original_link',
  'impression_count',
  'like_count',
  'reply_count',
  'repost_count',
] as const;
