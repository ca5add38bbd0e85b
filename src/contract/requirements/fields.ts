import { ENDPOINTS, type Endpoint } from '../endpoints.ts';
import {
  FIELDS,
  PAGE_FIELDS,
  RESOURCE_NAMES,
  type Field,
  type ResourceName,
} from '../resources.ts';
import { must, type Need, type RequirementFacts } from './types.ts';

/** Rows of §2 whose first cell is not just the name of the field, and sentences that describe nested objects. */
const ROWS: Readonly<Record<string, string>> = {
  '2.2/high-24h': '2.2 high_24h, low_24h',
  '2.2/low-24h': '2.2 high_24h, low_24h',
  '2.4/open': '2.4 open, high, low, close',
  '2.4/high': '2.4 open, high, low, close',
  '2.4/low': '2.4 open, high, low, close',
  '2.4/close': '2.4 open, high, low, close',
  '2.5/page-list': '2.5 paging envelope',
  '2.5/page-page': '2.5 paging envelope',
  '2.5/page-page-size': '2.5 paging envelope',
  '2.5/page-total': '2.5 paging envelope',
  '2.6/create-time': '2.6 create_time, update_time',
  '2.6/update-time': '2.6 create_time, update_time',
  '2.6/round-item': '2.6 fundraising_rounds item',
  '2.6/round-investor': '2.6 investor item inside a round',
  '2.7/impression-count': '2.7 impression_count, like_count, reply_count, repost_count',
  '2.7/like-count': '2.7 impression_count, like_count, reply_count, repost_count',
  '2.7/reply-count': '2.7 impression_count, like_count, reply_count, repost_count',
  '2.7/repost-count': '2.7 impression_count, like_count, reply_count, repost_count',
  '2.9/circulating-marketcap': '2.9 circulating_marketcap, total_marketcap',
  '2.9/total-marketcap': '2.9 circulating_marketcap, total_marketcap',
  '2.9/total-shares': '2.9 total_shares, circulating_shares',
  '2.9/circulating-shares': '2.9 total_shares, circulating_shares',
};

/** Sentences of §2.7 that say more about a field than its row. */
const SENTENCES: Readonly<Record<string, readonly string[]>> = {
  '2.7/media-info': ['2.7 media_info item'],
  '2.7/quote-info': ['2.7 quote_info'],
  '2.9/mkt-status': ['3 mkt_status'],
};

/** Sections whose rows stand in sentences and not in a table. */
const PROSE_SECTIONS: ReadonlySet<string> = new Set(['2.10', '2.11']);

function clausesOf(resource: ResourceName | 'page', field: Field): readonly string[] {
  const section = field.id.slice(0, field.id.indexOf('/'));
  const name = field.place.slice(1);
  const row =
    ROWS[field.id] ??
    (resource === 'etf-history-row' ? `2.8 table 2 ${name}` : `${section} ${name}`);
  return [PROSE_SECTIONS.has(section) ? `${section} ${name}` : row, ...(SENTENCES[field.id] ?? [])];
}

function needsOf(resource: ResourceName): readonly Need[] {
  const kinds = (Object.values(ENDPOINTS) as Endpoint[])
    .filter((candidate) => candidate.response.resource === resource)
    .flatMap((candidate) => Object.values(candidate.path));
  return [...new Set(kinds)];
}

/** Rulings on types (1: decimals, 2: timestamps, 3: null and missing fields). */
function rulingsOf(field: Field): readonly number[] {
  const rulings = [3];
  if (/decimal|JSON number/.test(field.is)) rulings.push(1);
  if (/timestamp/.test(field.is)) rulings.push(2);
  return rulings.toSorted((a, b) => a - b);
}

function fieldEntries(): [string, RequirementFacts][] {
  const entries = new Map<string, RequirementFacts>();
  for (const resource of RESOURCE_NAMES) {
    for (const field of FIELDS[resource]) {
      if (entries.has(field.id)) continue; // featured news shares the fields of news
      const name = field.place.slice(1).replaceAll('/*', '[]').replaceAll('/', '.');
      entries.set(
        field.id,
        must(`\`${name}\` of ${LABELS[resource]} is ${field.is}`, clausesOf(resource, field), {
          rulings: rulingsOf(field),
          needs: needsOf(resource),
          ...(CONTRADICTORY.has(field.id) ? { basis: 'contradictory' as const } : {}),
        }),
      );
    }
  }
  for (const field of PAGE_FIELDS) {
    entries.set(
      field.id,
      must(`\`${field.place.slice(1)}\` of a paging envelope is ${field.is}`, [
        ...clausesOf('page', field),
        '2.7 page envelope',
      ]),
    );
  }
  return [...entries];
}

/** Fields on which two sentences of the specification disagree (§2.8). */
const CONTRADICTORY: ReadonlySet<string> = new Set(['2.8/history-date', '2.8/history-volume']);

/** How a resource is called in titles. */
export const LABELS: Readonly<Record<ResourceName, string>> = {
  'currency-info': 'currency info',
  'currency-snapshot': 'the currency snapshot',
  'token-economics': 'token economics',
  kline: 'a candle',
  'trading-pair': 'a trading pair',
  fundraising: 'currency fundraising',
  'news-item': 'a news item',
  'featured-news-item': 'a featured news item',
  'etf-summary-row': 'an ETF summary row',
  'etf-history-row': 'an ETF history row',
  'stock-snapshot': 'the stock snapshot',
  'macro-history-row': 'a macro history row',
  chart: 'an analysis chart',
};

/** One must requirement a field of §2. */
export const FIELD_REQUIREMENTS: Readonly<Record<`2.${number}/${string}`, RequirementFacts>> =
  Object.fromEntries(fieldEntries());
