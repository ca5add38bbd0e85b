import {
  BELOW_MINIMUM,
  BOUND_ACCEPTED,
  CATEGORY,
  LANGUAGE,
  NUMBER_INVALID,
  PAGE_ECHO,
  PAGE_FULL,
  PAGE_SEAM,
  PAGE_SIZE,
  PLAIN_REQUEST,
  REQUIRED,
  TOTAL,
  UNKNOWN_FILTER_VALUE,
  WINDOW,
  WINDOW_ANSWER,
} from './advice.ts';
import { must, should, observe, type Definition } from './definition.ts';

const NEWS = '4.2 GET /news';
const FEATURED = '4.2 GET /news/featured';

/** Requirements of §4.2. */
export const NEWS_REQUIREMENTS = {
  '4.2/news': must({
    title: 'News answers 200 with a paging envelope',
    clauses: [NEWS, '1 News feeds', '2.7 page envelope'],
    ...PLAIN_REQUEST,
  }),
  '4.2/featured': must({
    title: 'Featured news answers 200 with a paging envelope',
    clauses: [FEATURED, '2.7 page envelope'],
    ...PLAIN_REQUEST,
  }),
  '4.2/language': must({
    title: 'title and content come in the language asked for',
    clauses: ['4.2 rule 1', `${NEWS} ?language`, '4.2 language values'],
    ...LANGUAGE,
  }),
  '4.2/quote-language': must({
    title: 'quote_info.content comes in the language asked for',
    clauses: ['4.2 rule 1'],
    ...LANGUAGE,
  }),
  '4.2/language-default': must({
    title: 'News without language is English',
    clauses: [`${NEWS} ?language`],
    rulings: [22],
    why: 'Most callers send no language and were promised English.',
    usually: [
      'The language is taken from Accept-Language or from the address of the caller.',
      'The default is that of the platform.',
    ],
  }),
  '4.2/languages-share-ids': should({
    title: 'The same page has the same news whichever language is asked for',
    clauses: ['4.2 rule 1', '4.2 language values'],
    rulings: [22],
    why: 'Readers switch the language of a page and expect the same news.',
    usually: ['News is filtered by whether it is translated.', 'Each language has ids of its own.'],
  }),
  '4.2/language-unknown': should({
    title: 'A language outside the list is refused with a 400-class error',
    clauses: [`${NEWS} ?language`, '4.2 language values'],
    rulings: [9],
    ...UNKNOWN_FILTER_VALUE,
  }),
  '4.2/category-filter': must({
    title: 'category=N gives only news of that category',
    clauses: [`${NEWS} ?category`, '4.2 category values'],
    ...CATEGORY,
  }),
  '4.2/category-unknown': should({
    title: 'A category outside the list is refused with a 400-class error',
    clauses: [`${NEWS} ?category`, '4.2 category values'],
    rulings: [9],
    ...UNKNOWN_FILTER_VALUE,
  }),
  '4.2/currency-filter': must({
    title: 'currency_id=X gives only news matched with that currency',
    clauses: [`${NEWS} ?currency_id`],
    rulings: [22],
    needs: ['currencyIds'],
    why: 'News of another currency under the one asked for misleads.',
    usually: [
      'The filter searches the text instead of matched_currencies.',
      'matched_currencies is cut to a few entries after filtering.',
    ],
  }),
  '4.2/project-filter': observe({
    title: 'What project_id filters news by',
    clauses: [`${NEWS} ?project_id`],
    needs: ['projectIds'],
  }),
  '4.2/page-default': must({
    title: 'News without page is page 1',
    clauses: [`${NEWS} ?page`],
    rulings: [22],
    why: 'Without page the first one is promised.',
    usually: ['Pages are counted from 0 inside, and the default is 1.'],
  }),
  '4.2/page-size-default': must({
    title: 'News without page_size comes in pages of 20',
    clauses: [`${NEWS} ?page_size`, '8 news page_size'],
    rulings: [4],
    ...PAGE_SIZE,
  }),
  '4.2/page-size-max': must({
    title: 'A news page_size above 200 is refused or brought into the range',
    clauses: [`${NEWS} ?page_size`, '8 news page_size'],
    rulings: [4],
    ...PAGE_SIZE,
  }),
  '4.2/page-size-max-accepted': must({
    title: 'A news page_size of 100 is accepted',
    clauses: [`${NEWS} ?page_size`],
    rulings: [4],
    ...BOUND_ACCEPTED,
  }),
  '4.2/page-size-reading': observe({
    title: 'Answer to a news page_size from 101 to 200',
    clauses: ['4.2 rule 4', '8 news per request'],
    basis: 'contradictory',
    rulings: [4],
  }),
  '4.2/max-items': must({
    title: 'No answer holds more than 200 news',
    clauses: ['4.2 rule 4', '8 news per request'],
    rulings: [4],
    why: '200 is the stated maximum of one answer, whatever page_size says.',
    usually: [
      'page_size is not bounded at all.',
      'The bound is applied with some filters and not with others.',
    ],
  }),
  '4.2/page-full': must({
    title: 'A page of news that is not the last is full',
    clauses: [`${NEWS} ?page_size`],
    rulings: [4],
    ...PAGE_FULL,
  }),
  '4.2/page-invalid': must({
    title:
      'A news page or page_size of zero, below zero or not a number gets a conforming answer or a 400-class error',
    clauses: [`${NEWS} ?page`, `${NEWS} ?page_size`],
    rulings: [4],
    ...NUMBER_INVALID,
  }),
  '4.2/page-echo': must({
    title: 'The envelope of news repeats the page and page_size in use',
    clauses: [`${NEWS} ?page`, '2.7 page envelope'],
    ...PAGE_ECHO,
  }),
  '4.2/pages-join': must({
    title: 'Pages 1 and 2 of news make up one page of double size',
    clauses: [`${NEWS} ?page`],
    rulings: [22],
    ...PAGE_SEAM,
  }),
  '4.2/total': must({
    title: 'total is the same on every page of news',
    clauses: ['2.7 page envelope'],
    rulings: [22],
    ...TOTAL,
  }),
  '4.2/time-filter': must({
    title: 'start_time and end_time select news by release_time',
    clauses: ['4.2 rule 3', `${NEWS} ?start_time`, `${NEWS} ?end_time`],
    why: 'Readers that poll with start_time miss or repeat news.',
    usually: [
      'The filter uses the time of import and not release_time.',
      'The bounds are read as seconds.',
      'One end is exclusive.',
    ],
  }),
  '4.2/window': must({
    title: 'A time filter reaches no news older than 7 days',
    clauses: ['4.2 rule 3', '8 news time filter'],
    rulings: [5],
    ...WINDOW,
  }),
  '4.2/window-answer': must({
    title: 'A news range beyond 7 days is refused in the documented shape, cut or empty',
    clauses: ['4.2 rule 3', '8 beyond the window'],
    rulings: [5],
    ...WINDOW_ANSWER,
  }),
  '4.2/order': observe({ title: 'Whether news comes by release_time', clauses: ['4.2 rule 2'] }),
  '4.2/featured-page-required': must({
    title: 'Featured news without page is refused with 400 and code 400002',
    clauses: [`${FEATURED} ?page`, '7 400002'],
    rulings: [6, 9],
    ...REQUIRED,
  }),
  '4.2/featured-page-size-required': must({
    title: 'Featured news without page_size is refused with 400 and code 400002',
    clauses: [`${FEATURED} ?page_size`, '7 400002', '8 featured news page_size'],
    rulings: [6, 9],
    ...REQUIRED,
  }),
  '4.2/featured-page-minimum': must({
    title: 'A featured page below 1 is refused or brought into the range',
    clauses: [`${FEATURED} ?page`],
    rulings: [4],
    ...BELOW_MINIMUM,
  }),
  '4.2/featured-page-size-minimum': must({
    title: 'A featured page_size below 20 is refused or brought into the range',
    clauses: [`${FEATURED} ?page_size`, '8 featured news page_size'],
    rulings: [4],
    ...BELOW_MINIMUM,
  }),
  '4.2/featured-page-size-max': must({
    title: 'A featured page_size above 100 is refused or brought into the range',
    clauses: [`${FEATURED} ?page_size`, '8 featured news page_size'],
    rulings: [4],
    ...PAGE_SIZE,
  }),
  '4.2/featured-page-size-bounds': must({
    title: 'Featured page sizes of 20 and 100 are accepted',
    clauses: [`${FEATURED} ?page_size`],
    rulings: [4],
    ...BOUND_ACCEPTED,
  }),
  '4.2/featured-page-full': must({
    title: 'A page of featured news that is not the last is full',
    clauses: [`${FEATURED} ?page_size`],
    rulings: [4],
    ...PAGE_FULL,
  }),
  '4.2/featured-page-echo': must({
    title: 'The envelope of featured news repeats the page and page_size in use',
    clauses: [`${FEATURED} ?page`],
    ...PAGE_ECHO,
  }),
  '4.2/featured-pages-differ': must({
    title: 'Two pages of featured news share no item',
    clauses: [`${FEATURED} ?page`],
    rulings: [22],
    ...PAGE_SEAM,
  }),
  '4.2/featured-total': must({
    title: 'total is the same on every page of featured news',
    clauses: ['2.7 page envelope'],
    rulings: [22],
    ...TOTAL,
  }),
  '4.2/featured-excluded-fields': must({
    title: 'Featured news leaves out original_link and the four engagement counts',
    clauses: [FEATURED],
    why: 'Featured news is promised without these five fields; some of them cost the platform money to show.',
    usually: [
      'The records of /news are passed on unchanged.',
      'The fields are there, with null or 0.',
    ],
  }),
  '4.2/featured-language': must({
    title: 'Featured news comes in the language asked for, by default English',
    clauses: [`${FEATURED} ?language`, '4.2 language values'],
    ...LANGUAGE,
  }),
  '4.2/featured-category-filter': must({
    title: 'category=N gives only featured news of that category',
    clauses: [`${FEATURED} ?category`, '4.2 category values'],
    ...CATEGORY,
  }),
  '4.2/featured-category-list': must({
    title: 'Several categories, separated by commas, give featured news of all of them',
    clauses: [`${FEATURED} ?category`],
    ...CATEGORY,
  }),
} as const satisfies Record<string, Definition>;
