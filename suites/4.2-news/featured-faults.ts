import type { EndpointPath } from '../../src/spec/endpoints.ts';
import { ERRORS } from '../../src/spec/error-codes.ts';
import { faultsOf, type Fault } from '../../src/reference/faults/fault.ts';
import {
  bareList,
  changePage,
  overMaximum,
  refusing,
  showingPage,
  withoutMaximum,
  withoutMinimum,
} from '../families/pages/paging-faults.ts';
import {
  afterPage,
  all,
  asked,
  endpointIs,
  ignoring,
  inLanguage,
  notAsked,
  oneRowIn,
  onError,
  onMembers,
  onQuery,
  onRecord,
  onRows,
  onSuccess,
  setting,
} from '../../src/reference/vocabulary.ts';

const FEATURED: EndpointPath = '/news/featured';
const featured = endpointIs(FEATURED);

/** Faults in `GET /news/featured` (§4.2). */
export const FEATURED_NEWS_FAULTS: readonly Fault[] = faultsOf('4.2', {
  'featured-bare-array': {
    title: 'Featured news is returned as a bare array',
    kills: ['4.2/featured'],
    hooks: bareList(featured),
  },
  'featured-partial-content': {
    title: 'Featured news is returned with status 206',
    kills: ['4.2/featured'],
    hooks: onSuccess(featured, (answer) => ({ ...answer, status: 206 })),
  },
  'featured-page-optional': {
    title: 'Featured news is returned for a request without `page`',
    kills: ['4.2/featured-page-required'],
    hooks: setting('page', '1', all(featured, notAsked('page'))),
  },
  'featured-page-code': {
    title: 'Featured news without `page` is refused as an invalid value',
    kills: ['4.2/featured-page-required'],
    hooks: onError(
      'missingParameter',
      { code: ERRORS.invalidValue.code },
      all(featured, notAsked('page')),
    ),
  },
  'featured-page-size-optional': {
    title: 'Featured news is returned for a request without `page_size`',
    kills: ['4.2/featured-page-size-required'],
    hooks: setting('page_size', '20', all(featured, notAsked('page_size'))),
  },
  'featured-page-zero': {
    title: 'Page 0 of featured news is returned instead of refused',
    kills: ['4.2/featured-page-minimum'],
    hooks: showingPage('1', all(featured, asked('page', '0'))),
  },
  'featured-small-pages': {
    title: 'A featured page_size below 20 is used unchanged',
    kills: ['4.2/featured-page-size-minimum'],
    hooks: withoutMinimum(FEATURED, 'page_size'),
  },
  'featured-page-size-1': {
    title: 'A featured page_size of 1 is used unchanged',
    kills: ['4.2/featured-page-size-minimum'],
    profile: 'full',
    hooks: {
      ...onQuery(all(featured, asked('page_size', '1')), (query) => query.set('page_size', '20')),
      ...onRows(all(featured, asked('page_size', '1')), (rows) => rows.slice(0, 1)),
      ...changePage(all(featured, asked('page_size', '1')), () => ({ page_size: 1 })),
    },
  },
  'featured-no-maximum': {
    title: 'A featured page_size above 100 is used unchanged',
    kills: ['4.2/featured-page-size-max'],
    hooks: withoutMaximum(FEATURED, 'page_size'),
  },
  'featured-20-refused': {
    title: 'A page_size of exactly 20 is refused for featured news',
    kills: ['4.2/featured-page-size-bounds'],
    hooks: overMaximum(all(featured, asked('page_size', '20')), 'page_size'),
  },
  'featured-100-refused': {
    title: 'A page_size of exactly 100 is refused for featured news',
    kills: ['4.2/featured-page-size-bounds'],
    hooks: overMaximum(all(featured, asked('page_size', '100')), 'page_size'),
  },
  'featured-page-short': {
    title: 'Pages of featured news lack their last item',
    kills: ['4.2/featured-page-full'],
    hooks: onRows(featured, (rows) => rows.slice(0, -1)),
  },
  'featured-page-short-100': {
    title: 'A page of 100 featured news items lacks its last item',
    kills: ['4.2/featured-page-full'],
    hooks: onRows(all(featured, asked('page_size', '100')), (rows) => rows.slice(0, -1)),
  },
  'featured-echo-page': {
    title: 'The envelope of featured news counts pages from 0',
    kills: ['4.2/featured-page-echo'],
    hooks: onMembers(featured, (value) => ({ page: Number(value['page']) - 1 })),
  },
  'featured-same-page': {
    title: 'Every page of featured news returns page 1',
    kills: ['4.2/featured-pages-differ'],
    hooks: showingPage('1', all(featured, afterPage(1))),
  },
  'featured-total-of-page': {
    title: '`total` of featured news counts only the items on the page',
    kills: ['4.2/featured-total'],
    hooks: changePage(featured, (rows) => ({ total: rows.length })),
  },
  'featured-total-drifts': {
    title: '`total` of featured news is halved from the second page on',
    kills: ['4.2/featured-total'],
    hooks: changePage(all(featured, afterPage(1)), (_rows, total) => ({
      total: Math.ceil(total / 2),
    })),
  },
  'featured-pages-gap': {
    title: 'From the second page on, featured news omits five items',
    kills: ['4.2/featured-pages-differ'],
    hooks: {
      ...onQuery(all(featured, afterPage(1)), (query) => query.set('page_size', '25')),
      ...onRows(all(featured, afterPage(1)), (rows) => rows.slice(0, 20)),
      ...changePage(all(featured, afterPage(1)), () => ({ page_size: 20 })),
    },
  },
  'featured-page-2-refused': {
    title: 'The second page of featured news is not found',
    kills: ['4.2/featured-pages-differ'],
    hooks: refusing(all(featured, afterPage(1))),
  },
  'featured-original-link': {
    title: 'Featured news contains original_link',
    kills: ['4.2/featured-excluded-fields'],
    hooks: onRecord('featured-news-item', (record) => ({
      ...record,
      original_link: 'https://source.example/item',
    })),
  },
  'featured-like-count-one-row': {
    title: 'One featured item in nineteen has like_count',
    kills: ['4.2/featured-excluded-fields'],
    hooks: onRecord(
      'featured-news-item',
      oneRowIn(19, (record) => ({ ...record, like_count: 3 })),
    ),
  },
  'featured-language-ignored': {
    title: 'Featured news is always English',
    kills: ['4.2/featured-language'],
    hooks: ignoring('language', featured),
  },
  'featured-language-lost-in-category': {
    title: 'Featured news is English when a category is requested in Japanese',
    kills: ['4.2/featured-language'],
    hooks: ignoring('language', all(featured, asked('category'), inLanguage('ja'))),
  },
  'featured-category-ignored': {
    title: 'The category filter of featured news is ignored',
    kills: ['4.2/featured-category-filter'],
    hooks: ignoring('category', featured),
  },
  'featured-category-ignored-in-japanese': {
    title: 'The category filter of featured news is ignored in Japanese',
    kills: ['4.2/featured-category-filter'],
    hooks: ignoring('category', all(featured, inLanguage('ja'))),
  },
  'featured-first-category-only': {
    title: 'Only the first of several categories is used',
    kills: ['4.2/featured-category-list'],
    hooks: onQuery(all(featured, asked('category')), (query) =>
      query.set('category', query.get('category')?.split(',', 1)[0] ?? ''),
    ),
  },
  'featured-category-list-refused': {
    title: 'Several categories are refused',
    kills: ['4.2/featured-category-list'],
    hooks: setting(
      'category',
      '0',
      all(featured, ({ query }) => query.get('category')?.includes(',') === true),
    ),
  },
});
