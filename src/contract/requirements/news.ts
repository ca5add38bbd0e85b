import { must, observe, should, type RequirementFacts } from './types.ts';

const NEWS = '4.2 GET /news';
const FEATURED = '4.2 GET /news/featured';

/** Requirements of §4.2. */
export const NEWS_REQUIREMENTS = {
  '4.2/news': must('News answers 200 with a paging envelope', [
    NEWS,
    '1 News feeds',
    '2.7 page envelope',
  ]),
  '4.2/featured': must('Featured news answers 200 with a paging envelope', [
    FEATURED,
    '2.7 page envelope',
  ]),
  '4.2/language': must('title and content come in the language asked for', [
    '4.2 rule 1',
    `${NEWS} ?language`,
    '4.2 language values',
  ]),
  '4.2/quote-language': must('quote_info.content comes in the language asked for', ['4.2 rule 1']),
  '4.2/language-default': must('News without language is English', [`${NEWS} ?language`], {
    rulings: [22],
  }),
  '4.2/languages-share-ids': should(
    'The same page has the same news whichever language is asked for',
    ['4.2 rule 1', '4.2 language values'],
    { rulings: [22] },
  ),
  '4.2/language-unknown': should(
    'A language outside the list is refused with a 400-class error',
    [`${NEWS} ?language`, '4.2 language values'],
    { rulings: [9] },
  ),
  '4.2/category-filter': must('category=N gives only news of that category', [
    `${NEWS} ?category`,
    '4.2 category values',
  ]),
  '4.2/category-unknown': should(
    'A category outside the list is refused with a 400-class error',
    [`${NEWS} ?category`, '4.2 category values'],
    { rulings: [9] },
  ),
  '4.2/currency-filter': must(
    'currency_id=X gives only news matched with that currency',
    [`${NEWS} ?currency_id`],
    { rulings: [22], needs: ['currencyIds'] },
  ),
  '4.2/project-filter': observe('What project_id filters news by', [`${NEWS} ?project_id`], {
    needs: ['projectIds'],
  }),
  '4.2/page-default': must('News without page is page 1', [`${NEWS} ?page`], { rulings: [22] }),
  '4.2/page-size-default': must(
    'News without page_size comes in pages of 20',
    [`${NEWS} ?page_size`, '8 news page_size'],
    { rulings: [4] },
  ),
  '4.2/page-size-max': must(
    'A news page_size above 200 is refused or brought into the range',
    [`${NEWS} ?page_size`, '8 news page_size'],
    { rulings: [4] },
  ),
  '4.2/page-size-max-accepted': must(
    'A news page_size of 100 is accepted',
    [`${NEWS} ?page_size`],
    { rulings: [4] },
  ),
  '4.2/page-size-reading': observe(
    'Answer to a news page_size from 101 to 200',
    ['4.2 rule 4', '8 news per request'],
    { basis: 'contradictory', rulings: [4] },
  ),
  '4.2/max-items': must(
    'No answer holds more than 200 news',
    ['4.2 rule 4', '8 news per request'],
    { rulings: [4] },
  ),
  '4.2/page-full': must('A page of news that is not the last is full', [`${NEWS} ?page_size`], {
    rulings: [4],
  }),
  '4.2/page-invalid': must(
    'A news page or page_size of zero, below zero or not a number gets a conforming answer or a 400-class error',
    [`${NEWS} ?page`, `${NEWS} ?page_size`],
    { rulings: [4] },
  ),
  '4.2/page-echo': must('The envelope of news repeats the page and page_size in use', [
    `${NEWS} ?page`,
    '2.7 page envelope',
  ]),
  '4.2/pages-join': must(
    'Pages 1 and 2 of news make up one page of double size',
    [`${NEWS} ?page`],
    { rulings: [22] },
  ),
  '4.2/total': must('total is the same on every page of news', ['2.7 page envelope'], {
    rulings: [22],
  }),
  '4.2/time-filter': must('start_time and end_time select news by release_time', [
    '4.2 rule 3',
    `${NEWS} ?start_time`,
    `${NEWS} ?end_time`,
  ]),
  '4.2/window': must(
    'A time filter reaches no news older than 7 days',
    ['4.2 rule 3', '8 news time filter'],
    { rulings: [5] },
  ),
  '4.2/window-answer': must(
    'A news range beyond 7 days is refused in the documented shape, cut or empty',
    ['4.2 rule 3', '8 beyond the window'],
    { rulings: [5] },
  ),
  '4.2/order': observe('Whether news comes by release_time', ['4.2 rule 2']),
  '4.2/featured-page-required': must(
    'Featured news without page is refused with 400 and code 400002',
    [`${FEATURED} ?page`, '7 400002'],
    { rulings: [6, 9] },
  ),
  '4.2/featured-page-size-required': must(
    'Featured news without page_size is refused with 400 and code 400002',
    [`${FEATURED} ?page_size`, '7 400002', '8 featured news page_size'],
    { rulings: [6, 9] },
  ),
  '4.2/featured-page-minimum': must(
    'A featured page below 1 is refused or brought into the range',
    [`${FEATURED} ?page`],
    { rulings: [4] },
  ),
  '4.2/featured-page-size-minimum': must(
    'A featured page_size below 20 is refused or brought into the range',
    [`${FEATURED} ?page_size`, '8 featured news page_size'],
    { rulings: [4] },
  ),
  '4.2/featured-page-size-max': must(
    'A featured page_size above 100 is refused or brought into the range',
    [`${FEATURED} ?page_size`, '8 featured news page_size'],
    { rulings: [4] },
  ),
  '4.2/featured-page-size-bounds': must(
    'Featured page sizes of 20 and 100 are accepted',
    [`${FEATURED} ?page_size`],
    { rulings: [4] },
  ),
  '4.2/featured-page-full': must(
    'A page of featured news that is not the last is full',
    [`${FEATURED} ?page_size`],
    { rulings: [4] },
  ),
  '4.2/featured-page-echo': must(
    'The envelope of featured news repeats the page and page_size in use',
    [`${FEATURED} ?page`],
  ),
  '4.2/featured-pages-differ': must(
    'Two pages of featured news share no item',
    [`${FEATURED} ?page`],
    { rulings: [22] },
  ),
  '4.2/featured-total': must(
    'total is the same on every page of featured news',
    ['2.7 page envelope'],
    { rulings: [22] },
  ),
  '4.2/featured-excluded-fields': must(
    'Featured news leaves out original_link and the four engagement counts',
    [FEATURED],
  ),
  '4.2/featured-language': must(
    'Featured news comes in the language asked for, by default English',
    [`${FEATURED} ?language`, '4.2 language values'],
  ),
  '4.2/featured-category-filter': must('category=N gives only featured news of that category', [
    `${FEATURED} ?category`,
    '4.2 category values',
  ]),
  '4.2/featured-category-list': must(
    'Several categories, separated by commas, give featured news of all of them',
    [`${FEATURED} ?category`],
  ),
} as const satisfies Record<string, RequirementFacts>;
