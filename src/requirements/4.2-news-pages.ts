import { check, each, full, part } from '../ask/index.ts';
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
import { ACCEPTED } from '../rules/acceptance.ts';
import { NEWS_FIRST_PAGE } from '../rules/news-first-page.ts';
import { NEWS_MAXIMUM } from '../rules/news-maximum.ts';
import { NEWS_PAGES } from '../rules/pages.ts';
import {
  BOUND_ACCEPTED,
  NUMBER_INVALID,
  PAGE_ECHO,
  PAGE_FULL,
  PAGE_SEAM,
  PAGE_SIZE,
  TOTAL,
} from './advice.ts';
import { about, must, observe } from './definition.ts';

const LIST = '4.2 GET /news';

const ON_PAGE_2 = part('on page 2 of what passes several filters', pagesOfFiltered);
const ON_PAGE_2_OF_PROJECT = part('on page 2 of the news of a project', pagesOfProject, full);

/** Requirements of the pages of news (§4.2). */
export const NEWS_PAGE_REQUIREMENTS = about(['/news'], {
  '4.2/page-default': must({
    title: 'News without page is page 1',
    clauses: [`${LIST} ?page`],
    shownBy: 'a request that leaves the parameter out',
    rulings: [22],
    why: 'Without page the first one is promised.',
    usually: ['Pages are counted from 0 inside, and the default is 1.'],
    checks: [check(plainAndLargest)],
    judge: [NEWS_FIRST_PAGE.pageDefault, NEWS_PAGES.judges.pageDefault],
  }),
  '4.2/page-size-default': must({
    title: 'News without page_size comes in pages of 20',
    clauses: [`${LIST} ?page_size`, '8 news page_size'],
    shownBy: 'a request that leaves the parameter out',
    rulings: [4],
    ...PAGE_SIZE,
    checks: [check(plainNews)],
    judge: NEWS_PAGES.judges.sizeDefault,
  }),
  '4.2/page-size-max': must({
    title: 'A news page_size above 200 is refused or brought into the range',
    clauses: [`${LIST} ?page_size`, '8 news page_size'],
    shownBy: 'a request for more than the maximum',
    rulings: [4],
    ...PAGE_SIZE,
    checks: [check(overMaximum)],
    drawn: ['news'],
    judge: NEWS_PAGES.judges.over,
  }),
  '4.2/page-size-max-accepted': must({
    title: 'A news page_size of 100 is accepted',
    clauses: [`${LIST} ?page_size`],
    rulings: [4],
    ...BOUND_ACCEPTED,
    checks: [check(largest)],
    judge: [ACCEPTED.pageSizeMaxAccepted, NEWS_PAGES.judges.accepted],
  }),
  '4.2/page-size-reading': observe({
    title: 'Answer to a news page_size from 101 to 200',
    clauses: ['4.2 rule 4', '8 news per request'],
    basis: 'contradictory',
    rulings: [4],
    checks: [check(betweenMaximums, full)],
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
    title: 'A page of news that is not the last is full',
    clauses: [`${LIST} ?page_size`],
    rulings: [4],
    ...PAGE_FULL,
    checks: [check(plainAndLargest), ON_PAGE_2_OF_PROJECT, ON_PAGE_2],
    drawn: ['news'],
    judge: NEWS_PAGES.judges.full,
  }),
  '4.2/page-invalid': must({
    title:
      'A news page or page_size of zero, below zero or not a number gets a conforming answer or a 400-class error',
    clauses: [`${LIST} ?page`, `${LIST} ?page_size`],
    rulings: [4],
    ...NUMBER_INVALID,
    checks: [
      part('answers bad values or refuses them', allInvalid),
      ...each(
        [
          { page: -1, page_size: 0, start_time: '', end_time: 'abc' },
          { page: 'abc', page_size: -5 },
          { page: '', page_size: '', language: '', category: '' },
          { page: 0 },
          { page_size: 'abc' },
          { page_size: 0 },
          { page_size: 1.5 },
        ],
        'answers %j or refuses it',
        invalid,
        full,
      ),
    ],
    drawn: ['news'],
    judge: NEWS_PAGES.judges.invalid,
  }),
  '4.2/page-echo': must({
    title: 'The envelope of news repeats the page and page_size in use',
    clauses: [`${LIST} ?page`, '2.7 page envelope'],
    ...PAGE_ECHO,
    checks: [check(plainAndLargest), ON_PAGE_2],
    drawn: ['news'],
    judge: NEWS_PAGES.judges.echo,
  }),
  '4.2/pages-join': must({
    title: 'Pages 1 and 2 of news make up one page of double size',
    clauses: [`${LIST} ?page`],
    rulings: [22],
    ...PAGE_SEAM,
    checks: [check(pagesOfPlain, full), ON_PAGE_2_OF_PROJECT, ON_PAGE_2],
    drawn: ['news'],
    judge: NEWS_PAGES.judges.join,
  }),
  '4.2/total': must({
    title: 'total is the same on every page of news',
    clauses: ['2.7 page envelope'],
    rulings: [22],
    ...TOTAL,
    checks: [part('on the second page of 100', largestPages, full), ON_PAGE_2],
    drawn: ['news'],
    judge: NEWS_PAGES.judges.total,
  }),
});
