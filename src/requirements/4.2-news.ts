import { ACCEPTED } from '../rules/acceptance.ts';
import { NEWS_CATEGORIES } from '../rules/news-categories.ts';
import { NEWS_EMPTIED } from '../rules/news-emptied.ts';
import { NEWS_FILTERS } from '../rules/news-filters.ts';
import { NEWS_FIRST_PAGE } from '../rules/news-first-page.ts';
import { NEWS_LANGUAGE } from '../rules/news-language.ts';
import { NEWS_MAXIMUM } from '../rules/news-maximum.ts';
import { NEWS_REFUSALS } from '../rules/news-refusals.ts';
import { NEWS_SHARED_IDS } from '../rules/news-shared-ids.ts';
import { NEWS } from '../rules/news.ts';
import { NEWS_PAGES } from '../rules/pages.ts';
import { NEWS_BY_TIME } from '../rules/series.ts';
import { ANSWERED } from '../rules/shapes.ts';
import {
  BOUND_ACCEPTED,
  CATEGORY,
  LANGUAGE,
  NUMBER_INVALID,
  PAGE_ECHO,
  PAGE_FULL,
  PAGE_SEAM,
  PAGE_SIZE,
  PLAIN_REQUEST,
  TOTAL,
  UNKNOWN_FILTER_VALUE,
  WINDOW,
  WINDOW_ANSWER,
} from './advice.ts';
import { about, must, should, observe, type Definition } from './definition.ts';

const LIST = '4.2 GET /news';
const FEATURED = '4.2 GET /news/featured';

/** Requirements of §4.2. */
export const NEWS_REQUIREMENTS = {
  '4.2/news': must({
    title: 'News answers 200 with a paging envelope',
    clauses: [LIST, '1 News feeds', '2.7 page envelope'],
    endpoints: ['/news'],
    ...PLAIN_REQUEST,
    judge: ANSWERED['/news'],
  }),
  '4.2/featured': must({
    title: 'Featured news answers 200 with a paging envelope',
    clauses: [FEATURED, '2.7 page envelope'],
    endpoints: ['/news/featured'],
    ...PLAIN_REQUEST,
    judge: ANSWERED['/news/featured'],
  }),
  ...about(['/news'], {
    '4.2/language': must({
      title: 'title and content come in the language asked for',
      clauses: ['4.2 rule 1', `${LIST} ?language`, '4.2 language values'],
      ...LANGUAGE,
      drawn: ['news'],
      judge: [ACCEPTED.language, NEWS_LANGUAGE.language, NEWS_REFUSALS.language],
    }),
    '4.2/quote-language': must({
      title: 'quote_info.content comes in the language asked for',
      clauses: ['4.2 rule 1'],
      ...LANGUAGE,
      judge: NEWS_LANGUAGE.quoteLanguage,
    }),
    '4.2/language-default': must({
      title: 'News without language is English',
      clauses: [`${LIST} ?language`],
      shownBy: 'a request that leaves the parameter out',
      rulings: [22],
      why: 'Most callers send no language and were promised English.',
      usually: [
        'The language is taken from Accept-Language or from the address of the caller.',
        'The default is that of the platform.',
      ],
      judge: NEWS_LANGUAGE.languageDefault,
    }),
    '4.2/languages-share-ids': should({
      title: 'The same page has the same news whichever language is asked for',
      clauses: ['4.2 rule 1', '4.2 language values'],
      shownBy: 'two requests for parts of one list within a few minutes',
      rulings: [22],
      why: 'Readers switch the language of a page and expect the same news.',
      usually: [
        'News is filtered by whether it is translated.',
        'Each language has ids of its own.',
      ],
      drawn: ['news'],
      judge: NEWS_SHARED_IDS.languagesShareIds,
    }),
    '4.2/language-unknown': should({
      title: 'A language outside the list is refused with a 400-class error',
      clauses: [`${LIST} ?language`, '4.2 language values'],
      rulings: [9],
      ...UNKNOWN_FILTER_VALUE,
      drawn: ['news'],
      judge: NEWS_REFUSALS.languageUnknown,
    }),
    '4.2/category-filter': must({
      title: 'category=N gives only news of that category',
      clauses: [`${LIST} ?category`, '4.2 category values'],
      ...CATEGORY,
      drawn: ['news'],
      judge: [
        ACCEPTED.categoryFilter,
        NEWS_CATEGORIES.categoryFilter,
        NEWS_EMPTIED.categoryFilter,
        NEWS_REFUSALS.categoryFilter,
      ],
    }),
    '4.2/category-unknown': should({
      title: 'A category outside the list is refused with a 400-class error',
      clauses: [`${LIST} ?category`, '4.2 category values'],
      rulings: [9],
      ...UNKNOWN_FILTER_VALUE,
      drawn: ['news'],
      judge: NEWS_REFUSALS.categoryUnknown,
    }),
    '4.2/currency-filter': must({
      title: 'currency_id=X gives only news matched with that currency',
      clauses: [`${LIST} ?currency_id`],
      shownBy: 'a request with that parameter',
      rulings: [22],
      needs: ['currencyIds'],
      why: 'News of another currency under the one asked for misleads.',
      usually: [
        'The filter searches the text instead of matched_currencies.',
        'matched_currencies is cut to a few entries after filtering.',
      ],
      drawn: ['news'],
      judge: [NEWS_EMPTIED.currencyFilter, NEWS_FILTERS.currencyFilter],
    }),
    '4.2/project-filter': observe({
      title: 'What project_id filters news by',
      clauses: [`${LIST} ?project_id`],
      shownBy: 'a request with that parameter',
      needs: ['projectIds'],
      judge: NEWS_FILTERS.projectFilter,
    }),
    '4.2/page-default': must({
      title: 'News without page is page 1',
      clauses: [`${LIST} ?page`],
      shownBy: 'a request that leaves the parameter out',
      rulings: [22],
      why: 'Without page the first one is promised.',
      usually: ['Pages are counted from 0 inside, and the default is 1.'],
      judge: [NEWS_FIRST_PAGE.pageDefault, NEWS_PAGES.judges.pageDefault],
    }),
    '4.2/page-size-default': must({
      title: 'News without page_size comes in pages of 20',
      clauses: [`${LIST} ?page_size`, '8 news page_size'],
      shownBy: 'a request that leaves the parameter out',
      rulings: [4],
      ...PAGE_SIZE,
      judge: NEWS_PAGES.judges.sizeDefault,
    }),
    '4.2/page-size-max': must({
      title: 'A news page_size above 200 is refused or brought into the range',
      clauses: [`${LIST} ?page_size`, '8 news page_size'],
      shownBy: 'a request for more than the maximum',
      rulings: [4],
      ...PAGE_SIZE,
      drawn: ['news'],
      judge: NEWS_PAGES.judges.over,
    }),
    '4.2/page-size-max-accepted': must({
      title: 'A news page_size of 100 is accepted',
      clauses: [`${LIST} ?page_size`],
      rulings: [4],
      ...BOUND_ACCEPTED,
      judge: [ACCEPTED.pageSizeMaxAccepted, NEWS_PAGES.judges.accepted],
    }),
    '4.2/page-size-reading': observe({
      title: 'Answer to a news page_size from 101 to 200',
      clauses: ['4.2 rule 4', '8 news per request'],
      basis: 'contradictory',
      rulings: [4],
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
      judge: NEWS_MAXIMUM.maxItems,
    }),
    '4.2/page-full': must({
      title: 'A page of news that is not the last is full',
      clauses: [`${LIST} ?page_size`],
      rulings: [4],
      ...PAGE_FULL,
      drawn: ['news'],
      judge: NEWS_PAGES.judges.full,
    }),
    '4.2/page-invalid': must({
      title:
        'A news page or page_size of zero, below zero or not a number gets a conforming answer or a 400-class error',
      clauses: [`${LIST} ?page`, `${LIST} ?page_size`],
      rulings: [4],
      ...NUMBER_INVALID,
      drawn: ['news'],
      judge: NEWS_PAGES.judges.invalid,
    }),
    '4.2/page-echo': must({
      title: 'The envelope of news repeats the page and page_size in use',
      clauses: [`${LIST} ?page`, '2.7 page envelope'],
      ...PAGE_ECHO,
      drawn: ['news'],
      judge: NEWS_PAGES.judges.echo,
    }),
    '4.2/pages-join': must({
      title: 'Pages 1 and 2 of news make up one page of double size',
      clauses: [`${LIST} ?page`],
      rulings: [22],
      ...PAGE_SEAM,
      drawn: ['news'],
      judge: NEWS_PAGES.judges.join,
    }),
    '4.2/total': must({
      title: 'total is the same on every page of news',
      clauses: ['2.7 page envelope'],
      rulings: [22],
      ...TOTAL,
      drawn: ['news'],
      judge: NEWS_PAGES.judges.total,
    }),
    '4.2/time-filter': must({
      title: 'start_time and end_time select news by release_time',
      clauses: ['4.2 rule 3', `${LIST} ?start_time`, `${LIST} ?end_time`],
      shownBy: 'a request with a start or an end',
      why: 'Readers that poll with start_time miss or repeat news.',
      usually: [
        'The filter uses the time of import and not release_time.',
        'The bounds are read as seconds.',
        'One end is exclusive.',
      ],
      drawn: ['news'],
      judge: [NEWS_EMPTIED.timeFilter, NEWS_BY_TIME.judges.range],
    }),
    '4.2/window': must({
      title: 'A time filter reaches no news older than 7 days',
      clauses: ['4.2 rule 3', '8 news time filter'],
      rulings: [5],
      ...WINDOW,
      drawn: ['news'],
      judge: NEWS_BY_TIME.judges.window,
    }),
    '4.2/window-answer': must({
      title: 'A news range beyond 7 days is refused in the documented shape, cut or empty',
      clauses: ['4.2 rule 3', '8 beyond the window'],
      rulings: [5],
      ...WINDOW_ANSWER,
      drawn: ['news'],
      judge: NEWS_BY_TIME.judges.windowAnswer,
    }),
    '4.2/order': observe({
      title: 'Whether news comes by release_time',
      clauses: ['4.2 rule 2'],
      judge: NEWS.order,
    }),
  }),
} as const satisfies Record<string, Definition>;
