import type { EndpointPath } from '../../src/spec/endpoints.ts';
import { ERRORS } from '../../src/spec/error-codes.ts';
import { faultsOf, type Fault } from '../../src/reference/faults/fault.ts';
import { refusing, showingPage, withoutMaximum } from '../families/pages/paging-faults.ts';
import {
  afterPage,
  all,
  asked,
  endpointIs,
  notAsked,
  oneRowIn,
  onError,
  onQuery,
  onRecord,
  onRows,
  onSuccess,
  setting,
} from '../../src/reference/vocabulary.ts';

const FEATURED: EndpointPath = '/news/featured';
const featured = endpointIs(FEATURED);

/** Faults in `GET /news/featured` (§4.2). */
export const FEATURED_NEWS_FAULTS: readonly Fault[] = faultsOf({
  'featured-partial-content': {
    title: 'Featured news is returned with status 206',
    kills: ['4.2/featured'],
    hooks: onSuccess(featured, (answer) => ({ ...answer, status: 206 })),
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
  'featured-page-zero': {
    title: 'Page 0 of featured news is returned instead of refused',
    kills: ['4.2/featured-page-minimum'],
    hooks: showingPage('1', all(featured, asked('page', '0'))),
  },
  'featured-no-maximum': {
    title: 'A featured page_size above 100 is used unchanged',
    kills: ['4.2/featured-page-size-max'],
    hooks: withoutMaximum(FEATURED, 'page_size'),
  },
  'featured-page-short-100': {
    title: 'A page of 100 featured news items lacks its last item',
    kills: ['4.2/featured-page-full'],
    hooks: onRows(all(featured, asked('page_size', '100')), (rows) => rows.slice(0, -1)),
  },
  'featured-page-2-refused': {
    title: 'The second page of featured news is not found',
    kills: ['4.2/featured-pages-differ'],
    hooks: refusing(all(featured, afterPage(1))),
  },
  'featured-like-count-one-row': {
    title: 'One featured item in nineteen has like_count',
    kills: ['4.2/featured-excluded-fields'],
    hooks: onRecord(
      'featured-news-item',
      oneRowIn(19, (record) => ({ ...record, like_count: 3 })),
    ),
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
