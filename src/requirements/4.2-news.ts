import { selects, windowOf } from '../../suites/families/range.ts';
import { check, each, part, type Ask } from '../ask/index.ts';
import { plainFeatured } from '../ask/requests/featured-news.ts';
import {
  beyondAndInside,
  filtered,
  inTraditional,
  narrowedOfProject,
  ofProjectAndCurrency,
  ofRange,
  pagesOfProject,
  plainAndBeyond,
  plainAndOfProject,
  within,
} from '../ask/requests/filtered-news.ts';
import {
  ofCategory,
  plainAndLargest,
  plainAndSpelledOut,
  plainNews,
  samePage,
  spoken,
  unlisted,
  wholePageInTraditional,
} from '../ask/requests/news.ts';
import { NEWS_CATEGORY_IDS } from '../contract/values.ts';
import { ACCEPTED } from '../rules/acceptance.ts';
import { NEWS_CATEGORIES } from '../rules/news-categories.ts';
import { NEWS_EMPTIED } from '../rules/news-emptied.ts';
import { NEWS_FILTERS } from '../rules/news-filters.ts';
import { NEWS_LANGUAGE } from '../rules/news-language.ts';
import { NEWS_REFUSALS } from '../rules/news-refusals.ts';
import { NEWS_SHARED_IDS } from '../rules/news-shared-ids.ts';
import { NEWS } from '../rules/news.ts';
import { NEWS_BY_TIME } from '../rules/series.ts';
import { ANSWERED } from '../rules/shapes.ts';
import { NEWS_PAGE_REQUIREMENTS } from './4.2-news-pages.ts';
import { CATEGORY, LANGUAGE, PLAIN_REQUEST, UNKNOWN_FILTER_VALUE } from './advice.ts';
import { about, must, should, observe, type Definition } from './definition.ts';

const LIST = '4.2 GET /news';
const FEATURED = '4.2 GET /news/featured';

const PERIOD = windowOf(NEWS_BY_TIME, {
  none: 'A time filter reaches no news',
  range: 'A news range',
  stated: ['4.2 rule 3'],
  bounds: '8 news time filter',
});

/** Category 2 is left to the request with other filters: where several categories would do, it takes that one. */
const CATEGORIES_ALONE = NEWS_CATEGORY_IDS.filter((id) => id !== 2);

/** News in Simplified Chinese. */
const inSimplified: Ask = (context) => spoken('zh', context);

/** Requirements of §4.2. */
export const NEWS_REQUIREMENTS = {
  '4.2/news': must({
    title: 'News answers 200 with a paging envelope',
    defect: 'schema',
    clauses: [LIST, '1 News feeds', '2.7 page envelope'],
    endpoints: ['/news'],
    ...PLAIN_REQUEST,
    checks: [check(plainNews)],
    judge: ANSWERED['/news'],
  }),
  '4.2/featured': must({
    title: 'Featured news answers 200 with a paging envelope',
    defect: 'schema',
    clauses: [FEATURED, '2.7 page envelope'],
    endpoints: ['/news/featured'],
    ...PLAIN_REQUEST,
    checks: [check(plainFeatured)],
    judge: ANSWERED['/news/featured'],
  }),
  ...about(['/news'], {
    '4.2/language': must({
      title: 'title and content come in the language asked for',
      clauses: ['4.2 rule 1', `${LIST} ?language`, '4.2 language values'],
      ...LANGUAGE,
      checks: [
        part('speaks zh', inSimplified),
        part('speaks tc', inTraditional),
        ...each(['en', 'ja', 'ru', 'vi', 'es', 'pt', 'tr', 'fr'] as const, 'speaks %s', spoken),
        part('speaks tc on a whole page', wholePageInTraditional),
        part('on the last page of the news of a project', pagesOfProject),
      ],
      drawn: ['news'],
      judge: [ACCEPTED.language, NEWS_LANGUAGE.language, NEWS_REFUSALS.language],
    }),
    '4.2/quote-language': must({
      title: 'quote_info.content comes in the language asked for',
      clauses: ['4.2 rule 1'],
      ...LANGUAGE,
      checks: [check(inSimplified)],
      judge: NEWS_LANGUAGE.quoteLanguage,
    }),
    '4.2/language-default': must({
      title: 'News without language is English',
      defect: 'validation',
      clauses: [`${LIST} ?language`],
      shownBy: 'a request that leaves the parameter out',
      rulings: [22],
      why: 'Most callers send no language and were promised English.',
      usually: [
        'The language is taken from Accept-Language or from the address of the caller.',
        'The default is that of the platform.',
      ],
      checks: [
        part('is English without language', plainNews),
        part('is the same as language=en', plainAndSpelledOut),
      ],
      judge: NEWS_LANGUAGE.languageDefault,
    }),
    '4.2/languages-share-ids': should({
      title: 'The same page has the same news whichever language is asked for',
      defect: 'filters and windows',
      clauses: ['4.2 rule 1', '4.2 language values'],
      shownBy: 'two requests for parts of one list within a few minutes',
      rulings: [22],
      why: 'Readers switch the language of a page and expect the same news.',
      usually: [
        'News is filtered by whether it is translated.',
        'Each language has ids of its own.',
      ],
      checks: each(['ja'] as const, 'shows the same page in %s', samePage),
      drawn: ['news'],
      judge: NEWS_SHARED_IDS.languagesShareIds,
    }),
    '4.2/language-unknown': should({
      title: 'A language outside the list is refused with a 400-class error',
      clauses: [`${LIST} ?language`, '4.2 language values'],
      rulings: [9],
      ...UNKNOWN_FILTER_VALUE,
      checks: [check(unlisted('language', 'xx'))],
      drawn: ['news'],
      judge: NEWS_REFUSALS.languageUnknown,
    }),
    '4.2/category-filter': must({
      title: 'category=N gives only news of that category',
      clauses: [`${LIST} ?category`, '4.2 category values'],
      ...CATEGORY,
      checks: [
        part('keeps to a category beside other filters', filtered('category')),
        ...each(CATEGORIES_ALONE, 'keeps to category %s', ofCategory),
        part('keeps to category, currency and range beside project_id', narrowedOfProject),
      ],
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
      checks: [check(unlisted('category', 99))],
      drawn: ['news'],
      judge: NEWS_REFUSALS.categoryUnknown,
    }),
    '4.2/currency-filter': must({
      title: 'currency_id=X gives only news matched with that currency',
      defect: 'filters and windows',
      clauses: [`${LIST} ?currency_id`],
      shownBy: 'a request with that parameter',
      rulings: [22],
      needs: ['currencyIds'],
      why: 'News of another currency under the one asked for misleads.',
      usually: [
        'The filter searches the text instead of matched_currencies.',
        'matched_currencies is cut to a few entries after filtering.',
      ],
      checks: [
        check(filtered('currency_id')),
        part('keeps to currency_id beside project_id', ofProjectAndCurrency),
      ],
      drawn: ['news'],
      judge: [NEWS_EMPTIED.currencyFilter, NEWS_FILTERS.currencyFilter],
    }),
    '4.2/project-filter': observe({
      title: 'What project_id filters news by',
      clauses: [`${LIST} ?project_id`],
      shownBy: 'a request with that parameter',
      needs: ['projectIds'],
      checks: [check(plainAndOfProject)],
      judge: NEWS_FILTERS.projectFilter,
    }),
    ...NEWS_PAGE_REQUIREMENTS,
    '4.2/time-filter': must({
      title: 'start_time and end_time select news by release_time',
      defect: 'filters and windows',
      clauses: ['4.2 rule 3', `${LIST} ?start_time`, `${LIST} ?end_time`],
      shownBy: 'a request with a start or an end',
      why: 'Readers that poll with start_time miss or repeat news.',
      usually: [
        'The filter uses the time of import and not release_time.',
        'The bounds are read as seconds.',
        'One end is exclusive.',
      ],
      checks: [
        check(ofRange),
        // Without another filter, the known news of the largest page has to be there, item by item.
        part('keeps everything inside', within('start_time', 'end_time')),
        part('knows start_time alone', within('start_time')),
      ],
      drawn: ['news'],
      judge: [NEWS_EMPTIED.timeFilter, selects(NEWS_BY_TIME)],
    }),
    '4.2/window': must({ ...PERIOD.older, checks: [check(beyondAndInside)] }),
    '4.2/window-answer': must({ ...PERIOD.answer, checks: [check(plainAndBeyond)] }),
    '4.2/order': observe({
      title: 'Whether news comes by release_time',
      clauses: ['4.2 rule 2'],
      checks: [check(plainAndLargest)],
      judge: NEWS.order,
    }),
  }),
} as const satisfies Record<string, Definition>;
