import type { EndpointPath } from '../../contract/endpoints.ts';
import { LANGUAGES, NEWS_CATEGORY_IDS } from '../../contract/values.ts';
import { dataTime } from '../content.ts';
import { isObject, textOf } from '../json.ts';
import type { Context } from '../hooks.ts';
import {
  afterPage,
  all,
  asked,
  crashing,
  edit,
  endpointIs,
  ignoring,
  inLanguage,
  not,
  notAsked,
  onBody,
  onPage,
  onQuery,
  onRecord,
  onRows,
} from '../vocabulary.ts';
import type { Json } from '../world.ts';
import { faultsOf } from './fault.ts';
import type { Fault } from './fault.ts';
import { changePage, overMaximum, withoutMaximum, withoutMinimum } from './paging.ts';

const NEWS: EndpointPath = '/news';
const FEATURED: EndpointPath = '/news/featured';
const news = endpointIs(NEWS);
const featured = endpointIs(FEATURED);
const DAY = 86_400_000;

const unlistedLanguage = ({ query }: Context): boolean =>
  query.has('language') && !LANGUAGES.some((language) => language === query.get('language'));
const unlistedCategory = ({ query }: Context): boolean =>
  query.has('category') && !NEWS_CATEGORY_IDS.some((id) => String(id) === query.get('category'));
const bareList = (value: Json): Json => (isObject(value) ? (value['list'] ?? null) : value);

/** Shows an item in English, whatever was asked for. */
const inEnglish = (field: string) =>
  edit(`/${field}`, (value, record, { world, now }) => {
    const found = world.news(dataTime(now)).find((item) => item.id === record['id']);
    return found?.item('en')[field] ?? value;
  });

/** Defects of §4.2. */
export const NEWS_FAULTS: readonly Fault[] = faultsOf('4.2', {
  'news-bare-array': {
    title: 'News comes as a bare array',
    kills: ['4.2/news'],
    hooks: onBody(news, bareList),
  },
  'featured-bare-array': {
    title: 'Featured news comes as a bare array',
    kills: ['4.2/featured'],
    hooks: onBody(featured, bareList),
  },
  'news-language-ignored': {
    title: 'News comes in English whatever language is asked for',
    kills: ['4.2/language'],
    hooks: ignoring('language', news),
  },
  'news-japanese-title-english': {
    title: 'Titles stay English when the language is ja',
    kills: ['4.2/language'],
    subtle: true,
    hooks: onRecord('news-item', inEnglish('title'), all(news, inLanguage('ja'))),
  },
  'news-quote-english': {
    title: 'Quotes stay English in every language',
    kills: ['4.2/quote-language'],
    subtle: true,
    hooks: onRecord(
      'news-item',
      edit('/quote_info', (value, record, { world, now }) => {
        const found = world.news(dataTime(now)).find((item) => item.id === record['id']);
        const quote = found?.item('en')['quote_info'];
        return isObject(value) && isObject(quote)
          ? { ...value, content: quote['content'] ?? '' }
          : value;
      }),
      news,
    ),
  },
  'news-default-chinese': {
    title: 'News without language comes in Simplified Chinese',
    kills: ['4.2/language-default'],
    hooks: onQuery(all(news, notAsked('language')), (query) => query.set('language', 'zh')),
  },
  'news-french-ids': {
    title: 'French news has ids of its own',
    kills: ['4.2/languages-share-ids'],
    subtle: true,
    hooks: onRecord(
      'news-item',
      edit('/id', (value) => `${textOf(value)}0`),
      all(news, inLanguage('fr')),
    ),
  },
  'news-unknown-language-crash': {
    title: 'An unknown language is an internal error',
    kills: ['4.2/language-unknown'],
    hooks: crashing(all(news, unlistedLanguage)),
  },
  'news-category-ignored': {
    title: 'The category filter is ignored',
    kills: ['4.2/category-filter'],
    hooks: ignoring('category', all(news, not(unlistedCategory))),
  },
  'news-two-filters': {
    title: 'The category filter is ignored when a currency is asked for as well',
    kills: ['4.2/category-filter'],
    subtle: true,
    hooks: ignoring('category', all(news, asked('currency_id'))),
  },
  'news-unknown-category-crash': {
    title: 'An unknown category is an internal error',
    kills: ['4.2/category-unknown'],
    hooks: crashing(all(news, unlistedCategory)),
  },
  'news-currency-ignored': {
    title: 'The currency filter is ignored',
    kills: ['4.2/currency-filter'],
    hooks: ignoring('currency_id', news),
  },
  'news-default-page-2': {
    title: 'News without page is page 2',
    kills: ['4.2/page-default'],
    hooks: onQuery(all(news, notAsked('page')), (query) => query.set('page', '2')),
  },
  'news-default-size-10': {
    title: 'Without page_size, news comes in pages of 10',
    kills: ['4.2/page-size-default'],
    hooks: onQuery(all(news, notAsked('page_size')), (query) => query.set('page_size', '10')),
  },
  'news-no-maximum': {
    title: 'A news page_size above 200 is used as it is',
    kills: ['4.2/page-size-max', '4.2/max-items'],
    hooks: withoutMaximum(NEWS, 'page_size'),
  },
  'news-100-refused': {
    title: 'A news page_size of exactly 100 is refused',
    kills: ['4.2/page-size-max-accepted'],
    subtle: true,
    hooks: overMaximum(all(news, asked('page_size', '100')), 'page_size'),
  },
  'news-page-short': {
    title: 'The second page of news misses its last item',
    kills: ['4.2/page-full'],
    subtle: true,
    hooks: onRows(all(news, onPage(2)), (rows) => (rows.length > 1 ? rows.slice(0, -1) : rows)),
  },
  'news-page-text-crash': {
    title: 'A news page_size that is no number is an internal error',
    kills: ['4.2/page-invalid'],
    subtle: true,
    hooks: crashing(all(news, ({ query }) => Number.isNaN(Number(query.get('page_size') ?? 1)))),
  },
  'news-echo-size': {
    title: 'The envelope of news says page_size 20 whatever was asked for',
    kills: ['4.2/page-echo'],
    hooks: changePage(news, () => ({ page_size: 20 })),
  },
  'news-total-drifts': {
    title: 'total of news changes from page to page',
    kills: ['4.2/total'],
    subtle: true,
    hooks: changePage(all(news, afterPage(1)), (rows, total) => ({ total: total - rows.length })),
  },
  'news-overlap': {
    title: 'Page 2 of news shows page 1 again',
    kills: ['4.2/pages-join'],
    subtle: true,
    hooks: {
      ...onQuery(all(news, onPage(2)), (query) => query.set('page', '1')),
      ...changePage(all(news, onPage(2)), () => ({ page: 2 })),
    },
  },
  'news-end-ignored': {
    title: 'end_time is ignored',
    kills: ['4.2/time-filter'],
    subtle: true,
    hooks: ignoring('end_time', news),
  },
  'news-too-old': {
    title: 'A range that starts ten days ago gets news of ten days ago',
    kills: ['4.2/window'],
    subtle: true,
    hooks: onRows(all(news, asked('start_time')), (rows, { query, now }) =>
      rows.map((row, index) =>
        Number(query.get('start_time')) < now - 10 * DAY &&
        index === rows.length - 1 &&
        isObject(row)
          ? { ...row, release_time: now - 10 * DAY }
          : row,
      ),
    ),
  },
  'news-old-range-crash': {
    title: 'A range beyond 7 days is an internal error',
    kills: ['4.2/window-answer'],
    hooks: crashing(
      all(news, ({ query, now }) => Number(query.get('start_time') ?? now) < now - 9 * DAY),
    ),
  },
  'featured-page-optional': {
    title: 'Featured news without page is answered',
    kills: ['4.2/featured-page-required'],
    hooks: onQuery(all(featured, notAsked('page')), (query) => query.set('page', '1')),
  },
  'featured-page-size-optional': {
    title: 'Featured news without page_size is answered',
    kills: ['4.2/featured-page-size-required'],
    hooks: onQuery(all(featured, notAsked('page_size')), (query) => query.set('page_size', '20')),
  },
  'featured-page-zero': {
    title: 'Page 0 of featured news is answered as page 0',
    kills: ['4.2/featured-page-minimum'],
    hooks: {
      ...onQuery(all(featured, asked('page', '0')), (query) => query.set('page', '1')),
      ...changePage(all(featured, asked('page', '0')), () => ({ page: 0 })),
    },
  },
  'featured-small-pages': {
    title: 'A featured page_size below 20 is used as it is',
    kills: ['4.2/featured-page-size-minimum'],
    hooks: withoutMinimum(FEATURED, 'page_size'),
  },
  'featured-no-maximum': {
    title: 'A featured page_size above 100 is used as it is',
    kills: ['4.2/featured-page-size-max'],
    hooks: withoutMaximum(FEATURED, 'page_size'),
  },
  'featured-20-refused': {
    title: 'A featured page_size of exactly 20 is refused',
    kills: ['4.2/featured-page-size-bounds'],
    subtle: true,
    hooks: overMaximum(all(featured, asked('page_size', '20')), 'page_size'),
  },
  'featured-page-short': {
    title: 'Pages of featured news miss their last item',
    kills: ['4.2/featured-page-full'],
    hooks: onRows(featured, (rows) => rows.slice(0, -1)),
  },
  'featured-echo-page': {
    title: 'The envelope of featured news counts pages from 0',
    kills: ['4.2/featured-page-echo'],
    hooks: onBody(featured, (value) =>
      isObject(value) ? { ...value, page: Number(value['page']) - 1 } : value,
    ),
  },
  'featured-same-page': {
    title: 'Every page of featured news shows page 1',
    kills: ['4.2/featured-pages-differ'],
    hooks: {
      ...onQuery(all(featured, afterPage(1)), (query) => query.set('page', '1')),
      ...onBody(featured, (value, { query }) =>
        isObject(value) ? { ...value, page: Number(query.get('page')) } : value,
      ),
    },
  },
  'featured-original-link': {
    title: 'Featured news has original_link',
    kills: ['4.2/featured-excluded-fields'],
    hooks: onRecord('featured-news-item', (record) => ({
      ...record,
      original_link: 'https://source.example/item',
    })),
  },
  'featured-like-count-one-row': {
    title: 'One featured item in nineteen has like_count',
    kills: ['4.2/featured-excluded-fields'],
    subtle: true,
    hooks: onRecord('featured-news-item', (record, _context, index) =>
      index % 19 === 18 ? { ...record, like_count: 3 } : record,
    ),
  },
  'featured-language-ignored': {
    title: 'Featured news is always English',
    kills: ['4.2/featured-language'],
    hooks: ignoring('language', featured),
  },
  'featured-category-ignored': {
    title: 'The category filter of featured news is ignored',
    kills: ['4.2/featured-category-filter'],
    hooks: ignoring('category', featured),
  },
  'featured-first-category-only': {
    title: 'Of several categories only the first is used',
    kills: ['4.2/featured-category-list'],
    subtle: true,
    hooks: onQuery(all(featured, asked('category')), (query) =>
      query.set('category', query.get('category')?.split(',', 1)[0] ?? ''),
    ),
  },
});
