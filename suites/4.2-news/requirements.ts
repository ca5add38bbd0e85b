import { accepted } from '../../src/judge/shapes.ts';
import { answersOf, datedBy } from '../families/of-endpoint.ts';
import { check, each, part, type Ask } from '../../src/ask/index.ts';
import { NEWS_CATEGORY_IDS } from '../../src/spec/values.ts';
import {
  about,
  must,
  observe,
  should,
  type Advice,
  type Definition,
} from '../../src/requirements/definition.ts';
import { isJudgeable } from '../../src/judge/context.ts';
import { newsItems, releaseTimeOf } from '../../src/judge/news-items.ts';
import { judgeEach } from '../../src/judge/judge.ts';
import { NEWS_BY_TIME } from '../../src/judge/series.ts';
import { selects, windowOf } from '../families/range.ts';
import {
  plainFeatured,
  betweenCategories,
  ofCategory,
  plainAndLargest,
  plainAndSpelledOut,
  plainNews,
  samePage,
  spoken,
  unlisted,
  wholePageInTraditional,
} from './requests.ts';
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
} from './filtered-requests.ts';
import {
  CATEGORY,
  knownCurrencyTaken,
  notEmptied,
  ofProject,
  onlyOfCategory,
  onlyOfCurrency,
  listedTaken,
  oneForAllBetween,
  unlistedRefused,
} from './filters.ts';
import { NEWS_PAGE_REQUIREMENTS } from './pages.ts';
import { sameNewsInEachLanguage, sameProjectInEachLanguage } from './shared-ids.ts';
import { asWithEnglish, inLanguageAsked, LANGUAGE } from './text-language.ts';

const LIST = '4.2 GET /news';

const PERIOD = windowOf(NEWS_BY_TIME, {
  none: 'A time filter returns no news',
  range: 'A news range',
  stated: ['4.2 rule 3'],
  bounds: '8 news time filter',
});

const UNKNOWN_FILTER_VALUE: Advice = {
  shownBy: 'a request with an unlisted value',
  why: 'A client that misspells a value gets the default without noticing.',
  usually: ['An unknown value falls back to the default.'],
};

/** Without category 2, which the request with other filters covers. */
const CATEGORIES_ALONE = NEWS_CATEGORY_IDS.filter((id) => id !== 2);

/** News in Simplified Chinese. */
const inSimplified: Ask = (context) => spoken('zh', context);

/** Requirements of §4.2. */
export const NEWS_REQUIREMENTS = {
  '4.2/news': answersOf('/news', {
    title: 'News returns 200 with a paging envelope',
    clauses: ['1 News feeds', '2.7 page envelope'],
    checks: [check(plainNews)],
  }),
  '4.2/featured': answersOf('/news/featured', {
    title: 'Featured news returns 200 with a paging envelope',
    clauses: ['2.7 page envelope'],
    checks: [check(plainFeatured)],
  }),
  ...about(['/news'], {
    '4.2/language': must({
      title: '`title` and `content` are in the requested language',
      clauses: ['4.2 rule 1', `${LIST} ?language`, '4.2 language values'],
      ...LANGUAGE,
      checks: [
        part('is in zh', inSimplified),
        part('is in tc', inTraditional),
        ...each(['en', 'ja', 'ru', 'vi', 'es', 'pt', 'tr', 'fr'] as const, 'is in %s', spoken),
        part('is in tc on a whole page', wholePageInTraditional),
        part('on the last page of the news of a project', pagesOfProject),
      ],
      judge: [
        accepted('language'),
        ...inLanguageAsked({ endpoint: '/news', fields: ['title', 'content'], language: 'sent' }),
        listedTaken('language'),
      ],
    }),
    '4.2/quote-language': must({
      title: '`quote_info.content` is in the requested language',
      clauses: ['4.2 rule 1'],
      ...LANGUAGE,
      checks: [check(inSimplified)],
      judge: inLanguageAsked({ endpoint: '/news', fields: ['quote'] }),
    }),
    '4.2/language-default': must({
      title: 'News without `language` is in English',
      clauses: [`${LIST} ?language`],
      shownBy: 'a request without the parameter',
      rulings: [22],
      why: 'Most clients send no `language` and expect English.',
      usually: [
        "The language is taken from the `Accept-Language` header or from the client's IP address.",
        "The platform's own default language is used.",
      ],
      checks: [
        part('is in English without `language`', plainNews),
        part('is the same as language=en', plainAndSpelledOut),
      ],
      judge: [
        ...inLanguageAsked({
          endpoint: '/news',
          fields: ['title', 'content'],
          language: 'left out',
        }),
        asWithEnglish('/news'),
      ],
    }),
    '4.2/languages-share-ids': should({
      title: 'The same page has the same news in every language',
      clauses: ['4.2 rule 1', '4.2 language values'],
      shownBy: 'two requests for parts of the same list within a few minutes',
      rulings: [22],
      why: 'Readers switch the language of a page and expect the same news.',
      usually: ['News without a translation is filtered out.', 'Each language has its own ids.'],
      checks: each(['ja'] as const, 'shows the same page in %s', samePage),
      judge: [sameNewsInEachLanguage, sameProjectInEachLanguage],
    }),
    '4.2/language-unknown': should({
      title: 'An unlisted language is refused with a 400-class error',
      clauses: [`${LIST} ?language`, '4.2 language values'],
      rulings: [9],
      ...UNKNOWN_FILTER_VALUE,
      checks: [check(unlisted('language', 'xx'))],
      judge: unlistedRefused('language'),
    }),
    '4.2/category-filter': must({
      title: '`category=N` returns only news in that category',
      clauses: [`${LIST} ?category`, '4.2 category values'],
      ...CATEGORY,
      checks: [
        part('keeps to a category with other filters', filtered('category')),
        ...each(CATEGORIES_ALONE, 'keeps to category %s', ofCategory),
        part('keeps to category, currency and range with project_id', narrowedOfProject),
      ],
      judge: [
        accepted('category'),
        onlyOfCategory,
        notEmptied('category'),
        listedTaken('category'),
      ],
    }),
    '4.2/category-unknown': should({
      title: 'An unlisted category is refused with a 400-class error',
      clauses: [`${LIST} ?category`, '4.2 category values'],
      rulings: [9],
      ...UNKNOWN_FILTER_VALUE,
      endpoints: ['/news', '/news/featured'],
      checks: [
        check(unlisted('category', 99)),
        part('between the listed ones in news', betweenCategories('/news')),
        part('between the listed ones in featured news', betweenCategories('/news/featured')),
      ],
      judge: [unlistedRefused('category'), oneForAllBetween],
    }),
    '4.2/currency-filter': must({
      title: '`currency_id=X` returns only news matched with that currency',
      clauses: [`${LIST} ?currency_id`],
      shownBy: 'a request with that parameter',
      rulings: [22],
      needs: ['currencyIds'],
      why: 'Readers are misled by news about another currency.',
      usually: [
        'The filter searches the text instead of `matched_currencies`.',
        '`matched_currencies` is truncated after filtering.',
      ],
      checks: [
        check(filtered('currency_id')),
        part('keeps to currency_id with project_id', ofProjectAndCurrency),
      ],
      judge: [notEmptied('currency_id'), onlyOfCurrency, knownCurrencyTaken],
    }),
    '4.2/project-filter': observe({
      title: 'What `project_id` filters by',
      clauses: [`${LIST} ?project_id`],
      shownBy: 'a request with that parameter',
      needs: ['projectIds'],
      checks: [check(plainAndOfProject)],
      judge: ofProject,
    }),
    ...NEWS_PAGE_REQUIREMENTS,
    '4.2/time-filter': must({
      title: '`start_time` and `end_time` select news by `release_time`',
      clauses: ['4.2 rule 3', `${LIST} ?start_time`, `${LIST} ?end_time`],
      shownBy: 'a response with dated records to a request with a start or an end',
      ...datedBy('/news'),
      why: 'Clients that poll with `start_time` miss or repeat news.',
      usually: [
        'The filter uses the import time instead of `release_time`.',
        'The bounds are read as seconds.',
        'One end of the range is exclusive.',
      ],
      checks: [
        check(ofRange),
        // Without another filter, all known news of the largest page must be included.
        part('keeps everything inside the range', within('start_time', 'end_time')),
        part('accepts start_time alone', within('start_time')),
      ],
      judge: [notEmptied('start_time', 'end_time'), selects(NEWS_BY_TIME)],
    }),
    '4.2/window': must({ ...PERIOD.older, checks: [check(beyondAndInside)] }),
    '4.2/window-answer': must({ ...PERIOD.answer, checks: [check(plainAndBeyond)] }),
    '4.2/order': observe({
      title: 'Whether news is sorted by `release_time`',
      clauses: ['4.2 rule 2'],
      ...datedBy('/news'),
      shownBy: 'a page with news of three different times',
      checks: [check(plainAndLargest)],
      judge: judgeEach((view, context, it) => {
        if (!isJudgeable(view, context) || view.resource !== 'news-item') return;
        const times = newsItems(view).flatMap((item) => releaseTimeOf(item) ?? []);
        if (new Set(times).size < 3) return;
        const steps = times.slice(1).map((time, index) => time - (times[index] ?? time));
        const newestFirst = steps.every((step) => step <= 0);
        const oldestFirst = steps.every((step) => step >= 0);
        const ordered = newestFirst ? 'newest first' : 'oldest first';
        const answer = newestFirst || oldestFirst ? ordered : 'not by release_time';
        it.read('Order of news', answer, view);
      }),
    }),
  }),
} as const satisfies Record<string, Definition>;
