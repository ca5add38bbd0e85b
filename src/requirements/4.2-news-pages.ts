import { firstByDefault } from '../../suites/4.2-news/page-default.ts';
import { optionalPagesOf, pagesOf } from '../../suites/families/pages.ts';
import { check, each, part } from '../ask/index.ts';
import { pagesOfFiltered, pagesOfProject } from '../ask/requests/filtered-news.ts';
import {
  allInvalid,
  betweenMaximums,
  invalid,
  largest,
  largestPages,
  mostItems,
  overMaximum,
  pagesOfPlain,
  plainAndLargest,
  plainNews,
} from '../ask/requests/news.ts';
import { NEWS_FIRST_PAGE } from '../rules/news-first-page.ts';
import { NEWS_MAXIMUM } from '../rules/news-maximum.ts';
import { PAGES } from '../rules/pages.ts';
import { about, must, observe } from './definition.ts';

const LIST = '4.2 GET /news';

const words = { list: 'news', bounds: '8 news page_size' };
const PAGE = pagesOf(PAGES['/news'], {
  ...words,
  size: 'A news page_size',
  envelope: '2.7 page envelope',
});
const OPTIONAL = optionalPagesOf(PAGES['/news'], {
  ...words,
  without: 'News without page_size comes',
  page: 'A news page',
});

const ON_PAGE_2 = part('on page 2 of what passes several filters', pagesOfFiltered);
const ON_LAST_OF_PROJECT = part('on the last page of the news of a project', pagesOfProject);

/** Requirements of the pages of news (§4.2). */
export const NEWS_PAGE_REQUIREMENTS = about(['/news'], {
  '4.2/page-default': must({
    title: 'News without page is page 1',
    defect: 'validation',
    clauses: [`${LIST} ?page`],
    shownBy: 'a request that leaves the parameter out',
    rulings: [22],
    why: 'Without page the first one is promised.',
    usually: ['Pages are counted from 0 inside, and the default is 1.'],
    checks: [check(plainAndLargest, { atOnce: true })],
    judge: [NEWS_FIRST_PAGE.pageDefault, firstByDefault],
  }),
  '4.2/page-size-default': must({ ...OPTIONAL.sizeDefault, checks: [check(plainNews)] }),
  '4.2/page-size-max': must({ ...PAGE.maximum, checks: [check(overMaximum)] }),
  '4.2/page-size-max-accepted': must({ ...PAGE.accepted, checks: [check(largest)] }),
  '4.2/page-size-reading': observe({
    title: 'Answer to a news page_size from 101 to 200',
    clauses: ['4.2 rule 4', '8 news per request'],
    basis: 'contradictory',
    rulings: [4],
    checks: [check(betweenMaximums)],
    judge: NEWS_MAXIMUM.pageSizeReading,
  }),
  '4.2/max-items': must({
    title: 'No answer holds more than 200 news',
    clauses: ['4.2 rule 4', '8 news per request'],
    shownBy: 'a request for more than the maximum',
    rulings: [4],
    why: '200 is the stated maximum of one answer, whatever page_size says.',
    usually: [
      'page_size is not bounded at all.',
      'The bound is applied with some filters and not with others.',
    ],
    checks: [check(mostItems)],
    judge: NEWS_MAXIMUM.maxItems,
  }),
  '4.2/page-full': must({
    ...PAGE.full,
    checks: [check(plainAndLargest), ON_LAST_OF_PROJECT, ON_PAGE_2],
  }),
  '4.2/page-invalid': must({
    ...OPTIONAL.invalid,
    checks: [
      part('answers bad values or refuses them', allInvalid),
      ...each(
        [
          { page: -1, page_size: 0, start_time: '', end_time: 'abc' },
          { page: 'abc', page_size: -5 },
          { page: '', page_size: '', language: '', category: '' },
        ],
        'answers %j or refuses it',
        invalid,
      ),
    ],
  }),
  '4.2/page-echo': must({ ...PAGE.echo, checks: [check(plainAndLargest), ON_PAGE_2] }),
  '4.2/pages-join': must({
    ...OPTIONAL.join,
    checks: [check(pagesOfPlain), ON_LAST_OF_PROJECT, ON_PAGE_2],
  }),
  '4.2/total': must({
    ...PAGE.total,
    drawn: ['news'],
    checks: [part('on a later page of 100', largestPages), ON_PAGE_2, ON_LAST_OF_PROJECT],
  }),
});
